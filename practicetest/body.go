package practicetest

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// maxBody bounds the body of an API request.
const maxBody = 8 << 20

func readBody(r *http.Request) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r.Body, maxBody+1))
}

// checkBody reads the body of a write and checks it against the description.
func (s *Server) checkBody(r *http.Request, c *call) error {
	form := c.route.body
	switch {
	case len(c.rawBody) > maxBody:
		return refuse(http.StatusRequestEntityTooLarge, "The body is too large.")
	case form == nil:
		if len(c.rawBody) > 0 {
			s.violate(c, "the operation has no body")
		}
		return nil
	case len(c.rawBody) == 0 && !form.required:
		return nil
	}
	if !isJSONType(r.Header.Get("Content-Type")) {
		s.violate(c, "the media type %q is not accepted", r.Header.Get("Content-Type"))
		return refuse(http.StatusUnsupportedMediaType, "The media type is not accepted.").
			with("Accept", "application/json-patch+json, application/json, application/*+json")
	}
	if form.list {
		return s.readList(c)
	}
	return s.readObject(c, form)
}

func (s *Server) readList(c *call) (err error) {
	if c.list, err = parseTexts(c.rawBody); err != nil {
		s.violate(c, "%v", err)
		return refuse(http.StatusBadRequest, "The body cannot be read: %v.", err)
	}
	return nil
}

func (s *Server) readObject(c *call, form *schema) (err error) {
	if c.body, err = parseObject(c.rawBody); err != nil {
		s.violate(c, "%v", err)
		return refuse(http.StatusBadRequest, "The body cannot be read: %v.", err)
	}
	found, unknown := form.faults(c.body)
	for _, name := range unknown {
		if s.strict.on {
			found = append(found, fieldFault{name, "Unknown", "unknown member"})
		}
	}
	if len(found) > 0 {
		s.violate(c, "the body is not as described: %s", sentence(found))
		return invalid(found...)
	}
	return nil
}

// isJSONType knows application/json, application/json-patch+json and every other
// application/*+json.
func isJSONType(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false
	}
	sub, isApplication := strings.CutPrefix(media, "application/")
	return isApplication && (sub == "json" || strings.HasSuffix(sub, "+json"))
}

// faulty is one fault of a body that the schema cannot express.
func faulty(name, format string, args ...any) *problem {
	return invalid(fieldFault{name, "Invalid", fmt.Sprintf(format, args...)})
}
