package practicetest

import (
	"bytes"
	"slices"
)

// Rendering is a form in which the service writes records. Each of them occurs:
// one answer writes as null what another omits, and new releases bring new
// members.
type Rendering struct {
	// Empty sets how members without a value are written.
	Empty EmptyMembers
	// Rel names the relation of a link, of a record and of a list in the member
	// rel, as older answers do. The links in payloads of events do so in every
	// form.
	Rel bool
	// Unknown adds members that the description does not know to each answer
	// that is an object, to each notification, and to the objects in them but
	// for links.
	Unknown bool
}

// EmptyMembers is the form of members without a value. The id, the address and
// the version of a record and its parents always have one, and so have the
// paging members of a list.
type EmptyMembers int

const (
	// EmptyNull writes null.
	EmptyNull EmptyMembers = iota
	// EmptyAbsent leaves the member out.
	EmptyAbsent
	// EmptyFull writes the value that comes nearest: an empty text or list, 0.
	EmptyFull
)

// renderings returns the renderings from which the seed chooses one.
func renderings() []Rendering {
	return []Rendering{
		{}, {Empty: EmptyAbsent, Rel: true}, {Empty: EmptyFull, Unknown: true}, {Empty: EmptyAbsent, Unknown: true}, {Empty: EmptyNull, Rel: true, Unknown: true},
	}
}

// WithRendering chooses the form of records. By default it follows from the
// seed; seed 1, which is the default, writes null and the member relation.
func WithRendering(r Rendering) Option {
	return func(c *config) { c.rendering = &r }
}

// form returns the form of the service's records. The lock must be held.
func (s *Server) form() Rendering {
	if s.cfg.rendering != nil {
		return *s.cfg.rendering
	}
	all := renderings()
	return all[(s.state.from.Number+uint64(len(all))-1)%uint64(len(all))]
}

// empty returns how the service writes a member without a value; nil to leave
// it out.
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

// nearest returns the value of a member that comes nearest to none.
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

// laterName is the name of a member that comes with a later release.
const laterName = "addedInALaterRelease"

// unknownMember is a member without a description.
const unknownMember = `"` + laterName + `":{"kind":"Example","values":[1,"two",null]}`

// unknown ends an object, with such a member behind its others.
func (r Rendering) unknown(b *bytes.Buffer) {
	if r.Unknown {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(unknownMember)
	}
	b.WriteByte('}')
}

// extended returns the text of an answer with such a member, if it is an object
// that has none.
func (r Rendering) extended(text []byte) []byte {
	if !r.Unknown || !bytes.HasPrefix(text, []byte("{")) || bytes.HasSuffix(text, []byte(unknownMember+"}")) {
		return text
	}
	b := bytes.NewBuffer(slices.Clone(text[:len(text)-1]))
	r.unknown(b)
	return b.Bytes()
}
