package turns_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/internal/turns"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestOneHasTheTurnOfAKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var turns turns.Turns[string]
		var all sync.WaitGroup
		inside := 0
		for range 20 {
			all.Go(func() {
				leave, err := turns.Take(t.Context(), "a")
				assert.NoError(t, err)
				inside++
				assert.Equal(t, 1, inside)
				<-time.After(time.Second)
				inside--
				leave()
			})
		}
		synctest.Wait()
		other, err := turns.Take(t.Context(), "b")
		require.NoError(t, err, "another key has a turn of its own")
		other()
		all.Wait()
	})
}

// TestNothingIsLeftOfATurnThatEnded checks that a turn that ended uses no
// memory, because a process may run for months with ever new keys.
func TestNothingIsLeftOfATurnThatEnded(t *testing.T) {
	t.Parallel()
	var turns turns.Turns[string]
	leave, err := turns.Take(t.Context(), "a")
	require.NoError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = turns.Take(ended, "a")
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 1, turns.Len())
	leave()
	assert.Zero(t, turns.Len())
}
