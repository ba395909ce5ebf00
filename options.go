package practice

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// ClientOption is an option of NewClient. A later option overrides an earlier
// one.
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

// Defaults of a client.
const (
	DefaultTimeout        = 2 * time.Minute  // total time limit of a call
	DefaultAttemptTimeout = 30 * time.Second // time limit of one attempt
	DefaultIdleTimeout    = time.Minute      // time limit of a transfer in which no byte moves
	DefaultRetries        = 3                // attempts after the first
	DefaultMaxBody        = 32 << 20         // bytes of one answer
)

// settings is what the options of a client fill in.
type settings struct {
	call         callSettings
	httpClient   *http.Client
	middleware   []transport.Middleware
	apiKey       models.Secret
	grant        grantSource
	credentials  bool // an option named some, or said that there are none
	onGrant      func(Grant)
	storeGrant   func(context.Context, Grant) error
	tokenStore   TokenStore      // nil when tokens end with the client
	signer       RequestIDSigner // nil for random ids
	logger       *slog.Logger
	observer     func(context.Context, Observation)
	tracer       Tracer
	limiter      *transport.Limiter
	userAgent    string
	vendorPrefix string
	storageHosts []string
	bandwidth    int64 // of transfers in bytes a second; 0 means no limit
	insecureHTTP bool
	maxBody      int64
	maxRetryWait time.Duration
}

// callSettings is what one call can set for itself.
type callSettings struct {
	userID         string
	resourceID     string
	externalID     string
	version        string // of the Version header; empty when it is not sent
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
	once           bool                        // never sent again on a guess, see Modify
	again          func(context.Context) error // see transport.Call.Again; nil for all but Modify
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
