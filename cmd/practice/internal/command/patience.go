package command

import (
	"net/http"
	"time"
)

// longWait is the wait for a limit of the service that is not mentioned.
const longWait = time.Second

// patient is the middleware that says that the command waits when the service
// has refused a request because of its limit, and no further request is sent
// for longWait.
type patient struct {
	*app
	next http.RoundTripper
}

func (p patient) RoundTrip(r *http.Request) (*http.Response, error) {
	p.wait(nil)
	p.sent.Add(1)
	resp, err := p.next.RoundTrip(r)
	if err == nil && resp.StatusCode == http.StatusTooManyRequests {
		p.wait(time.AfterFunc(longWait, func() { p.note("Rate limit reached. Waiting before the next request.") }))
	}
	return resp, err
}

// wait ends a wait and begins another one, if it is not nil.
func (a *app) wait(next *time.Timer) {
	if before := a.waiting.Swap(next); before != nil {
		before.Stop()
	}
}
