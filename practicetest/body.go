package practicetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxBody is the maximum size of a request body in bytes.
const maxBody = 8 << 20

func readBody(r *http.Request) ([]byte, error) {
	if r.ContentLength == 0 {
		return nil, nil
	}
	return io.ReadAll(io.LimitReader(r.Body, maxBody+1))
}

// checkBody checks the request body against the API description and parses it.
func (s *Server) checkBody(r *http.Request, c *call) error {
	form := c.route.body
	switch {
	case len(c.rawBody) > maxBody:
		return refuse(http.StatusRequestEntityTooLarge, "The body is too large.")
	case form == nil:
		if len(c.rawBody) > 0 {
			s.violate(c, "the operation does not accept a body")
		}
		return nil
	case len(c.rawBody) == 0 && !form.required:
		return nil
	}
	if !isJSONType(r.Header.Get("Content-Type")) {
		return refuse(http.StatusUnsupportedMediaType, "The media type is not supported.").
			with("Accept", "application/json-patch+json, application/json, application/*+json").
			asMistake("the media type %q is not supported", r.Header.Get("Content-Type"))
	}
	if !utf8.Valid(c.rawBody) {
		return refuse(http.StatusBadRequest, "The body is not valid UTF-8.").asMistake("the body is not valid UTF-8")
	}
	if form.kind == kindList {
		return s.readList(c, form)
	}
	return s.readObject(c, form)
}

// readList checks a body that is an array. It sets c.list if the elements are
// strings.
func (s *Server) readList(c *call, form *value) (err error) {
	if form.elem.kind == kindText {
		if c.list, err = parseTexts(c.rawBody); err != nil {
			return unreadable(err)
		}
	}
	if wrong := form.fault(c.rawBody, s.strict.on); wrong != "" {
		return refuse(http.StatusBadRequest, "The body is not valid: %s.", wrong).
			asMistake("the body is not valid: %s", wrong)
	}
	s.hollow(c)
	return nil
}

// hollow reports blank strings in a list as violations, but does not refuse
// them: the API description neither forbids them nor an empty list, and it has
// a sample of the latter.
func (s *Server) hollow(c *call) {
	for i, text := range c.list {
		if strings.TrimSpace(text) == "" {
			s.violate(c, "[%d]: must not be blank", i)
		}
	}
}

func (s *Server) readObject(c *call, form *value) (err error) {
	if c.body, err = parseObject(c.rawBody); err != nil {
		return unreadable(err)
	}
	if form.object == "" {
		return nil
	}
	if found := schemas[form.object].faults(c.body, s.strict.on); len(found) > 0 {
		return invalid(found...).asMistake("the body is not valid: %s", sentence(found))
	}
	return nil
}

// isJSONType reports whether contentType is application/json or
// application/*+json, such as application/json-patch+json.
func isJSONType(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false
	}
	sub, isApplication := strings.CutPrefix(media, "application/")
	return isApplication && (sub == "json" || strings.HasSuffix(sub, "+json"))
}

func unreadable(err error) *problem {
	return refuse(http.StatusBadRequest, "The body cannot be read: %v.", err).asMistake("%v", err)
}

// faulty returns a problem about one member of the body, for rules that the API
// description cannot express.
func faulty(name, format string, args ...any) *problem {
	return invalid(fieldFault{name, "Invalid", fmt.Sprintf(format, args...)})
}

// exclusion returns the problem of a member that may not be combined with
// another. It is the client's mistake if the body has both, otherwise a
// conflict with the stored record. c is nil while an accepted write is being
// applied.
func (c *call) exclusion(name, other, wrong string) *problem {
	return breach(c != nil && c.has(name) && c.has(other), name, wrong)
}

// breach returns the problem of a member that violates a rule about several
// members. It is the client's mistake if the body alone violates it, otherwise
// a conflict with the stored record.
func breach(ofBody bool, name, wrong string) *problem {
	if ofBody {
		return faulty(name, "%s", wrong)
	}
	return conflict(name, "%s", wrong)
}

// conflict returns a problem about a member that conflicts with the state of
// the service.
func conflict(name, format string, args ...any) *problem {
	return conflicting(fieldFault{name, "Invalid", fmt.Sprintf(format, args...)})
}

var errTrailing = errors.New("the JSON value is followed by more data")

// brokenJSON returns an error for malformed JSON. It replaces the messages for
// truncated JSON, which differ between versions of Go.
func brokenJSON(raw []byte, err error) error {
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || ok && syntax.Offset >= int64(len(raw)) {
		return errors.New("invalid JSON: unexpected end of input")
	}
	return fmt.Errorf("invalid JSON: %w", err)
}

// parseObject parses the members of a JSON object. A duplicate name is an
// error.
func parseObject(raw []byte) (map[string]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil, errors.New("the body is not a JSON object")
	}
	members := map[string]json.RawMessage{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, brokenJSON(raw, err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, brokenJSON(raw, err)
		}
		if _, again := members[name.(string)]; again {
			return nil, fmt.Errorf("the member %q occurs more than once", name)
		}
		members[name.(string)] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, brokenJSON(raw, err)
	}
	return members, atEnd(d)
}

func parseTexts(raw []byte) ([]string, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	var list []*string
	if err := d.Decode(&list); err != nil || list == nil || slices.Contains(list, nil) {
		return nil, errors.New("the body is not an array of strings")
	}
	return mapped(list, func(text *string) string { return *text }), atEnd(d)
}

func atEnd(d *json.Decoder) error {
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errTrailing
	}
	return nil
}

// decoded decodes JSON that a check of its schema has accepted or the service
// has written. It returns the zero value for null.
func decoded[T any](raw json.RawMessage) (v T) {
	_ = json.Unmarshal(raw, &v) // cannot fail for such JSON
	return v
}

func asText(raw json.RawMessage) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err == nil
}

func sortedNames(object map[string]json.RawMessage) []string { return slices.Sorted(maps.Keys(object)) }
