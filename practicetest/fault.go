package practicetest

import (
	"net/http"
	"sync"
	"time"
)

// Fault is something that goes wrong on demand; see [Server.Inject]. The zero
// value of every field but Kind is useful: a Fault{} answers the next request,
// whatever it is, with 500.
type Fault struct {
	// Operation is the operation to disturb: an operationId of api/openapi.yaml,
	// "token", "authorize", "storage.put" or "storage.get". Empty or "*" means any.
	Operation string
	// Skip is how many matching requests are served as usual first.
	Skip int
	// Times is how many requests are disturbed then: 0 means one, a negative
	// number means all.
	Times int
	// Kind is what goes wrong.
	Kind FaultKind
	// Status is the status of an answer made up by FaultStatus (default 500),
	// FaultHTML (502), FaultRateLimit (429) or FaultEndless (200).
	Status int
	// Delay passes before the fault shows. FaultLatency is this and nothing else.
	// It is measured with package time, never with the server's [Clock].
	Delay time.Duration
	// RetryAfter is the text of the Retry-After header of an answer made up; without
	// it the header is absent.
	RetryAfter string
	// Body is the body of an answer made up; without it the body is an error object
	// as the part of the service writes it. FaultEndless repeats it.
	Body string
	// ContentType is the media type of Body.
	ContentType string
	// After is a number of bytes: of the answer's body for FaultResetAfter,
	// FaultTruncated and FaultStall, of the request's body for FaultResetBefore.
	After int64
	// BytesPerSecond is the bandwidth of FaultSlow: of the connection of each request
	// for itself, and of each direction. 0 means 65,536. It is measured with package
	// time, never with the server's [Clock].
	BytesPerSecond int64
}

const defaultBytesPerSecond = 64 << 10

// FaultKind is a way to go wrong.
type FaultKind int

const (
	// FaultStatus answers with Status and does nothing.
	FaultStatus FaultKind = iota
	// FaultLatency serves the request as usual, after Delay.
	FaultLatency
	// FaultRateLimit answers with 429, with RetryAfter when given, and does nothing.
	FaultRateLimit
	// FaultResetBefore resets the connection before the request is processed. With
	// After, that many bytes of its body are read first. net/http repeats by itself a
	// request without a body that fails so on a connection it had used before.
	FaultResetBefore
	// FaultResetAfter processes the request and resets the connection without an
	// answer. With After, the answer begins and breaks after that many bytes.
	FaultResetAfter
	// FaultTruncated processes the request, promises the whole answer in
	// Content-Length and closes the connection after the first After bytes of the
	// body, by default after half of it.
	FaultTruncated
	// FaultEndless answers with a body that never ends, and does nothing else.
	FaultEndless
	// FaultHTML answers with a page of a proxy instead of JSON, and does nothing.
	FaultHTML
	// FaultStall reads the request and gives no answer until the client leaves; nothing
	// is done. With After, the request is processed, and the answer begins and stops
	// after that many bytes.
	FaultStall
	// FaultSlow serves the request as usual, over a connection that carries no more
	// than BytesPerSecond. What lies in the buffers of the network has left the client:
	// the end of a small upload is felt as a late answer.
	FaultSlow
)

// String names the kind.
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
		f.active = append(f.active, &activeFault{Fault: fault, skip: fault.Skip, times: times})
	}
}

func (f *faults) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.active = nil
}

// match takes the fault for a request: of those that match, the first that skips
// no more. The ones before it have counted the request.
func (f *faults) match(operation string) (Fault, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, a := range f.active {
		if a.Operation != "" && a.Operation != "*" && a.Operation != operation {
			continue
		}
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
