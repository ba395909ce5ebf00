package practicetest

import (
	"io/fs"
	"net/http"
	"time"
)

// config holds the settings of the options.
type config struct {
	listen            string // of a service on TCP: host and port
	publicURL         string // of a service on TCP: where others reach it; empty: where it listens
	control           bool
	page              fs.FS     // handler beside the control interface; may be nil
	start             time.Time // zero: follow time.Now
	seed              uint64
	events            int
	matters           int
	promotions        int
	strict            bool
	unpublished       Unpublished
	writeDelay        time.Duration
	chosenDelay       bool // the caller has chosen how long writes take
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
	eventTypes        []string // further ones
	barePromotions    bool
	vendorMember      string
	earlyNotFound     bool
	consistency       Consistency
	rendering         *Rendering // nil: as the seed has it
	randomSecrets     bool
	onViolation       func(text string)
	requestLog        int
	onRequest         func(RecordedRequest) // may be nil
	webhookClient     *http.Client
	sign              Presigner // nil: content lies in the embedded store
	stateFile         string    // empty: nothing is kept
	chaos             chaos
}

// configured returns the settings of options, and the defaults of the others.
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
// A number or a time that is out of its range fails the test of [New], and is
// an [OptionError] of [Start].
type Option func(*config)

// WithClock sets a virtual clock, which starts at start and moves by
// [Clock.Advance] and [Clock.Set] only. By default the clock follows
// [time.Now], so it obeys the time of a testing/synctest bubble.
func WithClock(start time.Time) Option {
	return func(c *config) { c.start = start }
}

// WithListenAddress sets the host and port that a service made by [Start]
// listens on. A port other than 0 is the first of three consecutive ports: the
// interface, the storage and the token endpoint. The default is 127.0.0.1:0,
// which takes free ports on loopback. The service and its credentials are for
// tests: keep them out of reach of other machines.
func WithListenAddress(addr string) Option {
	return func(c *config) { c.listen = addr }
}

// WithPublicURL sets the address by which clients reach a service made by
// [Start], when it differs from the address that the service listens at: in a
// container, for example. It is scheme, host and port, such as
// http://sandbox:8001; storage and token endpoint are at the next two ports, as
// with [WithListenAddress]. All addresses that the service writes begin with
// it.
func WithPublicURL(address string) Option {
	return func(c *config) { c.publicURL = address }
}

// WithControl serves the control interface at [Server.ControlURL]: what the
// methods of a [Server] do, for programs in other languages. It is off by
// default.
func WithControl() Option {
	return func(c *config) { c.control = true }
}

// WithSeed chooses the firm that the service makes up. Equal seeds give equal
// identifiers, names and amounts; together with [WithClock] every date is equal
// too. The default is 1. Secrets and tokens follow from a seed that is given
// here, unless [WithRandomSecrets] stands behind it; two services without one
// have different secrets, so that what is meant for one is caught by the other.
func WithSeed(seed uint64) Option {
	return func(c *config) { c.seed, c.randomSecrets = seed, false }
}

// WithRandomSecrets makes up the client secret, the API key, tokens and the
// signatures of addresses anew for each service, where [WithSeed] would give
// services of one seed the same. The firm and its identifiers still follow from
// the seed. It is the default without a seed.
func WithRandomSecrets() Option {
	return func(c *config) { c.randomSecrets = true }
}

// WithEvents sets the number of calendar events of the firm, from 0 to
// 1,000,000. A third of them start before the clock's now, the others after it.
// The default is 300.
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

// WithStrict reports whether the service records a request that the interface
// does not allow as a violation (see [Server.Violations]). A server made by
// [New] is strict and also fails its test; one made by [Start] is not strict.
func WithStrict(on bool) Option {
	return func(c *config) { c.strict = on }
}

// WithViolationHandler calls f with each violation when it is found, and lets a
// server made by [New] pass its test in spite of it. Calls do not overlap; f
// must not use the server.
func WithViolationHandler(f func(violation string)) Option {
	return func(c *config) { c.onViolation = f }
}

// WithWriteDelay sets the time between the acceptance of an asynchronous write
// (status 202) and its effect. [Server.Settle] ends the wait. The default is
// 100 ms; 0 gives writes their effect at once. On the clock of [WithClock] a
// time that is given here passes by that clock alone; without it the third
// equal read since the latest write gives writes their effect, so that code
// which waits for its own write does not wait in vain.
func WithWriteDelay(d time.Duration) Option {
	return func(c *config) { c.writeDelay, c.chosenDelay = d, true }
}

// WithLatency delays every answer of the interface by d, measured with package
// time, also when the clock is virtual.
func WithLatency(d time.Duration) Option {
	return func(c *config) { c.latency = d }
}

