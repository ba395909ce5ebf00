package practicetest

import (
	"crypto/subtle"
	"mime"
	"net"
	"net/http"
	"strings"
)

// guardControl lets programs in and web pages out. A page that somebody visits
// on this machine can send requests to loopback, so three things have to come
// together that no page of another site can bring about:
//
//   - The Host is an address, localhost or the public name: a name of the
//     page's own that was made to point here does not pass.
//   - There is no Origin but our own, and no word of the browser that the
//     request crosses sites.
//   - The API key is in its header, which the page does not know, and a browser
//     asks leave for before it sends it. No leave is given.
func (s *Server) guardControl(r *http.Request) error {
	switch {
	case !s.knowsHost(r.Host):
		return refuse(http.StatusForbidden, "The Host header names neither an address nor this service.")
	case !s.ownOrigin(r.Header):
		return refuse(http.StatusForbidden, "Web pages cannot use the control interface.")
	}
	key := s.Credentials().APIKey
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("x-api-key")), []byte(key)) != 1 {
		return refuse(http.StatusForbidden, "The x-api-key header is missing or wrong.")
	}
	return nil
}

// knowsHost reports whether a Host header can be right. An address in it cannot
// have been made to point here, as a name can.
func (s *Server) knowsHost(host string) bool {
	name := host
	if onlyName, _, err := net.SplitHostPort(host); err == nil {
		name = onlyName
	}
	name = strings.Trim(name, "[]")
	public := s.host.public
	return net.ParseIP(name) != nil || strings.EqualFold(name, "localhost") ||
		public != nil && strings.EqualFold(name, public.Hostname())
}

func (s *Server) ownOrigin(h http.Header) bool {
	if origin, sent := h["Origin"]; sent && (len(origin) != 1 || origin[0] != s.host.origin(PartAPI)) {
		return false
	}
	switch h.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return true
	default:
		return false
	}
}

// isJSON reports whether the media type of a body is JSON. A page can send
// other types without asking for leave.
func isJSON(h http.Header) bool {
	media, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && media == "application/json"
}
