package rows

import (
	"encoding/json"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/cmd/practice/internal/shape"
	"github.com/practicesdk/practice-go/internal/members"
)

// Write describes how a call changes or deletes a record.
type Write struct {
	Body     any          // decoded JSON in the form of Sent; nil for none
	Kind     reflect.Type // of the body; nil: unknown
	Replaces bool         // whether it clears what the body leaves out
	Deletes  bool
	merges   bool // whether it merges lists whose elements have keys
}

// WriteOf returns what an operation does to a record with a body, in JSON.
func WriteOf(o practice.Operation, body []byte, sent any) Write {
	return Write{sent, shape.Plain(reflect.TypeOf(o.NewBody())), o.Replaces, o.Deletes(body), o.Method == http.MethodPatch}
}

// View is the record that a write changes, as it is now.
type View struct {
	Version string          // absent for no record
	Shows   bool            // the record is as the write makes it
	There   any             // the record, decoded; nil for none
	Changes map[string]Pair // what the write would change, by member
}

// Pair is the value of a member that is there, and the one that is sent.
type Pair struct {
	There any `json:"there"`
	Sent  any `json:"sent"`

	unknown bool // the record has no such member
}

// absent is the version of no record.
const absent = "absent"

// View returns the view of a record. It is nil if there is none; gone reports
// that it is marked as deleted.
func (w Write) View(record any, gone bool) View {
	if record == nil {
		return View{Version: absent, Shows: w.Deletes}
	}
	record = plain(record)
	v := View{Version: version(record), There: record, Shows: gone}
	if !w.Deletes {
		body, is := w.Body.(map[string]any)
		v.Changes = w.changes(body, record)
		v.Shows = is && len(v.Changes) == 0
	}
	return v
}

// Since reports whether the view shows the effect of the write; was is the view
// before it. The service changes all members of a write at once, and may store
// another value than the one sent, such as a rounded amount. So at least one of
// the members that the write changes must have another value than before, and
// none that already had the value sent may have lost it.
func (v View) Since(was View) bool {
	if v.Version == was.Version || v.Changes == nil {
		return v.Shows && v.Version != was.Version
	}
	for name, pair := range v.Changes {
		if _, open := was.Changes[name]; !open && !pair.unknown && was.Version != absent {
			return false
		}
	}
	some := false
	for name, before := range was.Changes {
		now, open := v.Changes[name]
		if !before.unknown && (!open || digest(before.There) != digest(now.There)) {
			return true
		}
		some = some || !before.unknown
	}
	return !some
}

// kept holds the members that a service keeps if a body of this type leaves
// them out, by the name of the type.
var kept = map[string][]string{"MatterWrite": {"clientIds", "otherSideIds"}}

// changes returns the members of a body that differ from those of a record, and
// those that it clears. A member such as staffId is the id of the link staff
// there, and clientIds are those of the links clients.
func (w Write) changes(body map[string]any, record any) map[string]Pair {
	changed := map[string]Pair{}
	for name, value := range body {
		there, known := likeOf(record, name)
		if text, plain := value.(string); name == "text" && plain && text != "" && text == MemberAt(record, "plainText") {
			continue // the service stores a plain text with formatting
		}
		if known && !w.same(w.member(name), value, there) || !known && !empty(value) {
			changed[name] = Pair{there, value, !known}
		}
	}
	if !w.Replaces || w.Kind == nil || w.Kind.Kind() != reflect.Struct {
		return changed
	}
	for _, m := range members.Of(w.Kind.Name()) {
		there, _ := likeOf(record, m.Name)
		if _, given := body[m.Name]; !given && !slices.Contains(kept[w.Kind.Name()], m.Name) && clears(m, there) {
			changed[m.Name] = Pair{there, nil, false}
		}
	}
	return changed
}

// clears reports whether a value disappears if a body leaves a member out. A
// service keeps what identifies a record and what belongs to it, and has
// defaults for other members.
func clears(m members.Member, value any) bool {
	switch value := value.(type) {
	case bool, map[string]any:
		return false
	case json.Number:
		return value != "0" && m.Values == nil
	}
	return !empty(value) && m.Values == nil && m.Name != "key" && !strings.HasSuffix(m.Name, "Id")
}

// member returns the type of a member of the body, or nil.
func (w Write) member(name string) reflect.Type {
	if w.Kind != nil && w.Kind.Kind() == reflect.Struct {
		for _, field := range reflect.VisibleFields(w.Kind) {
			if shape.NameOf(field) == name {
				return shape.Plain(field.Type)
			}
		}
	}
	return nil
}

// same reports whether a value is as the one sent makes it. Objects and lists
// are replaced as a whole, except for a list whose elements have keys.
func (w Write) same(kind reflect.Type, sent, there any) bool {
	if digest(sent) == digest(there) || empty(sent) && empty(there) {
		return true
	}
	switch sent := sent.(type) {
	case string: // the id of a policy's resource may be a path
		return uuid.MatchString(path.Base(sent)) && path.Base(sent) == there
	case map[string]any:
		_, is := there.(map[string]any)
		within := Write{Kind: kind, Replaces: true}
		return is && kind != nil && len(members.Of(kind.Name())) > 0 && len(within.changes(sent, there)) == 0
	case []any:
		list, is := there.([]any)
		if !is || kind == nil || kind.Kind() != reflect.Slice {
			return false
		}
		element := shape.Plain(kind.Elem())
		if w.merges && !slices.ContainsFunc(sent, func(one any) bool { return MemberAt(one, "key") == nil }) {
			return w.merged(element, sent, list)
		}
		return slices.EqualFunc(sent, list, func(one, other any) bool { return w.same(element, one, other) })
	}
	return false
}

// merged reports whether a list has the elements sent, by their keys.
func (w Write) merged(kind reflect.Type, sent, there []any) bool {
	for _, one := range sent {
		at := slices.IndexFunc(there, func(other any) bool { return digest(MemberAt(other, "key")) == digest(MemberAt(one, "key")) })
		if at < 0 || !w.same(kind, one, there[at]) {
			return false
		}
	}
	return true
}

// empty reports whether a value means that there is none.
func empty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == "" || strings.HasPrefix(value, "0001-01-01")
	case []any:
		return len(value) == 0
	case map[string]any:
		for _, member := range value {
			if !empty(member) {
				return false
			}
		}
		return true
	}
	return false
}

// likeOf returns the member of a record that is that of a body, and reports
// whether the record has it.
func likeOf(record any, name string) (value any, known bool) {
	there, _ := record.(map[string]any)
	if value, known = there[name]; known {
		return value, true
	}
	single, several := strings.CutSuffix(name, "Ids")
	single, one := strings.CutSuffix(single, "Id")
	if !several && !one {
		return nil, false
	}
	for _, name := range []string{single, single + "s", strings.TrimSuffix(single, "Staff")} {
		link, linked := there[name]
		links, isList := link.([]any)
		switch {
		case several && isList:
			all := []any{}
			for _, link := range links {
				all = append(all, MemberAt(link, "id"))
			}
			return all, true
		case one && linked:
			return MemberAt(link, "id"), true
		}
	}
	return nil, false
}
