package practicetest

import (
	"net/http"
	"sync"
	"time"
)

// Fault makes requests fail; see [Server.Inject]. A Fault{} answers the next
// request with 500, whichever it is.
type Fault struct {
	// Operation is the operation to disturb: an operationId of
	// api/openapi.yaml, "token", "authorize", "storage.put" or "storage.get".
	// Empty or "*" means any.
	Operation string `json:"operation"`
	// Skip is the number of matching requests that are served as usual first.
	Skip int `json:"skip"`
	// Times is the number of requests that are then disturbed: 0 means one, a
	// negative number means all.
	Times int `json:"times"`
	// Kind is the kind of failure.
	Kind FaultKind `json:"-"`
	// Status is the status of an answer that the fault makes up. 0 means 500
	// for FaultStatus, 502 for FaultHTML, 429 for FaultRateLimit and 200 for
	// FaultEndless.
	Status int `json:"status"`
	// Delay passes before the fault shows; FaultLatency does nothing else. It
	// is measured with package time, not with the server's [Clock].
	Delay time.Duration `json:"-"`
	// RetryAfter is the text of the Retry-After header of an answer that the
	// fault makes up. When it is empty, the header is absent.
	RetryAfter string `json:"retryAfter"`
	// Body is the body of an answer that the fault makes up; FaultEndless
	// repeats it. When it is empty, the body is an error object in the form of
	// the origin that was called; there is none where the description says that
	// the refusal has no body.
	Body string `json:"body"`
	// ContentType is the media type of Body.
	ContentType string `json:"contentType"`
	// After is the number of bytes after which the fault occurs: of the
	// response body for FaultResetAfter, FaultTruncated and FaultStall, of the
	// request body for FaultResetBefore.
	After int64 `json:"after"`
	// BytesPerSecond is the bandwidth of FaultSlow, for each connection and
	// each direction. 0 means 65,536. It is measured with package time, not
	// with the server's [Clock].
	BytesPerSecond int64 `json:"bytesPerSecond"`
}

const defaultBytesPerSecond = 64 << 10

// FaultKind is the way in which a request fails.
type FaultKind int

const (
	// FaultStatus answers with Status. The request is not processed.
	FaultStatus FaultKind = iota
	// FaultLatency serves the request as usual, after Delay.
	FaultLatency
	// FaultRateLimit answers with 429, and with RetryAfter when given. The
	// request is not processed.
	FaultRateLimit
	// FaultResetBefore resets the connection before the request is processed.
	// With After, the service reads that many bytes of its body first. net/http
	// repeats a request without a body by itself when it fails so on a
	// connection that was used before.
	FaultResetBefore
	// FaultResetAfter processes the request and resets the connection without
	// an answer. With After, the answer begins and breaks off after that many
	// bytes.
	FaultResetAfter
	// FaultTruncated processes the request, announces the whole answer in
	// Content-Length and closes the connection after the first After bytes of
	// the body, by default after half of it.
	FaultTruncated
	// FaultEndless answers with a body that never ends. The request is not
	// processed.
	FaultEndless
	// FaultHTML answers with the error page of a proxy instead of JSON. The
	// request is not processed.
	FaultHTML
	// FaultStall reads the request and gives no answer until the client leaves;
	// the request is not processed. With After, the request is processed, and
	// the answer begins and stops after that many bytes.
	FaultStall
	// FaultSlow serves the request as usual over a connection that carries at
	// most BytesPerSecond. Bytes in the buffers of the network count as sent,
	// so the client feels the end of a small upload as a late answer.
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

// faults holds the faults that were injected and not used up.
type faults struct {
	mu     sync.Mutex
	active []*activeFault
}

// activeFault is a fault with its counts.
type activeFault struct {
	Fault
	skip, times int
	met         bool   // a request has matched it, be it to skip it
	place       string // where the test asked for it
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

// left returns the faults that requests can still meet, with their remaining
// counts.
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

// match returns the fault for a request: of those that match, the first that
// skips no more. The ones before it have counted the request.
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

// wrap disturbs the requests to one part of the service.
func (f *faults) wrap(part string, operation func(*http.Request) string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fault, ok := f.match(operation(r)); ok {
			fault.serve(part, w, r, next)
			return
		}
		next.ServeHTTP(w, r)
	})
}
