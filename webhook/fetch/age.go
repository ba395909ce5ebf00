package fetch

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// change describes the change that a record must show before the event is
// handled.
type change struct {
	deletion bool
	at       time.Time // zero when unknown
	version  string    // version id in the payload of a young event; "" when unknown
}

// state holds the properties of a record that are compared with a change.
type state struct {
	exists  bool
	deleted bool      // marked as deleted
	updated time.Time // zero when unknown
	version string    // "" when unknown
}

// settling is the age from which an event counts as visible. A record with
// another version than that of an older event was most likely changed again.
const settling = 5 * time.Second

// compare reports whether a record in state s shows the change or a later one.
// known is false if that cannot be determined.
func (c change) compare(s state) (shown, known bool) {
	switch {
	case !s.exists:
		return c.deletion, true
	case c.deletion && s.deleted:
		return true, true
	case !c.at.IsZero() && !s.updated.IsZero():
		return !s.updated.Before(c.at), true
	case c.version != "" && s.version != "" && !c.deletion:
		return s.version == c.version, true
	default:
		return false, c.deletion
	}
}

// changeOf returns the change of an event. It prefers the time in the payload
// to that of the event, because the record holds the same time.
func changeOf(n *webhook.Event[json.RawMessage]) change {
	var payload struct {
		LastUpdated json.RawMessage `json:"lastUpdated"`
		VersionID   string          `json:"versionId"`
	}
	_ = json.Unmarshal(n.Payload, &payload) // a payload of another form has no such time
	c := change{deletion: strings.HasSuffix(string(n.Type), ".deleted"), at: timeOf(payload.LastUpdated)}
	if time.Since(n.Timestamp.Time()) < settling {
		c.version = payload.VersionID
	}
	if c.at.IsZero() {
		c.at = timeOfVersion(payload.VersionID)
	}
	if c.at.IsZero() {
		c.at = n.Timestamp.Time()
	}
	return c
}

// timeOf parses a time in either of the service's formats. It returns the zero
// time for anything else.
func timeOf(text json.RawMessage) time.Time {
	var ticks models.Ticks
	if json.Unmarshal(text, &ticks) == nil {
		return ticks.Time()
	}
	var date models.DateTime
	_ = json.Unmarshal(text, &date)
	return date.Time()
}

// timeOfVersion returns the time of a version id that holds ticks, as those of
// matters do. Other version ids are UUIDs, or numbers without a meaning.
func timeOfVersion(id string) time.Time {
	const oldest = 2000 // no service kept records over HTTP before
	ticks, err := models.ParseTicks(id)
	if err != nil || ticks.Time().Year() < oldest {
		return time.Time{}
	}
	return ticks.Time()
}

// stateOf returns the state of a record, or the zero state for nil. It looks
// fields up by name, so that a record type that gains such a field needs no
// change here.
func stateOf[R any](record *R) state {
	if record == nil {
		return state{}
	}
	s, fields := state{exists: true}, reflect.ValueOf(record).Elem()
	if field := fields.FieldByName("IsDeleted"); field.IsValid() {
		mark, _ := field.Interface().(models.Opt[bool])
		s.deleted = mark.Or(false)
	}
	if field := fields.FieldByName("LastUpdated"); field.IsValid() {
		if at, ok := field.Interface().(interface{ Time() time.Time }); ok {
			s.updated = at.Time()
		}
	}
	if field := fields.FieldByName("VersionID"); field.IsValid() {
		s.version = field.String()
	}
	if s.updated.IsZero() {
		s.updated = timeOfVersion(s.version)
	}
	return s
}
