package fetch

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// at is an instant in ticks and in the format of the service.
const (
	early, middle, late    = models.Ticks(638912345678901230), models.Ticks(638912345678901234), models.Ticks(638912345678901239)
	lateText, lateWithZone = `"2025-08-19T21:09:27.8901239"`, `"2025-08-19T21:09:27.8901239Z"`
)

// age is a result of compare.
type age struct{ shown, known bool }

func ageOf(n *webhook.Event[json.RawMessage], record *models.Contact) (a age) {
	a.shown, a.known = changeOf(n).compare(stateOf(record))
	return a
}

func TestARecordCountsOnlyWhenItShowsItsEvent(t *testing.T) {
	t.Parallel()
	unknown, behind, shown := age{}, age{known: true}, age{true, true}
	deleted := func(c models.Contact) *models.Contact { c.IsDeleted = models.Some(true); return &c }
	for name, test := range map[string]struct {
		eventType string
		payload   string
		record    *models.Contact
		want      age
	}{
		"a created record that is not found":         {"contact.created", `{}`, nil, behind},
		"a changed record that is not found":         {"contact.updated", `{}`, nil, behind},
		"a restored record that is not found":        {"contact.restored", `{}`, nil, behind},
		"a deleted record that is not found":         {"contact.deleted", `{}`, nil, shown},
		"a deleted record with its mark":             {"contact.deleted", `{}`, deleted(models.Contact{LastUpdated: early}), shown},
		"a change of a record with a mark":           {"contact.updated", `{}`, deleted(models.Contact{LastUpdated: early}), behind},
		"a deleted record that is still there":       {"contact.deleted", `{}`, &models.Contact{LastUpdated: early}, behind},
		"a deleted record that came back since":      {"contact.deleted", `{}`, &models.Contact{LastUpdated: late}, shown},
		"a deleted record that shows no age":         {"contact.deleted", `{}`, &models.Contact{}, behind},
		"a tick before the event":                    {"contact.updated", `{}`, &models.Contact{LastUpdated: middle - 1}, behind},
		"at the moment of the event":                 {"contact.updated", `{}`, &models.Contact{LastUpdated: middle}, shown},
		"after the event":                            {"contact.updated", `{}`, &models.Contact{LastUpdated: late}, shown},
		"before the event, and equal to the payload": {"contact.updated", `{"lastUpdated":638912345678901230}`, &models.Contact{LastUpdated: early}, shown},
		"after the event, and before the payload":    {"contact.updated", `{"lastUpdated":638912345678901239}`, &models.Contact{LastUpdated: late - 1}, behind},
		"a payload with a time as text":              {"contact.updated", `{"lastUpdated":` + lateText + `}`, &models.Contact{LastUpdated: late - 1}, behind},
		"a payload with a time of no use":            {"contact.updated", `{"lastUpdated":{}}`, &models.Contact{LastUpdated: middle}, shown},
		"a payload that is no object":                {"contact.updated", `[7]`, &models.Contact{LastUpdated: middle}, shown},
		"without a time":                             {"contact.updated", `{}`, &models.Contact{}, unknown},
	} {
		n := &webhook.Event[json.RawMessage]{Type: models.EventType(test.eventType), Timestamp: middle, Payload: json.RawMessage(test.payload)}
		assert.Equal(t, test.want, ageOf(n, test.record), name)
	}
	for name, test := range map[string]struct {
		payload, version string
		want             age
	}{
		"a version before the event":                        {`{}`, "638912345678901233", behind},
		"a version at the moment of the event":              {`{}`, "638912345678901234", shown},
		"a version before the event, equal to the payload":  {`{"versionId":"638912345678901230"}`, "638912345678901230", shown},
		"a version after the event, and before the payload": {`{"versionId":"638912345678901239"}`, "638912345678901238", behind},
		"a payload whose version is a number":               {`{"versionId":7}`, "638912345678901234", shown},
		"a version that counts":                             {`{}`, "7", unknown},
		"a version that is a UUID":                          {`{}`, "5ded8b07-ce44-5b3c-baa1-6a9801e6c7f4", unknown},
		"no version":                                        {`{}`, "", unknown},
	} {
		n := &webhook.Event[json.RawMessage]{Type: "matter.updated", Timestamp: middle, Payload: json.RawMessage(test.payload)}
		var got age
		got.shown, got.known = changeOf(n).compare(stateOf(&models.Matter{VersionID: test.version}))
		assert.Equal(t, test.want, got, name)
	}
	for name, test := range map[string]struct {
		eventType, payload, version string
		age                         time.Duration
		want                        age
	}{
		"the version of the event":              {"fee.updated", `{"versionId":"b"}`, "b", 0, shown},
		"another version, of a young event":     {"fee.updated", `{"versionId":"b"}`, "a", 4 * time.Second, behind},
		"another version, of an old event":      {"fee.updated", `{"versionId":"b"}`, "a", 6 * time.Second, unknown},
		"an event without a version":            {"fee.updated", `{}`, "a", 0, unknown},
		"a record without a version":            {"fee.updated", `{"versionId":"b"}`, "", 0, unknown},
		"the version of a deletion, not marked": {"fee.deleted", `{"versionId":"b"}`, "b", 0, behind},
	} {
		at, err := models.TicksOf(time.Now().Add(-test.age))
		assert.NoError(t, err)
		n := &webhook.Event[json.RawMessage]{Type: models.EventType(test.eventType), Timestamp: at, Payload: json.RawMessage(test.payload)}
		var got age
		got.shown, got.known = changeOf(n).compare(stateOf(&models.Fee{VersionID: test.version}))
		assert.Equal(t, test.want, got, name)
	}
	assert.Equal(t, unknown, ageOf(&webhook.Event[json.RawMessage]{}, &models.Contact{LastUpdated: early}), "an event without a time")
}

func TestTheStateOfARecordIsReadFromItsFields(t *testing.T) {
	t.Parallel()
	var memo models.Memo
	assert.NoError(t, json.Unmarshal([]byte(`{"isDeleted":true,"lastUpdated":`+lateWithZone+`}`), &memo))
	assert.Equal(t, state{exists: true, deleted: true, updated: late.Time()}, stateOf(&memo))
	assert.Equal(t, state{exists: true}, stateOf(&models.Memo{}))
	assert.Equal(t, state{exists: true}, stateOf(&models.Matter{}))
	assert.Equal(t, state{}, stateOf[models.Memo](nil))
	assert.Equal(t, time.Time{}, timeOf(nil))
}
