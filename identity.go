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
// record is not that record: the id is missing or different, or no known member
// has a value. A proxy, or a service in maintenance, may return such an object,
// which would otherwise look like a record without values. It is also the cause
// if a returned address belongs to a different file or invoice.
var ErrOtherRecord = errors.New("the response is not the requested record")

// identity lists operations whose responses name what they are about. The
// members are separated by spaces; one of them must have the last id of the
// path, compared without case.
type identity struct {
	members string
	always  bool     // a response must have one of the members
	alias   string   // stands for the id of a record that the caller need not know
	method  string   // HTTP method
	paths   []string // path templates
}

// isAsked returns an error if the successful response names another record than
// the one that the path asks for. It searches the response only if the record
// that was decoded from it, or nil, does not show the id.
func (r result) isAsked(record any) error {
	asked, id := r.call.asked()
	if asked == nil || strings.EqualFold(id, asked.alias) || asked.members == "id" && strings.EqualFold(id, models.Wire.ID(record)) {
		return nil
	}
	text, err := r.text()
	if err != nil || len(text) == 0 {
		return err
	}
	other := asked.always
	for name := range strings.FieldsSeq(asked.members) {
		is, not := codec.MemberIs(text, name, id)
		if is {
			return nil
		}
		other = other || not
	}
	if !other {
		return nil
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

// asked returns how the response must name the record, and the id of that
// record; nil if it need not.
func (c *call) asked() (*identity, string) {
	if c.listing {
		return nil, ""
	}
	free := c.target != nil || c.free
	path := strings.TrimSuffix(strings.TrimPrefix(c.address.Path, c.client.base.Path), "/")
	for i := range identities {
		asked := &identities[i]
		switch {
		case asked.method != c.op.method:
		case free:
			for _, template := range asked.paths {
				if id := lastID(operation{method: c.op.method, path: template}, path); id != "" {
					return asked, id
				}
			}
		case slices.Contains(asked.paths, c.op.path):
			return asked, c.ids[len(c.ids)-1]
		}
	}
	return nil, ""
}

// lastID returns the last id in a path, or "" if it is not one of op.
func lastID(op operation, path string) (id string) {
	for template, number := op.path, 0; ; {
		step, further, more := strings.Cut(template, "/")
		part, rest, longer := strings.Cut(path, "/")
		isID := strings.HasPrefix(step, "{")
		switch {
		case more != longer, !isID && !strings.EqualFold(step, part), isID && op.badID(number, part) != "":
			return ""
		case isID:
			id = part
			number++
		}
		if !more {
			return id
		}
		template, path = further, rest
	}
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
	switch v := v.(type) {
	case *models.Object:
		return v.IsZero() || isOther([]byte(v.String()), f.record())
	case *rawRecord:
		return isOther(v.text, f.record())
	}
	return f.recordForm.Blank(v)
}
