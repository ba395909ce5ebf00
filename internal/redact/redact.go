// Package redact takes out of errors what they must not repeat.
package redact

import (
	"errors"
	"net/url"
)

// Address drops the wrappers in which net/http repeats the whole address of a
// request, whose query may be signed. A transport that has a client of its own
// adds further ones. A wrapper inside of another error takes that with it.
func Address(err error) error {
	for {
		wrapped, ok := errors.AsType[*url.Error](err)
		if !ok {
			return err
		}
		err = wrapped.Err
	}
}
