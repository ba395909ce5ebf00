package practice

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// ClientOption is an option of NewClient. A later one overrides an earlier one.
type ClientOption interface{ applyClient(*settings) error }

// CallOption is an option of one call. A later option overrides an earlier one.
type CallOption interface{ applyCall(*callSettings) error }

// Option is an option of a client, of a client derived by With, or of one call.
// A later option overrides an earlier one, and an option of a call overrides
// that of its client.
type Option interface {
	ClientOption
	CallOption
}

// RequestIDSigner creates the RequestIds of a client. requestid.Signer is one.
type RequestIDSigner interface {
	// NewRequestID returns an id that no other request has. It is called from
	// many goroutines at once.
	NewRequestID() string
}

// Defaults of a client.
const (
	DefaultTimeout        = 2 * time.Minute  // total time limit of a call
	DefaultAttemptTimeout = 30 * time.Second // time limit of one attempt
	DefaultIdleTimeout    = time.Minute      // time limit of a transfer in which no byte moves
	DefaultRetries        = 3                // attempts after the first
	DefaultMaxBody        = 32 << 20         // bytes of one answer
)

// settings holds the options of a client.
type settings struct {
	call         callSettings
	httpClient   *http.Client
	middleware   []transport.Middleware
	apiKey       models.Secret
	bindTokens   func(TokenClient) (AccessTokens, error) // a function, since fmt would print the secrets of a source
	credentials  bool                                    // an option set credentials or disabled them
	signer       RequestIDSigner                         // nil for random ids
	observers    observers
	limiter      *transport.Limiter
	userAgent    string
	vendorPrefix string
	storageHosts []string
	bandwidth    int64 // limit of transfers in bytes per second; 0 means no limit
	insecureHTTP bool
	maxBody      int64
	maxRetryWait time.Duration
}

// callSettings holds the options of a call.
type callSettings struct {
	userID         string
	resourceID     string
	externalID     string
	version        string // value of the header Version; empty means that it is not sent
	timeout        time.Duration
	attemptTimeout time.Duration
	idleTimeout    time.Duration
	retries        int
	header         []headerField
	query          []headerField
	requestID      string
	response       *Response
	prefetch       int
	position       *WalkPosition
	loss           []string
	leaveOut       bool                        // Modify leaves out unknown members
	method         string                      // method that makes the call, for errors; empty means that of the operation
	once           bool                        // sent once only, see Modify
	again          func(context.Context) error // see transport.Call.Again; nil for all but Modify
	tookOver       func(member string) bool    // see call.judge; nil for all but Modify
}

type headerField struct{ name, value string }

func defaultSettings() settings {
	return settings{
		call: callSettings{
			timeout:        DefaultTimeout,
			attemptTimeout: DefaultAttemptTimeout,
			idleTimeout:    DefaultIdleTimeout,
			retries:        DefaultRetries,
			prefetch:       1,
		},
		limiter:      transport.NewLimiter(0, 0),
		maxBody:      DefaultMaxBody,
		maxRetryWait: 30 * time.Second,
	}
}

type clientOption func(*settings) error

func (f clientOption) applyClient(s *settings) error { return f(s) }

type callOption func(*callSettings) error

func (f callOption) applyCall(s *callSettings) error { return f(s) }

type option func(*callSettings) error

func (f option) applyClient(s *settings) error   { return f(&s.call) }
func (f option) applyCall(s *callSettings) error { return f(s) }

// WithUserID acts for a user of the firm: it sends the UserId header. Under
// client credentials, portal messages need it. An empty id omits the header.
func WithUserID(userID string) Option {
	return option(func(s *callSettings) error {
		if !transport.ValidHeaderValue(userID) {
			return &ConfigError{"WithUserID", "must fit into a header"}
		}
		s.userID = userID
		return nil
	})
}

// WithResourceID chooses the id of the record that a create makes, a UUID: it
// sends the ResourceId header. The service allows that to partners. After an
// AmbiguousWriteError the record can be looked up by this id. The client does
// not repeat such a create either: the service does not document whether it
// refuses a second record with the id.
func WithResourceID(id string) CallOption {
	return callOption(func(s *callSettings) error {
		if reason := badUUID(id); reason != "" {
			return &ConfigError{"WithResourceID", reason}
		}
		s.resourceID = id
		return nil
	})
}

// WithExternalID names the record that a create makes in a system of the
// caller: it sends the ExternalId header. The service allows that to partners.
func WithExternalID(id string) CallOption {
	return callOption(func(s *callSettings) error {
		if id == "" || !transport.ValidHeaderValue(id) {
			return &ConfigError{"WithExternalID", "must be a text that fits into a header"}
		}
		s.externalID = id
		return nil
	})
}

// WithVersion sends the Version header with a call that adds or removes a role
// or a relationship of a matter; other calls refuse it. The meaning of the
// number is not documented: the version ids of these records are UUIDs. The
// client does not send the header by itself.
func WithVersion(version int32) CallOption {
	return callOption(func(s *callSettings) error {
		s.version = strconv.FormatInt(int64(version), 10)
		return nil
	})
}

