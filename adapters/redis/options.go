package redis

import (
	"context"
	"time"

	"github.com/practicesdk/practice-go/webhook"
)

// DefaultPrefix is the default of [WithPrefix].
const DefaultPrefix = "practice:"

// Option is a setting of [NewStore] or [NewLimiter]. A setting of the other
// constructor is a [webhook.ConfigError].
type Option func(*settings) error

type settings struct {
	prefix    string
	retention *time.Duration                // nil for a limiter
	onError   *func(context.Context, error) // nil for a store
}

func (s *settings) apply(options []Option) error {
	s.prefix = DefaultPrefix
	for _, option := range options {
		if err := option(s); err != nil {
			return err
		}
	}
	return nil
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
func WithPrefix(prefix string) Option {
	return func(s *settings) error {
		s.prefix = prefix
		return must(prefix != "", "WithPrefix", "must not be empty")
	}
}

// WithRetention sets how long a [Store] keeps an event after its handling and a
// write after its registration. It must be greater than 0; the default is
// [webhook.DefaultRetention]. It is not specified how late the service may
// repeat an event.
func WithRetention(retention time.Duration) Option {
	return func(s *settings) error {
		if s.retention == nil {
			return must(false, "WithRetention", "is an option of NewStore only")
		}
		*s.retention = retention
		return must(retention > 0, "WithRetention", "must be greater than 0")
	}
}

// WithErrorHook calls hook, within a Wait, when Redis fails and the [Limiter]
// continues without it, at most about once a second.
func WithErrorHook(hook func(context.Context, error)) Option {
	return func(s *settings) error {
		if s.onError == nil {
			return must(false, "WithErrorHook", "is an option of NewLimiter only")
		}
		*s.onError = hook
		return must(hook != nil, "WithErrorHook", notNil)
	}
}
