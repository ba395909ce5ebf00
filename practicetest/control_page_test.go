package practicetest_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

// paged returns a service with a page and the control interface.
func paged(t *testing.T) *practicetest.Server {
	t.Helper()
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	return controlled(t, practicetest.WithControlPage(fstest.MapFS{
		"index.html": file("<!doctype html>"), "page.js": file("export {}"), "page.css": file("p {}"), "page.svg": file("<svg/>"),
		"notes.txt": file("not of the page"), "below/page.js": file("export {}"),
	}))
}

// visit requests a path of the page as a browser does, without the API key.
func visit(t *testing.T, s *practicetest.Server, method, path string, headers ...string) answer {
	t.Helper()
	return ask(t, s, method, strings.TrimSuffix(s.ControlURL(), "/_sandbox")+path, "", headers...)
}

func TestThePageIsServedBesideTheControlInterface(t *testing.T) {
	t.Parallel()
	s := paged(t)
	for path, media := range map[string]string{
		"/": "text/html; charset=utf-8", "/index.html": "text/html; charset=utf-8", "/page.js": "text/javascript; charset=utf-8",
		"/page.css": "text/css; charset=utf-8", "/page.svg": "image/svg+xml", "/below/page.js": "text/javascript; charset=utf-8",
	} {
		a := visit(t, s, "GET", path).want(200)
		assert.Equal(t, media, a.Header.Get("Content-Type"), path)
		assert.NotEmpty(t, a.Body, path)
	}
	assert.Empty(t, visit(t, s, "HEAD", "/").want(200).Body)
	assert.Equal(t, "GET, HEAD", visit(t, s, "POST", "/").want(405).Header.Get("Allow"))
	assert.Empty(t, s.Requests(), "the page is no request to the service")
	s.Tolerate(func() {
		for _, path := range []string{"/notes.txt", "/nothing.js", "/below", "/below/", "/../control.go", "/%2e%2e/control.go", "//page.js", "/page.js/"} {
			visit(t, s, "GET", path).want(404)
		}
	})
}

func TestThereIsNoPageUnlessAskedFor(t *testing.T) {
	t.Parallel()
	s := controlled(t)
	s.Tolerate(func() { visit(t, s, "GET", "/").want(404) })
}

// TestThePageTrustsNothing requires the headers that protect the page from
// other sites and restrict its scripts.
func TestThePageTrustsNothing(t *testing.T) {
	t.Parallel()
	s := paged(t)
	for path, status := range map[string]int{"/": 200, "/page.js": 200} {
		a := visit(t, s, "GET", path, "Sec-Fetch-Site: cross-site").want(status) // following a link from another site is safe: the page holds no secret
		policy := a.Header.Get("Content-Security-Policy")
		for _, part := range []string{
			"default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'",
			"require-trusted-types-for 'script'",
		} {
			assert.Contains(t, policy, part)
		}
		assert.NotContains(t, policy, "unsafe")
		for name, value := range map[string]string{
			"X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store",
		} {
			assert.Equal(t, value, a.Header.Get(name), name)
		}
		assert.NotContains(t, a.Body, s.Credentials().APIKey)
	}
	visit(t, s, "GET", "/", "Host: attacker.example:8001").want(403)
}
