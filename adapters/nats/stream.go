package nats

import (
	"context"
	"errors"
	"net/http"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// Time limits of repeated calls.
const (
	tryLimit     = time.Second            // for one response
	firstPause   = 50 * time.Millisecond  // before the first retry
	longestPause = 200 * time.Millisecond // before each later retry

	recreateEvery = 8 // number of calls without a stream before recreating it, which is slow without a leader
)

// retry repeats a call until the server answers it or ctx ends. A stream has no
// leader for some seconds while a cluster elects one, and a response may be
// lost with its server. The call must be idempotent. A removed stream is
// recreated.
func retry[V any](ctx context.Context, recreate func(context.Context) error, call func(context.Context) (V, error)) (V, error) {
	for times := 0; ; times++ {
		value, err := attempt(ctx, call)
		if err == nil || ctx.Err() != nil || !unanswered(err) {
			return value, err
		}
		if missing(err) && times%recreateEvery == 1 {
			_, _ = attempt(ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, recreate(ctx) }) // an error shows in the next call
		}
		if backoff.Sleep(ctx, backoff.Exponential(firstPause, longestPause, times)) != nil {
			return value, err
		}
	}
}

func attempt[V any](ctx context.Context, call func(context.Context) (V, error)) (V, error) {
	ctx, cancel := context.WithTimeout(ctx, tryLimit)
	defer cancel()
	return call(ctx)
}

// unanswered reports whether the same call may succeed a little later.
func unanswered(err error) bool {
	failure, answered := errors.AsType[*jetstream.APIError](err)
	return missing(err) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, natsgo.ErrTimeout) ||
		answered && failure.Code == http.StatusServiceUnavailable && !isFull(err)
}

// missing reports whether a stream, or the leader of a cluster, may be missing.
func missing(err error) bool {
	return errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, natsgo.ErrNoResponders) ||
		errors.Is(err, jetstream.ErrStreamNotFound)
}

// stream is a stream whose calls are repeated until they are answered.
type stream struct {
	jetstream.Stream
	config   jetstream.StreamConfig
	recreate func(context.Context) error
}

// ensure creates a stream or updates an existing one.
func ensure(ctx context.Context, js jetstream.JetStream, config jetstream.StreamConfig) (jetstream.Stream, error) {
	made, err := js.CreateOrUpdateStream(ctx, config)
	if !isFull(err) {
		return made, err
	}
	// A server that has reserved more than its storage, because that has shrunk,
	// refuses every update.
	found, missing := js.Stream(ctx, config.Name)
	if missing != nil {
		return nil, err
	}
	stored := found.CachedInfo().Config
	if max(stored.MaxMsgs, stored.MaxMsgsPerSubject) != max(config.MaxMsgs, config.MaxMsgsPerSubject) || stored.MaxAge != config.MaxAge {
		return nil, err
	}
	return found, nil
}

func (s *stream) info(ctx context.Context, options ...jetstream.StreamInfoOpt) (*jetstream.StreamInfo, error) {
	return retry(ctx, s.recreate, func(ctx context.Context) (*jetstream.StreamInfo, error) { return s.Info(ctx, options...) })
}

// first finds the first message of a subject.
func (s *stream) first(ctx context.Context, subject string) (*jetstream.RawStreamMsg, error) {
	return retry(ctx, s.recreate, func(ctx context.Context) (*jetstream.RawStreamMsg, error) {
		return s.GetMsg(ctx, 1, jetstream.WithGetMsgSubject(subject))
	})
}

// remove removes a message, if it still exists.
func (s *stream) remove(ctx context.Context, place uint64) error {
	_, err := retry(ctx, s.recreate, func(ctx context.Context) (struct{}, error) {
		err := s.DeleteMsg(ctx, place)
		if errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
			if _, again := s.GetMsg(ctx, place); errors.Is(again, jetstream.ErrMsgNotFound) {
				return struct{}{}, nil
			}
		}
		return struct{}{}, err
	})
	return wrap("remove a message", err)
}
