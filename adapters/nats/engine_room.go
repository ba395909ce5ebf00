package nats

import (
	"context"
	"fmt"
	"sort"

	"github.com/nats-io/nats.go/jetstream"
)

// ownStreams is the number of streams of an engine, including its buckets.
const ownStreams = 6

// keepRoom limits the streams of the queue, so that a full queue leaves an
// eighth of the storage to the buckets: a worker that cannot claim an event
// would never make room. It does so only if nobody else stores anything in the
// account.
func (e *Engine) keepRoom(ctx context.Context, js jetstream.JetStream, s settings) error {
	probe := jetstream.StreamConfig{Name: s.name + "-probe", Subjects: []string{s.name + ".probe"}, Storage: jetstream.FileStorage, Replicas: s.replicas}
	account, err := js.AccountInfo(ctx)
	if err != nil {
		return err
	}
	others := account.Streams > ownStreams
	if others && js.DeleteStream(ctx, probe.Name) == nil { // of a process that died
		others = account.Streams-1 > ownStreams
	}
	if others {
		return nil
	}
	limit := limitOf(account, s.replicas)
	switch {
	case e.server != nil:
		limit = e.server.limit
	case limit == 0:
		limit = e.findLimit(ctx, js, probe)
	}
	kept := limit > 0
	for i, of := range e.queue.streams() {
		var accepted bool
		if accepted, err = e.reserve(ctx, of, limit/8*[...]int64{3, 3, 1}[i]); err != nil {
			return err
		}
		kept = kept && accepted
	}
	if !kept {
		s.logger.Warn("nats: a full queue may leave no room for claims, because the size of its streams cannot be limited")
	}
	return nil
}

// limitOf returns the storage limit of an account for one copy of its data, or
// 0 if there is none.
func limitOf(account *jetstream.AccountInfo, replicas int) int64 {
	if tier, ok := account.Tiers[fmt.Sprintf("R%d", replicas)]; ok {
		return max(0, tier.Limits.MaxStore)
	}
	return max(0, account.Limits.MaxStore) / int64(replicas) // it counts every copy
}

// reserve limits a stream, and reports whether it could. A limit below the
// stored bytes deletes nothing, because the stream discards new messages.
func (e *Engine) reserve(ctx context.Context, of *stream, bytes int64) (limited bool, err error) {
	if bytes == 0 || bytes == of.config.MaxBytes {
		return true, nil
	}
	config := of.config
	config.MaxBytes = bytes
	updated, err := e.queue.js.UpdateStream(ctx, config)
	if err != nil {
		if isFull(err) {
			err = nil
		}
		return false, err
	}
	of.Stream, of.config = updated, config
	return true, nil
}

// The sizes among which findLimit looks: eight between a power of two and the
// next one, from 1 MiB to 64 TiB.
const storageSizes = 26*8 + 1

func storageSize(i int) int64 { return int64(8+i%8) << (17 + i/8) }

// findLimit returns the storage of a server that limits no account, to an
// eighth, or 0 if it cannot be found. The server does not tell it, but refuses
// to reserve more than it has: for an empty stream, which is then removed.
func (e *Engine) findLimit(ctx context.Context, js jetstream.JetStream, probe jetstream.StreamConfig) (limit int64) {
	refused := sort.Search(storageSizes, func(i int) bool {
		probe.MaxBytes = storageSize(i)
		_, err := js.CreateOrUpdateStream(ctx, probe)
		return err != nil
	})
	_ = js.DeleteStream(ctx, probe.Name)         // the next engine does it otherwise
	if refused == 0 || refused == storageSizes { // or the server does not check
		return 0
	}
	limit = storageSize(refused - 1)
	for _, own := range e.queue.streams() {
		limit += max(0, own.config.MaxBytes) // what is reserved already
	}
	return limit
}
