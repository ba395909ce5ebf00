package models_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

func TestNotificationTicksAreExactBeyondFloats(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]models.Ticks{
		`637981232724209300`:   637981232724209300,
		`638912345678901234`:   638912345678901234,
		`638912345678901235`:   638912345678901235,
		`"638912345678901235"`: 638912345678901235,
		`9007199254740993`:     9007199254740993,
	} {
		var n models.Notification
		require.NoError(t, codec.Unmarshal(fmt.Appendf(nil, `{"type":"x","timestamp":%s}`, text), &n, models.Wire))
		assert.Equal(t, want, n.Timestamp, text)
		encoded, err := json.Marshal(n)
		require.NoError(t, err)
		assert.Contains(t, string(encoded), fmt.Sprintf(`"timestamp":%d}`, want))
	}
}

func TestNotificationPayloads(t *testing.T) {
	t.Parallel()
	matter := decodeNotification(t, "matter-updated")
	assert.Equal(t, models.EventTypeMatterUpdated.Type(), matter.Type)
	assert.Equal(t, models.NotificationSourceAPI, matter.Source)
	var m models.MatterPayload
	require.NoError(t, matter.Payload.Decode(&m))
	assert.Equal(t, models.MatterPayload{
		ID: "5ded8b07-ce44-5b3c-baa1-6a9801e6c7f4", Number: "10001", Title: "Example | Sale", Description: "Sale",
		Status:     models.MatterStatusOpen,
		MatterType: models.Link{ID: "bf146390-27ac-5f58-a884-050302295767_IL", Relation: "MatterTypes"},
		Clients:    []models.Link{{ID: "13eecfca-5699-5001-9310-bf202aba8df9", Relation: "Contacts"}},
	}, m)

	layout := decodeNotification(t, "layoutmatter")
	assert.Equal(t, models.EventTypeLayoutMatterUpdated.Type(), layout.Type)
	var l models.MatterLayouts
	require.NoError(t, layout.Payload.Decode(&l))
	var item models.LayoutItem
	require.NoError(t, codec.Unmarshal(readSample(t, "api/responses/getMatterLayout.full.json"), &item, models.Wire))
	assert.Equal(t, models.MatterLayouts{ID: "5ded8b07-ce44-5b3c-baa1-6a9801e6c7f4", Items: []models.LayoutItem{item}}, l)

	failure := decodeNotification(t, "error")
	assert.Equal(t, models.EventTypeError.Type(), failure.Type)
	var e models.ErrorPayload
	require.NoError(t, failure.Payload.Decode(&e))
	assert.Equal(t, models.ErrorPayload{
		Message:      "No such contact in account 13277179-1410-5c32-a80e-a2b9c71c5d83",
		ResourceName: "contact", ResourceID: "13eecfca-5699-5001-9310-bf202aba8df9",
	}, e)
}

func TestNotificationOfAnUnknownTypeIsKept(t *testing.T) {
	t.Parallel()
	unknown := decodeNotification(t, "unknown-type")
	assert.Equal(t, models.EventType("matter.closed"), unknown.Type)
	anything, ok := unknown.Payload.Get("anything")
	require.True(t, ok)
	assert.JSONEq(t, `[1,{"a":null}]`, string(anything))

	sparse := decodeNotification(t, "sparse")
	assert.True(t, sparse.Payload.IsZero())
	assert.Empty(t, sparse.UserID)
	_, ok = sparse.Extra.Get("requestId")
	assert.True(t, ok, "an unknown member is kept")
}

func decodeNotification(tb testing.TB, name string) models.Notification {
	tb.Helper()
	var n models.Notification
	faults, err := codec.Decode(readSample(tb, "notifications/onNotification."+name+".json"), &n, models.Wire)
	require.NoError(tb, err)
	require.Empty(tb, faults)
	return n
}

func FuzzNotification(f *testing.F) {
	for _, name := range []string{"matter-updated", "layoutmatter", "error", "unknown-type", "sparse"} {
		f.Add(readSample(f, "notifications/onNotification."+name+".json"))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var n models.Notification
		if _, err := codec.Decode(text, &n, models.Wire); err != nil {
			return
		}
		assert.True(t, json.Valid(text), "a strict parser accepts what was read")
		encoded, err := codec.AppendRequest(nil, &n, models.Wire)
		require.NoError(t, err)
		var again models.Notification
		_, err = codec.Decode(encoded, &again, models.Wire)
		require.NoError(t, err)
		assert.Equal(t, n, again)
		var m models.MatterPayload
		if n.Payload.Decode(&m) == nil {
			encoded, err = json.Marshal(m)
			require.NoError(t, err)
			assert.True(t, json.Valid(encoded))
		}
	})
}
