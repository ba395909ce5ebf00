package practicetest_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// payloadOf decodes the payload of the latest event of a kind.
func payloadOf[P any](t *testing.T, s *practicetest.Server, kind models.EventOf[P], cause func() string, read func(string) (P, bool)) {
	t.Helper()
	inbox := subscribe(t, s, string(kind))
	id := cause()
	want, there := read(id)
	require.True(t, there, kind)
	text, err := json.Marshal(inbox.wait(1)[0].at("payload"))
	require.NoError(t, err)
	var got P
	require.NoError(t, json.Unmarshal(text, &got), kind)
	assert.Equal(t, want, got, kind)
}

func TestAnEventCarriesTheRecordAsItIsRead(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	f := s.Firm()
	payloadOf(t, s, models.EventTypeEventUpdated, func() string { return s.AddEvent(models.CalendarEventWrite{Subject: "Call"}) }, s.Event)
	payloadOf(t, s, models.EventTypeContactCreated, func() string {
		return s.AddContact(models.ContactWrite{Person: models.PersonWrite{FirstName: "Kim", LastName: "Sato"}})
	}, s.Contact)
	payloadOf(t, s, models.EventTypeLayoutMatterCreated, func() string {
		return s.AddLayoutItem(f.MatterID, models.LayoutItemWrite{LayoutDesignID: f.LayoutDesignID, Name: "Lease"})
	}, func(id string) (models.MatterLayouts, bool) {
		item, there := s.LayoutItem(id)
		return models.MatterLayouts{ID: f.MatterID, Items: []models.LayoutItem{item}}, there
	})
	payloadOf(t, s, models.EventTypeActivityCodeCreated, func() string { return s.AddActivityCode(models.ActivityCodeWrite{Code: "ADV"}) }, s.ActivityCode)
	payloadOf(t, s, models.EventTypeMemoCreated, func() string { return s.AddMemo(f.MatterID, models.MemoWrite{Title: "Call", Text: "Agrees."}) }, s.Memo)
	payloadOf(t, s, models.EventTypeTaskCreated, func() string { return s.AddTask(models.TaskWrite{StaffID: f.StaffID, Subject: "Draft"}) }, s.Task)
	payloadOf(t, s, models.EventTypeStaffCreated, func() string {
		return s.AddStaffMember(models.StaffMemberWrite{FirstName: "Kim", LastName: "Sato"})
	}, s.StaffMember)
}

// TestAnEventCarriesNoMoreThanItsPayloadHas checks that matter.updated has
// exactly the members of its payload schema.
func TestAnEventCarriesNoMoreThanItsPayloadHas(t *testing.T) {
	t.Parallel()
	for _, form := range []practicetest.Rendering{{}, {Rel: true}, {Empty: practicetest.EmptyNull}, {Empty: practicetest.EmptyFull}} {
		s := practicetest.New(t, practicetest.WithWriteDelay(0), practicetest.WithRendering(form))
		f := s.Firm()
		inbox := subscribe(t, s, "matter.updated")
		call(t, s).do("PATCH", "/matters/"+f.MatterID, `{"description":"New"}`).want(202)
		payload := inbox.wait(1)[0].at("payload").(map[string]any)
		for _, member := range slices.Sorted(maps.Keys(payload)) {
			assert.Contains(t, []string{"id", "externalSystemId", "number", "title", "matterType", "clients", "description", "status"}, member)
		}
		for _, link := range append(payload["clients"].([]any), payload["matterType"]) {
			assert.Equal(t, []string{"id", "rel"}, slices.Sorted(maps.Keys(link.(map[string]any))))
		}
		assert.Equal(t, []any{f.MatterID, "New", "Open"}, []any{payload["id"], payload["description"], payload["status"]})
	}
}
