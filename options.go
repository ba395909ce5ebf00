package practice

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/practicesdk/practice-go/internal/headers"
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
	// NewRequestID returns a unique id. It must be safe for concurrent use.
	NewRequestID() string
}

// Default settings of a client.
const (
	DefaultTimeout        = 2 * time.Minute  // total time limit of a call
	DefaultAttemptTimeout = 30 * time.Second // time limit of one attempt
	DefaultIdleTimeout    = time.Minute      // time limit of a transfer in which no byte is transferred
	DefaultRetries        = 3                // attempts after the first
	DefaultMaxBody        = 32 << 20         // bytes of one response
)

// settings holds the options of a client.
type settings struct {
	call         callSettings
	httpClient   *http.Client
	middleware   []transport.Middleware
	apiKey       models.Secret
	bindTokens   func(TokenClient) (AccessTokens, error) // a function, because fmt would print the secrets of a source
	credentials  bool                                    // whether an option set credentials or disabled them
	signer       RequestIDSigner                         // nil: random ids
	observers    observers
	limiter      *transport.Limiter
	userAgent    string
	vendorPrefix string
	storageHosts []string
	bandwidth    int64 // limit for transfers in bytes per second; 0: none
	insecureHTTP bool
	maxBody      int64
	maxRetryWait time.Duration
}

// callSettings holds the options of a call.
type callSettings struct {
	headers        headers.Values
	timeout        time.Duration
	attemptTimeout time.Duration
	idleTimeout    time.Duration
	retries        int
	header         []headerField
	query          []headerField
	response       *Response
	prefetch       int
	position       *WalkPosition
	loss           []string
	leaveOut       bool                        // whether Modify leaves out unknown members
	method         string                      // calling method, for errors; empty: that of the operation
	once           bool                        // whether to send the request only once; see Modify
	again          func(context.Context) error // see transport.Call.Again; set only by Modify
	tookOver       func(member string) bool    // see call.judge; set only by Modify
	flagged        flagged                     // set by an option for a flagged header
	marked         bool                        // the record is read with codec.DecodeMarked; set only by Modify
}

