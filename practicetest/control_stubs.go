package practicetest

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// controlStub is an answer that a test chooses, on the wire.
type controlStub struct {
	Pattern string            `json:"pattern"`
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	controlBody
}

var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// ServeHTTP writes the answer. A body is JSON unless a header says otherwise.
func (told controlStub) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	for name, value := range told.Headers {
		w.Header().Set(name, value)
	}
	body := told.Base64
	if told.Text != nil {
		body = []byte(*told.Text)
	}
	if len(body) > 0 && w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(cmp.Or(told.Status, http.StatusOK))
	_, _ = w.Write(body) // fails only when the client has left, or the status takes none
}

func (s *Server) stubOne(_ context.Context, told controlStub) (any, error) {
	switch {
	case told.Pattern == "":
		return nil, lacking("pattern")
	case told.Status != 0 && (told.Status < 200 || told.Status > 599):
		return nil, outOfPlace("status", "must lie between 200 and 599")
	case told.Text != nil && told.Base64 != nil:
		return nil, outOfPlace("body", "excludes bodyBase64")
	}
	for name, value := range told.Headers {
		if !headerName.MatchString(name) || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return nil, outOfPlace("headers", "%q: %q is no header", name, value)
		}
	}
	if wrong := s.addStub(told.Pattern, told); wrong != nil {
		return nil, outOfPlace("pattern", "%s", fmt.Sprint(wrong))
	}
	return nil, nil
}
