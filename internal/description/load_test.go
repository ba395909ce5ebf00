package description_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
)

func load(t *testing.T) *description.Document {
	t.Helper()
	document, err := description.Load(os.DirFS("../../api"))
	require.NoError(t, err)
	return document
}

func TestTheDescriptionIsRead(t *testing.T) {
	t.Parallel()
	document := load(t)
	require.NotEmpty(t, document.Areas)
	require.NotEmpty(t, document.Schemas)
}
