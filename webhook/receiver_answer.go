package webhook

import (
	"context"
	"errors"
	"io"
	"net/http"
)

// statusOf returns the status for an outcome. ErrHandler comes first, because a handler may return any of the other
// errors.
func statusOf(err error) int {
	is := func(target error) bool { return errors.Is(err, target) }
	switch {
	case err == nil:
		return http.StatusOK
	case is(ErrHandler):
		return http.StatusInternalServerError
	case is(ErrUnfinished), is(ErrInProgress), is(ErrStore):
		return http.StatusServiceUnavailable
	case is(ErrMethod):
		return http.StatusMethodNotAllowed
	case is(ErrBodyTooLarge):
		return http.StatusRequestEntityTooLarge
	case is(ErrBodyUnreadable), is(ErrMalformed):
		return http.StatusBadRequest
	case is(ErrNoSignature), is(ErrBadSignature), is(ErrBadTimestamp), is(ErrTooOld), is(ErrTooNew):
		return http.StatusUnauthorized
	default:
		return http.StatusInternalServerError
	}
}

// answer writes the status and its usual text. The sender does not learn the reason.
func answer(w http.ResponseWriter, status int) {
	header := w.Header()
	header.Set("Content-Type", "text/plain; charset=utf-8")
	if status == http.StatusMethodNotAllowed {
		header.Set("Allow", http.MethodPost)
	}
	w.WriteHeader(status)
	// A sender that no longer listens cannot be told so.
	_, _ = io.WriteString(w, http.StatusText(status)+"\n")
}

// report tells the error hook.
func (r *Receiver) report(ctx context.Context, d *delivery, status int, err error) {
	if r.settings.onError == nil {
		return
	}
	defer func() { _ = recover() }()
	r.settings.onError(context.WithoutCancel(ctx), &DeliveryError{
		Status: status, RequestID: d.requestID, Type: d.notification.kind, Verified: d.verified, Attempt: d.attempt,
		Dead: d.dead, Err: err,
	})
}
