package nats_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/nats"
	"github.com/practicesdk/practice-go/webhook"
)

// withStorage returns a server with a storage limit that all its accounts share.
func withStorage(t *testing.T, bytes int64) *natsServer {
	t.Helper()
	s := startServer(t)
	s.restart(t, bytes)
	return s
}

// restart starts the server again, with another storage limit.
func (s *natsServer) restart(t *testing.T, storage int64) {
	t.Helper()
	s.stop()
	s.options.JetStreamMaxStore = storage
	s.start(t)
}

// limitAccount gives the account of a server a storage limit of its own.
func limitAccount(t *testing.T, s *natsServer, bytes int64) {
	t.Helper()
	require.NoError(t, s.GlobalAccount().UpdateJetStreamLimits(map[string]server.JetStreamAccountLimits{"": {
		MaxMemory: -1, MaxStore: bytes, MaxStreams: -1, MaxConsumers: -1, MaxAckPending: -1,
		MemoryMaxStreamBytes: -1, StoreMaxStreamBytes: -1,
	}}))
}

// fill puts messages until the queue takes none that is as small as a claim.
func fill(t *testing.T, queue *nats.Queue, record string) (stored int) {
	t.Helper()
	for size := 8 << 10; size > 0; {
		m := numbered(stored)
		m.Record, m.Body = record, []byte(strings.Repeat("x", size))
		err := queue.Put(t.Context(), m)
		if errors.Is(err, webhook.ErrQueueFull) {
			size /= 16
			continue
		}
		require.NoError(t, err)
		stored++
	}
	return stored
}

// workOff claims and handles messages. Each tenth becomes a dead letter.
func workOff(t *testing.T, engine *nats.Engine, messages int) {
	t.Helper()
	queue, store := engine.Queue(), engine.Store()
	for i := range messages {
		job := take(t, queue)
		id := job.Message().Identity
		claim, err := store.Claim(t.Context(), id, "a", time.Minute)
		require.NoError(t, err)
		require.Equal(t, webhook.ClaimNew, claim)
		if i%10 == 9 {
			require.NoError(t, job.DeadLetter(t.Context(), "no"))
			continue
		}
		require.NoError(t, store.Commit(t.Context(), id))
		require.NoError(t, job.Done(t.Context()))
	}
}

// The messages of a full server are handled, although each needs room for the
// claim of its event, and another for a dead letter.
func TestAFullServerIsWorkedOff(t *testing.T) {
	t.Parallel()
	const storage = 2 << 20
	for limits, start := range map[string]func(*testing.T) *natsServer{
		"the server has a limit": func(t *testing.T) *natsServer { return withStorage(t, storage) },
		"the account has one": func(t *testing.T) *natsServer {
			s := startServer(t)
			limitAccount(t, s, storage)
			return s
		},
	} {
		for name, record := range map[string]string{"with a record": key, "without one": ""} {
			t.Run(limits+", "+name, func(t *testing.T) {
				t.Parallel()
				s := start(t)
				engine := open(t, "", on(s))
				stored := fill(t, engine.Queue(), record)
				require.Greater(t, stored, 20)
				second := open(t, "", on(s)) // a process that starts meanwhile takes no room away
				assert.Zero(t, fill(t, second.Queue(), record))
				workOff(t, engine, stored)
				require.NoError(t, second.Queue().Put(t.Context(), alone(1)))
			})
		}
	}
}

// The storage of a server is smaller after a restart than what the streams have
// reserved, because something else has filled the disk.
func TestAQueueOpensAfterTheStorageHasShrunk(t *testing.T) {
	t.Parallel()
	s := withStorage(t, 64<<20)
	engine, err := nats.Open(t.Context(), "", nats.Patient(), on(s))
	require.NoError(t, err)
	require.NoError(t, engine.Queue().Put(t.Context(), alone(1)))
	require.NoError(t, engine.Close(t.Context()))
	s.restart(t, 8<<20)
	_, err = nats.Open(t.Context(), "", nats.Patient(), on(s), nats.WithCapacity(nats.DefaultCapacity+1))
	require.Error(t, err, "the server refuses a larger capacity")
	again := open(t, "", on(s))
	workOff(t, again, 1)
}

