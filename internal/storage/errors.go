package storage

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// Refusals of an address. None of them repeats it: it is a secret.
var (
	ErrAddress   = errors.New("the storage address is not an absolute http or https address without user and fragment")
	ErrRewritten = errors.New("the storage address cannot be sent byte for byte")
)

// StatusError is an answer of the storage that is not a success.
type StatusError struct {
	Status  int
	Code    string // of the XML error body, such as "AccessDenied"; empty when there is none
	Message string
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("the storage answered with status %d", e.Status)
	if e.Code != "" {
		text += " " + e.Code
	}
	return text
}

const maxErrorBody = 16 << 10

func statusError(resp *http.Response) *StatusError {
	defer func() { _ = resp.Body.Close() }() // the status says it all
	e := &StatusError{Status: resp.StatusCode}
	var body struct {
		Code    string
		Message string
	}
	if xml.NewDecoder(io.LimitReader(resp.Body, maxErrorBody)).Decode(&body) == nil {
		e.Code, e.Message = body.Code, body.Message
	}
	return e
}

// parse refuses what net/http would send in other bytes than it was given.
func parse(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || (u.Scheme != "https" && u.Scheme != "http") {
		return nil, ErrAddress
	}
	if u.String() != address || u.Scheme+"://"+u.Host+u.RequestURI() != address {
		return nil, ErrRewritten
	}
	return u, nil
}

// withoutAddress drops the wrapper in which net/http repeats the signed
// address.
func withoutAddress(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}
