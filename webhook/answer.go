package webhook

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"
)

// answer writes the status. The sender does not learn the reason of a refusal.
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
	// A sender that no longer listens does not learn of it.
	_, _ = io.WriteString(w, http.StatusText(status)+"\n")
}

// report calls the error hook, if there is an error. The status is 0 for a
// failure that does not change the answer.
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
