package webhook_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

// buriedIn returns a queue of a capacity with a dead letter for each body, in
// this order.
func buriedIn(t *testing.T, capacity int, bodies ...string) *webhook.MemoryQueue {
	t.Helper()
	queue, err := webhook.NewMemoryQueue(capacity)
	require.NoError(t, err)
	for _, body := range bodies {
		require.NoError(t, queue.Put(t.Context(), webhook.Message{Body: []byte(body)}))
		job, err := queue.Take(t.Context())
		require.NoError(t, err)
		require.NoError(t, job.DeadLetter(t.Context(), "it is "+body))
	}
	return queue
}

func lettersOf(t *testing.T, queue webhook.Queue) (bodies, ids []string) {
	t.Helper()
	for letter, err := range queue.DeadLetters(t.Context()) {
		require.NoError(t, err)
		bodies, ids = append(bodies, string(letter.Message.Body)), append(ids, letter.ID)
	}
	return bodies, ids
}

func TestOnlyTheDeadLetterThatIsNamedIsTakenAway(t *testing.T) {
	t.Parallel()
	queue := buriedIn(t, 5, "a", "b", "c", "d")
	_, ids := lettersOf(t, queue)
	require.NoError(t, queue.Discard(t.Context(), ids[2]))
	require.NoError(t, queue.Replay(t.Context(), ids[1]))
	left, _ := lettersOf(t, queue)
	assert.Equal(t, []string{"a", "d"}, left)
	job, err := queue.Take(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "b", string(job.Message().Body))
	for _, id := range []string{ids[1], ids[2], "none"} {
		require.ErrorIs(t, queue.Discard(t.Context(), id), webhook.ErrNoDeadLetter)
		require.ErrorIs(t, queue.Replay(t.Context(), id), webhook.ErrNoDeadLetter)
	}
	require.NoError(t, queue.Discard(t.Context(), ids[0]), "the first of them as well")
}

func TestADeadLetterThatCannotBeReplayedIsKept(t *testing.T) {
	t.Parallel()
	for rule, test := range map[string]struct {
		prevent func(*webhook.MemoryQueue) error
		is      error
	}{
		"the queue is full":    {func(q *webhook.MemoryQueue) error { return q.Put(t.Context(), webhook.Message{}) }, webhook.ErrQueueFull},
		"the queue is drained": {func(q *webhook.MemoryQueue) error { q.Drain(); return nil }, webhook.ErrQueueClosed},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			queue := buriedIn(t, 1, "a")
			require.NoError(t, test.prevent(queue))
			_, ids := lettersOf(t, queue)
			before := queue.Len()
			require.ErrorIs(t, queue.Replay(t.Context(), ids[0]), test.is)
			left, _ := lettersOf(t, queue)
			assert.Equal(t, []string{"a"}, left)
			assert.Equal(t, before, queue.Len())
		})
	}
}

func TestAQueueKeepsAsManyDeadLettersAsMessagesAndCountsTheOthers(t *testing.T) {
	t.Parallel()
	for capacity, want := range map[int][]string{2: {"c", "d"}, 3: {"b", "c", "d"}, 4: {"a", "b", "c", "d"}} {
		queue := buriedIn(t, capacity, "a", "b", "c", "d")
		left, _ := lettersOf(t, queue)
		assert.Equal(t, want, left)
		assert.Equal(t, 4-capacity, queue.Forgotten())
	}
}

func TestAListOfDeadLettersMayBeLeft(t *testing.T) {
	t.Parallel()
	queue, seen := buriedIn(t, 3, "a", "b", "c"), 0
	for range queue.DeadLetters(t.Context()) {
		if seen++; seen == 2 {
			break
		}
	}
	assert.Equal(t, 2, seen)
}

func TestALeaseEndsOnce(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(webhook.Job) error{
		"Done":       func(job webhook.Job) error { return job.Done(t.Context()) },
		"Retry":      func(job webhook.Job) error { return job.Retry(t.Context(), 0) },
		"Return":     func(job webhook.Job) error { return job.Return(t.Context(), 0) },
		"DeadLetter": func(job webhook.Job) error { return job.DeadLetter(t.Context(), "") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			queue, err := webhook.NewMemoryQueue(5)
			require.NoError(t, err)
			require.NoError(t, queue.Put(t.Context(), webhook.Message{}))
			job, err := queue.Take(t.Context())
			require.NoError(t, err)
			require.NoError(t, end(job))
			messages := queue.Len()
			letters, _ := lettersOf(t, queue)
			require.Error(t, end(job), "somebody else may have it by now")
			require.Error(t, job.Extend(t.Context()))
			assert.Equal(t, messages, queue.Len())
			again, _ := lettersOf(t, queue)
			assert.Equal(t, letters, again)
		})
	}
}
