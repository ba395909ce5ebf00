package fetch

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// change is the part of an event that its record has to show.
type change struct {
	deletion bool
	at       time.Time // zero when unknown
}

// state is the part of a record that shows a change.
type state struct {
	exists  bool
	deleted bool      // it is marked as deleted
	updated time.Time // zero when unknown
}

// compare reports whether a record in the given state shows the change, or a
// later one, and whether that can be known.
func (c change) compare(s state) (shown, known bool) {
	switch {
	case !s.exists:
		return c.deletion, true
	case c.deletion && s.deleted:
		return true, true
	case !c.at.IsZero() && !s.updated.IsZero():
		return !s.updated.Before(c.at), true
	default:
		return false, c.deletion
	}
}

// changeOf returns the change of an event. The time of its payload is preferred
// to that of the event: the record has it.
func changeOf(n *webhook.Event[json.RawMessage]) change {
	var payload struct {
		LastUpdated json.RawMessage `json:"lastUpdated"`
	}
	_ = json.Unmarshal(n.Payload, &payload) // the payload of another form has no such time
	c := change{deletion: strings.HasSuffix(string(n.Type), ".deleted"), at: timeOf(payload.LastUpdated)}
	if c.at.IsZero() {
		c.at = n.Timestamp.Time()
	}
	return c
}

// timeOf reads a time in either form that the service uses; zero if it is none.
func timeOf(text json.RawMessage) time.Time {
	var ticks models.Ticks
	if json.Unmarshal(text, &ticks) == nil {
		return ticks.Time()
	}
	var date models.DateTime
	_ = json.Unmarshal(text, &date)
	return date.Time()
}

// stateOf returns the state of a record, nil for none. It reads the fields by
// name, so that a record that gets them later needs no row here.
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
	return s
}
