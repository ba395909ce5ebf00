package nats_test

import (
	"context"
	"sort"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/nats"
)

// formerVersion is a process of the version that stored all messages in one
// stream.
type formerVersion struct {
	js       jetstream.JetStream
	consumer jetstream.Consumer
}

func formerStream() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: "practice-queue", Subjects: []string{"practice.queue", "practice.queue.*"}, Retention: jetstream.WorkQueuePolicy,
		Discard: jetstream.DiscardNew, MaxMsgs: 1 << 20,
	}
}

func startFormer(t *testing.T, s *natsServer, lease time.Duration) *formerVersion {
	t.Helper()
	f := &formerVersion{js: jetStream(t, s)}
	_, err := f.js.CreateOrUpdateStream(t.Context(), formerStream())
	require.NoError(t, err)
	f.consumer, err = f.js.CreateOrUpdateConsumer(t.Context(), "practice-queue", jetstream.ConsumerConfig{
		Durable: "workers", AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease, MaxDeliver: -1, MaxAckPending: -1,
	})
	require.NoError(t, err)
	return f
}

func (f *formerVersion) put(t *testing.T, number int) {
	t.Helper()
	m, subject := numbered(number), "practice.queue"
	if m.Record != "" {
		subject += "." + m.Record
	}
	data, err := m.MarshalBinary()
	require.NoError(t, err)
	_, err = f.js.Publish(t.Context(), subject, data, jetstream.WithMsgID("former-"+strconv.Itoa(number)))
	require.NoError(t, err)
}

// handleInto handles a number of messages, and returns their numbers by record.
func handleInto(t *testing.T, messages int, queues ...*nats.Queue) map[string][]int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patient)
	defer cancel()
	var mu sync.Mutex
	var all sync.WaitGroup
	handled, count := map[string][]int{}, 0
	for _, queue := range queues {
		all.Go(func() {
			for ctx.Err() == nil {
				job, err := queue.Take(ctx)
				if err != nil {
					continue
				}
				m := job.Message()
				number, err := strconv.Atoi(m.Identity)
				assert.NoError(t, err)
				mu.Lock()
				handled[m.Record] = append(handled[m.Record], number)
				mu.Unlock()
				assert.NoError(t, job.Done(context.Background()))
				mu.Lock()
				if count++; count >= messages {
					cancel()
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return handled
}

// The former process holds a message when the new one starts, and puts others
// afterwards, which the server stores in the new streams.
func TestAnUpgradeLosesNeitherAMessageNorTheOrderOfARecord(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	former := startFormer(t, s, time.Second)
	want := map[string][]int{}
	put := func(number int) {
		record := numbered(number).Record
		want[record] = append(want[record], number)
	}
	for number := range 30 {
		former.put(t, number)
		put(number)
	}
	_, err := former.consumer.Next() // and it dies
	require.NoError(t, err)

	one, two := open(t, "", on(s), nats.WithLease(5*time.Second)).Queue(), open(t, "", on(s), nats.WithLease(5*time.Second)).Queue()
	for number := 30; number < 60; number++ {
		if number%2 == 0 {
			former.put(t, number)
		} else {
			require.NoError(t, one.Put(t.Context(), numbered(number)))
		}
		put(number)
	}
	_, err = former.js.CreateOrUpdateStream(t.Context(), formerStream())
	require.Error(t, err, "a former process cannot take the subjects back")
	assert.Equal(t, want, handleInto(t, 60, one, one, two, two))

	for _, queue := range []*nats.Queue{one, two} {
		require.NoError(t, queue.Sweep(t.Context()))
		length, err := queue.Len(t.Context())
		require.NoError(t, err)
		assert.Zero(t, length)
	}
	_, err = former.js.Stream(t.Context(), "practice-queue")
	require.ErrorIs(t, err, jetstream.ErrStreamNotFound, "what is empty is removed")
}

func TestMessagesOfAFormerVersionWithoutARecordAreHandled(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	former := startFormer(t, s, time.Minute)
	data, err := unordered(1).MarshalBinary()
	require.NoError(t, err)
	_, err = former.js.Publish(t.Context(), "practice.queue", data)
	require.NoError(t, err)
	queue := open(t, "", on(s)).Queue()
	_, err = former.js.Publish(t.Context(), "practice.queue", data)
	require.NoError(t, err)
	backlog, err := queue.Backlog(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 2, backlog.Messages)
	handled := handleInto(t, 2, queue)[""]
	sort.Ints(handled)
	assert.Equal(t, []int{1, 1}, handled)
}
