package practice

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// ClientOption is a setting of NewClient.
type ClientOption interface{ applyClient(*settings) error }

// CallOption is a setting of one call. The one given later wins.
type CallOption interface{ applyCall(*callSettings) error }

// Option is a setting of a client, of a client derived by With, or of one
// call. The one given later wins, and a call's own over its client's.
type Option interface {
	ClientOption
	CallOption
}

// Defaults of a client.
const (
	DefaultTimeout        = 2 * time.Minute  // total time limit of a call
	DefaultAttemptTimeout = 30 * time.Second // time limit of one attempt
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
	onGrant      func(Grant)
	logger       *slog.Logger
	observer     func(context.Context, Observation)
	limiter      *transport.Limiter
	userAgent    string
	vendorPrefix string
	storageHosts []string
	plainHTTP    bool
	maxBody      int64
	maxRetryWait time.Duration
}

// callSettings is what one call can set for itself.
type callSettings struct {
	userID         string
	timeout        time.Duration
	attemptTimeout time.Duration
	retries        int
	header         []headerField
	query          []headerField
	requestID      string
	response       *Response
	prefetch       int
}

type headerField struct{ name, value string }

func defaultSettings() settings {
	return settings{
		call: callSettings{
			timeout:        DefaultTimeout,
			attemptTimeout: DefaultAttemptTimeout,
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

// WithAPIKey sends key as the x-api-key header of every request to the
// service (Specification, Authentication, 1).
func WithAPIKey(key string) ClientOption {
	return clientOption(func(s *settings) error {
		if key == "" || !validHeaderValue(key) {
			return &ConfigError{"WithAPIKey", "must be a text that fits into a header"}
		}
		s.apiKey = models.NewSecret(key)
		return nil
	})
}

// WithHTTPClient uses client's Transport, Jar, CheckRedirect and Timeout for
// the service, the token endpoint and the storage. The client is copied and
// never changed. Its Timeout, when set, ends attempts as well; leave it 0 and
// use WithAttemptTimeout. Without this option the library uses a transport of
// its own, which reads the proxy variables of the environment as net/http
// does.
func WithHTTPClient(client *http.Client) ClientOption {
	return clientOption(func(s *settings) error {
		if client == nil {
			return &ConfigError{"WithHTTPClient", "must not be nil"}
		}
		s.httpClient = client
		return nil
	})
}

// WithMiddleware wraps the transport that carries each attempt to the
// service; the first middleware is the outermost. A middleware sees the
// credentials. Transfers with the storage do not pass it.
func WithMiddleware(middleware ...func(http.RoundTripper) http.RoundTripper) ClientOption {
	return clientOption(func(s *settings) error {
		for _, m := range middleware {
			if m == nil {
				return &ConfigError{"WithMiddleware", "must not be nil"}
			}
			s.middleware = append(s.middleware, m)
		}
		return nil
	})
}

// WithTokenSource takes access tokens from any oauth2.TokenSource, such as
// the one of an authorization code with PKCE. It is asked again about a minute
// before a token expires and after a 401.
func WithTokenSource(source oauth2.TokenSource) ClientOption {
	return clientOption(func(s *settings) error {
		if source == nil {
			return &ConfigError{"WithTokenSource", "must not be nil"}
		}
		return s.setGrant(externalSource{source})
	})
}

// WithAccessToken sends one fixed access token, for as long as it lasts.
func WithAccessToken(token string) ClientOption {
	return clientOption(func(s *settings) error {
		if !validToken(token) {
			return &ConfigError{"WithAccessToken", "must be a text that fits into a header"}
		}
		return s.setGrant(fixedToken{models.NewSecret(token)})
	})
}

// WithClientCredentials obtains access tokens by the client credentials grant
// (Specification, Authentication, 2).
func WithClientCredentials(credentials ClientCredentials) ClientOption {
	return clientOption(func(s *settings) error { return s.setGrant(credentials) })
}

// WithRefreshToken obtains access tokens by the refresh token grant.
func WithRefreshToken(credentials RefreshCredentials) ClientOption {
	return clientOption(func(s *settings) error { return s.setGrant(credentials) })
}

// WithGrantHook calls hook after every new grant: the first access token of
// the client, and every new refresh token. It runs after the token can be
// used, outside every lock, in the goroutine that renewed the token, so it may
// use the client. Webhook subscriptions vanish with an expired refresh token:
// this is the moment to look for them (Specification, Events, Delivery rules,
// 6).
func WithGrantHook(hook func(Grant)) ClientOption {
	return clientOption(func(s *settings) error {
		if hook == nil {
			return &ConfigError{"WithGrantHook", "must not be nil"}
		}
		s.onGrant = hook
		return nil
	})
}

// WithLogger logs one line per attempt at debug level and one per failed call
// at warn level, without secrets. Without it nothing is logged.
func WithLogger(logger *slog.Logger) ClientOption {
	return clientOption(func(s *settings) error {
		if logger == nil {
			return &ConfigError{"WithLogger", "must not be nil"}
		}
		s.logger = logger
		return nil
	})
}

// WithObserver calls observe after every attempt and after every call, in the
// goroutine of the call.
func WithObserver(observe func(context.Context, Observation)) ClientOption {
	return clientOption(func(s *settings) error {
		if observe == nil {
			return &ConfigError{"WithObserver", "must not be nil"}
		}
		s.observer = observe
		return nil
	})
}

// WithRateLimit keeps the attempts of the client and all its derived clients
// below perSecond a second, with at most burst at once. The service allows 5
// and 5 unless you were told otherwise. Without it there is no limit, but a
// 429 still holds all goroutines back.
func WithRateLimit(perSecond float64, burst int) ClientOption {
	return clientOption(func(s *settings) error {
		if !(perSecond > 0) || perSecond > 1e6 || burst < 1 {
			return &ConfigError{"WithRateLimit", "needs a rate above 0 and a burst of at least 1"}
		}
		s.limiter = transport.NewLimiter(perSecond, burst)
		return nil
	})
}

// WithUserAgent puts the name and version of the application, such as
// "ledger-sync/2.1", in front of the library's own in the User-Agent header.
func WithUserAgent(application string) ClientOption {
	return clientOption(func(s *settings) error {
		if application == "" || !validHeaderValue(application) {
			return &ConfigError{"WithUserAgent", "must be a text that fits into a header"}
		}
		s.userAgent = application
		return nil
	})
}

// WithVendorPrefix names the vendor's prefix of field names, so that
// models.Tier.VendorID is read from exactly that member: the prefix "acme"
// reads "acmeId" (Specification, Subscription, tier, price).
func WithVendorPrefix(prefix string) ClientOption {
	return clientOption(func(s *settings) error {
		if prefix == "" {
			return &ConfigError{"WithVendorPrefix", "must not be empty"}
		}
		s.vendorPrefix = prefix
		return nil
	})
}

// WithStorageHosts allows transfers with these hosts only, each a name with
// or without a port, such as "files.example.test" or "127.0.0.1:9000".
func WithStorageHosts(hosts ...string) ClientOption {
	return clientOption(func(s *settings) error {
		if len(hosts) == 0 || slices.Contains(hosts, "") {
			return &ConfigError{"WithStorageHosts", "needs at least one host, none of them empty"}
		}
		s.storageHosts = slices.Clone(hosts)
		return nil
	})
}

// WithPlainHTTP allows addresses of scheme http on hosts other than this
// machine: for the base, the token and the storage addresses alike. Secrets
// then travel in the clear.
func WithPlainHTTP() ClientOption {
	return clientOption(func(s *settings) error {
		s.plainHTTP = true
		return nil
	})
}

// WithMaxBody bounds the size of one answer in bytes, after decompression;
// the default is DefaultMaxBody. File contents are not bounded by it.
func WithMaxBody(bytes int64) ClientOption {
	return clientOption(func(s *settings) error {
		if bytes < 1 {
			return &ConfigError{"WithMaxBody", "must be at least 1 byte"}
		}
		s.maxBody = bytes
		return nil
	})
}

// WithMaxRetryWait bounds every wait between two attempts, a Retry-After of
// the service included; the default is 30 seconds.
func WithMaxRetryWait(limit time.Duration) ClientOption {
	return clientOption(func(s *settings) error {
		if limit <= 0 {
			return &ConfigError{"WithMaxRetryWait", "must be above 0"}
		}
		s.maxRetryWait = limit
		return nil
	})
}

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
// pages. The deadline of the context holds as well.
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

// WithRetries is how often a call is repeated where that is safe: 0 to 20,
// the default is DefaultRetries.
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

// WithRequestID sends id as the RequestId header instead of a new one. The
// service returns it and repeats it in the webhook events that the request
// causes (Specification, What the service does, 6). It is refused on walks,
// whose pages are requests of their own.
func WithRequestID(id string) CallOption {
	return callOption(func(s *callSettings) error {
		if id == "" || len(id) > 128 || !validHeaderValue(id) || strings.Contains(id, "|") {
			return &ConfigError{"WithRequestID", "must be 1 to 128 characters that fit into a header, without |"}
		}
		s.requestID = id
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

func reservedHeader(name string) bool {
	switch strings.ToLower(name) {
	case "authorization", "x-api-key", "requestid", "userid", "host", "content-type", "content-length",
		"transfer-encoding", "connection", "user-agent", "accept", "accept-encoding", "cookie", "proxy-authorization":
		return true
	}
	return false
}

func validHeaderName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`()<>@,;:\"/[]?={}`, c) >= 0 {
			return false
		}
	}
	return name != ""
}

// validHeaderValue refuses what could split a header or be changed on the
// way.
func validHeaderValue(value string) bool {
	for i := range len(value) {
		if c := value[i]; c < ' ' || c >= 0x7f {
			return false
		}
	}
	return strings.TrimSpace(value) == value
}

// validToken accepts what RFC 6750, section 2.1, and common practice send as
// a bearer credential: visible ASCII without a space.
func validToken(token string) bool {
	return token != "" && validHeaderValue(token) && !strings.Contains(token, " ")
}
