package storage

import (
	"errors"
	"net/url"
)

// Reasons to refuse an address. They do not repeat it, since it is a secret.
var (
	ErrAddress   = errors.New("the storage address is not an absolute http or https address without user and fragment")
	ErrRewritten = errors.New("the storage address cannot be sent byte for byte")
)

// parse parses an address, and refuses an address that net/http would send in
// other bytes.
func parse(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Fragment != "" || (u.Scheme != "https" && u.Scheme != "http") {
		return nil, ErrAddress
	}
	if u.String() != address || u.Scheme+"://"+u.Host+u.RequestURI() != address {
		return nil, ErrRewritten
	}
	return u, nil
}
