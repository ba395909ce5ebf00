package redis

import (
	"context"
	"time"

	"github.com/practicesdk/practice-go/webhook"
)

// DefaultPrefix is the default of [WithPrefix].
const DefaultPrefix = "practice:"

// StoreOption is a setting of [NewStore].
type StoreOption interface{ applyStore(*Store) error }

// LimiterOption is a setting of [NewLimiter].
type LimiterOption interface{ applyLimiter(*Limiter) error }

// Option is a setting of the constructors of this package.
type Option interface {
	StoreOption
	LimiterOption
}

type storeOption func(*Store) error

func (f storeOption) applyStore(s *Store) error { return f(s) }

type limiterOption func(*Limiter) error

func (f limiterOption) applyLimiter(l *Limiter) error { return f(l) }

type prefixOption string

func (p prefixOption) applyStore(s *Store) error {
	s.prefix = string(p)
	return must(p != "", "WithPrefix", "must not be empty")
}

func (p prefixOption) applyLimiter(l *Limiter) error {
	l.prefix = string(p)
	return must(p != "", "WithPrefix", "must not be empty")
}

const notNil = "must not be nil"

func must(hold bool, name, rule string) error {
	if hold {
		return nil
	}
	return &webhook.ConfigError{Name: name, Reason: rule}
}

// WithPrefix sets the prefix of all keys, so that integrations can share a
// server. It must not be empty; the default is [DefaultPrefix].
func WithPrefix(prefix string) Option { return prefixOption(prefix) }

// WithRetention sets how long a store keeps an event after its handling, a
// resource after its latest event, and a write after its registration. It must
// be above 0; the default is [webhook.DefaultRetention]. It is not specified
// how late the service may repeat an event.
func WithRetention(retention time.Duration) StoreOption {
	return storeOption(func(s *Store) error {
		s.retention = retention
		return must(retention > 0, "WithRetention", "must be above 0")
	})
}

// WithErrorHook calls hook, within a Wait, when Redis fails and the [Limiter]
// continues without it, at most about once a second.
func WithErrorHook(hook func(context.Context, error)) LimiterOption {
	return limiterOption(func(l *Limiter) error {
		l.onError = hook
		return must(hook != nil, "WithErrorHook", notNil)
	})
}
