package storage

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
)

// StatusError is an error response of the storage.
type StatusError struct {
	Status     int
	Code       string // code of the XML error body, such as "AccessDenied"; empty if there is none
	Message    string
	RetryAfter time.Duration // wait requested by the response; 0 if there is none
	Asked      bool          // the response has a Retry-After, of any value
}

// Error describes the failure, without secrets.
func (e *StatusError) Error() string {
	return strings.TrimSpace(fmt.Sprint("the storage service returned status ", e.Status, " ", e.Code))
}

// Refused reports whether the URL does not permit the exchange, or no longer.
func (e *StatusError) Refused() bool {
	return e.Status == http.StatusForbidden || e.Status == http.StatusUnauthorized || e.Expired()
}

// Expired reports whether the URL has expired.
func (e *StatusError) Expired() bool {
	return e.Status >= 400 && e.Status < 500 &&
		(strings.Contains(strings.ToLower(e.Code), "expired") || strings.Contains(strings.ToLower(e.Message), "expired"))
}

// Temporary reports whether another attempt at the same exchange may succeed.
func (e *StatusError) Temporary() bool {
	switch e.Status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	case http.StatusBadRequest, http.StatusConflict:
		return e.Asked || slices.Contains(retriedCodes, e.Code)
	}
	return e.Asked || e.Status < 300 || e.Status >= 500 // below 300: a success status with an error document
}

// retriedCodes lists codes of the statuses 400 and 409 that another attempt
// resolves: two report a bad connection, two another request at the same time.
// It must not be modified.
var retriedCodes = []string{"RequestTimeout", "IncompleteBody", "OperationAborted", "ConditionalRequestConflict"}

const maxErrorBody = 16 << 10

func statusError(resp *http.Response) *StatusError {
	defer func() { _ = resp.Body.Close() }()                       // the status suffices
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // use as much as can be read
	e := cmp.Or(ErrorDocument(resp.StatusCode, body), &StatusError{Status: resp.StatusCode})
	e.RetryAfter, _ = transport.RetryAfter(resp.Header)
	e.Asked = resp.Header.Get("Retry-After") != ""
	return e
}
