package practicetest

import (
	"net/http"
	"sync"
	"time"
)

// Fault makes requests fail; see [Server.Inject]. The zero Fault responds to
// the next request, whatever its operation, with 500.
type Fault struct {
	// Operation selects the requests to disturb: an operationId of
	// api/openapi.yaml, "token", "authorize", "storage.put" or "storage.get".
	// Empty or "*" means any operation.
	Operation string `json:"operation"`
	// Skip is the number of matching requests that are served normally before
	// the fault takes effect.
	Skip int `json:"skip"`
	// Times is the number of requests to which the fault then applies: 0 means
	// one, a negative number means all.
	Times int `json:"times"`
	// Kind selects how the requests fail.
	Kind FaultKind `json:"-"`
	// Status is the status of a response that the fault generates. 0 means 500
	// for FaultStatus, 502 for FaultHTML, 429 for FaultRateLimit and 200 for
	// FaultEndless.
	Status int `json:"status"`
	// Delay is the time before the fault takes effect. FaultLatency has no
	// other effect. It is measured with package time, not with the server's
	// [Clock].
	Delay time.Duration `json:"-"`
	// RetryAfter is the Retry-After header of a response that the fault
	// generates. If it is empty, the response has no such header.
	RetryAfter string `json:"retryAfter"`
	// Body is the body of a response that the fault generates; FaultEndless
	// repeats it. If it is empty, the response has an error object in the
	// format of the origin that was called, or no body where the API
	// description does not declare one for the error.
	Body string `json:"body"`
	// ContentType is the media type of Body. Empty means the usual type of the
	// response.
	ContentType string `json:"contentType"`
	// After is the number of bytes after which the fault occurs: of the
	// response body for FaultResetAfter, FaultTruncated and FaultStall, of the
	// request body for FaultResetBefore.
	After int64 `json:"after"`
	// BytesPerSecond is the bandwidth of FaultSlow, per connection and
	// direction. 0 means 65,536. It is measured with package time, not with the
	// server's [Clock].
	BytesPerSecond int64 `json:"bytesPerSecond"`
}

const defaultBytesPerSecond = 64 << 10

// FaultKind selects how a request fails.
type FaultKind int

const (
	// FaultStatus responds with Status. The request is not processed.
	FaultStatus FaultKind = iota
	// FaultLatency serves the request normally after Delay.
	FaultLatency
	// FaultRateLimit responds with 429, and with a Retry-After header if
	// RetryAfter is set. The request is not processed.
	FaultRateLimit
	// FaultResetBefore resets the connection before the request is processed.
	// If After is set, the service reads that many bytes of the request body
	// first. Note that net/http itself retries a request without a body that
	// fails like this on a reused connection.
	FaultResetBefore
	// FaultResetAfter processes the request and resets the connection without a
	// response. If After is set, it sends that many bytes of the response body
	// first.
	FaultResetAfter
	// FaultTruncated processes the request, sends the full Content-Length and
	// closes the connection after After bytes of the body. If After is 0, it
	// sends half of the body.
	FaultTruncated
	// FaultEndless responds with a body that never ends. The request is not
	// processed.
	FaultEndless
	// FaultHTML responds with the HTML error page of a proxy. The request is
	// not processed.
	FaultHTML
	// FaultStall reads the request and does not respond until the client
	// disconnects. The request is not processed. If After is set, the request
	// is processed, and the response stalls after that many bytes of its body.
	FaultStall
	// FaultSlow serves the request normally over a connection that carries at
	// most BytesPerSecond. Network buffers accept bytes before they are
	// transferred, so to the client the end of a small upload looks like a late
	// response.
	FaultSlow
)

// String returns the name of the kind.
func (k FaultKind) String() string {
	names := [...]string{
		"status", "latency", "rate limit", "reset before", "reset after", "truncated", "endless", "HTML", "stall",
		"slow",
	}
	if k < 0 || int(k) >= len(names) {
		return "unknown"
	}
	return names[k]
}

// faults holds the injected faults that are not used up.
type faults struct {
	mu     sync.Mutex
	active []*activeFault
}

// activeFault is a fault with its remaining counts.
type activeFault struct {
	Fault
	skip, times int
	met         bool   // at least one request has matched it, even if the request was skipped
	place       string // source line of the test that injected it
}

func newFaults() *faults { return &faults{} }

func (f *faults) inject(added ...Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, fault := range added {
		times := fault.Times
		if times == 0 {
			times = 1
		}
		f.active = append(f.active, &activeFault{Fault: fault, skip: fault.Skip, times: times, place: placeOfTest()})
	}
}

// left returns the faults that are still active, with their remaining counts.
func (f *faults) left() []Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []Fault
	for _, a := range f.active {
		one := a.Fault
		one.Skip, one.Times = a.skip, a.times
		all = append(all, one)
	}
	return all
}

func (f *faults) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.active = nil
}

// match returns the first matching fault with no requests left to skip, or
// false. The matching faults before it count the request as skipped.
func (f *faults) match(operation string) (Fault, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, a := range f.active {
		if a.Operation != "" && a.Operation != "*" && a.Operation != operation {
			continue
		}
		a.met = true
		if a.skip > 0 {
			a.skip--
			continue
		}
		if a.times--; a.times == 0 {
			f.active = append(f.active[:i:i], f.active[i+1:]...)
		}
		return a.Fault, true
	}
	return Fault{}, false
}

// wrap applies the faults to the requests of one part of the service.
func (f *faults) wrap(part string, operation func(*http.Request) string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fault, ok := f.match(operation(r)); ok {
			fault.serve(part, w, r, next)
			return
		}
		next.ServeHTTP(w, r)
	})
}
