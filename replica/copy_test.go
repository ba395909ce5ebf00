package replica

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestACopyHasEveryRecordOfTheFirm(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	c := copyOf(t, server.Client(t), Options{Kinds: Kinds()})
	require.NoError(t, c.Sync(t.Context()))
	assert.Equal(t, served(t, c), stored(t, c))
	status, err := c.Status(t.Context())
	require.NoError(t, err)
	assert.Len(t, status, len(Kinds()))
	for _, of := range status {
		t.Logf("%+v", of)
		assert.True(t, of.Complete, of.Kind)
	}
}

func TestOptionsThatMakeNoSenseAreRefused(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	db := openDB(t, filepath.Join(t.TempDir(), "firm.db"))
	for _, options := range []Options{{Every: -1}, {Within: -1}, {Whole: -1}, {Overlap: -1}, {Retention: -1}, {Share: -0.5}, {Share: 0.001}, {Share: 1.01}, {Share: math.NaN()}, {Kinds: []string{"letters"}}} {
		_, err := Open(t.Context(), db, server.Client(t), options)
		require.Error(t, err, "%+v", options)
	}
	_, err := Open(t.Context(), nil, server.Client(t), Options{})
	require.Error(t, err)
}
