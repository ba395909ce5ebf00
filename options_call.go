package practice

import (
	"slices"
	"time"
)

// WithUserID acts for a user of the firm: it sends the UserId header. Under
// client credentials, portal messages need it (Specification, Authentication,
// 3). An empty id takes the header back that the client would send.
func WithUserID(userID string) Option {
	return option(func(s *callSettings) error {
		if !validHeaderValue(userID) {
			return &ConfigError{"WithUserID", "must fit into a header"}
		}
		s.userID = userID
		return nil
	})
}

// WithTimeout is the total time limit of a call: all attempts, the waits
// between them and the wait for the rate limit; 0 means none, the default is
// DefaultTimeout. A walk over pages has no total limit, only each of its
// pages, and a transfer none for its bytes. The deadline of the context holds
// as well.
func WithTimeout(limit time.Duration) Option {
	return option(func(s *callSettings) error {
		if limit < 0 {
			return &ConfigError{"WithTimeout", "must not be negative"}
		}
		s.timeout = limit
		return nil
	})
}

// WithAttemptTimeout is the time limit of one attempt, from asking for a
// connection to the last byte of the answer; 0 means none, the default is
// DefaultAttemptTimeout. An attempt that runs into it is repeated where that
// is safe.
func WithAttemptTimeout(limit time.Duration) Option {
	return option(func(s *callSettings) error {
		if limit < 0 {
			return &ConfigError{"WithAttemptTimeout", "must not be negative"}
		}
		s.attemptTimeout = limit
		return nil
	})
}

// WithIdleTimeout ends an attempt of a transfer in which no byte moves for so
// long, be it that the storage neither takes nor gives any or that it does not
// answer; 0 means never, the default is DefaultIdleTimeout. The time that the
// caller's own body or writer takes does not count. Bytes of a transfer have
// no other time limit than this and the context.
func WithIdleTimeout(limit time.Duration) Option {
	return option(func(s *callSettings) error {
		if limit < 0 {
			return &ConfigError{"WithIdleTimeout", "must not be negative"}
		}
		s.idleTimeout = limit
		return nil
	})
}

// WithRetries is how often a call is repeated where that is safe: 0 to 20,
// the default is DefaultRetries. A transfer counts its failures in a row: an
// attempt that brought at least 1 MiB of a download is none of them, and
// neither is an address that was refused once.
func WithRetries(retries int) Option {
	return option(func(s *callSettings) error {
		if retries < 0 || retries > 20 {
			return &ConfigError{"WithRetries", "must be 0 to 20"}
		}
		s.retries = retries
		return nil
	})
}

// WithHeader sends one more header. The headers that the library sets itself
// are refused.
func WithHeader(name, value string) Option {
	return option(func(s *callSettings) error {
		if !validHeaderName(name) || !validHeaderValue(value) || reservedHeader(name) {
			return &ConfigError{"WithHeader", "needs a name that the library does not set itself, and a value that fits into a header"}
		}
		s.header = append(slices.Clip(s.header), headerField{name, value})
		return nil
	})
}

// WithQuery adds one query parameter that has no option yet. A parameter that
// the method sets itself keeps the method's value.
func WithQuery(name, value string) CallOption {
	return callOption(func(s *callSettings) error {
		if name == "" {
			return &ConfigError{"WithQuery", "needs a name"}
		}
		s.query = append(slices.Clip(s.query), headerField{name, value})
		return nil
	})
}

// WithResponse fills response when the call has ended, also when it failed
// with an answer. It is refused on walks; a page carries its own Response.
func WithResponse(response *Response) CallOption {
	return callOption(func(s *callSettings) error {
		if response == nil {
			return &ConfigError{"WithResponse", "must not be nil"}
		}
		s.response = response
		return nil
	})
}

// WithPrefetch requests pages ahead of the one being consumed in a walk: 0 to
// 64, the default is 1. Five requests in flight are WithPrefetch(4).
func WithPrefetch(pages int) CallOption {
	return callOption(func(s *callSettings) error {
		if pages < 0 || pages > 64 {
			return &ConfigError{"WithPrefetch", "must be 0 to 64"}
		}
		s.prefetch = pages
		return nil
	})
}

// WithRequestID sends id as the RequestId header instead of a new one. The
// service returns it and repeats it in the webhook events that the request
// causes (Specification, What the service does, 6). It is refused on walks,
// whose pages are requests of their own.
func WithRequestID(id string) CallOption {
	return callOption(func(s *callSettings) error {
		if reason := badRequestID(id); reason != "" {
			return &ConfigError{"WithRequestID", reason}
		}
		s.requestID = id
		return nil
	})
}
