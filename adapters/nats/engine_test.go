package nats_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/nats"
	"github.com/practicesdk/practice-go/webhook"
)

func TestOpenRefusesSettingsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for name, option := range map[string]nats.Option{
		"WithServers":     nats.WithServers("nats://user:hunter2@\x7f:4222"),
		"WithServers two": nats.WithServers("nats://a.example.test,nats://"),
		"WithName":        nats.WithName("a.b"),
		"WithName empty":  nats.WithName(""),
		"WithReplicas":    nats.WithReplicas(2),
		"WithCapacity":    nats.WithCapacity(0),
		"WithDeadLetters": nats.WithDeadLetters(0),
		"WithLease":       nats.WithLease(time.Millisecond),
		"WithRetention":   nats.WithRetention(time.Millisecond),
		"WithLogger":      nats.WithLogger(nil),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := nats.Open(t.Context(), t.TempDir(), option)
			bad, ok := errors.AsType[*webhook.ConfigError](err)
			require.True(t, ok, "%v", err)
			assert.Contains(t, name, bad.Name)
			assert.NotContains(t, err.Error(), "hunter2", "a bad value is not repeated")
		})
	}
	_, err := nats.Open(t.Context(), "")
	_, ok := errors.AsType[*webhook.ConfigError](err)
	assert.True(t, ok, "%v", err)
}

func TestADirectoryIsOpenOnce(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "made", "here")
	engine := open(t, dir)
	_, err := nats.Open(t.Context(), dir)
	require.ErrorIs(t, err, nats.ErrStoreInUse)
	require.NoError(t, closeNow(engine))
	open(t, dir)
	info, err := os.Stat(dir)
	require.NoError(t, err)
	assert.Zero(t, info.Mode().Perm()&0o077, "nobody else may read it")
}

func TestADirectoryThatCannotBeUsedIsAnError(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := nats.Open(t.Context(), file)
	require.Error(t, err)

	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "jetstream"), nil, 0o600))
	_, err = nats.Open(t.Context(), dir)
	require.ErrorContains(t, err, "did not start")
	require.NoError(t, os.Remove(filepath.Join(dir, "jetstream")))
	open(t, dir) // the failure has not kept it locked
}

func TestAServerThatIsNotThereIsAnError(t *testing.T) {
	t.Parallel()
	_, err := nats.Open(t.Context(), "", nats.WithServers("nats://user:hunter2@127.0.0.1:1"))
	require.ErrorIs(t, err, natsgo.ErrNoServers)
	assert.NotContains(t, err.Error(), "hunter2")
}

// These servers accept a connection and then do not respond.
func TestOpenEndsWithItsContextAlthoughServersAreSilent(t *testing.T) {
	t.Parallel()
	var addresses []string
	for range 3 {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer listener.Close()
		addresses = append(addresses, "nats://"+listener.Addr().String())
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := nats.Open(ctx, "", nats.WithServers(strings.Join(addresses, ","), natsgo.Timeout(time.Hour)))
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestCloseWaitsForTheMessagesThatAreBeingHandled(t *testing.T) {
	t.Parallel()
	engine := open(t, t.TempDir())
	queue := engine.Queue()
	require.NoError(t, queue.Put(t.Context(), numbered(1)))
	job, err := queue.Take(t.Context())
	require.NoError(t, err)
	waiting := make(chan error, 1)
	go func() {
		_, err := queue.Take(context.Background())
		waiting <- err
	}()
	closed := make(chan error, 1)
	go func() { closed <- closeNow(engine) }()
	require.ErrorIs(t, <-waiting, webhook.ErrQueueClosed, "nothing is given out any more")
	require.ErrorIs(t, queue.Put(t.Context(), numbered(2)), webhook.ErrQueueClosed)
	_, err = queue.Take(t.Context())
	require.ErrorIs(t, err, webhook.ErrQueueClosed)
	select {
	case err := <-closed:
		t.Fatalf("it did not wait: %v", err)
	default:
	}
	require.NoError(t, job.Extend(t.Context()))
	require.NoError(t, job.Done(t.Context()))
	require.NoError(t, <-closed)
	require.NoError(t, closeNow(engine), "once more")
}

func TestCloseWaitsNoLongerThanItsContext(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	engine := open(t, dir, nats.WithLease(time.Second))
	require.NoError(t, engine.Queue().Put(t.Context(), numbered(1)))
	_, err := engine.Queue().Take(t.Context())
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, engine.Close(ctx), context.Canceled)

	engine = open(t, dir, nats.WithLease(time.Second))
	job, err := engine.Queue().Take(t.Context())
	require.NoError(t, err, "it is given out again")
	assert.Equal(t, 1, job.Lapsed())
	require.NoError(t, closeNow(engine), "a lease that is over is not waited for")
	require.Error(t, job.Done(t.Context()))
}
