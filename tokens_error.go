package practice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"time"

	"golang.org/x/oauth2"

	"github.com/practicesdk/practice-go/internal/redact"
	"github.com/practicesdk/practice-go/internal/transport"
)

// TokenError reports that no access token could be obtained. It holds the
// answer of the token endpoint in the terms of OAuth 2.0, and nothing of the
// request.
type TokenError struct {
	StatusCode  int    // HTTP status of the token endpoint; 0 when it did not answer
	Code        string // OAuth error code, such as "invalid_grant"
	Description string // OAuth error description
	Err         error  // the cause when there was no answer
	// RetryAfter is how long the token endpoint asked to wait; 0 when it did not. The
	// client does not ask it earlier.
	RetryAfter time.Duration
}

// Error says what happened, without any secret.
func (e *TokenError) Error() string {
	text := "no access token"
	if e.StatusCode != 0 {
		text += ": status " + strconv.Itoa(e.StatusCode)
	}
	if e.Code != "" {
		text += ": " + oneLine(e.Code)
	}
	if e.Description != "" {
		text += ": " + oneLine(e.Description)
	}
	if e.Err != nil {
		text += ": " + oneLine(e.Err.Error())
	}
	return text
}

// Unwrap returns Err.
func (e *TokenError) Unwrap() error { return e.Err }

// Temporary reports whether another attempt may bring a token.
func (e *TokenError) Temporary() bool {
	if e.StatusCode == 0 {
		return e.Err != nil && !slices.ContainsFunc(finalCauses(), func(cause error) bool { return errors.Is(e.Err, cause) })
	}
	return e.StatusCode == http.StatusTooManyRequests || e.StatusCode >= http.StatusInternalServerError
}

// Format writes the text of the error for every verb.
func (e TokenError) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e TokenError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// finalCauses are those that another attempt meets again.
func finalCauses() []error {
	return []error{errBadToken, context.Canceled, ErrSignInState, ErrNotSignedIn, ErrTokensOfAnother, errTokenFile, errTokenKey, fs.ErrPermission}
}

var errBadToken = errors.New("the token does not fit into a header")

// tokenError keeps the parts of a failure that are no secret: oauth2 repeats
// whole answers in its texts, and net/http whole addresses.
func tokenError(err error) *TokenError {
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		failure := &TokenError{Code: refused.ErrorCode, Description: refused.ErrorDescription}
		if refused.Response != nil {
			failure.StatusCode = refused.Response.StatusCode
			failure.RetryAfter, _ = transport.RetryAfter(refused.Response.Header.Get("Retry-After"))
		}
		return failure
	}
	return &TokenError{Err: redact.Address(err)}
}

// GrantStoreError reports that WithGrantStore could not store a grant. The client
// keeps the grant, and stores it before the next call that needs a token.
type GrantStoreError struct{ Err error }

// Error says what happened.
func (e *GrantStoreError) Error() string { return "the grant could not be stored: " + e.Err.Error() }

// Unwrap returns Err.
func (e *GrantStoreError) Unwrap() error { return e.Err }
