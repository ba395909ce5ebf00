package models_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

func TestOneBadRecordCostsOnlyItself(t *testing.T) {
	t.Parallel()
	var page models.Collection[models.BankAccount]
	faults, err := codec.Decode([]byte(`{"value":[{"id":"a"},{"id":"b","balance":"much"},{"id":"c"}],"size":3}`), &page, models.Wire)
	require.NoError(t, err)
	require.Len(t, faults, 1)
	assert.Equal(t, 1, faults[0].Index)
	assert.Equal(t, "value[1]", faults[0].Path)
	assert.JSONEq(t, `{"id":"b","balance":"much"}`, string(faults[0].Raw))
	require.Error(t, faults[0].Err)
	assert.NotContains(t, faults[0].Err.Error(), "much", "an error never shows the text of the record")
	require.Len(t, page.Items, 2)
	assert.Equal(t, "a", page.Items[0].ID)
	assert.Equal(t, "c", page.Items[1].ID)
	assert.Equal(t, 3, page.Size.Or(0), "what follows the list is read")
}

func TestOneBadFileOfAListingCostsOnlyItself(t *testing.T) {
	t.Parallel()
	var page models.FolderListingPage
	faults, err := codec.Decode([]byte(`{"value":[{"folders":[{"id":"f"}],
		"files":[{"id":"a"},{"id":"b"},{"id":"c","sizeBytes":1.5}]}],"name":"Letters"}`), &page, models.Wire)

	require.NoError(t, err)
	require.Len(t, faults, 1)
	assert.Equal(t, "value[0].files[2]", faults[0].Path)
	require.Len(t, page.Items, 1)
	assert.Len(t, page.Items[0].Folders, 1)
	assert.Len(t, page.Items[0].Files, 2)
	assert.Equal(t, "Letters", page.Name)
}

func TestAFaultOutsideTheListIsAnError(t *testing.T) {
	t.Parallel()
	var page models.Collection[models.BankAccount]
	_, err := codec.Decode([]byte(`{"value":[{"id":"a"}],"size":"three"}`), &page, models.Wire)
	require.Error(t, err)
	require.Error(t, codec.Unmarshal([]byte(`{"value":[{"balance":"much"}]}`), &page, models.Wire), "Unmarshal reports isolated faults too")
}

func TestACollectionReadsABareArray(t *testing.T) {
	t.Parallel()
	var bare, paged models.Collection[models.Promotion]
	require.NoError(t, codec.Unmarshal(readSample(t, "responses/listPromotions.array.json"), &bare, models.Wire))
	require.NoError(t, codec.Unmarshal(readSample(t, "responses/listPromotions.paged.json"), &paged, models.Wire))
	require.Len(t, bare.Items, 2)
	assert.Equal(t, paged.Items[0], bare.Items[0])
}
