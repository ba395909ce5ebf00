package practicetest

import (
	"net/http"
	"time"
)

// config is what the options set.
type config struct {
	listen            string    // of a service on TCP: host and port
	start             time.Time // zero: follow time.Now
	seed              uint64
	events            int
	matters           int
	promotions        int
	strict            bool
	writeDelay        time.Duration
	latency           time.Duration
	tokenLifetime     time.Duration
	refreshLifetime   time.Duration
	oneTimeRefresh    bool
	ratePerSecond     float64
	rateBurst         int
	retryAfter        time.Duration
	presignedLifetime time.Duration
	multiAccount      bool
	barePromotions    bool
	vendorMember      string
	requestLog        int
	webhookClient     *http.Client
	sign              Presigner // nil: content lies in the embedded store
	chaos             chaos
}

func defaults() config {
	return config{
		listen:            "127.0.0.1:0",
		seed:              1,
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
}

// Option changes how the service behaves; see the With functions.
type Option func(*config)

// WithClock makes the service live by a virtual clock that starts at start and
// moves by [Clock.Advance] and [Clock.Set] only. By default the clock follows
// [time.Now], so inside a testing/synctest bubble it obeys the time of the bubble.
func WithClock(start time.Time) Option {
	return func(c *config) { c.start = start }
}

// WithListenAddress sets the host and port that a service made by [Start] listens
// on. A port other than 0 is the first of three that follow each other: those of
// the interface, the storage and the token endpoint. The default is 127.0.0.1:0,
// free ports on loopback. The service and its credentials are for tests: other
// machines should not reach it.
func WithListenAddress(addr string) Option {
	return func(c *config) { c.listen = addr }
}

// WithSeed chooses the firm that is made up. Equal seeds give equal identifiers,
// names and amounts; with [WithClock] every date is equal too. The default is 1.
func WithSeed(seed uint64) Option {
	return func(c *config) { c.seed = seed }
}

// WithEvents sets the number of calendar events of the firm. A third of them
// starts before the clock's now, the rest after it. The default is 300.
func WithEvents(n int) Option {
	return func(c *config) { c.events = max(n, 0) }
}

// WithMatters sets the number of matters of the firm, at least one. The default is 8.
func WithMatters(n int) Option {
	return func(c *config) { c.matters = max(n, 1) }
}

// WithPromotions sets the number of promotions, at least one. The default is 12.
func WithPromotions(n int) Option {
	return func(c *config) { c.promotions = max(n, 1) }
}

// WithStrict says whether a request that the interface does not allow is a
// violation (see [Server.Violations]). A server made by [New] is strict and fails
// its test then; one made by [Start] is not strict.
func WithStrict(on bool) Option {
	return func(c *config) { c.strict = on }
}

// WithWriteDelay sets the time between the acceptance of an asynchronous write
// (status 202) and its effect. The default is 100 ms; zero makes writes take
// effect at once. [Server.Settle] ends the wait.
// Specification, General conventions 5.
func WithWriteDelay(d time.Duration) Option {
	return func(c *config) { c.writeDelay = max(d, 0) }
}

// WithLatency delays every answer of the API by d. The wait is measured with
// package time, also when the clock is virtual.
func WithLatency(d time.Duration) Option {
	return func(c *config) { c.latency = max(d, 0) }
}

// WithTokenLifetime sets how long an access token lives. The default is one hour.
// The token endpoint states it in whole seconds.
func WithTokenLifetime(d time.Duration) Option {
	return func(c *config) { c.tokenLifetime = d }
}

// WithRefreshLifetime sets how long a refresh token lives. The default is 30 days.
// With its end the webhook subscriptions of its grant vanish.
// Specification, States and transitions.
func WithRefreshLifetime(d time.Duration) Option {
	return func(c *config) { c.refreshLifetime = d }
}

// WithOneTimeRefresh makes every refresh token good for one use: the answer holds
// its successor. By default a refresh token is kept and the answer holds none.
func WithOneTimeRefresh(on bool) Option {
	return func(c *config) { c.oneTimeRefresh = on }
}

// WithRateLimit lets a client make perSecond requests a second with bursts of at
// most burst, counted with the clock, and answers 429 beyond. There is no limit by
// default; the real service is documented with 5 and 5.
func WithRateLimit(perSecond float64, burst int) Option {
	return func(c *config) { c.ratePerSecond, c.rateBurst = perSecond, burst }
}

// WithRetryAfter adds a Retry-After header, in whole seconds of at least one, to
// the answers of [WithRateLimit]. The real service is not known to send it.
func WithRetryAfter(d time.Duration) Option {
	return func(c *config) { c.retryAfter = d }
}

// WithPresignedLifetime sets how long upload and download addresses are valid.
// The default is 15 minutes.
func WithPresignedLifetime(d time.Duration) Option {
	return func(c *config) { c.presignedLifetime = d }
}

// WithMultiAccount makes the client one that may use both firms: a token of the
// client credentials grant then needs the account as the first path segment of
// every request. Without it such a prefix is accepted for the own firm.
func WithMultiAccount(on bool) Option {
	return func(c *config) { c.multiAccount = on }
}

// WithBarePromotions answers the promotions as a bare array, as the specification
// has it, instead of a paged collection. Specification, Subscriptions.
func WithBarePromotions(on bool) Option {
	return func(c *config) { c.barePromotions = on }
}

// WithVendorMember sets the literal name of the member that the specification
// calls vendorId, which carries the vendor's prefix on the wire.
// Specification, Subscription, tier, price, promotion, payment method.
func WithVendorMember(name string) Option {
	return func(c *config) { c.vendorMember = name }
}

// WithRequestLog sets how many requests [Server.Requests] remembers, the most
// recent ones. The default is 65,536; zero remembers none.
func WithRequestLog(n int) Option {
	return func(c *config) { c.requestLog = max(n, 0) }
}

// WithWebhookClient sets the client that brings notifications to their callback
// addresses. By default it reaches what [Server.Mount] serves, and loopback.
func WithWebhookClient(client *http.Client) Option {
	return func(c *config) { c.webhookClient = client }
}

// WithWebhookChaos makes deliveries as unreliable as the interface allows:
// duplicates and disorder are the shares, from 0 to 1, of notifications that are
// sent twice and that are sent out of order. Specification, Delivery rules 2 and 3.
func WithWebhookChaos(duplicates, disorder float64) Option {
	return func(c *config) { c.chaos.duplicates, c.chaos.disorder = duplicates, disorder }
}

// WithWebhookRedeliveries sends a notification that was not answered with a 2xx
// status again, at most n times, after 1, 2, 4 … seconds. The default is zero: the
// retry policy of the real service is not known.
func WithWebhookRedeliveries(n int) Option {
	return func(c *config) { c.chaos.redeliveries = max(n, 0) }
}
