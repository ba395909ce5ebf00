package transport

import "time"

// row is a series of refusals without an accepted attempt in between. While all
// are for one endpoint, other endpoints do not wait for it.
type row struct {
	endpoint string
	mixed    bool // the refusals are for several endpoints
	others   bool // attempts for other endpoints were accepted meanwhile
	refused  int
	idle     time.Duration // wait between two attempts; 0 means that of the pace
	sent     time.Time     // time of the latest attempt that belongs to the row
}

const (
	longestIdle = 5 * time.Second
	mixedIdle   = time.Second // maximum wait when a second endpoint is refused
)

// covers reports whether attempts for an endpoint belong to the row.
func (r *row) covers(endpoint string) bool {
	return (r.refused > 0 || r.idle > 0) && (r.mixed || r.endpoint == endpoint)
}

// isAlone reports whether an endpoint is refused again and again while others
// are accepted.
func (r *row) isAlone(endpoint string) bool {
	return r.refused > 1 && r.others && !r.mixed && r.endpoint == endpoint
}

// next returns the time until an attempt may be sent.
func (r *row) next(now time.Time, endpoint string) time.Duration {
	if r.idle == 0 || !r.covers(endpoint) {
		return 0
	}
	return r.sent.Add(r.idle).Sub(now)
}

// refuses records a refusal. inRow means that nothing was accepted since the
// previous refusal, for any endpoint.
func (r *row) refuses(now time.Time, endpoint string, inRow bool) {
	switch {
	case r.refused == 0 && r.idle == 0:
		*r = row{endpoint: endpoint, refused: 1, sent: now}
	case r.covers(endpoint):
		r.refused++
	case inRow:
		r.mixed, r.refused, r.idle = true, r.refused+1, min(r.idle, mixedIdle)
	}
}

// slowDown doubles the wait of a row.
func (r *row) slowDown(spacing time.Duration) {
	if r.refused > 1 {
		r.idle = min(longestIdle, max(2*r.idle, 2*spacing))
	}
}

// accepts records an accepted attempt that the row covers.
func (r *row) accepts(spacing time.Duration) {
	if r.refused, r.others, r.idle = 0, false, r.idle/2; r.idle < spacing {
		*r = row{}
	}
}
