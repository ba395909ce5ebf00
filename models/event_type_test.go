package models_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

func TestEventTypesAreThoseOfTheService(t *testing.T) {
	t.Parallel()
	var published models.Collection[models.EventType]
	require.NoError(t, codec.Unmarshal(readSample(t, "responses/listWebhookTypes.full.json"), &published, models.Wire))
	assert.Equal(t, published.Items, models.EventTypes())

	unique := make(map[models.EventType]bool)
	for _, name := range models.EventTypes() {
		unique[name] = true
		assert.True(t, name.IsDocumented(), name)
		assert.Equal(t, name == "mattertype.updated", name.IsSystem(), name)
	}
	assert.Len(t, unique, 43)
}

func TestEventTypesIsTheCallersOwnList(t *testing.T) {
	t.Parallel()
	models.EventTypes()[0] = "changed"
	assert.Equal(t, models.EventType("activitycode.created"), models.EventTypes()[0])
}

func TestEventTypeAndEventOfAreTheSameName(t *testing.T) {
	t.Parallel()
	assert.Equal(t, models.EventType("matter.updated"), models.EventTypeMatterUpdated.Type())
	assert.Equal(t, models.EventTypeContactCreated, models.EventType("contact.created").Raw())
	custom := models.EventOf[json.RawMessage]("matter.closed")
	assert.Equal(t, custom, custom.Type().Raw())
	assert.False(t, custom.Type().IsDocumented(), "an unknown name is as good as a known one")
}
