package nats_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/nats"
	"github.com/practicesdk/practice-go/webhook"
)

// alone returns a message without a record, as most are.
func alone(number int) webhook.Message {
	m := numbered(number)
	m.Record = ""
	return m
}

// A server enforces a smaller capacity by deleting the oldest messages.
func TestNoSettingDeletesAMessageOrDiffersInSilence(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	engine, err := nats.Open(t.Context(), dir, nats.Patient(), nats.WithCapacity(50))
	require.NoError(t, err)
	for i := range 20 {
		require.NoError(t, engine.Queue().Put(t.Context(), alone(i)))
	}
	require.NoError(t, engine.Close(t.Context()))
	for name, option := range map[string]nats.Option{
		"WithCapacity": nats.WithCapacity(5), "WithLease": nats.WithLease(20 * time.Second), "WithReplicas": nats.WithReplicas(3),
	} {
		_, err := nats.Open(t.Context(), dir, nats.Patient(), nats.WithCapacity(50), option)
		var bad *webhook.ConfigError
		require.ErrorAs(t, err, &bad, name)
		assert.Equal(t, name, bad.Name)
	}
	engine, err = nats.Open(t.Context(), dir, nats.Patient(), nats.WithCapacity(100))
	require.NoError(t, err)
	for range 3 {
		require.NoError(t, take(t, engine.Queue()).DeadLetter(t.Context(), "no"))
	}
	require.NoError(t, engine.Close(t.Context()))
	engine, err = nats.Open(t.Context(), dir, nats.Patient(), nats.WithCapacity(100), nats.WithDeadLetters(1), nats.WithRetention(time.Second))
	require.NoError(t, err)
	letters := 0
	for _, err := range engine.Queue().DeadLetters(t.Context()) {
		require.NoError(t, err)
		letters++
	}
	assert.Equal(t, 3, letters, "a smaller WithDeadLetters accepts no more, and keeps them")
	length, err := engine.Queue().Len(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 17, length)
	require.NoError(t, engine.Close(t.Context()))
}

// The second process has increased the capacity when a taker of the first
// recreates what is missing.
func TestAProcessDoesNotTakeBackTheCapacityOfAnother(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	first := open(t, "", on(s), nats.WithCapacity(5))
	second := open(t, "", on(s), nats.WithCapacity(50))
	for i := range 20 {
		require.NoError(t, second.Queue().Put(t.Context(), alone(i)))
	}
	require.NoError(t, jetStream(t, s).DeleteStream(t.Context(), "practice-dead"))
	_ = first.Queue().Discard(t.Context(), "a") // makes the stream again
	length, err := second.Queue().Len(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 20, length)
}

func TestWhatIsPutCanBecomeADeadLetter(t *testing.T) {
	t.Parallel()
	s := startServer(t) // takes messages of up to 1 MiB
	queue := open(t, "", on(s)).Queue()
	m := alone(1) // its time must not change, because its text may be shorter
	put := func(size int) error {
		m.Body = []byte(strings.Repeat("x", size))
		return queue.Put(t.Context(), m)
	}
	fits, not := 1, 1<<20
	for not-fits > 1 {
		if middle := (fits + not) / 2; put(middle) == nil {
			require.NoError(t, take(t, queue).Done(t.Context()))
			fits = middle
		} else {
			not = middle
		}
	}
	require.Greater(t, fits, 700_000)
	require.NoError(t, put(fits))
	require.NoError(t, take(t, queue).DeadLetter(t.Context(), strings.Repeat("\xff", webhook.MaxReason)))
	for letter, err := range queue.DeadLetters(t.Context()) {
		require.NoError(t, err)
		assert.Len(t, letter.Message.Body, fits)
	}
}

func TestTheActOfAnEndedLeaseChangesNothing(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	for _, record := range []string{"", key} {
		queue := open(t, "", on(s), nats.WithLease(8*time.Second), nats.WithName("lease"+record[:min(3, len(record))])).Queue()
		m := numbered(1)
		m.Record = record
		require.NoError(t, queue.Put(t.Context(), m))
		old := take(t, queue)
		held := take(t, queue) // after the lease of the first
		for _, err := range []error{
			old.Extend(t.Context()), old.Retry(t.Context(), 0), old.Return(t.Context(), 0), old.DeadLetter(t.Context(), "no"), old.Done(t.Context()),
		} {
			require.Error(t, err)
		}
		require.NoError(t, held.Return(t.Context(), 0))
		again := take(t, queue)
		assert.Equal(t, []int{1, 1, 1}, []int{again.Attempt(), again.Returned(), again.Lapsed()})
		require.NoError(t, again.Done(t.Context()))
		length, err := queue.Len(t.Context())
		require.NoError(t, err)
		assert.Zero(t, length)
	}
}
