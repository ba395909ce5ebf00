package nats

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

// faulty is the bucket of the tallies with injected faults.
type faulty struct {
	jetstream.KeyValue
	lost int  // number of lost responses to executed updates
	mute bool // reads get no response
}

func (f *faulty) Update(ctx context.Context, key string, value []byte, last uint64) (uint64, error) {
	revision, err := f.KeyValue.Update(ctx, key, value, last)
	if f.lost > 0 {
		f.lost--
		return 0, errors.Join(context.DeadlineExceeded, err)
	}
	return revision, err
}

func (f *faulty) Get(ctx context.Context, key string) (jetstream.KeyValueEntry, error) {
	if f.mute {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return f.KeyValue.Get(ctx, key)
}

// queueOfOne returns a queue with one message.
func queueOfOne(t *testing.T, options ...Option) (*Queue, *faulty) {
	t.Helper()
	engine, err := Open(t.Context(), t.TempDir(), append([]Option{Patient()}, options...)...)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = engine.Close(ctx)
	})
	q := engine.Queue()
	f := &faulty{KeyValue: q.tallies.keys}
	q.tallies.keys = f
	require.NoError(t, q.Put(t.Context(), webhook.Message{Body: []byte(`{"type":"n"}`)}))
	return q, f
}

func taken(t *testing.T, q *Queue) webhook.Job {
	t.Helper()
	j, err := q.Take(t.Context())
	require.NoError(t, err)
	return j
}

func TestALeaseCountsOnceAlthoughTheAnswerToItsCountIsLost(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		end                       func(webhook.Job) error
		attempt, returned, lapsed int
	}{
		"failed":   {func(j webhook.Job) error { return j.Retry(t.Context(), 0) }, 3, 0, 0},
		"returned": {func(j webhook.Job) error { return j.Return(t.Context(), 0) }, 1, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q, bad := queueOfOne(t)
			for range 2 {
				bad.lost = 1
				require.NoError(t, test.end(taken(t, q)))
			}
			j := taken(t, q)
			assert.Equal(t, test.attempt, j.Attempt())
			assert.Equal(t, test.returned, j.Returned())
			assert.Equal(t, test.lapsed, j.Lapsed())
		})
	}
}

// Otherwise a message that was returned a dozen times would look like one that
// crashed its process as often.
func TestALeaseThatNobodyCanTellOfIsNotHeldAgainstTheMessage(t *testing.T) {
	t.Parallel()
	q, _ := queueOfOne(t, WithLease(5*time.Second))
	for range 5 {
		require.NoError(t, taken(t, q).Return(t.Context(), time.Millisecond))
	}
	require.NoError(t, q.js.DeleteStream(t.Context(), q.tallies.config.Name))
	j := taken(t, q)
	assert.Zero(t, j.Lapsed())
	assert.Equal(t, 1, j.Attempt())
	for lapsed := range 2 { // from then on they are counted again
		assert.Equal(t, lapsed, j.Lapsed())
		j = taken(t, q)
	}
	require.NoError(t, j.Retry(t.Context(), 0))
	j = taken(t, q)
	assert.Equal(t, 2, j.Lapsed())
	assert.Equal(t, 2, j.Attempt())
}

func TestALeaseIsCountedFromWhenTheServerBeganIt(t *testing.T) {
	t.Parallel()
	const lease, reading = time.Minute, time.Second
	q, bad := queueOfOne(t, WithLease(lease))
	require.NoError(t, taken(t, q).Return(t.Context(), 0))
	bad.mute, q.limits.look = true, reading
	began := time.Now()
	j := taken(t, q)
	assert.LessOrEqual(t, j.(*job).until, time.Now().Add(lease-reading), "no later than the server gives it to another worker")
	assert.LessOrEqual(t, j.Lease(), lease-reading)
	assert.Greater(t, j.Lease(), lease-time.Since(began), "there is time left to renew it")
}
