package transport

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// ErrForeignAddress is the refusal to send credentials anywhere but to the
// base address.
var ErrForeignAddress = errors.New("the address is not below the base address of the client")

const maxRedirects = 10

// Origin is the part of the web that belongs to the service: a scheme, a
// host, a port and a base path.
type Origin struct {
	scheme string
	host   string // with the port when it is not the scheme's own
	path   string // ends without a slash
}

// NewOrigin takes the origin of a base address.
func NewOrigin(base *url.URL) Origin {
	return Origin{scheme: strings.ToLower(base.Scheme), host: hostAndPort(base), path: strings.TrimRight(base.EscapedPath(), "/")}
}

// Covers reports whether u lies below the base address.
func (o Origin) Covers(u *url.URL) bool {
	if !strings.EqualFold(u.Scheme, o.scheme) || u.User != nil || u.Opaque != "" {
		return false
	}
	if u.Host != o.host && hostAndPort(u) != o.host {
		return false
	}
	path := u.EscapedPath()
	below, ok := strings.CutPrefix(path, o.path)
	return ok && (below == "" || below[0] == '/') && !climbs(below)
}

// climbs reports dot segments, written out or escaped: a server may follow
// them out of the base path.
func climbs(path string) bool {
	if !strings.Contains(path, ".") && !strings.Contains(path, "%") {
		return false
	}
	for segment := range strings.SplitSeq(path, "/") {
		plain, err := url.PathUnescape(segment)
		if err != nil || plain == "." || plain == ".." || strings.ContainsAny(plain, `/\`) {
			return true
		}
	}
	return false
}

func hostAndPort(u *url.URL) string {
	host := strings.ToLower(u.Hostname())
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	switch port := u.Port(); {
	case port == "", port == "443" && strings.EqualFold(u.Scheme, "https"), port == "80" && strings.EqualFold(u.Scheme, "http"):
		return host
	default:
		return host + ":" + port
	}
}

// checkRedirect follows redirects of reads below the base address only, and only
// with the method of the read. Any other redirect becomes the answer, so that the
// caller sees its status: net/http would turn a redirected POST into a GET and
// report success. An error of the caller's own check goes along with the answer.
func (o Origin) checkRedirect(callers func(*http.Request, []*http.Request) error) func(*http.Request, []*http.Request) error {
	return func(req *http.Request, via []*http.Request) error {
		call := callFrom(req.Context())
		if call == nil || call.Class != Read || req.Method != call.Method || len(via) > maxRedirects || !o.Covers(req.URL) {
			return http.ErrUseLastResponse
		}
		if callers == nil {
			return nil
		}
		err := callers(req, via)
		if err != nil && err != http.ErrUseLastResponse { //nolint:errorlint // net/http compares it in this way
			call.Cause, err = err, http.ErrUseLastResponse
		}
		return err
	}
}
