package practicetest

import (
	"bytes"
	"slices"
)

// Rendering is the form in which the service writes records. The real service
// uses these forms side by side: a member that is null in one response is
// omitted in another, and new releases add members.
type Rendering struct {
	// Empty sets how members without a value are written.
	Empty EmptyMembers
	// Rel writes the relation of a link, record or list in the member rel
	// instead of relation, as older responses do. Links in the payloads of
	// events always have the member rel.
	Rel bool
	// Unknown adds undescribed members to responses that are objects, to
	// webhook payloads, and to the objects in both, except links.
	Unknown bool
}

// EmptyMembers is the form of members without a value. The id, URL and version
// of a record and its parents always have a value, and so do the paging members
// of a list.
type EmptyMembers int

const (
	// EmptyNull writes null.
	EmptyNull EmptyMembers = iota
	// EmptyAbsent omits the member.
	EmptyAbsent
	// EmptyFull writes an empty value of the member's type: an empty string or
	// list, or 0.
	EmptyFull
)

// renderings returns the renderings among which the seed chooses.
func renderings() []Rendering {
	return []Rendering{
		{}, {Empty: EmptyAbsent, Rel: true}, {Empty: EmptyFull, Unknown: true}, {Empty: EmptyAbsent, Unknown: true}, {Empty: EmptyNull, Rel: true, Unknown: true},
	}
}

// WithRendering sets the form of records. By default the seed determines it;
// with seed 1, the default, members without a value are null and links have the
// member relation.
func WithRendering(r Rendering) Option {
	return func(c *config) { c.rendering = &r }
}

// form returns the rendering of the service. The caller must hold the lock.
func (s *Server) form() Rendering {
	if s.cfg.rendering != nil {
		return *s.cfg.rendering
	}
	all := renderings()
	return all[(s.state.from.Number+uint64(len(all))-1)%uint64(len(all))]
}

// empty returns the encoding of a member without a value, or nil if the member
// is omitted.
func (r Rendering) empty(m *value) []byte {
	switch {
	case m.kind == kindBoolean:
		return []byte("false")
	case m.kind == kindInteger && len(m.oneOf) > 0 && m.oneOf[0] == "0":
		return []byte("0")
	case r.Empty == EmptyAbsent && !m.required:
		return nil
	case r.Empty == EmptyFull:
		return nearest(m)
	default:
		return []byte("null")
	}
}

// nearest returns the encoding of an empty value of the member's type, or null.
func nearest(m *value) []byte {
	switch {
	case m.kind == kindList:
		return []byte("[]")
	case m.kind == kindDecimal, m.kind == kindInteger && m.oneOf == nil && m.to == "":
		return []byte("0")
	case m.kind == kindText && m.oneOf == nil && m.to == "" && m.form == "":
		return []byte(`""`)
	default:
		return []byte("null")
	}
}

// laterName is the name of the member that simulates a later release.
const laterName = "addedInALaterRelease"

// unknownMember is the encoded member that simulates a later release.
const unknownMember = `"` + laterName + `":{"kind":"Example","values":[1,"two",null]}`

// unknown closes an object. Before that, it adds the unknown member if the
// rendering has one.
func (r Rendering) unknown(b *bytes.Buffer) {
	if r.Unknown {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(unknownMember)
	}
	b.WriteByte('}')
}

// extended adds the unknown member to a response that is an object, if the
// rendering has one and the object lacks it.
func (r Rendering) extended(text []byte) []byte {
	if !r.Unknown || !bytes.HasPrefix(text, []byte("{")) || bytes.HasSuffix(text, []byte(unknownMember+"}")) {
		return text
	}
	b := bytes.NewBuffer(slices.Clone(text[:len(text)-1]))
	r.unknown(b)
	return b.Bytes()
}
