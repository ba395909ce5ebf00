package practicetest

import (
	"crypto/subtle"
	"mime"
	"net"
	"net/http"
	"strings"
)

// guardControl refuses requests that a web page may have caused. A page open in
// a browser on this machine can send requests to loopback, so guardControl
// requires three things that a page of another site cannot achieve:
//
//   - The Host is an IP address, localhost or the public name. This excludes a
//     domain of the page's own that resolves to this machine.
//   - The Origin is missing or the service's own, and Sec-Fetch-Site does not
//     report a request from another site.
//   - The x-api-key header holds the API key. The page does not know the key,
//     and a browser sends such a header only after a preflight request, which
//     the service does not allow.
func (s *Server) guardControl(r *http.Request) error {
	switch {
	case !s.knowsHost(r.Host):
		return refuse(http.StatusForbidden, "The Host header must contain an IP address or the host name of this service.")
	case !s.ownOrigin(r.Header):
		return refuse(http.StatusForbidden, "Web pages cannot use the control API.")
	}
	key := s.Credentials().APIKey
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("x-api-key")), []byte(key)) != 1 {
		return refuse(http.StatusForbidden, "The x-api-key header is missing or wrong.")
	}
	return nil
}

// knowsHost protects against DNS rebinding: it accepts a Host header that is an
// IP address, localhost or the public name. A web page can make its own domain
// resolve to this machine, but it cannot forge an IP address.
func (s *Server) knowsHost(host string) bool {
	name := host
	if onlyName, _, err := net.SplitHostPort(host); err == nil {
		name = onlyName
	}
	name = strings.Trim(name, "[]")
	public := s.host.Public
	return net.ParseIP(name) != nil || strings.EqualFold(name, "localhost") ||
		public != nil && strings.EqualFold(name, public.Hostname())
}

func (s *Server) ownOrigin(h http.Header) bool {
	if origin, sent := h["Origin"]; sent && (len(origin) != 1 || origin[0] != s.host.Origin(PartAPI)) {
		return false
	}
	switch h.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return true
	default:
		return false
	}
}

// isJSON reports whether the body is declared as application/json. Browsers
// send other types, such as text/plain, across origins without a preflight
// request.
func isJSON(h http.Header) bool {
	media, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && media == "application/json"
}
