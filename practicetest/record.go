package practicetest

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/govalues/decimal"
)

// rawText is a JSON text.
type rawText = json.RawMessage

// fields are the members of a record as they were written or seeded, without
// what its envelope says. A value is a JSON text, a text, a number, a boolean,
// a time, fields, or a list of those.
type fields map[string]any

// UnmarshalJSON reads the members of an object, each as it is written.
func (f *fields) UnmarshalJSON(text []byte) error {
	var members map[string]json.RawMessage
	err := json.Unmarshal(text, &members)
	*f = asFields(members)
	return err
}

func asFields(members map[string]json.RawMessage) fields {
	f := fields{}
	for name, raw := range members {
		f[name] = raw
	}
	return f
}

// ref is the identifier of another record, written as a link to it.
type ref struct{ to, id string }

// record is one state of something that the service keeps. It never changes: a
// commit puts its successor in its place, so that it can be written out without
// a lock.
type record struct {
	of       *resource
	id       string
	account  *account
	above    []string // the ids of the records that it lies below, the outermost first
	number   uint64   // the order of creation
	revision uint64   // counts its commits
	version  *record  // whose version it has; nil is its own
	author   string   // the user that made it
	editor   string   // the user that changed it last
	created  time.Time
	updated  time.Time
	deleted  bool
	sparse   bool // its text leaves out what is empty
	fields   fields
	data     any // what a resource keeps besides members; immutable too
	text     *recordTexts
	bare     *bareMatter // nil when its members were made up
}

// recordTexts are made of a record when somebody first asks for them.
type recordTexts struct {
	atomic.Pointer[recordText]
	search atomic.Pointer[string] // what a search looks through, in lower case
}

// mentions reports whether a text stands in one of those of the record, without
// regard to case.
func (r *record) mentions(text string, of func(*record) []string) bool {
	known := r.text.search.Load()
	if known == nil {
		texts := of(r)
		for i, one := range texts {
			texts[i] = strings.ToLower(one)
		}
		known = new(strings.Join(texts, "\xff")) // which nothing in lower case holds: it is no UTF-8
		r.text.search.Store(known)
	}
	return strings.Contains(*known, strings.ToLower(text))
}

// recordText is the text of a record for one view.
type recordText struct {
	view view
	text []byte
}

// versionID follows from what the record is and the number of its commits;
// empty before the first one.
func (r *record) versionID() string {
	switch {
	case r.version != nil:
		return r.version.versionID()
	case r.revision == 0:
		return ""
	}
	return uuidOf(r.account.seed, "version of "+r.id+" "+r.of.path, r.revision)
}

// recordKeyOf returns the name of a record in the store; its id may be written
// in any case.
func recordKeyOf(of *resource, id string) recordKey { return recordKey{Of: of, ID: sameID(id)} }

// Key returns the name of the record in the store.
func (r *record) Key() recordKey { return recordKeyOf(r.of, r.id) }

// List returns the name of the list that holds the record.
func (r *record) List() recordKey { return recordKey{Of: r.of, ID: r.owner()} }

// Revision returns the number of commits of the record.
func (r *record) Revision() uint64 { return r.revision }

// Unlisted reports whether the record is deleted and found nowhere.
func (r *record) Unlisted() bool { return r.deleted && r.of.vanishes }

// Furnish makes up the members of a seeded record that nobody has asked for.
func (r *record) Furnish() {
	if b := r.bare; b != nil {
		r.bare = nil
		r.of.seeded(b.below("members"), r, b.number)
	}
}

// furnished returns the record, with its members.
func (r *record) furnished() *record {
	r.Furnish()
	return r
}

// next returns a copy that may be changed until it is committed.
func (r *record) next() *record {
	n := *r
	n.fields = fields{}
	maps.Copy(n.fields, r.fields)
	n.text = &recordTexts{}
	return &n
}

// equals reports whether a record says the same as another state of it.
func (r *record) equals(other *record) bool {
	return other != nil && r.deleted == other.deleted && reflect.DeepEqual(r.fields, other.fields) && reflect.DeepEqual(r.data, other.data)
}

// owner names the list that the record is in: that of the record that it lies
// below, or of the account.
func (r *record) owner() string {
	if r.of.owner != nil {
		return r.of.owner(r)
	}
	if len(r.above) == 0 {
		return r.account.id
	}
	return r.above[len(r.above)-1]
}

// path returns the ids in its address, its own last.
func (r *record) path() []string {
	if r.of.single {
		return r.above
	}
	return append(slices.Clone(r.above), r.id)
}

// str returns a member that is a text; empty when it is none.
func (f fields) str(name string) string {
	switch v := f[name].(type) {
	case string:
		return v
	case json.RawMessage:
		text, _ := asText(v)
		return text
	default:
		return ""
	}
}

// ids returns the identifiers that a member holds: one, or a list of them.
// Empty ones name nothing.
func (f fields) ids(name string) []string {
	if id := f.str(name); id != "" {
		return []string{id}
	}
	var ids []string
	for _, one := range elements(f[name]) {
		if id := (fields{"": one}).str(""); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// is reports whether a member is true.
func (f fields) is(name string) bool {
	switch v := f[name].(type) {
	case bool:
		return v
	case json.RawMessage:
		return string(v) == "true"
	default:
		return false
	}
}

// amount returns a member that is a number; 0 without one.
func (f fields) amount(name string) decimal.Decimal {
	if raw := f.raw(name); string(raw) != "null" {
		return exact(json.Number(raw))
	}
	return decimal.Decimal{}
}

// raw returns a member as JSON; null when it is missing.
func (f fields) raw(name string) json.RawMessage {
	v, given := f[name]
	if raw, written := v.(json.RawMessage); written {
		return raw
	}
	if !given || v == nil {
		return json.RawMessage("null")
	}
	return encode(v)
}

// sameID compares identifiers, of which UUIDs are the same in either case, and
// those that begin with one and have a code behind it, as those of matter
// types.
func sameID(id string) string {
	if number, _, _ := strings.Cut(id, "_"); isUUID(number) {
		return strings.ToLower(id)
	}
	return id
}
