package replica

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path"
	"reflect"
	"slices"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// record is a record as the copy holds it.
type record struct {
	id      string         // as the service wrote it
	key     string         // the id in lower case; with that of the parent if only both identify it
	text    string         // JSON without secrets
	members map[string]any // decoded text
	version string
	sighting
}

// decode returns a record of a response, or of the copy. Members that the
// description declares as secrets, pre-signed addresses among them, are left out,
// and so are those with personal data if the copy has none.
func (k *kind) decode(text []byte, parent string) (record, error) {
	typed := k.listing.NewAnswer()
	if err := json.Unmarshal(k.withoutSecrets(text), typed); err != nil {
		return record{}, fmt.Errorf("replica: %s: %w", k.name, err)
	}
	stored, err := json.Marshal(typed)
	if err != nil {
		return record{}, fmt.Errorf("replica: %s: %w", k.name, err)
	}
	stored = []byte(strings.NewReplacer(`\\`, `\\`, `\u0000`, `\ufffd`).Replace(string(stored))) // no database stores it well
	r := record{text: string(stored)}
	decoder := json.NewDecoder(bytes.NewReader(stored))
	decoder.UseNumber() // amounts stay exact
	if err := decoder.Decode(&r.members); err != nil {
		return record{}, fmt.Errorf("replica: %s: %w", k.name, err)
	}
	if k.impersonal {
		r.members, _ = impersonal(reflect.TypeOf(typed).Elem(), r.members).(map[string]any)
		stored, _ = json.Marshal(r.members) // it was decoded from JSON
		r.text = string(stored)
	}
	r.id = k.identify(r.members, parent)
	if r.id == "" {
		return record{}, fmt.Errorf("replica: %s: a record has no value for %s", k.name, k.key)
	}
	r.key = strings.ToLower(r.id)
	if k.shared {
		r.key = parent + ":" + r.key
	}
	r.version, _ = r.members["versionId"].(string)
	r.parent, r.stamp, r.deleted = parent, stampOf(r.members), isDeleted(typed)
	r.hash = hashOf(r.members)
	if named, is := typed.(interface{ Name() string }); is && !k.impersonal { // of a person or a company
		r.members["name"] = named.Name()
	}
	return r, nil
}

// withoutSecrets returns the text of a record without its secrets. An earlier
// version stored a mask in place of each, which cannot be decoded.
func (k *kind) withoutSecrets(text []byte) []byte {
	var members map[string]json.RawMessage
	if len(k.omitted) == 0 || json.Unmarshal(text, &members) != nil || members == nil {
		return text
	}
	maps.DeleteFunc(members, func(name string, _ json.RawMessage) bool {
		return slices.ContainsFunc(k.omitted, func(secret string) bool { return strings.EqualFold(name, secret) })
	})
	without, _ := json.Marshal(members) // it was decoded from JSON
	return without
}

// identify returns the id of a record. The only record below a parent has that
// of the parent.
func (k *kind) identify(members map[string]any, parent string) string {
	if k.single() && parent != "" {
		return parent
	}
	switch value := members[k.key].(type) {
	case string:
		return value
	case map[string]any:
		return linked(value)
	}
	return ""
}

// linked returns the id that a link leads to, or "".
func linked(link map[string]any) string {
	if id, _ := link["id"].(string); id != "" {
		return id
	}
	href, _ := link["href"].(string)
	address, err := url.Parse(href)
	if href == "" || err != nil {
		return ""
	}
	return path.Base(address.Path)
}

// stampOf returns the time of the last change in ticks, or 0 if the record has
// none. A version id that is no such time says nothing about the order.
func stampOf(members map[string]any) int64 {
	const oldest = 2000 // no service kept records over HTTP before
	for _, name := range []string{"lastUpdated", "versionId"} {
		var text string
		switch value := members[name].(type) {
		case json.Number:
			text = value.String()
		case string:
			text = value
		}
		ticks, err := models.ParseTicks(text)
		if at, notTime := models.ParseDateTime(text); err != nil && notTime == nil {
			ticks, err = models.TicksOf(at.Time())
		}
		if err == nil && ticks.Time().Year() >= oldest {
			return int64(ticks)
		}
	}
	return 0
}

// isDeleted reports whether the record says so itself. A deleted occurrence of
// a series is an event with a type of its own.
func isDeleted(typed any) bool {
	if event, is := typed.(*models.CalendarEvent); is &&
		(event.Type == models.CalendarEventTypeDeletedOccurrence || event.EventType.Type() == models.CalendarEventTypeDeletedOccurrence) {
		return true
	}
	return practice.IsDeleted(typed)
}

// hashOf returns a hash of the members that does not depend on their order, nor
// on the case of ids.
func hashOf(members map[string]any) string {
	text, err := json.Marshal(folded("", members))
	if err != nil {
		panic(err) // it was decoded from JSON
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// folded returns a value with its ids and addresses in lower case, without the
// hosts of addresses, and without members that have no value, since the service
// writes them in several ways.
func folded(name string, value any) any {
	switch value := value.(type) {
	case string:
		switch {
		case name == "href" || name == "self":
			return strings.ToLower(pathOf(value))
		case name == "id" || isID(name) || strings.HasSuffix(name, "Ids"):
			return strings.ToLower(value)
		}
	case []any:
		all := make([]any, len(value))
		for i, element := range value {
			all[i] = folded(name, element)
		}
		return all
	case map[string]any:
		all := map[string]any{}
		for name, member := range value {
			if member != nil {
				all[name] = folded(name, member)
			}
		}
		return all
	}
	return value
}

// isID reports whether a member has an id of the service, whose case means nothing.
// That of an id in another system may mean something.
func isID(member string) bool {
	return strings.HasSuffix(member, "Id") && !strings.HasPrefix(member, "external") && !strings.HasPrefix(member, "ledes")
}

// pathOf returns an address without its host.
func pathOf(text string) string {
	address, err := url.Parse(text)
	if err != nil {
		return text
	}
	address.Scheme, address.Host, address.User = "", "", nil
	return address.String()
}
