package otel

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
)

// errorType returns the value of error.type: an HTTP status, a word for a known
// failure, otherwise the type of the error; empty for a success. The number of
// different values is small.
func errorType(o practice.Observation) string {
	if o.Kind.IsAttempt() && o.Status >= http.StatusBadRequest {
		return strconv.Itoa(o.Status)
	}
	if o.Err == nil {
		return ""
	}
	for _, name := range []func(error) string{byType, bySentinel, byConnection} {
		if name := name(o.Err); name != "" {
			return name
		}
	}
	return semconv.ErrorType(cause(o.Err)).Value.AsString()
}

// unreadableRecord is the word for records that could not be decoded.
const unreadableRecord = "unreadable_record"

// byType returns the word for an error of package practice, by its type.
func byType(err error) string {
	if is[*practice.AmbiguousWriteError](err) {
		return "ambiguous_write"
	}
	if token, ok := errors.AsType[*auth.TokenError](err); ok {
		if token.StatusCode != 0 {
			return "token_" + strconv.Itoa(token.StatusCode)
		}
		return "token"
	}
	if status := statusOf(err); status >= http.StatusMultipleChoices {
		return strconv.Itoa(status)
	}
	switch {
	case is[*practice.DecodeError](err):
		return "unreadable_answer"
	case is[*practice.PagingError](err):
		return "incomplete_list"
	case is[*practice.ArgumentError](err):
		return "argument"
	case is[*practice.ConfigError](err):
		return "configuration"
	case is[*practice.RecordError](err):
		return unreadableRecord
	}
	return ""
}

func bySentinel(err error) string {
	for _, known := range []struct {
		err  error
		name string
	}{
		{context.Canceled, "canceled"}, {context.DeadlineExceeded, "timeout"}, {practice.ErrStalled, "stalled"},
		{practice.ErrRateLimitWait, "rate_limit_wait"}, {practice.ErrVersionChanged, "version_changed"},
		{io.ErrUnexpectedEOF, "incomplete"}, {practice.ErrSizeMismatch, "size_mismatch"}, {practice.ErrNotRewindable, "not_rewindable"},
		{practice.ErrBodyTooLarge, "body_too_large"}, {practice.ErrForeignLink, "foreign_link"},
	} {
		if errors.Is(err, known.err) {
			return known.name
		}
	}
	return ""
}

// byConnection returns the word for a failure of a connection. It distinguishes
// a missing host name from a service that is down, for alerts.
func byConnection(err error) string {
	timeout, ok := errors.AsType[net.Error](err)
	switch {
	case is[*net.DNSError](err):
		return "dns"
	case isTLS(err):
		return "tls"
	case ok && timeout.Timeout():
		return "timeout"
	case isAny(err, refused()):
		return "connection_refused"
	case isAny(err, reset()), errors.Is(err, io.EOF): // closed before the response, cleanly or not
		return "connection_reset"
	}
	return ""
}

// isTLS reports whether the handshake or the certificate failed. Most errors of
// crypto/tls have no exported type.
func isTLS(err error) bool {
	if is[*tls.CertificateVerificationError](err) || is[tls.RecordHeaderError](err) || is[x509.UnknownAuthorityError](err) ||
		is[x509.HostnameError](err) || is[x509.CertificateInvalidError](err) || errors.Is(err, http.ErrSchemeMismatch) {
		return true
	}
	if alert, ok := errors.AsType[*net.OpError](err); ok && (alert.Op == "remote error" || alert.Op == "local error") {
		return true
	}
	return strings.HasPrefix(cause(err).Error(), "tls: ")
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func isAny(err error, targets []error) bool {
	for _, target := range targets {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}

// statusOf returns the HTTP status of the service or the storage that caused an
// error, or 0.
func statusOf(err error) int {
	if answer, ok := errors.AsType[*practice.Error](err); ok {
		return answer.StatusCode
	}
	if transfer, ok := errors.AsType[*practice.TransferError](err); ok {
		return transfer.StatusCode
	}
	return 0
}

func isInternal(err error) bool {
	kind := reflect.TypeOf(err)
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	return strings.Contains(kind.PkgPath(), "/practice-go/internal/")
}

// cause returns the error that caused the failure of a call or transfer,
// without the wrappers that all failures have. It also unwraps types of
// internal packages, because their names mean nothing to users.
func cause(err error) error {
	for {
		var inner error
		switch wrapper := err.(type) { //nolint:errorlint // one wrapper after the other
		case *practice.NoAnswerError:
			inner = wrapper.Err
		case *practice.TransferError:
			inner = wrapper.Err
		case *practice.FolderError:
			inner = wrapper.Err
		default:
			if isInternal(err) {
				inner = errors.Unwrap(err)
			}
		}
		if inner == nil {
			return err
		}
		err = inner
	}
}
