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

// rawText is an encoded JSON value.
type rawText = json.RawMessage

// fields holds the members of a record as they were written or seeded, without
// those of its envelope. A value is encoded JSON, a string, a number, a
// boolean, a time, fields, or a list of these.
type fields map[string]any

// UnmarshalJSON splits an object into members, which stay encoded.
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

// ref is the id of another record, encoded as a link.
type ref struct{ to, id string }

// record is one state of a stored object. It is immutable, so it can be encoded
// without a lock; a commit replaces it by a modified copy.
type record struct {
	of       *resource
	id       string
	account  *account
	above    []string // ids of its parents, outermost first
	number   uint64   // sequence number of its creation
	revision uint64   // number of commits
	version  *record  // record that determines the version id; nil means this one
	author   string   // id of the user who created it
	editor   string   // id of the user who changed it last
	created  time.Time
	updated  time.Time
	deleted  bool
	sparse   bool // its JSON omits empty members
	fields   fields
	data     any // data of the resource that is not a member; immutable too
	text     *recordTexts
	bare     *bareMatter // nil once the members were generated
}

// recordTexts caches texts of a record that are generated on demand.
type recordTexts struct {
	atomic.Pointer[recordText]
	search atomic.Pointer[string] // texts that a search looks through, in lower case
}

// mentions reports whether one of the texts of the record contains text,
// ignoring case.
func (r *record) mentions(text string, of func(*record) []string) bool {
	known := r.text.search.Load()
	if known == nil {
		texts := of(r)
		for i, one := range texts {
			texts[i] = strings.ToLower(one)
		}
		known = new(strings.Join(texts, "\xff")) // a separator that cannot match: 0xff does not occur in UTF-8
		r.text.search.Store(known)
	}
	return strings.Contains(*known, strings.ToLower(text))
}

// recordText is the encoding of a record for one view.
type recordText struct {
	view view
	text []byte
}

// versionID returns the id of the version, which depends on the record and the
// number of its commits. It is empty before the first commit.
func (r *record) versionID() string {
	switch {
	case r.version != nil:
		return r.version.versionID()
	case r.revision == 0:
		return ""
	}
	return uuidOf(r.account.seed, "version of "+r.id+" "+r.of.path, r.revision)
}

// recordKeyOf returns the key of a record in the store. UUIDs are
// case-insensitive.
func recordKeyOf(of *resource, id string) recordKey { return recordKey{Of: of, ID: sameID(id)} }

// Key returns the key of the record in the store.
func (r *record) Key() recordKey { return recordKeyOf(r.of, r.id) }

// List returns the key of the list that contains the record.
func (r *record) List() recordKey { return recordKey{Of: r.of, ID: r.owner()} }

// Revision returns the number of commits.
func (r *record) Revision() uint64 { return r.revision }

// Unlisted reports whether the record is deleted and its resource hides deleted
// records.
func (r *record) Unlisted() bool { return r.deleted && r.of.vanishes }

// Furnish generates the members of a seeded record on first use.
func (r *record) Furnish() {
	if b := r.bare; b != nil {
		r.bare = nil
		r.of.seeded(b.below("members"), r, b.number)
	}
}

// furnished generates the members if necessary and returns the record.
func (r *record) furnished() *record {
	r.Furnish()
	return r
}

// next returns a copy that may be modified until it is committed.
func (r *record) next() *record {
	n := *r
	n.fields = fields{}
	maps.Copy(n.fields, r.fields)
	n.text = &recordTexts{}
	return &n
}

// equals reports whether two states of a record have the same content.
func (r *record) equals(other *record) bool {
	return other != nil && r.deleted == other.deleted && reflect.DeepEqual(r.fields, other.fields) && reflect.DeepEqual(r.data, other.data)
}

// owner returns the id of the list that contains the record: the id of its
// parent or of its account.
func (r *record) owner() string {
	if r.of.owner != nil {
		return r.of.owner(r)
	}
	if len(r.above) == 0 {
		return r.account.id
	}
	return r.above[len(r.above)-1]
}

// path returns the ids in the record's address, ending with its own.
func (r *record) path() []string {
	if r.of.single {
		return r.above
	}
	return append(slices.Clone(r.above), r.id)
}

// str returns a member that is a string, or "" if it is missing or not a
// string.
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

// ids returns the ids in a member, which is an id or a list of ids. It skips
// empty ones.
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

// amount returns a member that is a number, or 0 if it is missing or null.
func (f fields) amount(name string) decimal.Decimal {
	if raw := f.raw(name); string(raw) != "null" {
		return exact(json.Number(raw))
	}
	return decimal.Decimal{}
}

// raw returns a member as JSON, or null if it is missing.
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

// sameID returns the canonical form of an id: lower case for a UUID, and for a
// UUID followed by a code, as matter types have. Other ids are case-sensitive.
func sameID(id string) string {
	if number, _, _ := strings.Cut(id, "_"); isUUID(number) {
		return strings.ToLower(id)
	}
	return id
}
