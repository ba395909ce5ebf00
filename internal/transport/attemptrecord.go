package transport

import (
	"errors"
	"net/http"
	"time"
)

// attemptRecord is the link that notes what each exchange brought.
type attemptRecord struct{ next http.RoundTripper }

func (l *attemptRecord) RoundTrip(req *http.Request) (*http.Response, error) {
	call := callFrom(req.Context())
	attempt := call.begin()
	if call.Observer != nil {
		own := req.Context()
		if req = call.Observer.Begin(*attempt, req); callFrom(req.Context()) != call {
			req = req.WithContext(own) // the observer's leads elsewhere
		}
	}
	started := time.Now()

	resp, err := l.next.RoundTrip(req)

	attempt.Duration = time.Since(started)
	attempt.BytesSent = max(req.ContentLength, 0)
	if err != nil {
		attempt.Err = err
		attempt.Uncertain = call.connected.Load()
		if broken, ok := errors.AsType[*BrokenBodyError](err); ok {
			attempt.Status, attempt.BytesReceived = broken.Status, broken.Received
		}
		return nil, err
	}
	attempt.Status, attempt.Protocol = resp.StatusCode, resp.Proto
	attempt.BytesReceived = resp.ContentLength // the whole body, see wholeBody
	attempt.Uncertain = resp.StatusCode >= http.StatusInternalServerError
	return resp, nil
}
