package practicetest

// Server is the embedded service.
//
// The integration expects these of the other files:
//
//	newClock(start time.Time) *Clock                     zero start follows time.Now
//	(*Clock) Now() time.Time, Advance(d), Set(t)
//	(*Clock) schedule(at time.Time, f func()) (cancel func())  f runs in its own goroutine when Now reaches at;
//	                                                     (*Clock) close() cancels what is scheduled and waits for running f
//	newNetwork() *network                                 in memory
//	(*network) Listen(addr string) (net.Listener, error)
//	(*network) Dial(ctx, network, addr string) (net.Conn, error)   unknown address: a *net.OpError wrapping connection refused
//	newObjectStore(clock *Clock, secret []byte) *objectStore
//	(*objectStore) presign(method, key string, expiry time.Time, base string) string
//	(*objectStore) put(key string, body []byte) (etag string), get(key string) ([]byte, bool), onPut func(key string, size int64)
//	    onPut is called after a complete PUT, outside of the store's lock; onViolation func(format string, args ...any) for strict mode
//	newCourier(clock *Clock, client *http.Client, chaos chaos) *courier; type chaos struct{ duplicates, disorder float64; seed uint64 }
//	(*courier) enqueue(sub subscription, e Event); deliveries() []Delivery; flush(ctx) error; close()
//	newFaults(clock *Clock) *faults; (*faults) inject(...Fault); clear()
//	(*faults) wrap(part string, opName func(*http.Request) string, next http.Handler) http.Handler
type Server struct{}