// WithTimeout limits the time of a call: all attempts, the waits between them
// and for the rate limit; 0 means no limit, the default is DefaultTimeout. It
// applies to each page of an All method, and to the requests of a transfer to
// the service, but not to its bytes. The deadline of the context applies as
// well.
func WithTimeout(limit time.Duration) Option {
	return option(func(s *callSettings) error {
		if limit < 0 {
			return &ConfigError{"WithTimeout", "must not be negative"}
		}
		s.timeout = limit
		return nil
	})
}

// WithAttemptTimeout limits the time of one attempt, from requesting a
// connection to the last byte of the answer; 0 means no limit, the default is
// DefaultAttemptTimeout. The client repeats an attempt that exceeds it where
// that is safe.
func WithAttemptTimeout(limit time.Duration) Option {
	return option(func(s *callSettings) error {
		if limit < 0 {
			return &ConfigError{"WithAttemptTimeout", "must not be negative"}
		}
		s.attemptTimeout = limit
		return nil
	})
}

// WithIdleTimeout ends an attempt of a transfer in which no byte moves for that
// time; 0 means no limit, the default is DefaultIdleTimeout. The time of the
// caller's own body or writer does not count. A transfer has no other time
// limit but the context.
func WithIdleTimeout(limit time.Duration) Option {
	return option(func(s *callSettings) error {
		if limit < 0 {
			return &ConfigError{"WithIdleTimeout", "must not be negative"}
		}
		s.idleTimeout = limit
		return nil
	})
}

// WithRetries sets how often a call is repeated where that is safe: 0 to 20, by
// default DefaultRetries. A 429 does not count: the client repeats the call
// until its time limit or, without one, until the service has refused
// everything for DefaultTimeout. With 0 retries a 429 ends the call. A transfer
// counts consecutive failures, and starts again after those that brought 64
// KiB, or a 16th of a shorter content. The first refusal of an address does not
// count.
func WithRetries(retries int) Option {
	return option(func(s *callSettings) error {
		if retries < 0 || retries > 20 {
			return &ConfigError{"WithRetries", "must be 0 to 20"}
		}
		s.retries = retries
		return nil
	})
}

// WithHeader sends an additional header. It refuses the headers that the
// library sets itself, and Idempotency-Key and X-Idempotency-Key: the service
// has no idempotency keys, but net/http repeats requests that carry one.
func WithHeader(name, value string) Option {
	return option(func(s *callSettings) error {
		if !validHeaderName(name) || !transport.ValidHeaderValue(value) || reservedHeader(name) {
			return &ConfigError{"WithHeader", "needs a name that it may set, and a value that fits into a header"}
		}
		s.header = append(slices.Clip(s.header), headerField{name, value})
		return nil
	})
}

// WithQuery adds a query parameter that has no option of its own. A parameter
// of the same name that the method sets wins.
func WithQuery(name, value string) CallOption {
	return callOption(func(s *callSettings) error {
		if name == "" {
			return &ConfigError{"WithQuery", "needs a name"}
		}
		if !utf8.ValidString(name) || !utf8.ValidString(value) {
			return &ConfigError{"WithQuery", notUTF8}
		}
		s.query = append(slices.Clip(s.query), headerField{name, value})
		return nil
	})
}

// WithResponse fills response when the call ends, also when the service
// answered with an error. All methods refuse it; a page carries its own
// Response.
func WithResponse(response *Response) CallOption {
	return callOption(func(s *callSettings) error {
		if response == nil {
			return &ConfigError{"WithResponse", "must not be nil"}
		}
		s.response = response
		return nil
	})
}

// WithPrefetch sets how many pages an All method requests ahead of the page
// that the caller reads: 0 to 64, by default 1. WithPrefetch(4) keeps five
// requests in flight.
func WithPrefetch(pages int) CallOption {
	return callOption(func(s *callSettings) error {
		if pages < 0 || pages > 64 {
			return &ConfigError{"WithPrefetch", "must be 0 to 64"}
		}
		s.prefetch = pages
		return nil
	})
}

// WithPosition starts an All method at position, and keeps it up to date: in
// the body of the loop it is behind the present record. A program that stores
// it with its results continues from there in another process. The zero
// position is the beginning of the list. A walk that continues after the end
// yields what was added since, and a list that became shorter is
// ErrListChanged, as in any walk. Use a position for one walk at a time.
// All other methods refuse it.
func WithPosition(position *WalkPosition) CallOption {
	return callOption(func(s *callSettings) error {
		if position == nil {
			return &ConfigError{"WithPosition", "must not be nil"}
		}
		s.position = position
		return nil
	})
}

// wholeLists lets a method that reads lists from their beginning refuse
// WithPosition.
func wholeLists(opts []CallOption) []CallOption {
	return append(slices.Clip(opts), callOption(func(s *callSettings) error {
		if s.position != nil {
			return &ConfigError{"WithPosition", "is for All methods: this one reads lists from their beginning"}
		}
		return nil
	}))
}

// WithRequestID sends id as the RequestId header instead of a random one. The
// service returns it, and repeats it in the webhook events that the request
// causes. All methods refuse it, because each of their pages is a request of
// its own.
func WithRequestID(id string) CallOption {
	return callOption(func(s *callSettings) error {
		if reason := badRequestID(id); reason != "" {
			return &ConfigError{"WithRequestID", reason}
		}
		s.requestID = id
		return nil
	})
}
