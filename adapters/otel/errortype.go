package otel

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"

	"go.opentelemetry.io/otel/semconv/v1.43.0"

	practice "github.com/practicesdk/practice-go"
)

// errorType is the value of error.type, which has few different ones: an HTTP status, a word for what is common, else
// the type of the error; empty for a success.
func errorType(o practice.Observation) string {
	if !o.Call && o.Status >= http.StatusBadRequest {
		return strconv.Itoa(o.Status)
	}
	if o.Err == nil {
		return ""
	}
	if _, ok := errors.AsType[*practice.AmbiguousWriteError](o.Err); ok {
		return "ambiguous_write"
	}
	if status := statusOf(o.Err); status >= http.StatusBadRequest {
		return strconv.Itoa(status)
	}
	for _, known := range []struct {
		err  error
		name string
	}{
		{context.Canceled, "canceled"}, {context.DeadlineExceeded, "timeout"}, {practice.ErrStalled, "stalled"},
		{practice.ErrRateLimitWait, "rate_limit_wait"}, {practice.ErrVersionChanged, "version_changed"},
		{io.ErrUnexpectedEOF, "incomplete"}, {practice.ErrSizeMismatch, "size_mismatch"}, {practice.ErrNotRewindable, "not_rewindable"},
	} {
		if errors.Is(o.Err, known.err) {
			return known.name
		}
	}
	if timeout, ok := errors.AsType[net.Error](o.Err); ok && timeout.Timeout() {
		return "timeout"
	}
	return semconv.ErrorType(cause(o.Err)).Value.AsString()
}

// statusOf is the status in the answer of the service or the storage that an error is about.
func statusOf(err error) int {
	if answer, ok := errors.AsType[*practice.Error](err); ok {
		return answer.StatusCode
	}
	if transfer, ok := errors.AsType[*practice.TransferError](err); ok {
		return transfer.StatusCode
	}
	return 0
}

// cause is what a call or a transfer failed of.
func cause(err error) error {
	if call, ok := errors.AsType[*practice.NoAnswerError](err); ok && call.Err != nil {
		return call.Err
	}
	if transfer, ok := errors.AsType[*practice.TransferError](err); ok && transfer.Err != nil {
		return transfer.Err
	}
	return err
}
