package transport

import (
	"net/http"
	"runtime/debug"
	"strings"
)

// WireClient copies the caller's client, or returns one with a transport of its
// own whose pool fits a client that talks to one host.
func WireClient(callers *http.Client) *http.Client {
	if callers == nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.MaxIdleConnsPerHost = 64
		own.MaxResponseHeaderBytes = 256 << 10 // idle connections take many times their size in memory
		return &http.Client{Transport: own}
	}
	wire := *callers
	if wire.Transport == nil {
		wire.Transport = http.DefaultTransport
	}
	return &wire
}

const modulePath = "github.com/practicesdk/practice-go"

// UserAgent names the application, the library and its version as the build
// of the program knows it.
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
