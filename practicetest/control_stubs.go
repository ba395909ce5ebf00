package practicetest

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// controlStub is the JSON form of a stub: a fixed response to matching
// requests.
type controlStub struct {
	Pattern string            `json:"pattern" needed:"yes"`
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	controlBody
}

var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// ServeHTTP writes the response. The Content-Type defaults to application/json.
func (told controlStub) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	for name, value := range told.Headers {
		w.Header().Set(name, value)
	}
	body, _ := told.content() // cannot fail: stubOne has checked it
	if len(body) > 0 && w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(cmp.Or(told.Status, http.StatusOK))
	_, _ = w.Write(body) // fails only if the client has disconnected or the status allows no body
}

func (s *Server) stubOne(_ context.Context, told controlStub) (any, error) {
	_, err := told.content()
	switch {
	case err != nil:
		return nil, err
	case told.Status != 0 && (told.Status < 200 || told.Status > 599):
		return nil, faulty("status", "must be between 200 and 599")
	}
	for name, value := range told.Headers {
		if !headerName.MatchString(name) || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return nil, faulty("headers", "%q: %q is not a valid header", name, value)
		}
	}
	if wrong := s.addStub(told.Pattern, told); wrong != nil {
		return nil, faulty("pattern", "%s", fmt.Sprint(wrong))
	}
	return nil, nil
}
