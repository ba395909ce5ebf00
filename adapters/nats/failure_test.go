package nats_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/nats"
	"github.com/practicesdk/practice-go/webhook"
)

const key = "13eecfca569950019310bf202aba8df913eecfca569950019310bf202aba8df9"

// buffer is a log that can be read concurrently.
type buffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// reconnecting makes a test connection reconnect immediately.
func reconnecting(s *natsServer) nats.Option {
	return on(s, natsgo.ReconnectWait(20*time.Millisecond), natsgo.ReconnectJitter(0, 0))
}

func take(t *testing.T, queue *nats.Queue) webhook.Job {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patient)
	defer cancel()
	job, err := queue.Take(ctx)
	require.NoError(t, err)
	return job
}

func TestEverythingGoesOnAfterTheServerWasRestarted(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	engine := open(t, "", reconnecting(s), nats.WithLease(10*time.Minute))
	queue, seen := engine.Queue(), engine.Store()
	require.NoError(t, queue.Put(t.Context(), numbered(1)))
	require.NoError(t, queue.Put(t.Context(), numbered(2)))
	held := take(t, queue)
	require.NoError(t, seen.Commit(t.Context(), key))

	s.stop()
	short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	require.Error(t, queue.Put(short, numbered(3)), "what is not stored is not acknowledged")
	_, err := seen.Claim(short, key, "a", time.Minute)
	require.Error(t, err, "nobody knows")
	require.Error(t, seen.Release(short, key, "a"))
	require.Error(t, engine.Store().Register(short, key))
	_, err = engine.Store().Load(short, key)
	require.Error(t, err)
	assert.NotErrorIs(t, err, webhook.ErrNotTracked)
	waiting := make(chan webhook.Job, 1)
	go func() {
		job, err := queue.Take(t.Context())
		assert.NoError(t, err)
		waiting <- job
	}()

	s.start(t)
	job := <-waiting
	require.NotNil(t, job)
	assert.Contains(t, []string{"2", "3"}, job.Message().Identity, "a worker that waited goes on")
	require.NoError(t, held.Extend(t.Context()))
	require.NoError(t, held.Done(t.Context()), "a message that was being handled is the worker's still")
	require.NoError(t, job.Done(t.Context()))
	claim, err := seen.Claim(t.Context(), key, "a", time.Minute)
	require.NoError(t, err)
	assert.Equal(t, webhook.ClaimDone, claim, "it was written down")
}

func TestAQueueThatSomebodyRemovedIsMadeAgain(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	engine := open(t, "", on(s))
	waiting := make(chan error, 1)
	go func() {
		_, err := engine.Queue().Take(t.Context())
		waiting <- err
	}()
	js := jetStream(t, s)
	require.Eventually(t, func() bool { // until it waits
		consumer, err := js.Consumer(t.Context(), "practice-work", "workers")
		return assert.NoError(t, err) && consumer.CachedInfo().NumWaiting > 0
	}, patient, 10*time.Millisecond)
	require.NoError(t, js.DeleteStream(t.Context(), "practice-work"))
	require.Error(t, <-waiting)
	go func() {
		_, err := engine.Queue().Take(t.Context())
		waiting <- err
	}()
	require.Eventually(t, func() bool { return engine.Queue().Put(t.Context(), numbered(1)) == nil }, patient, 10*time.Millisecond)
	require.NoError(t, <-waiting)
	endNow(engine)
}

// A server that restarts with an empty disk has lost all streams.
func TestWhatSomebodyRemovedIsMadeAgain(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	engine, js := open(t, "", on(s)), jetStream(t, s)
	for name, use := range map[string]func(context.Context) error{
		"KV_practice-events, claim": func(ctx context.Context) error {
			_, err := engine.Store().Claim(ctx, key, "a", time.Minute)
			return err
		},
		"KV_practice-events, commit":   func(ctx context.Context) error { return engine.Store().Commit(ctx, key) },
		"KV_practice-events, release":  func(ctx context.Context) error { return engine.Store().Release(ctx, key, "a") },
		"KV_practice-writes, register": func(ctx context.Context) error { return engine.Store().Register(ctx, key) },
		"KV_practice-attempts, retry": func(ctx context.Context) error {
			if err := engine.Queue().Put(ctx, numbered(1)); err != nil {
				return err
			}
			job := take(t, engine.Queue())
			if err := job.Retry(ctx, 0); err != nil {
				return err
			}
			job = take(t, engine.Queue())
			assert.Equal(t, 2, job.Attempt())
			return job.Done(ctx)
		},
		"practice-events, put": func(ctx context.Context) error {
			if err := engine.Queue().Put(ctx, numbered(1)); err != nil {
				return err
			}
			return take(t, engine.Queue()).Done(ctx)
		},
		"practice-work, put": func(ctx context.Context) error {
			if err := engine.Queue().Put(ctx, numbered(1)); err != nil {
				return err
			}
			return take(t, engine.Queue()).Done(ctx)
		},
		"practice-dead, dead letter": func(ctx context.Context) error {
			if err := engine.Queue().Put(ctx, numbered(1)); err != nil {
				return err
			}
			return take(t, engine.Queue()).DeadLetter(ctx, "no")
		},
		"practice-dead, list": func(ctx context.Context) error {
			for _, err := range engine.Queue().DeadLetters(ctx) {
				return err
			}
			return nil
		},
	} {
		stream, _, _ := strings.Cut(name, ",")
		require.NoError(t, js.DeleteStream(t.Context(), stream), name)
		ctx, cancel := context.WithTimeout(t.Context(), patient)
		require.NoError(t, use(ctx), name)
		cancel()
	}
}

