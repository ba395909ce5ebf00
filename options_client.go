package practice

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/transfer"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// WithAPIKey sends key as the x-api-key header of every request to the service.
func WithAPIKey(key string) ClientOption {
	return clientOption(func(s *settings) error {
		s.credentials = true
		if key == "" || !transport.ValidHeaderValue(key) {
			return &ConfigError{"WithAPIKey", "must be a valid header value"}
		}
		s.apiKey = models.NewSecret(key)
		return nil
	})
}

// WithoutCredentials makes a client send neither an API key nor a token, for
// example because a middleware adds them. It also removes credentials set by
// earlier options. Without this option, NewClient requires credentials.
func WithoutCredentials() ClientOption {
	return clientOption(func(s *settings) error {
		s.credentials, s.apiKey, s.bindTokens = true, models.Secret{}, nil
		return nil
	})
}

// WithHTTPClient uses client's Transport, Jar, CheckRedirect and Timeout for
// the service, and its Transport for the token endpoint and the storage. The
// library copies client and never changes it. A Timeout ends attempts as well;
// prefer WithAttemptTimeout. A Transport that wraps another one must keep the
// context of a request, or net/http may retry a create without a body.
// CheckRedirect is called only for redirects of reads below the base address
// with an unchanged method; the [Error] of the redirect wraps its error.
//
// The default is a copy of http.DefaultTransport, which reads the proxy
// variables of the environment. It closes idle connections after 30 s, detects
// silent HTTP/2 connections within 25 s, and accepts 256 KiB of headers;
// net/http itself accepts 10 MiB unless a Transport sets
// MaxResponseHeaderBytes. Before a retry after a time limit, it closes its idle
// connections. If the program has replaced http.DefaultTransport by another
// type of transport, that one is used unchanged.
func WithHTTPClient(client *http.Client) ClientOption {
	return clientOption(func(s *settings) error {
		if client == nil {
			return &ConfigError{"WithHTTPClient", "must not be nil"}
		}
		s.httpClient = client
		return nil
	})
}

// WithMiddleware wraps the transport that sends each attempt to the service;
// the first middleware is the outermost. A middleware sees the credentials. It
// does not see transfers with the storage.
//
// A write is sent once per attempt, however often a middleware passes it on,
// unless nothing of it was sent or it was refused. A middleware's own request
// counts as a copy of the write if it has the context of the write, since a
// rewritten copy looks the same. Only a GET or HEAD through the next transport
// does not count. Use a separate context for any other request, such as one for
// a token or an audit.
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

// WithTokens sends access tokens of source. Package auth has sources for the
// grants of OAuth, such as auth.ClientCredentials.
func WithTokens(source TokenSource) ClientOption {
	return clientOption(func(s *settings) error {
		s.credentials = true
		if source == nil {
			return &ConfigError{"WithTokens", "must not be nil"}
		}
		s.bindTokens = source.Bind
		return nil
	})
}

// WithAccessToken sends one fixed access token. The client cannot renew it.
func WithAccessToken(token string) ClientOption {
	return clientOption(func(s *settings) error {
		s.credentials = true
		if !transport.ValidToken(token) {
			return &ConfigError{"WithAccessToken", "must be a valid header value"}
		}
		s.bindTokens = fixedToken(token)
		return nil
	})
}

// WithLogger logs attempts at debug level and failed calls at warn level, one
// line each, without secrets. Failed calls include those rejected before a
// request was sent, responses that could not be decoded, and iterators that
// yielded an error. Durations are texts with a unit, such as "1.23ms". By
// default nothing is logged.
func WithLogger(logger *slog.Logger) ClientOption {
	return clientOption(func(s *settings) error {
		if logger == nil {
			return &ConfigError{"WithLogger", "must not be nil"}
		}
		s.observers.logger = logger
		return nil
	})
}

