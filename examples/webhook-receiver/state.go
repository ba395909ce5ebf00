package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	goredis "github.com/redis/go-redis/v9"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/adapters/nats"
	"github.com/practicesdk/practice-go/adapters/redis"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/webhook"
)

// lease is the time until the delivery of a dead process is handled by another.
const lease = 5 * time.Second

// state holds the queue, and the shared knowledge of events.
type state struct {
	engine  *nats.Engine
	redis   *goredis.Client // nil without -redis
	seen    webhook.Deduplicator
	tracker *webhook.Tracker
	limiter practice.Limiter // nil without -redis
}

func openState(ctx context.Context, o options) (s *state, err error) {
	s = &state{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close(ctx))
		}
	}()
	settings := []nats.Option{nats.WithLease(lease)}
	if o.nats != "" {
		settings = append(settings, nats.WithServers(o.nats))
	}
	if s.engine, err = nats.Open(ctx, filepath.Join(o.dir, "queue"), settings...); err != nil {
		return s, err
	}
	s.seen = s.engine.Deduplicator()
	var writes webhook.TrackerStore = s.engine.TrackerStore()
	if o.redis != "" {
		if writes, err = s.useRedis(o.redis); err != nil {
			return s, err
		}
	}
	s.tracker, err = webhook.NewTracker(writes)
	return s, err
}

func (s *state) useRedis(address string) (webhook.TrackerStore, error) {
	settings, err := goredis.ParseURL(address)
	if err != nil {
		return nil, fmt.Errorf("%w: -redis: must be an address such as redis://127.0.0.1:6379", program.ErrUsage) // the cause could show a password
	}
	settings.ContextTimeoutEnabled = true
	s.redis = goredis.NewClient(settings)
	if s.seen, err = redis.NewDeduplicator(s.redis); err != nil {
		return nil, err
	}
	if s.limiter, err = redis.NewLimiter(s.redis, 5, 5); err != nil {
		return nil, err
	}
	return redis.NewTrackerStore(s.redis)
}

func (s *state) close(ctx context.Context) error {
	var errs []error
	if s.engine != nil {
		errs = append(errs, s.engine.Close(ctx))
	}
	if s.redis != nil {
		errs = append(errs, s.redis.Close())
	}
	return errors.Join(errs...)
}
