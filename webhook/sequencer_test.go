package webhook_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

// Only the order of their arrival distinguishes them.
func TestASequencerRemembersTheLastEventsOfOneTime(t *testing.T) {
	t.Parallel()
	sequencer, err := webhook.NewMemoryStore()
	require.NoError(t, err)
	at := func(n int) webhook.Position {
		return webhook.Position{Resource: "r", Timestamp: 20, Identity: string(rune('a' + n))}
	}
	const events = 3 * webhook.SequencerTies
	for n := range events {
		require.NoError(t, sequencer.Advance(t.Context(), at(n)))
		require.NoError(t, sequencer.Advance(t.Context(), at(n)), "twice is once")
	}
	for n := range events {
		order, err := sequencer.Check(t.Context(), at(n))
		require.NoError(t, err)
		want := webhook.OrderFresh
		if n >= events-webhook.SequencerTies {
			want = webhook.OrderDuplicate
		}
		assert.Equal(t, want, order, n)
	}
}
