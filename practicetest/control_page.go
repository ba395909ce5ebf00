package practicetest

import (
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// WithControlPage serves a web page alongside the control API, for people who
// inspect the service in a browser. The file index.html is served at the root
// path, and the other files under their names. The files are public: anyone who
// can reach the service can read them, so they must not contain the API key.
// The option requires [WithControl].
func WithControlPage(files fs.FS) Option {
	return func(c *config) { c.page = files }
}

// pageMedia returns the media types of the files that may be served. It does
// not use package mime, whose types depend on the machine.
func pageMedia() map[string]string {
	return map[string]string{
		".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
	}
}

// pagePolicy is the Content-Security-Policy of the page. It allows requests to
// its own origin only, and forbids inline scripts, HTML built from strings, and
// frames.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// pageFile returns the file of the page at the request's path with its media
// type, or nil if there is none.
func (s *Server) pageFile(r *http.Request) (content []byte, media string) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	media = pageMedia()[path.Ext(name)]
	if s.cfg.page == nil || media == "" {
		return nil, ""
	}
	content, err := fs.ReadFile(s.cfg.page, name)
	if err != nil {
		return nil, ""
	}
	return content, media
}

// withPage serves the files of the page and passes other requests to next.
func (s *Server) withPage(next http.Handler) http.Handler {
	page := s.handlers.track(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		for name, value := range map[string]string{
			"Content-Security-Policy": pagePolicy, "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store",
		} {
			h.Set(name, value)
		}
		content, media := s.pageFile(r)
		switch {
		case !s.knowsHost(r.Host):
			writeRefusal(w, r, refuse(http.StatusForbidden, "The Host header must contain an IP address or the host name of this service."))
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			writeRefusal(w, r, refuse(http.StatusMethodNotAllowed, "Method not allowed.").with("Allow", "GET, HEAD"))
		default:
			reply(w, http.StatusOK, media, content)
		}
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if content, _ := s.pageFile(r); content != nil {
			page.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}
