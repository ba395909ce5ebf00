package models_test

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/description"
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
	assert.Equal(t, models.EventTypeFilesUpdated, models.EventType("files.updated").Raw())
	custom := models.EventOf[json.RawMessage]("matter.closed")
	assert.Equal(t, custom, custom.Type().Raw())
	assert.False(t, custom.Type().IsDocumented(), "an unknown name is as good as a known one")
}

// payloadOf returns a kind of event with the name of the type of its payload.
func payloadOf[P any](e models.EventOf[P]) [2]string {
	return [2]string{string(e.Type()), reflect.TypeFor[P]().Name()}
}

func TestAnEventCarriesTheRecordOfTheDescription(t *testing.T) {
	t.Parallel()
	document, err := description.Load(os.DirFS("../api"))
	require.NoError(t, err)
	var described [][2]string
	for _, payload := range document.Payloads {
		described = append(described, [2]string{payload.Event, payload.Schema.GoName})
	}
	assert.ElementsMatch(t, described, [][2]string{
		payloadOf(models.EventTypeActivityCodeCreated), payloadOf(models.EventTypeActivityCodeDeleted), payloadOf(models.EventTypeActivityCodeUpdated),
		payloadOf(models.EventTypeArchiveUpdated), payloadOf(models.EventTypeBillingConfigurationUpdated),
		payloadOf(models.EventTypeContactCreated), payloadOf(models.EventTypeContactDeleted), payloadOf(models.EventTypeContactRestored), payloadOf(models.EventTypeContactUpdated),
		payloadOf(models.EventTypeExpenseCreated), payloadOf(models.EventTypeExpenseDeleted), payloadOf(models.EventTypeExpenseUpdated),
		payloadOf(models.EventTypeEventUpdated), payloadOf(models.EventTypeFeeCreated), payloadOf(models.EventTypeFeeDeleted), payloadOf(models.EventTypeFeeUpdated),
		payloadOf(models.EventTypeFirmUpdated), payloadOf(models.EventTypeFirmUserUpdated), payloadOf(models.EventTypeInvoiceFinalized),
		payloadOf(models.EventTypeLayoutDesignUpdated),
		payloadOf(models.EventTypeLayoutMatterCreated), payloadOf(models.EventTypeLayoutMatterUpdated), payloadOf(models.EventTypeMatterTypeUpdated), payloadOf(models.EventTypeMatterCreated),
		payloadOf(models.EventTypeMatterUpdated), payloadOf(models.EventTypeMatterItemsUpdated), payloadOf(models.EventTypeMatterStageUpdated),
		payloadOf(models.EventTypeMemoCreated), payloadOf(models.EventTypeMemoUpdated), payloadOf(models.EventTypeMemoDeleted), payloadOf(models.EventTypeMemoRestored),
		payloadOf(models.EventTypeRolesUpdated), payloadOf(models.EventTypeStaffCreated), payloadOf(models.EventTypeStaffUpdated),
		payloadOf(models.EventTypeStageSetCreated), payloadOf(models.EventTypeStageSetUpdated),
		payloadOf(models.EventTypeTaskCreated), payloadOf(models.EventTypeTaskUpdated), payloadOf(models.EventTypeTaskDeleted),
		payloadOf(models.EventTypeUserRegistered), payloadOf(models.EventTypeUserUnregistered), payloadOf(models.EventTypeError),
	})
}

// TestEveryEventButOneHasARecord lists the types of events with a raw JSON
// payload, each with a reason.
func TestEveryEventButOneHasARecord(t *testing.T) {
	t.Parallel()
	document, err := description.Load(os.DirFS("../api"))
	require.NoError(t, err)
	with := make(map[models.EventType]bool)
	for _, payload := range document.Payloads {
		with[models.EventType(payload.Event)] = true
	}
	without := slices.DeleteFunc(models.EventTypes(), func(name models.EventType) bool { return with[name] })
	assert.Equal(t, []models.EventType{
		models.EventTypeFilesUpdated.Type(), // the members with the matter and the cursor are not documented
	}, without)
}
