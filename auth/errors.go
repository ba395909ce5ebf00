package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/practicesdk/practice-go/internal/redact"
	"github.com/practicesdk/practice-go/internal/transport"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Causes of a TokenError; use errors.Is.
var (
	// ErrSignInState reports that the state in the callback is not that of the
	// sign-in.
	ErrSignInState = errors.New("the state in the callback does not belong to this sign-in")
	// ErrNotSignedIn reports that neither the store nor the credentials have a
	// refresh token: the user must sign in.
	ErrNotSignedIn = errors.New("not signed in")
	// ErrTokensOfAnother reports that the store holds the sign-in of another
	// client id or token endpoint. Its tokens are not sent.
	ErrTokensOfAnother = errors.New("the token store contains the sign-in of a different client or token endpoint")

	errTokenFile = errors.New("the file does not contain tokens or was encrypted with another key: delete the file and sign in again")
	errTokenKey  = errors.New("the encryption key is not valid")
)

// TokenError reports that no access token could be obtained. It holds the
// response of the token endpoint in OAuth 2.0 terms, and nothing from the
// request.
type TokenError struct {
	StatusCode  int    // HTTP status of the token endpoint; 0 if there was no response
	Code        string // OAuth error code, such as "invalid_grant"
	Description string // OAuth error description
	Err         error  // the cause if there was no response
	// RetryAfter is the wait that the token endpoint asked for, or 0. The
	// client does not request a token earlier, unless the wait is longer than
	// an hour.
	RetryAfter time.Duration
}

// asked returns RetryAfter as far as the client obeys it.
func (e *TokenError) asked() time.Duration { return min(e.RetryAfter, transport.MaxPause) }

// Error describes the failure without secrets.
func (e *TokenError) Error() string {
	text := "could not obtain an access token"
	if e.StatusCode != 0 {
		text += ": status " + strconv.Itoa(e.StatusCode)
	}
	if e.Code != "" {
		text += ": " + redact.OneLine(e.Code)
	}
	if e.Description != "" {
		text += ": " + redact.OneLine(e.Description)
	}
	if e.Err != nil {
		text += ": " + redact.OneLine(e.Err.Error())
	}
	return text
}

// Unwrap returns Err.
func (e *TokenError) Unwrap() error { return e.Err }

// Format writes the text of the error for every verb.
func (e TokenError) Format(state fmt.State, verb rune) { redact.Format(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e TokenError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// Temporary reports whether another attempt may succeed.
func (e *TokenError) Temporary() bool {
	if e.StatusCode == 0 {
		return e.Err != nil && !transport.IsPermanent(e.Err) && !slices.ContainsFunc(finalCauses(), func(cause error) bool { return errors.Is(e.Err, cause) })
	}
	switch e.StatusCode {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return e.StatusCode >= http.StatusInternalServerError || e.Code == "server_error" || e.Code == "temporarily_unavailable"
}

// finalCauses returns the failures for which another attempt is useless.
func finalCauses() []error {
	return []error{transport.ErrBadToken, context.Canceled, ErrSignInState, ErrNotSignedIn, ErrTokensOfAnother, errTokenFile, errTokenKey, fs.ErrPermission}
}

// mask removes the secrets of a token request from the error.
func (e *TokenError) mask(secrets ...string) *TokenError {
	mask := redact.NewMask(secrets...)
	e.Code, e.Description, e.Err = mask.Text(e.Code), mask.Text(e.Description), mask.Error(e.Err)
	return e
}

// TokenStoreError reports that a TokenStore failed. Tokens that could not be
// saved are kept in memory, and saved before the client uses them.
type TokenStoreError struct {
	Action string // "lock", "load" or "save"
	Err    error
}

// Error describes the failure without secrets.
func (e *TokenStoreError) Error() string {
	return "cannot " + e.Action + " the token store: " + e.Err.Error()
}

// Unwrap returns Err.
func (e *TokenStoreError) Unwrap() error { return e.Err }

func storeError(action string, err error, tokens ...Tokens) *TokenError {
	var secrets []string
	for _, t := range tokens {
		secrets = append(secrets, t.secrets()...)
	}
	return &TokenError{Err: &TokenStoreError{Action: action, Err: redact.NewMask(secrets...).Error(err)}}
}

// GrantStoreError reports that Source.GrantStore could not store a grant. The
// client keeps the grant, and stores it before the next call that needs a
// token.
type GrantStoreError struct{ Err error }

// Error describes the failure without secrets.
func (e *GrantStoreError) Error() string { return "cannot store the grant: " + e.Err.Error() }

// Unwrap returns Err.
func (e *GrantStoreError) Unwrap() error { return e.Err }