// WithLoggedBodies logs the bodies that each call sent and received at debug
// level, one line for each call, in addition to WithLogger. Secrets are never
// logged. Bodies that are not records of package models, such as your own types
// for Do, are not logged either. For an iterator, only its calls are logged.
func WithLoggedBodies(bodies LoggedBodies) ClientOption {
	return clientOption(func(s *settings) error {
		if bodies != BodiesWithoutPersonalData && bodies != WholeBodies {
			return &ConfigError{"WithLoggedBodies", "must be BodiesWithoutPersonalData or WholeBodies"}
		}
		s.observers.bodies = bodies
		return nil
	})
}

// WithObserver calls observe after every attempt and after every call. It runs
// in the goroutine of the call, or in one that reads or writes a transfer. A
// call ends when the result of its method is known; see [Observation].
func WithObserver(observe func(context.Context, Observation)) ClientOption {
	return clientOption(func(s *settings) error {
		if observe == nil {
			return &ConfigError{"WithObserver", "must not be nil"}
		}
		s.observers.observer = observe
		return nil
	})
}

// WithTracer reports every call and every attempt to tracer, including those of
// transfers with the file storage. WithObserver and WithLogger receive the
// contexts that the tracer returns.
func WithTracer(tracer Tracer) ClientOption {
	return clientOption(func(s *settings) error {
		if tracer == nil {
			return &ConfigError{"WithTracer", "must not be nil"}
		}
		s.observers.tracer = tracer
		return nil
	})
}

// WithRateLimit limits the attempts of the client and its derived clients to
// perSecond per second, with bursts of up to burst. By default, the service
// allows 5 per second and bursts of 5. One attempt of a burst above 1 is kept in
// reserve, since attempts take different times to reach the service. After a
// 429 the client finds the limit of the service and respects it, without this
// option and below perSecond.
func WithRateLimit(perSecond float64, burst int) ClientOption {
	return clientOption(func(s *settings) error {
		if !(perSecond > 0) || perSecond > 1e6 || burst < 1 {
			return &ConfigError{"WithRateLimit", "requires a rate greater than 0 and a burst of at least 1"}
		}
		s.limiter = transport.NewLimiter(perSecond, burst)
		return nil
	})
}

// Limiter decides when an attempt may be sent, for WithLimiter. Wait returns
// nil when the attempt may be sent, or an error if it may not, such as
// ErrRateLimitWait if the deadline of ctx is too early. A Limiter must be safe
// for concurrent use.
type Limiter interface {
	Wait(ctx context.Context) error
}

// RefusalLimiter is a [Limiter] that is also informed of refusals, so that it
// can slow down the clients that share it. Refused is called for every 429,
// before the retry, with the time in its Retry-After, or 0 without one. It must
// not block, and must be safe for concurrent use.
type RefusalLimiter interface {
	Limiter
	Refused(ctx context.Context, retryAfter time.Duration)
}

// WithLimiter calls limiter.Wait before every attempt of the client and its
// derived clients. It replaces WithRateLimit, and vice versa. Use it for a
// limit shared by several clients or processes, because the service counts
// their requests together; give the clients of a process the same limiter. If
// Wait returns an error, the request is not sent, and that error is the cause
// of the call's error. After a 429 the client slows down by itself, see
// [WithRateLimit], and informs a limiter that is a [RefusalLimiter].
func WithLimiter(limiter Limiter) ClientOption {
	return clientOption(func(s *settings) error {
		if limiter == nil {
			return &ConfigError{"WithLimiter", "must not be nil"}
		}
		s.limiter = transport.NewLimiterOver(limiter)
		return nil
	})
}

// WithUserAgent puts the name and version of the application, such as
// "ledger-sync/2.1", before the library's own in the User-Agent header.
func WithUserAgent(application string) ClientOption {
	return clientOption(func(s *settings) error {
		if application == "" || !transport.ValidHeaderValue(application) {
			return &ConfigError{"WithUserAgent", "must be a valid header value"}
		}
		s.userAgent = application
		return nil
	})
}

