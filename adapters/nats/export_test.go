package nats

import (
	"context"
	"time"
)

// Patient sets time limits of minutes instead of seconds.
func Patient() Option {
	return func(s *settings) error {
		s.limits = limits{start: 2 * time.Minute, heartbeat: 2 * time.Second, look: time.Minute, respond: time.Minute}
		return nil
	}
}

// Sweep puts missing tokens, as the queue does periodically.
func (q *Queue) Sweep(ctx context.Context) error { return q.sweep(ctx) }