func jetStream(t *testing.T, s *natsServer) jetstream.JetStream {
	t.Helper()
	conn, err := natsgo.Connect(s.ClientURL(), natsgo.Timeout(patient))
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	require.NoError(t, err)
	return js
}

func TestAMessageOfAnotherVersionStays(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	engine := open(t, "", on(s))
	_, err := jetStream(t, s).Publish(t.Context(), "practice.queue", []byte(`{"format":99}`))
	require.NoError(t, err)
	_, err = engine.Queue().Take(t.Context())
	require.ErrorContains(t, err, "format 99")
	require.NoError(t, engine.Queue().Put(t.Context(), numbered(1)))
	require.NoError(t, take(t, engine.Queue()).Done(t.Context()), "it holds up nobody")
	left, err := engine.Queue().Len(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, left)
}

// A later version may be able to decode it, even among the dead letters.
func TestAMessageThatNoVersionReadsBecomesADeadLetter(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	queue, js := open(t, "", on(s)).Queue(), jetStream(t, s)
	_, err := js.Publish(t.Context(), "practice.queue", []byte(`{"format":99}`))
	require.NoError(t, err)
	others, err := js.Consumer(t.Context(), "practice-work", "workers")
	require.NoError(t, err)
	for range 14 {
		m, err := others.Next(jetstream.FetchMaxWait(patient))
		require.NoError(t, err)
		require.NoError(t, m.Nak())
	}
	_, err = queue.Take(t.Context())
	require.ErrorContains(t, err, "format 99")
	left, err := queue.Len(t.Context())
	require.NoError(t, err)
	assert.Zero(t, left)
	require.NoError(t, queue.Put(t.Context(), numbered(1)))
	require.NoError(t, take(t, queue).DeadLetter(t.Context(), "another"))
	var letters []webhook.DeadLetter
	for letter, err := range queue.DeadLetters(t.Context()) {
		require.NoError(t, err)
		letters = append(letters, letter)
	}
	require.Len(t, letters, 2, "it does not hide others")
	assert.Contains(t, letters[0].Reason, "format 99")
	assert.Empty(t, letters[0].Message)
	require.NoError(t, queue.Replay(t.Context(), letters[0].ID))
	_, err = queue.Take(t.Context())
	require.ErrorContains(t, err, "format 99", "it was put back as it was")
}

func TestAMessageThatCannotBecomeADeadLetterStays(t *testing.T) {
	t.Parallel()
	queue := open(t, t.TempDir(), nats.WithDeadLetters(1)).Queue()
	require.NoError(t, queue.Put(t.Context(), numbered(1)))
	require.NoError(t, queue.Put(t.Context(), numbered(2)))
	require.NoError(t, take(t, queue).DeadLetter(t.Context(), "no"))
	job := take(t, queue)
	require.ErrorIs(t, job.DeadLetter(t.Context(), "no"), webhook.ErrQueueFull)
	require.NoError(t, job.Retry(t.Context(), 0), "its lease is not over")
	for letter, err := range queue.DeadLetters(t.Context()) {
		require.NoError(t, err)
		require.NoError(t, queue.Discard(t.Context(), letter.ID))
	}
	require.NoError(t, take(t, queue).DeadLetter(t.Context(), "no"))
}

func TestAMessageThatIsTooLargeIsAnError(t *testing.T) {
	t.Parallel()
	queue := open(t, t.TempDir()).Queue()
	large := numbered(1)
	large.Body = make([]byte, 5<<20)
	require.NoError(t, queue.Put(t.Context(), large))
	large.Body = make([]byte, 7<<20)
	require.ErrorIs(t, queue.Put(t.Context(), large), natsgo.ErrMaxPayload)
}

func TestTheServerIsLoggedWhenAskedFor(t *testing.T) {
	t.Parallel()
	log := &buffer{}
	level := slog.HandlerOptions{Level: slog.LevelDebug}
	engine := open(t, t.TempDir(), nats.WithLogger(slog.New(slog.NewTextHandler(log, &level))))
	require.NoError(t, closeNow(engine))
	assert.Contains(t, log.String(), "Server is ready")
}