// WithTokenLifetime sets how long an access token lives. The token endpoint
// states it in whole seconds. The default is one hour.
func WithTokenLifetime(d time.Duration) Option {
	return func(c *config) { c.tokenLifetime = d }
}

// WithRefreshLifetime sets how long a refresh token lives. When it ends, the
// webhook subscriptions of its grant end too. The default is 30 days.
func WithRefreshLifetime(d time.Duration) Option {
	return func(c *config) { c.refreshLifetime = d }
}

// WithOneTimeRefresh makes every refresh token good for one use; the answer
// holds its successor. By default a refresh token stays valid and the answer
// holds none.
func WithOneTimeRefresh(on bool) Option {
	return func(c *config) { c.oneTimeRefresh = on }
}

// WithRateLimit lets a client make perSecond requests a second with bursts of
// at most burst, whatever their tokens and operations, and answers 429 beyond
// that. Time is measured with the server's [Clock]: that of [WithClock] lets
// nobody pass before it moves. There is no limit by default. The real service
// documents 5 requests a second with bursts of 5; one page of it says per
// client and endpoint, another one per partner, and the stricter one is
// imitated.
func WithRateLimit(perSecond float64, burst int) Option {
	return func(c *config) { c.ratePerSecond, c.rateBurst = perSecond, burst }
}

// WithRetryAfter adds a Retry-After header, in whole seconds of at least one,
// to the answers of [WithRateLimit]. It is not documented that the real service
// sends one.
func WithRetryAfter(d time.Duration) Option {
	return func(c *config) { c.retryAfter = d }
}

// WithPresignedLifetime sets how long upload and download addresses are valid.
// The default is 15 minutes.
func WithPresignedLifetime(d time.Duration) Option {
	return func(c *config) { c.presignedLifetime = d }
}

// WithPublicClient makes the client a public one, which has no secret: it names
// itself by client_id alone, gets a code only with a PKCE challenge, and has no
// client credentials grant.
func WithPublicClient(on bool) Option {
	return func(c *config) { c.publicClient = on }
}

// WithEventTypes adds types of events that can be subscribed to. The set of the
// real service is open: its release notes name types that its list does not.
func WithEventTypes(types ...string) Option {
	return func(c *config) { c.eventTypes = append(c.eventTypes, types...) }
}

// WithMultiAccount lets the client use both firms. Every request with a token
// of the client credentials grant then needs the account as its first path
// segment. Without this option no path names an account, but for the webhook
// subscriptions of the system account.
func WithMultiAccount(on bool) Option {
	return func(c *config) { c.multiAccount = on }
}

// WithBarePromotions answers the list of promotions as a bare array instead of
// a page. Both forms occur.
func WithBarePromotions(on bool) Option {
	return func(c *config) { c.barePromotions = on }
}

// WithEarlyNotFound answers 404 to a PATCH of a fee that does not exist, as the
// service documents it. By default it is accepted and an error event follows,
// as the service has done since 2026.
func WithEarlyNotFound(on bool) Option {
	return func(c *config) { c.earlyNotFound = on }
}

// WithVendorMember sets the name on the wire of the member that the description
// calls vendorId. The real service writes it with the vendor's prefix. Other
// members that carry the prefix, such as isVendorForm, follow: acmeId gives
// isAcmeForm.
func WithVendorMember(name string) Option {
	return func(c *config) { c.vendorMember = name }
}

// WithRequestLog sets how many requests [Server.Requests] remembers, the most
// recent ones. The default is 65,536; 0 remembers none. It remembers fewer when
// their bodies exceed 32 MiB.
func WithRequestLog(n int) Option {
	return func(c *config) { c.requestLog = n }
}

// WithRequestHandler calls f with each request when it was answered, as
// [Server.Requests] has it: for a log of one's own. Calls do not overlap; f
// must not use the server.
func WithRequestHandler(f func(RecordedRequest)) Option {
	return func(c *config) { c.onRequest = f }
}

// WithWebhookClient sets the HTTP client that delivers notifications. By
// default it reaches the handlers of [Server.Mount] and this machine, and no
// other: whoever may subscribe decides where the service sends.
func WithWebhookClient(client *http.Client) Option {
	return func(c *config) { c.webhookClient = client }
}

// WithWebhookChaos makes deliveries unreliable: duplicates is the share of
// notifications that are sent twice, disorder the share that later ones
// overtake, both from 0 to 1.
func WithWebhookChaos(duplicates, disorder float64) Option {
	return func(c *config) { c.chaos.duplicates, c.chaos.disorder = duplicates, disorder }
}

// WithWebhookRedeliveries repeats a notification at most n times, after 1, 2, 4
// … seconds, until a receiver answers it with a 2xx status. The default is 0,
// because the retry policy of the real service is not documented.
func WithWebhookRedeliveries(n int) Option {
	return func(c *config) { c.chaos.redeliveries = n }
}
