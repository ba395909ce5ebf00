package redis

import (
	"context"
	"math"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/practicesdk/practice-go/webhook"
)

// DefaultPrefix begins every key.
const DefaultPrefix = "practice:"

// StoreOption is a setting of [NewDeduplicator], [NewSequencer] and
// [NewTrackerStore].
type StoreOption interface{ applyStore(*store) error }

// LimiterOption is a setting of [NewLimiter].
type LimiterOption interface{ applyLimiter(*Limiter) error }

// Option is a setting of all constructors of this package.
type Option interface {
	StoreOption
	LimiterOption
}

// store is embedded by all stores.
type store struct {
	client    goredis.UniversalClient
	prefix    string
	retention time.Duration
}

func newStore(client goredis.UniversalClient, kind string, options []StoreOption) (store, error) {
	s := store{client: client, prefix: DefaultPrefix, retention: webhook.DefaultRetention}
	if client == nil {
		return s, errNoClient()
	}
	for _, option := range options {
		if err := option.applyStore(&s); err != nil {
			return s, err
		}
	}
	s.prefix += kind + ":"
	return s, nil
}

func errNoClient() error { return &webhook.ConfigError{Name: "client", Reason: "must not be nil"} }

// keys names the one key that a script works on.
func (s *store) keys(key string) []string { return []string{s.prefix + key} }

func (s *store) milliseconds() int64 { return milliseconds(s.retention) }

// milliseconds rounds up, because Redis refuses an expiry of 0, but not beyond
// what a duration holds.
func milliseconds(d time.Duration) int64 {
	whole := d.Milliseconds()
	if d > time.Duration(whole)*time.Millisecond && whole < math.MaxInt64/int64(time.Millisecond) {
		whole++
	}
	return max(1, whole)
}

type storeOption func(*store) error

func (f storeOption) applyStore(s *store) error { return f(s) }

type limiterOption func(*Limiter) error

func (f limiterOption) applyLimiter(l *Limiter) error { return f(l) }

type prefixOption string

func (p prefixOption) check() error {
	if p == "" {
		return &webhook.ConfigError{Name: "WithPrefix", Reason: "must not be empty"}
	}
	return nil
}

func (p prefixOption) applyStore(s *store) error     { s.prefix = string(p); return p.check() }
func (p prefixOption) applyLimiter(l *Limiter) error { l.prefix = string(p); return p.check() }

// WithPrefix sets the first part of every key, so that several integrations or
// a test can share a server. It must not be empty; the default is
// [DefaultPrefix].
func WithPrefix(prefix string) Option { return prefixOption(prefix) }

// WithRetention sets how long a store keeps an event after its handling, a
// resource after its latest event, and a write after its registration. It must
// be above 0; the default is [webhook.DefaultRetention]. The service does not
// say how late it may repeat an event.
func WithRetention(retention time.Duration) StoreOption {
	return storeOption(func(s *store) error {
		if retention <= 0 {
			return &webhook.ConfigError{Name: "WithRetention", Reason: "must be above 0"}
		}
		s.retention = retention
		return nil
	})
}

// WithErrorHook calls hook when Redis fails and the [Limiter] continues without
// it, at most about once a second. The hook is called within a Wait and should
// return quickly.
func WithErrorHook(hook func(context.Context, error)) LimiterOption {
	return limiterOption(func(l *Limiter) error {
		if hook == nil {
			return &webhook.ConfigError{Name: "WithErrorHook", Reason: "must not be nil"}
		}
		l.onError = hook
		return nil
	})
}
