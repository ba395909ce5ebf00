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
		req = call.Observer.Begin(attempt.Number, req)
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
	attempt.Status = resp.StatusCode
	attempt.BytesReceived = resp.ContentLength // the whole body, see wholeBody
	attempt.Uncertain = resp.StatusCode >= http.StatusInternalServerError
	return resp, nil
}
