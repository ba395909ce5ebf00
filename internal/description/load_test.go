package description_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
)

func TestTheDescriptionIsRead(t *testing.T) {
	t.Parallel()
	document, err := description.Load(os.DirFS("../../api"))
	require.NoError(t, err)
	require.NotEmpty(t, document.Areas)
	require.NotEmpty(t, document.Schemas)
}
