package transport

import (
	"cmp"
	"net/http"
	"runtime/debug"
	"strings"
	"time"
)

// Limits of the library's own transport.
const (
	idleLimit = 30 * time.Second // below that of usual load balancers, which close idle connections after 60 s

	// An HTTP/2 connection from which nothing arrives for both of these
	// together is closed, within the default time limit of an attempt.
	pingAfter = 15 * time.Second
	pingLimit = 10 * time.Second
)

// WireClient copies the caller's client, or returns one with its own transport,
// and whether it did. A program may have replaced http.DefaultTransport by
// another kind of transport, which is used as it is.
func WireClient(callers *http.Client) (wire *http.Client, own bool) {
	wire = new(http.Client)
	if callers != nil {
		*wire = *callers
	}
	if wire.Transport == nil {
		wire.Transport = http.DefaultTransport
	}
	standard, ok := wire.Transport.(*http.Transport)
	if callers != nil || !ok {
		return wire, false
	}
	wire.Transport = ownTransport(standard)
	return wire, true
}

// ownTransport returns a copy of like whose connection pool fits a client of a
// single host, and which closes silent connections.
func ownTransport(like *http.Transport) *http.Transport {
	own := like.Clone()
	own.MaxIdleConnsPerHost = 64
	own.MaxResponseHeaderBytes = 256 << 10 // idle connections need many times this size in memory
	if own.IdleConnTimeout <= 0 || own.IdleConnTimeout > idleLimit {
		own.IdleConnTimeout = idleLimit
	}
	if own.HTTP2 == nil {
		own.HTTP2 = new(http.HTTP2Config)
	}
	own.HTTP2.SendPingTimeout = cmp.Or(own.HTTP2.SendPingTimeout, pingAfter)
	own.HTTP2.PingTimeout = cmp.Or(own.HTTP2.PingTimeout, pingLimit)
	return own
}

const modulePath = "github.com/practicesdk/practice-go"

// UserAgent returns the names and versions of the application and the library,
// the latter from the build information.
func UserAgent(application string) string {
	agent := "practice-go/" + moduleVersion()
	if application != "" {
		agent = application + " " + agent
	}
	return agent
}

func moduleVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	for _, dep := range info.Deps {
		if dep.Path == modulePath && dep.Replace == nil {
			return strings.TrimPrefix(dep.Version, "v")
		}
	}
	return "devel"
}
