package webhook

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A process runs for months, and records and writes come without end.
func TestNothingIsLeftOfATurnThatEnded(t *testing.T) {
	t.Parallel()
	var turns turns
	end, err := turns.take(t.Context(), "a")
	require.NoError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = turns.take(ended, "a")
	require.ErrorIs(t, err, context.Canceled)
	assert.Len(t, turns.queues["a"], 1)
	end()
	assert.Empty(t, turns.queues)
}
