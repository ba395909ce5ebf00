package nats

import "time"

// Patient grants a server minutes where a program waits for seconds.
func Patient() Option {
	return func(s *settings) error {
		s.limits = limits{start: 2 * time.Minute, heartbeat: pullExpiry / 3, look: time.Minute, tell: time.Minute}
		return nil
	}
}