// The queue has an account for itself only when it already holds more than its
// share. A limit below the stored bytes deletes nothing.
func TestAQueueThatHoldsMoreThanItsShareIsWorkedOff(t *testing.T) {
	t.Parallel()
	const messages, size = 100, 34 << 10
	s := withStorage(t, 8<<20)
	_, err := jetStream(t, s).CreateStream(t.Context(), jetstream.StreamConfig{Name: "other", Subjects: []string{"other"}})
	require.NoError(t, err)
	engine := open(t, "", on(s))
	for i := range messages {
		m := alone(i)
		m.Body = []byte(strings.Repeat("x", size))
		require.NoError(t, engine.Queue().Put(t.Context(), m))
	}
	require.NoError(t, jetStream(t, s).DeleteStream(t.Context(), "other"))
	again := open(t, "", on(s))
	require.ErrorIs(t, again.Queue().Put(t.Context(), alone(1)), webhook.ErrQueueFull, "the rest is left to the buckets")
	length, err := again.Queue().Len(t.Context())
	require.NoError(t, err)
	assert.Equal(t, messages, length)
	workOff(t, again, messages)
	require.NoError(t, again.Queue().Put(t.Context(), alone(1)))
}

func TestAServerInsideTheProcessStartsAfterItsStorageHasShrunk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	engine, err := nats.Open(t.Context(), dir)
	require.NoError(t, err)
	require.NoError(t, engine.Queue().Put(t.Context(), alone(1)))
	require.NoError(t, engine.Close(t.Context()))
	reserveMore(t, dir)
	workOff(t, open(t, dir), 1)
}

// reserveMore lets a stream in a directory reserve more than any disk has.
func reserveMore(t *testing.T, dir string) {
	t.Helper()
	s, err := server.NewServer(&server.Options{DontListen: true, NoLog: true, NoSigs: true, JetStream: true, StoreDir: dir, JetStreamMaxStore: 1 << 60})
	require.NoError(t, err)
	s.Start()
	defer s.WaitForShutdown()
	defer s.Shutdown()
	require.True(t, s.ReadyForConnections(patient))
	conn, err := natsgo.Connect("", natsgo.InProcessServer(s), natsgo.Timeout(patient))
	require.NoError(t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	require.NoError(t, err)
	events, err := js.Stream(t.Context(), "practice-events")
	require.NoError(t, err)
	config := events.CachedInfo().Config
	config.MaxBytes = 1 << 55
	_, err = js.UpdateStream(t.Context(), config)
	require.NoError(t, err)
}

// Nobody knows how much others store, and a limit reserves storage.
func TestAnEngineThatSharesAnAccountReservesNothing(t *testing.T) {
	t.Parallel()
	s := withStorage(t, 8<<20)
	_, err := jetStream(t, s).CreateStream(t.Context(), jetstream.StreamConfig{Name: "other", Subjects: []string{"other"}})
	require.NoError(t, err)
	open(t, "", on(s))
	account, err := jetStream(t, s).AccountInfo(t.Context())
	require.NoError(t, err)
	assert.Zero(t, account.ReservedStore)
}

// An engine looks for the limit of a server with a stream of its own.
func TestAnEngineLeavesNothingBehindThatHoldsStorage(t *testing.T) {
	t.Parallel()
	s := withStorage(t, 8<<20)
	js := jetStream(t, s)
	left := jetstream.StreamConfig{Name: "practice-probe", Subjects: []string{"practice.probe"}, MaxBytes: 1 << 20}
	for range 2 {
		open(t, "", on(s))
		account, err := js.AccountInfo(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 6, account.Streams)
		assert.InDelta(t, 7<<20, account.ReservedStore, 1<<20)
		_, err = js.CreateStream(t.Context(), left) // as a process that died would leave it
		require.NoError(t, err)
	}
}
