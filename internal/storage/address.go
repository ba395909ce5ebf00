package storage

import (
	"errors"
	"fmt"
	"net/url"
)

// ErrAddress reports a URL that is refused. It does not contain the URL, which
// is a secret.
var ErrAddress = errors.New("the storage URL is not an absolute http or https URL that can be sent unchanged, without user information or a fragment")

// ErrNoAddress is the ErrAddress of an empty URL.
var ErrNoAddress = fmt.Errorf("%w: the URL is empty", ErrAddress)

// parse parses a URL, and refuses one that net/http would send with different
// bytes.
func parse(address string) (*url.URL, error) {
	if address == "" {
		return nil, ErrNoAddress
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Fragment != "" || (u.Scheme != "https" && u.Scheme != "http") ||
		u.String() != address || u.Scheme+"://"+u.Host+u.RequestURI() != address {
		return nil, ErrAddress
	}
	return u, nil
}
