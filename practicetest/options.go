package practicetest

import (
	"io/fs"
	"net/http"
	"time"
)

// config holds the settings made by options.
type config struct {
	listen            string // host and port of a service on TCP
	publicURL         string // URL under which clients reach a service on TCP; empty means the listen address
	control           bool
	page              fs.FS     // files of the web page; nil: no page
	start             time.Time // start of a virtual clock; zero means to follow time.Now
	seed              uint64
	events            int
	matters           int
	promotions        int
	strict            bool
	unpublished       Unpublished
	writeDelay        time.Duration
	chosenDelay       bool // whether an option has set the delay of writes
	latency           time.Duration
	tokenLifetime     time.Duration
	refreshLifetime   time.Duration
	oneTimeRefresh    bool
	ratePerSecond     float64
	rateBurst         int
	retryAfter        time.Duration
	presignedLifetime time.Duration
	multiAccount      bool
	publicClient      bool
	eventTypes        []string // additional event types
	barePromotions    bool
	vendorMember      string
	earlyNotFound     bool
	consistency       Consistency
	rendering         *Rendering // nil means that the seed decides
	randomSecrets     bool
	onViolation       func(text string)
	requestLog        int
	onRequest         func(RecordedRequest) // called for each request; nil: not called
	webhookClient     *http.Client
	sign              Presigner // nil means that content is kept in the embedded store
	stateFile         string    // empty means that no state is saved
	chaos             chaos
}

// configured applies the options to the default settings.
func configured(opts []Option) config {
	c := config{
		listen:            "127.0.0.1:0",
		seed:              1,
		randomSecrets:     true,
		events:            300,
		matters:           8,
		promotions:        12,
		writeDelay:        100 * time.Millisecond,
		tokenLifetime:     time.Hour,
		refreshLifetime:   30 * 24 * time.Hour,
		presignedLifetime: 15 * time.Minute,
		vendorMember:      "vendorId",
		requestLog:        65536,
	}
	for _, o := range opts {
		o(&c)
	}
	return c
}

// Option configures a [Server]; see the functions whose names begin with With.
// An option that is out of range fails the test of [New], and makes [Start]
// return an [OptionError].
type Option func(*config)

// WithVirtualClock sets a virtual clock that shows start until [Clock.Advance] or
// [Clock.Set] moves it. By default the clock follows [time.Now], including the
// fake time of a testing/synctest bubble.
func WithVirtualClock(start time.Time) Option {
	return func(c *config) { c.start = start }
}

// WithListenAddress sets the host and port on which a service made by [Start]
// listens. A port other than 0 is the first of three consecutive ports, for the
// API, the object store and the token endpoint. The default is 127.0.0.1:0,
// which selects free ports on loopback. The service and its credentials are
// meant for tests: do not expose them to other machines.
func WithListenAddress(addr string) Option {
	return func(c *config) { c.listen = addr }
}

// WithPublicURL sets the URL at which clients reach a service made by [Start],
// if it differs from the listen address, for example in a container. It
// consists of a scheme, a host and a port, such as http://sandbox:8001. The
// object store and the token endpoint use the next two ports, as with
// [WithListenAddress]. All URLs that the service writes begin with it.
func WithPublicURL(address string) Option {
	return func(c *config) { c.publicURL = address }
}

// WithControl serves the control API at [Server.ControlURL], which makes the
// methods of [Server] available to programs in other languages. It is off by
// default.
func WithControl() Option {
	return func(c *config) { c.control = true }
}

// WithSeed sets the seed from which the firm is generated, and by default the
// form of its records, see [WithRendering]. Equal seeds produce equal ids,
// names and amounts; together with [WithVirtualClock], dates are equal too.
// Without a virtual clock, dates are counted from the start of the minute in
// which the service starts. The default is 1. If this option is set, secrets
// and tokens are also generated from the seed, unless a later
// [WithRandomSecrets] overrides that. Otherwise they are random, and one
// service rejects the credentials of another.
func WithSeed(seed uint64) Option {
	return func(c *config) { c.seed, c.randomSecrets = seed, false }
}

// WithRandomSecrets generates a random client secret, API key, tokens and
// signing key for each service, even if [WithSeed] is set. The firm and its ids
// still depend only on the seed. This is the default without [WithSeed].
func WithRandomSecrets() Option {
	return func(c *config) { c.randomSecrets = true }
}

// WithEvents sets the number of calendar events of the firm, from 0 to
// 1,000,000. One third of them start before the current time of the clock, the
// others after it. The default is 300.
func WithEvents(n int) Option {
	return func(c *config) { c.events = n }
}

// WithMatters sets the number of matters of the firm, from 1 to 1,000,000. The
// default is 8.
func WithMatters(n int) Option {
	return func(c *config) { c.matters = n }
}

// WithPromotions sets the number of promotions, from 1 to 1,000,000. The
// default is 12.
func WithPromotions(n int) Option {
	return func(c *config) { c.promotions = n }
}

// WithStrict sets whether requests that the API does not allow are recorded as
// violations (see [Server.Violations]). A server made by [New] is strict by
// default and also fails its test; one made by [Start] is not strict by
// default.
func WithStrict(on bool) Option {
	return func(c *config) { c.strict = on }
}

// WithViolationHandler calls f with each new violation. A server made by [New]
// then does not fail its test for violations. Calls do not overlap. f must not
// use the server.
func WithViolationHandler(f func(violation string)) Option {
	return func(c *config) { c.onViolation = f }
}

