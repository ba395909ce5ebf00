package replica

import (
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
