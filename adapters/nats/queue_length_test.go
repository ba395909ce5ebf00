package nats_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/nats"
	"github.com/practicesdk/practice-go/webhook"
)

// The server counts a message for the consumer slightly later than it
// acknowledges it to the sender.
func TestTheLengthIsThatAfterTheLastCall(t *testing.T) {
	t.Parallel()
	server := startServer(t)
	queue := open(t, "", on(server), nats.WithLease(time.Hour)).Queue()
	other := open(t, "", on(server), nats.WithLease(time.Hour)).Queue() // as in another process
	messages, leased := 0, []webhook.Job{}
	for number := range 300 {
		switch place := rand.N(max(1, len(leased))); {
		case messages == len(leased) || rand.N(3) > 0:
			require.NoError(t, queue.Put(t.Context(), numbered(number)))
			messages++
		case len(leased) < 3:
			leased = append(leased, take(t, queue))
		default: // in a different order
			require.NoError(t, leased[place].Done(t.Context()))
			leased = append(leased[:place], leased[place+1:]...)
			messages--
		}
		length, err := other.Len(t.Context())
		require.NoError(t, err)
		require.Equal(t, messages, length)
		backlog, err := queue.Backlog(t.Context())
		require.NoError(t, err)
		require.Equal(t, messages, backlog.Messages)
	}
	for _, job := range leased {
		require.NoError(t, job.Done(t.Context()))
	}
}