// WithWriteDelay sets the time between the acceptance of an asynchronous write
// (status 202) and its effect. [Server.Settle] applies pending writes at once.
// The default is 100 ms; 0 applies writes immediately. The clock of [WithVirtualClock]
// must move for the delay to pass. There is an exception if neither this option
// nor a [Consistency] is set: the third equal read after the latest write then
// applies pending writes, so that code that polls for its own write does not
// wait forever.
func WithWriteDelay(d time.Duration) Option {
	return func(c *config) { c.writeDelay, c.chosenDelay = d, true }
}

// WithLatency delays every response of the API by d. It uses package time, even
// if the clock is virtual.
func WithLatency(d time.Duration) Option {
	return func(c *config) { c.latency = d }
}

// WithTokenLifetime sets the lifetime of access tokens. The token endpoint
// reports it in whole seconds. The default is one hour.
func WithTokenLifetime(d time.Duration) Option {
	return func(c *config) { c.tokenLifetime = d }
}

// WithRefreshLifetime sets the lifetime of refresh tokens. When one expires,
// the webhook subscriptions of its grant are removed. The default is 30 days.
func WithRefreshLifetime(d time.Duration) Option {
	return func(c *config) { c.refreshLifetime = d }
}

// WithOneTimeRefresh makes every refresh token usable only once; the response
// contains a new one. By default a refresh token stays valid and the response
// contains none.
func WithOneTimeRefresh(on bool) Option {
	return func(c *config) { c.oneTimeRefresh = on }
}

// WithRateLimit allows a client perSecond requests per second with bursts of up
// to burst, counted across its tokens and operations, and responds with 429 to
// further ones. Time is measured with the server's [Clock]: a virtual one must
// move before further requests are allowed. There is no limit by default. The
// real service documents 5 requests per second with bursts of 5. One page of
// its documentation says per client and endpoint, another per partner; the
// stricter one is implemented.
func WithRateLimit(perSecond float64, burst int) Option {
	return func(c *config) { c.ratePerSecond, c.rateBurst = perSecond, burst }
}

// WithRetryAfter adds a Retry-After header to the responses of [WithRateLimit],
// rounded up to whole seconds, at least one. It is not documented whether the
// real service sends the header.
func WithRetryAfter(d time.Duration) Option {
	return func(c *config) { c.retryAfter = d }
}

// WithPresignedLifetime sets the lifetime of upload and download URLs. The
// default is 15 minutes.
func WithPresignedLifetime(d time.Duration) Option {
	return func(c *config) { c.presignedLifetime = d }
}

// WithPublicClient makes the client a public OAuth client without a secret. It
// is identified by client_id alone, needs PKCE to get an authorization code,
// and cannot use the client credentials grant.
func WithPublicClient(on bool) Option {
	return func(c *config) { c.publicClient = on }
}

// WithEventTypes adds event types that can be subscribed to. The set of the
// real service is open: its release notes mention types that its documented
// list lacks.
func WithEventTypes(types ...string) Option {
	return func(c *config) { c.eventTypes = append(c.eventTypes, types...) }
}

// WithMultiAccount allows the client to use both firms. Every request with a
// token from the client credentials grant then needs the account as its first
// path segment. Without this option, only requests for the webhook
// subscriptions of the system account have an account in the path.
func WithMultiAccount(on bool) Option {
	return func(c *config) { c.multiAccount = on }
}

// WithBarePromotions returns the list of promotions as a bare array instead of
// a page. The real service uses both forms.
func WithBarePromotions(on bool) Option {
	return func(c *config) { c.barePromotions = on }
}

// WithEarlyNotFound responds with 404 to a PATCH of a fee that does not exist,
// as documented. By default such a write is accepted and causes an error event,
// as the real service has done since 2026.
func WithEarlyNotFound(on bool) Option {
	return func(c *config) { c.earlyNotFound = on }
}

// WithVendorMember sets the JSON name of the member that the API description
// calls vendorId. The real service uses the vendor's name in it. Other members
// with the vendor's name, such as isVendorForm, change accordingly: with
// acmeId, it becomes isAcmeForm.
func WithVendorMember(name string) Option {
	return func(c *config) { c.vendorMember = name }
}

// WithRequestLog sets the number of latest requests that [Server.Requests]
// returns. The default is 65,536; 0 disables the log. The log is shorter if the
// bodies exceed 32 MiB.
func WithRequestLog(n int) Option {
	return func(c *config) { c.requestLog = n }
}

// WithRequestHandler calls f with each request after the response, in the form
// that [Server.Requests] returns, for example to write a log. Calls do not
// overlap. f must not use the server.
func WithRequestHandler(f func(RecordedRequest)) Option {
	return func(c *config) { c.onRequest = f }
}

// WithWebhookClient sets the HTTP client that delivers webhooks. The default
// client reaches only this machine and the handlers of [Server.Mount], because
// subscribers choose the URLs to which the service sends.
func WithWebhookClient(client *http.Client) Option {
	return func(c *config) { c.webhookClient = client }
}

// WithWebhookChaos makes webhook deliveries unreliable. duplicates is the share
// of deliveries that are sent twice; disorder is the share that later
// deliveries overtake. Both range from 0 to 1.
func WithWebhookChaos(duplicates, disorder float64) Option {
	return func(c *config) { c.chaos.duplicates, c.chaos.disorder = duplicates, disorder }
}

// WithWebhookRedeliveries retries a failed delivery up to n times, after 1, 2,
// 4 … seconds, until the receiver responds with a 2xx status. The default is 0,
// because the retry policy of the real service is not documented.
func WithWebhookRedeliveries(n int) Option {
	return func(c *config) { c.chaos.redeliveries = n }
}
