package nats

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// bucket is a key-value bucket whose entries expire.
type bucket struct {
	stream
	keys      jetstream.KeyValue
	retention time.Duration
}

// errTooOld reports a server that does not return its time, which leases need.
var errTooOld = errors.New("nats: the server is older than version 2.10")

// markersKept is the time for which the server detects messages with the same
// id.
const markersKept = 2 * time.Minute

func newBucket(ctx context.Context, js jetstream.JetStream, s settings, name string, retention time.Duration) (bucket, error) {
	name = s.name + "-" + name
	// The configuration of a key-value bucket, without direct reads, which
	// stale replicas could answer.
	config := jetstream.StreamConfig{
		Name: "KV_" + name, Subjects: []string{"$KV." + name + ".>"},
		MaxMsgsPerSubject: 1, MaxAge: retention, Duplicates: min(retention, markersKept),
		Storage: jetstream.FileStorage, Replicas: s.replicas, Discard: jetstream.DiscardNew,
		DenyDelete: true, AllowRollup: true,
	}
	b := bucket{retention: retention, stream: stream{config: config, recreate: func(ctx context.Context) error {
		_, err := js.CreateOrUpdateStream(ctx, config)
		return err
	}}}
	var err error
	if b.Stream, err = ensure(ctx, js, config); err != nil {
		return bucket{}, wrap("create a bucket", err)
	}
	if b.CachedInfo().TimeStamp.IsZero() {
		return bucket{}, errTooOld
	}
	if b.keys, err = js.KeyValue(ctx, name); err != nil {
		return bucket{}, wrap("open a bucket", err)
	}
	return b, nil
}

// entry is the value of a key. The revision is 0 if the key does not exist.
type entry[V any] struct {
	value    V
	revision uint64
	stored   time.Time // by the clock of the server
}

// get reads the value of a key.
func get[V any](ctx context.Context, b *bucket, key string) (entry[V], error) {
	var e entry[V]
	found, err := retry(ctx, b.recreate, func(ctx context.Context) (jetstream.KeyValueEntry, error) { return b.keys.Get(ctx, key) })
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return e, nil
	case err != nil:
		return e, err
	}
	e.revision, e.stored = found.Revision(), found.Created()
	return e, json.Unmarshal(found.Value(), &e.value)
}

// put writes a value and reports whether it did. It does not write if the key
// has changed since e was read.
func put[V any](ctx context.Context, b *bucket, key string, e entry[V]) (bool, error) {
	text, err := json.Marshal(e.value)
	if err != nil {
		return false, err
	}
	_, err = retry(ctx, b.recreate, func(ctx context.Context) (uint64, error) { return b.keys.Update(ctx, key, text, e.revision) })
	if isOther(err) {
		return false, nil
	}
	return err == nil, err
}

// isOther reports whether an error means that the last message of a subject is
// not the expected one.
func isOther(err error) bool {
	failure, ok := errors.AsType[*jetstream.APIError](err)
	return ok && (failure.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		failure.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// set writes the value of a key unconditionally.
func set(ctx context.Context, b *bucket, key, text string) error {
	_, err := retry(ctx, b.recreate, func(ctx context.Context) (uint64, error) { return b.keys.Put(ctx, key, []byte(text)) })
	return err
}

// change reads and writes a key, and retries after a concurrent write. It
// writes nothing if the function returns false.
func change[V any](ctx context.Context, b *bucket, key string, change func(*entry[V]) bool) error {
	for {
		e, err := get[V](ctx, b, key)
		if err != nil || !change(&e) {
			return err
		}
		if written, err := put(ctx, b, key, e); written || err != nil {
			return err
		}
	}
}

// knows reports whether the bucket holds everything written since a time: it
// was not created later, and nothing has expired.
func (b *bucket) knows(ctx context.Context, since time.Time) (bool, error) {
	info, err := b.info(ctx)
	if err != nil {
		return false, err
	}
	return !since.Before(info.Created) && info.TimeStamp.Sub(since) < b.retention, nil
}

// now returns the time by the clock of the server.
func (b *bucket) now(ctx context.Context) (time.Time, error) {
	info, err := b.info(ctx)
	if err != nil {
		return time.Time{}, err
	}
	return info.TimeStamp, nil
}
