package fetch

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// place holds the ids of a record and of its matter; empty when unknown.
type place struct{ id, matter string }

// placeOf returns the place of the record, and whether it is complete.
func (s source[R]) placeOf(n *webhook.Event[json.RawMessage]) (at place, ok bool) {
	at = idsIn(n)
	if s.once && at.matter == "" {
		at.matter = at.id
	}
	return at, (at.id != "" || !s.needsID) && (at.matter != "" || !s.needsMatter)
}

// idsIn reads only ids from the payload: the rest may change its form one day.
func idsIn(n *webhook.Event[json.RawMessage]) place {
	var payload map[string]json.RawMessage
	_ = json.Unmarshal(n.Payload, &payload)
	at := place{id: n.ResourceID(), matter: link(payload["matter"]).TargetID()}
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

// link reads a link, or none.
func link(text json.RawMessage) (l models.Link) {
	_ = json.Unmarshal(text, &l)
	return l
}

// matterIn returns the id of the matter in the address of a record below one.
func matterIn(address string) string {
	_, rest, below := strings.Cut(address, "/matters/")
	segment, _, _ := strings.Cut(rest, "/")
	id, err := url.PathUnescape(segment)
	if !below || err != nil {
		return ""
	}
	return id
}
