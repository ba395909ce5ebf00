// Package redact removes sensitive texts from errors.
package redact

import (
	"errors"
	"net/url"
)

// Address removes the wrappers that contain the URL of a request, whose query
// may be signed: those of net/http, and of a transport with its own client. A
// wrapper inside another error is removed together with that error.
func Address(err error) error {
	for {
		wrapped, ok := errors.AsType[*url.Error](err)
		if !ok {
			return err
		}
		err = wrapped.Err
	}
}
