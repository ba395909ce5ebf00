package nats

import (
	"context"
	"time"
)

// Patient grants a server minutes where a program waits for seconds.
func Patient() Option {
	return func(s *settings) error {
		s.limits = limits{start: 2 * time.Minute, heartbeat: 2 * time.Second, look: time.Minute, respond: time.Minute}
		return nil
	}
}

// Sweep puts the tokens that are missing, as the queue does now and then.
func (q *Queue) Sweep(ctx context.Context) error { return q.sweep(ctx) }