// further removes what belongs to a single request of the caller: it is not
// for a further request that the call makes for itself.
func (s *callSettings) further() {
	s.headers, s.response = s.headers.Further(), nil
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

// WithUserID sends the UserId header, so that the call acts for this user of
// the firm. With client credentials, portal messages require it. An empty id
// omits the header.
func WithUserID(userID string) Option {
	return option(func(s *callSettings) error {
		if !transport.ValidHeaderValue(userID) {
			return &ConfigError{"WithUserID", "must be a valid header value"}
		}
		s.headers[headers.UserID] = userID
		return nil
	})
}

// WithResourceID sets the id of the record that a create makes, a UUID, in the
// ResourceId header. The service allows this only for partners. After an
// AmbiguousWriteError you can look up the record by this id. The client does
// not retry such a create, because the service does not document whether it
// rejects a second record with the same id.
func WithResourceID(id string) CallOption {
	return callOption(func(s *callSettings) error {
		if reason := badUUID(id); reason != "" {
			return &ConfigError{"WithResourceID", reason}
		}
		s.headers[headers.ResourceID] = id
		return nil
	})
}

// WithExternalID sets the ExternalId header: the id of the new record in the
// caller's own system. The service allows this only for partners.
func WithExternalID(id string) CallOption {
	return callOption(func(s *callSettings) error {
		if id == "" || !transport.ValidHeaderValue(id) {
			return &ConfigError{"WithExternalID", "must be a valid header value"}
		}
		s.headers[headers.ExternalID] = id
		return nil
	})
}

// WithVersion sends the Version header with a call that adds or removes a role
// or a relationship of a matter, or with a request by Do to an endpoint without
// a method; other calls reject it. The meaning of the number is not documented:
// the version ids of these records are UUIDs. The client does not send the
// header by itself.
func WithVersion(version int32) CallOption {
	return callOption(func(s *callSettings) error {
		s.headers[headers.Version] = strconv.FormatInt(int64(version), 10)
		s.flagged = flaggedFor
		return nil
	})
}

// WithTimeout limits the time of a call: all attempts, the waits between them
// and for the rate limit. 0 means no limit; the default is DefaultTimeout. It
// applies to each page of an All method, and to a transfer's requests to the
// service but not to its bytes. The deadline of the context applies as well.
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
// connection to the last byte of the response. 0 means no limit; the default is
// DefaultAttemptTimeout. The client retries an attempt that exceeds the limit
// if that is safe.
func WithAttemptTimeout(limit time.Duration) Option {
	return option(func(s *callSettings) error {
		if limit < 0 {
			return &ConfigError{"WithAttemptTimeout", "must not be negative"}
		}
		s.attemptTimeout = limit
		return nil
	})
}

// WithIdleTimeout ends an attempt of a transfer in which no byte is transferred
// for that time. 0 means no limit; the default is DefaultIdleTimeout. Time
// spent in the caller's body or writer does not count. Apart from the context,
// a transfer has no other time limit.
func WithIdleTimeout(limit time.Duration) Option {
	return option(func(s *callSettings) error {
		if limit < 0 {
			return &ConfigError{"WithIdleTimeout", "must not be negative"}
		}
		s.idleTimeout = limit
		return nil
	})
}

// WithRetries sets how often a call is retried if that is safe: 0 to 20, by
// default DefaultRetries. A 429 does not count: the client retries it until the
// time limit of the call or, without a limit, until the service has refused all
// requests for DefaultTimeout. With 0 retries, a 429 ends the call. A transfer
// counts consecutive failures. The count starts again after an attempt that
// transferred 64 KiB, or a 16th of a shorter content. The first refusal of an
// address does not count.
func WithRetries(retries int) Option {
	return option(func(s *callSettings) error {
		if retries < 0 || retries > 20 {
			return &ConfigError{"WithRetries", "must be between 0 and 20"}
		}
		s.retries = retries
		return nil
	})
}

// WithHeader sends an additional header. It rejects headers that the library or
// net/http sets, connection headers, and Idempotency-Key and X-Idempotency-Key:
// the service ignores these two, but net/http retries requests that have one of
// them.
func WithHeader(name, value string) Option {
	return option(func(s *callSettings) error {
		if !validHeaderName(name) || !transport.ValidHeaderValue(value) || reservedHeader(name) {
			return &ConfigError{"WithHeader", "requires a name that is not reserved and a valid header value"}
		}
		s.header = append(slices.Clip(s.header), headerField{name, value})
		return nil
	})
}

// WithQuery adds a query parameter that has no option of its own. A parameter
// of the same name that the method sets takes precedence.
func WithQuery(name, value string) CallOption {
	return callOption(func(s *callSettings) error {
		if name == "" {
			return &ConfigError{"WithQuery", "requires a name"}
		}
		if !utf8.ValidString(name) || !utf8.ValidString(value) {
			return &ConfigError{"WithQuery", notUTF8}
		}
		s.query = append(slices.Clip(s.query), headerField{name, value})
		return nil
	})
}

// WithResponse fills response when the call ends, even with an error response.
// All methods reject it, because each of their pages has its own Response.
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
// that the caller reads: 0 to 64, by default 1. WithPrefetch(4) keeps up to
// five requests in flight.
func WithPrefetch(pages int) CallOption {
	return callOption(func(s *callSettings) error {
		if pages < 0 || pages > 64 {
			return &ConfigError{"WithPrefetch", "must be between 0 and 64"}
		}
		s.prefetch = pages
		return nil
	})
}

// WithPosition starts an All method at position and updates it: in the body of
// the loop it points after the current record. If a program stores the position
// with its results, it can continue from there in another process. The zero
// position is the beginning of the list. A walk that continues after the end
// yields the records added since; if the list became shorter, the error is
// ErrListChanged, as in any walk. Use a position for one walk at a time. All
// other methods reject it.
func WithPosition(position *WalkPosition) CallOption {
	return callOption(func(s *callSettings) error {
		if position == nil {
			return &ConfigError{"WithPosition", "must not be nil"}
		}
		s.position = position
		return nil
	})
}

// wholeLists adds an option that makes a method refuse WithPosition, because it
// reads lists from their beginning.
func wholeLists(opts []CallOption) []CallOption {
	return append(slices.Clip(opts), callOption(func(s *callSettings) error {
		if s.position != nil {
			return &ConfigError{"WithPosition", "applies only to methods that return an iterator: this method always reads lists from the beginning"}
		}
		return nil
	}))
}

// WithRequestID sends id as the RequestId header instead of a random one. The
// service returns it and repeats it in the webhook events that the request
// causes. All methods reject it, because each of their pages is a separate
// request.
func WithRequestID(id string) CallOption {
	return callOption(func(s *callSettings) error {
		if reason := badRequestID(id); reason != "" {
			return &ConfigError{"WithRequestID", reason}
		}
		s.headers[headers.RequestID] = id
		return nil
	})
}