// WithVendorPrefix sets the vendor's prefix of member names, which
// models.Tier.VendorID needs: with the prefix "acme", it is decoded from the
// member "acmeId".
func WithVendorPrefix(prefix string) ClientOption {
	return clientOption(func(s *settings) error {
		if prefix == "" {
			return &ConfigError{"WithVendorPrefix", "must not be empty"}
		}
		s.vendorPrefix = prefix
		return nil
	})
}

// WithBandwidth limits the bytes per second of the uploads and downloads of the
// client and its derived clients together; 0, the default, means no limit.
// Requests to the service itself do not count.
func WithBandwidth(bytesPerSecond int64) ClientOption {
	return clientOption(func(s *settings) error {
		if bytesPerSecond < 0 {
			return &ConfigError{"WithBandwidth", "must not be negative"}
		}
		s.bandwidth = bytesPerSecond
		return nil
	})
}

// WithStorageHosts restricts transfers to these hosts, each a name with or
// without a port, such as "files.example.test" or "127.0.0.1:9000".
func WithStorageHosts(hosts ...string) ClientOption {
	return clientOption(func(s *settings) error {
		if len(hosts) == 0 || slices.Contains(hosts, "") {
			return &ConfigError{"WithStorageHosts", "requires at least one host, and no host may be empty"}
		}
		s.storageHosts = slices.Clone(hosts)
		return nil
	})
}

// WithInsecureHTTP allows base, token and storage addresses with the scheme
// http on hosts other than the local machine. Secrets then travel unencrypted.
func WithInsecureHTTP() ClientOption {
	return clientOption(func(s *settings) error {
		s.insecureHTTP = true
		return nil
	})
}

// WithMaxBody limits the size of one response in bytes, after decompression;
// the default is DefaultMaxBody. It does not limit the content of files.
func WithMaxBody(bytes int64) ClientOption {
	return clientOption(func(s *settings) error {
		if bytes < 1 {
			return &ConfigError{"WithMaxBody", "must be at least 1 byte"}
		}
		s.maxBody = bytes
		return nil
	})
}

// WithMaxRetryWait limits every wait between two attempts; the default is 30
// seconds. If the service asks for more in Retry-After, the call ends
// immediately, with Error.RetryAfter. After such a 429, and until that time or
// for an hour, all calls of the client fail immediately with ErrRateLimitWait.
func WithMaxRetryWait(limit time.Duration) ClientOption {
	return clientOption(func(s *settings) error {
		if limit <= 0 {
			return &ConfigError{"WithMaxRetryWait", "must be greater than 0"}
		}
		s.maxRetryWait = limit
		return nil
	})
}

// WithRequestIDSigner uses signer to create the RequestId of every call, so
// that a webhook receiver recognises the events that this integration caused;
// see webhook.IgnoreOwn. An id set with WithRequestID is sent unchanged; the
// receiver recognises it only if the signer created it. By default, ids are
// random.
func WithRequestIDSigner(signer RequestIDSigner) ClientOption {
	return clientOption(func(s *settings) error {
		if signer == nil {
			return &ConfigError{"WithRequestIDSigner", "must not be nil"}
		}
		s.signer = signer
		return nil
	})
}

// allowedStorage returns an error for an address that the settings of the
// client exclude.
func (s *settings) allowedStorage(u *url.URL) error {
	if !transport.AllowedScheme(u, s.insecureHTTP) {
		return fmt.Errorf("%w: its scheme is not https", transfer.ErrStorageAddress)
	}
	if len(s.storageHosts) > 0 && !slices.ContainsFunc(s.storageHosts, func(host string) bool {
		return strings.EqualFold(host, u.Host) || strings.EqualFold(host, u.Hostname())
	}) {
		return fmt.Errorf("%w: its host is not listed in WithStorageHosts", transfer.ErrStorageAddress)
	}
	return nil
}
