package command

import (
	"net/http"
	"sync/atomic"
	"time"
)

// longWait is the wait for a limit of the service that is not mentioned.
const longWait = time.Second

// patience says that the command waits when the service has refused a request
// because of its limit, and no further request is sent for longWait.
type patience struct{ pending atomic.Pointer[time.Timer] }

// wait begins a wait. tell is called if it is long.
func (p *patience) wait(tell func()) {
	p.end()
	p.pending.Store(time.AfterFunc(longWait, tell))
}

// end ends a wait.
func (p *patience) end() {
	if timer := p.pending.Swap(nil); timer != nil {
		timer.Stop()
	}
}

// patient is the middleware that finds out about waits.
type patient struct {
	*app
	next http.RoundTripper
}

func (p patient) RoundTrip(r *http.Request) (*http.Response, error) {
	p.waits.end()
	resp, err := p.next.RoundTrip(r)
	if err == nil && resp.StatusCode == http.StatusTooManyRequests {
		p.waits.wait(func() { p.note("The service allows no more requests for now; the command waits.") })
	}
	return resp, err
}
