package storage

import (
	"errors"
	"fmt"
	"net/url"
)

// ErrAddress reports a URL that is refused. It does not contain the URL, which
// is a secret.
var ErrAddress = errors.New("the storage URL cannot be used")

// parse parses a URL, and refuses one that net/http would send with different
// bytes.
func parse(address string) (*url.URL, error) {
	if address == "" {
		return nil, fmt.Errorf("%w: the service returned none, so the content may not exist yet", ErrAddress)
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Fragment != "" || (u.Scheme != "https" && u.Scheme != "http") ||
		u.String() != address || u.Scheme+"://"+u.Host+u.RequestURI() != address {
		return nil, fmt.Errorf("%w: it is not absolute, not http or https, contains user information or a fragment, or would be sent with other bytes", ErrAddress)
	}
	return u, nil
}
