// Package redact removes from errors what they must not repeat.
package redact

import (
	"errors"
	"net/url"
)

// Address removes the wrappers that repeat the address of a request, whose
// query may be signed: those of net/http, and of a transport with a client of
// its own. A wrapper inside another error removes that error with it.
func Address(err error) error {
	for {
		wrapped, ok := errors.AsType[*url.Error](err)
		if !ok {
			return err
		}
		err = wrapped.Err
	}
}
