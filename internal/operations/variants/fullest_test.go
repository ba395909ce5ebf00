package variants

import (
	"os"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/models"
)

func TestAFilterByAnEnumerationNeedsNoRow(t *testing.T) {
	t.Parallel()
	document, err := description.Load(os.DirFS("../../../api"))
	require.NoError(t, err)
	matters := fullOptions(reflect.ValueOf(practice.MatterListOptions{}), document.Operation("listMatters"), operations.Firm{}).Interface().(practice.MatterListOptions)
	assert.Equal(t, models.MatterListTypeMatters, matters.Type)
	assert.Equal(t, []models.MatterStatus{models.MatterStatusOpen}, matters.Status)
	kinds := fullOptions(reflect.ValueOf(practice.MatterTypeListOptions{}), document.Operation("listMatterTypes"), operations.Firm{}).Interface().(practice.MatterTypeListOptions)
	assert.Equal(t, models.Some(models.MatterTypeKindMatterType), kinds.Type)
}
