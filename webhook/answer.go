package webhook

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"
)

// answer writes the status and its usual text, but not the reason for a
// refusal: the sender may be an attacker.
func answer(w http.ResponseWriter, status int, again time.Duration) {
	if status == http.StatusOK {
		w.WriteHeader(status)
		return
	}
	header := w.Header()
	if again >= 0 && status == http.StatusServiceUnavailable {
		seconds := again / time.Second
		if again%time.Second > 0 {
			seconds++
		}
		header.Set("Retry-After", strconv.FormatInt(int64(seconds), 10))
	}
	header.Set("Content-Type", "text/plain; charset=utf-8")
	if status == http.StatusMethodNotAllowed {
		header.Set("Allow", http.MethodPost)
	}
	w.WriteHeader(status)
	// A write error only means that the sender has closed the connection.
	_, _ = io.WriteString(w, http.StatusText(status)+"\n")
}

// report calls the error hook unless err is nil. A failure that does not change
// the response has status 0.
func (r *Receiver) report(ctx context.Context, d *delivery, status int, err error) {
	if err == nil || r.settings.onError == nil {
		return
	}
	d.mu.Lock()
	failure := &DeliveryError{
		Status: status, RequestID: d.requestID, Type: d.notification.kind, Verified: d.verified, Attempt: d.attempt,
		Dead: d.dead, Err: err,
	}
	d.mu.Unlock()
	defer func() { _ = recover() }()
	r.settings.onError(context.WithoutCancel(ctx), failure)
}
