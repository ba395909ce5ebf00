package fetch

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// place holds the ids of a record and of its matter. An unknown id is empty.
type place struct{ id, matter string }

// placeOf returns the ids of the record of n, and reports whether they suffice
// to read it.
func (s source[R]) placeOf(n *webhook.Event[json.RawMessage]) (at place, ok bool) {
	at = idsIn(n)
	if s.once && at.matter == "" {
		at.matter = at.id
	}
	return at, (at.id != "" || !s.needsID) && (at.matter != "" || !s.needsMatter)
}

// idsIn reads only the ids in the payload, because its other members are not
// specified.
func idsIn(n *webhook.Event[json.RawMessage]) place {
	var payload map[string]json.RawMessage
	_ = json.Unmarshal(n.Payload, &payload)
	matter := link(payload["matter"])
	at := place{id: n.ResourceID(), matter: matter.TargetID()}
	if at.matter == "" {
		_ = json.Unmarshal(payload["matterId"], &at.matter)
	}
	if at.matter == "" {
		at.matter = matterIn(link(payload["self"]).Href)
	}
	if at.matter == "" {
		var href string
		_ = json.Unmarshal(payload["href"], &href)
		at.matter = matterIn(href)
	}
	return at
}

// link decodes a link, or returns the zero Link.
func link(text json.RawMessage) (l models.Link) {
	_ = json.Unmarshal(text, &l)
	return l
}

// matterIn returns the id of the matter in the URL of one of its records, or
// "".
func matterIn(address string) string {
	_, rest, below := strings.Cut(address, "/matters/")
	segment, _, _ := strings.Cut(rest, "/")
	id, err := url.PathUnescape(segment)
	if !below || err != nil {
		return ""
	}
	return id
}
