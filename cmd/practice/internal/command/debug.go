package command

import (
	"net/http"
	"time"

	practice "github.com/practicesdk/practice-go"
)

// debugged prints each attempt to stderr, without credentials and bodies. Token
// requests and transfers to the storage do not pass through it.
type debugged struct {
	*app
	next http.RoundTripper
}

// debugging returns the client option that shows requests with --debug, and long
// waits.
func (a *app) debugging() practice.ClientOption {
	return practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		if a.debug {
			next = debugged{a, next}
		}
		return patient{a, next}
	})
}

func (d debugged) RoundTrip(r *http.Request) (*http.Response, error) {
	d.say("> %s %s", r.Method, r.URL)
	begun := time.Now()
	answer, err := d.next.RoundTrip(r)
	took := time.Since(begun).Round(time.Millisecond)
	if err != nil {
		d.say("< no response after %s: %v", took, err)
		return nil, err
	}
	d.say("< %s after %s, request %s", answer.Status, took, r.Header.Get("RequestId"))
	return answer, nil
}
