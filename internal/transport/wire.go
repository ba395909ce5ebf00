package transport

import (
	"net/http"
	"runtime/debug"
	"strings"
)

// WireClient copies the caller's client, or returns one with its own transport,
// whose connection pool fits a client of a single host.
func WireClient(callers *http.Client) *http.Client {
	if callers == nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.MaxIdleConnsPerHost = 64
		own.MaxResponseHeaderBytes = 256 << 10 // idle connections need many times this size in memory
		return &http.Client{Transport: own}
	}
	wire := *callers
	if wire.Transport == nil {
		wire.Transport = http.DefaultTransport
	}
	return &wire
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
