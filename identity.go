package practice

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// ErrOtherRecord is the cause of a DecodeError if the response to a read of one
// record is not that record: it lacks the id that the read asked for, has
// another one, or has no known member with a value. A proxy or a service in
// maintenance answers such objects, which would pass for a record without
// values.
var ErrOtherRecord = errors.New("the answer is not the record that was asked for")

// identity lists reads of one record. The members are separated by spaces; one
// of them must have the last id of the path, compared without case.
type identity struct {
	members string
	paths   []string // path templates
}

// isAsked returns an error if the successful response to a read names another
// record than the one that the path asks for.
func (r result) isAsked() error {
	members, id := r.call.asked()
	if members == "" {
		return nil
	}
	text, err := r.text()
	if err != nil {
		return err
	}
	for name := range strings.FieldsSeq(members) {
		if codec.MemberIs(text, name, id) {
			return nil
		}
	}
	return r.otherRecord(text)
}

// otherRecord returns the error for a text that is no JSON object, or not the
// record that was asked for.
func (r result) otherRecord(text []byte) error {
	if _, err := codec.Compact(string(text)); err != nil {
		return r.unreadable(err)
	}
	return r.unreadable(ErrOtherRecord)
}

// asked returns the members that must have the id in the path, and that id.
func (c *call) asked() (members, id string) {
	switch {
	case c.op.method != http.MethodGet || c.listing:
	case c.target != nil:
		return identityIn(strings.TrimPrefix(c.target.Path, c.client.base.Path))
	case len(c.ids) > 0:
		for i := range identities {
			if slices.Contains(identities[i].paths, c.op.path) {
				return identities[i].members, c.ids[len(c.ids)-1]
			}
		}
	}
	return "", ""
}

// identityIn does the same as asked for a path whose template is not known.
func identityIn(path string) (members, id string) {
	segments := strings.Split(path, "/")
	for i := range identities {
		for _, template := range identities[i].paths {
			if id, fits := lastID(template, segments); fits {
				return identities[i].members, id
			}
		}
	}
	return "", ""
}

// lastID returns the last id in a path, and whether the path fits the template.
func lastID(template string, segments []string) (id string, fits bool) {
	op, number := operation{method: http.MethodGet, path: template}, 0
	for i, step := range strings.Split(template, "/") {
		if i >= len(segments) || step != segments[i] && (!strings.HasPrefix(step, "{") || op.badID(number, segments[i]) != "") {
			return "", false
		}
		if step != segments[i] {
			id = segments[i]
			number++
		}
	}
	return id, strings.Count(template, "/") == len(segments)-1
}

// isBlank reports whether record, decoded from the response to a read of one,
// has no value in a known member.
func (r result) isBlank(record any) bool {
	return r.call.op.class == transport.Read && r.call.op.method != http.MethodHead && models.Wire.IsBlank(record)
}

// shows returns an error if the response to an operation called by name shows
// no value of its record. A value of another type than the documented one is
// left to the caller.
func (r result) shows(record any) error {
	text, err := r.text()
	if err == nil && isOther(text, record) {
		err = r.otherRecord(text)
	}
	return err
}

func isOther(text []byte, record any) bool {
	if _, raw := record.(*json.RawMessage); raw {
		return false // the form of the record is not published
	}
	_, err := codec.Decode(text, record, models.Wire)
	odd, typed := errors.AsType[*codec.ValueError](err)
	return err == nil && models.Wire.IsBlank(record) || err != nil && (!typed || odd.Path == "")
}

// form returns how a response is read: an element of a list without a value in
// a known member is no record.
func (r result) form() codec.Form {
	if r.call.untyped != nil {
		return untypedForm{recordForm{}, r.call.untyped}
	}
	return recordForm{}
}

type recordForm struct{}

// Read implements codec.Form.
func (recordForm) Read(v any, r *codec.Reader) error { return models.Wire.Read(v, r) }

// Write implements codec.Form.
func (recordForm) Write(v any, b []byte, w *codec.Writer) []byte { return models.Wire.Write(v, b, w) }

// Blank implements codec.Blanker.
func (recordForm) Blank(v any) bool { return models.Wire.IsBlank(v) }

// untypedForm reads objects in place of the record of an operation.
type untypedForm struct {
	recordForm
	record func() any // returns a pointer to an empty record
}

// Blank implements codec.Blanker.
func (f untypedForm) Blank(v any) bool {
	object, untyped := v.(*models.Object)
	return f.recordForm.Blank(v) || untyped && isOther([]byte(object.String()), f.record())
}
