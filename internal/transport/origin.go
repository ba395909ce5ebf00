package transport

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// ErrForeignAddress reports a request that would send credentials to a URL
// outside the base URL.
var ErrForeignAddress = errors.New("the URL is outside the client's base URL")

const maxRedirects = 10

// Origin is the scheme, host, port and base path of the service.
type Origin struct {
	scheme string
	host   string // includes the port if it is not the default
	path   string // without a slash at its end
}

// NewOrigin returns the origin of a base URL.
func NewOrigin(base *url.URL) Origin {
	return Origin{scheme: strings.ToLower(base.Scheme), host: hostAndPort(base), path: strings.TrimRight(base.EscapedPath(), "/")}
}

// Covers reports whether u is below the base URL.
func (o Origin) Covers(u *url.URL) bool {
	if !strings.EqualFold(u.Scheme, o.scheme) || u.User != nil || u.Opaque != "" {
		return false
	}
	if u.Host != o.host && hostAndPort(u) != o.host {
		return false
	}
	path := u.EscapedPath()
	below, ok := strings.CutPrefix(path, o.path)
	return ok && (below == "" || below[0] == '/') && !hasDotSegments(below)
}

// hasDotSegments reports whether path has dot segments, plain or escaped.
// Through them a server could leave the base path.
func hasDotSegments(path string) bool {
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

// checkRedirect returns a CheckRedirect function that follows redirects only
// for reads, with their method and below the base URL. Any other redirect is
// the response of the call, because net/http would turn a redirected POST into
// a GET and report success. An error of the caller's own function is kept with
// the response.
func (o Origin) checkRedirect(callers func(*http.Request, []*http.Request) error) func(*http.Request, []*http.Request) error {
	return func(req *http.Request, via []*http.Request) error {
		call := callFrom(req.Context())
		if call == nil || call.Class != Read || req.Method != call.Method || len(via) > maxRedirects || !o.Covers(req.URL) {
			return http.ErrUseLastResponse
		}
		if callers == nil {
			return nil
		}
		first := via[0].Clone(via[0].Context()) // the caller may keep it, and a retrier reuses the original
		err := callers(req, append([]*http.Request{first}, via[1:]...))
		if err != nil && err != http.ErrUseLastResponse { //nolint:errorlint // net/http compares it in this way
			call.Cause, err = err, http.ErrUseLastResponse
		}
		return err
	}
}

// AllowedScheme reports whether a scheme is https, or http for a loopback
// address or with the caller's permission.
func AllowedScheme(u *url.URL, insecureHTTP bool) bool {
	return u.Scheme == "https" || u.Scheme == "http" && (insecureHTTP || IsLoopback(u.Hostname()))
}

// IsLoopback reports whether a host is this machine.
func IsLoopback(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
