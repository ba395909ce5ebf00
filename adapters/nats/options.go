package nats

import (
	"fmt"
	"log/slog"
	"net/url"
	"regexp"
	"strings"
	"time"

	natsgo "github.com/nats-io/nats.go"

	"github.com/practicesdk/practice-go/webhook"
)

// Defaults of an engine.
const (
	DefaultName     = "practice"       // prefix of the names of streams and buckets
	DefaultCapacity = 1 << 20          // maximum number of messages in the queue, see WithCapacity
	DefaultLease    = 15 * time.Second // lease of a message, which its worker extends
)

// Option is a setting of [Open].
type Option func(*settings) error

type settings struct {
	servers     string // empty for a server inside the process
	connection  []natsgo.Option
	name        string
	replicas    int
	capacity    int
	deadLetters int
	lease       time.Duration
	retention   time.Duration
	logger      *slog.Logger
	limits      limits
}

// limits holds the time limits for responses of the server. Tests set longer
// ones.
type limits struct {
	start     time.Duration // start of a server inside the process, and each response while the engine is opened
	heartbeat time.Duration // heartbeat of a request for messages; the request ends after two missed ones
	look      time.Duration // other responses for which Take waits
	respond   time.Duration // response about a leased message
}

func settingsOf(options []Option) (settings, error) {
	s := settings{
		name: DefaultName, replicas: 1, capacity: DefaultCapacity, deadLetters: DefaultCapacity,
		lease: DefaultLease, retention: webhook.DefaultRetention, logger: slog.New(slog.DiscardHandler),
		limits: limits{start: 10 * time.Second, heartbeat: time.Second / 2, look: 2 * tryLimit, respond: 5 * time.Second},
	}
	for _, option := range options {
		if err := option(&s); err != nil {
			return s, err
		}
	}
	return s, nil
}

// checked returns an option that calls set, or that returns an error for a bad
// value.
func checked(name string, bad bool, rule string, set func(*settings)) Option {
	return func(s *settings) error {
		if bad {
			return refuse(name, rule)
		}
		set(s)
		return nil
	}
}

func refuse(name, reason string) error { return &webhook.ConfigError{Name: name, Reason: reason} }

// WithServers connects to a NATS server or cluster with JetStream instead of
// starting a server inside the process. Addresses are separated by commas, such
// as "nats://a.example.test:4222,nats://b.example.test:4222"; the scheme tls
// requires encryption. The options of nats.go set credentials, certificates and
// event handlers. The configuration of the server determines how durably
// acknowledged deliveries are stored: set "sync_interval: always" there, or use
// [WithReplicas].
func WithServers(addresses string, options ...natsgo.Option) Option {
	return func(s *settings) error {
		for address := range strings.SplitSeq(addresses, ",") {
			address = strings.TrimSpace(address)
			if !strings.Contains(address, "://") {
				address = "nats://" + address
			}
			if u, err := url.Parse(address); err != nil || u.Host == "" { // without the error of url.Parse, which would contain a password
				return refuse("WithServers", "must contain server URLs such as nats://nats.example.test:4222")
			}
		}
		s.servers, s.connection = addresses, options
		return nil
	}
}

var validName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// WithName sets the prefix of the names of streams, subjects and buckets, so
// that several integrations can share a server. It has at most 64 letters,
// digits, hyphens and underscores. The default is [DefaultName].
func WithName(name string) Option {
	return checked("WithName", !validName.MatchString(name), "must consist of 1 to 64 letters, digits, hyphens or underscores", func(s *settings) { s.name = name })
}

// WithReplicas sets the number of servers that store each message and entry: 1,
// the default, 3 or 5.
func WithReplicas(replicas int) Option {
	return checked("WithReplicas", replicas != 1 && replicas != 3 && replicas != 5, "must be 1, 3 or 5", func(s *settings) { s.replicas = replicas })
}

// WithCapacity sets the maximum number of messages with a record, and also of
// those without one. Put on a full queue returns [webhook.ErrQueueFull]. It
// must be greater than 0; the default is [DefaultCapacity]. The disk may be full
// earlier: a server inside the process uses at most three quarters of the space
// that was free when it started.
func WithCapacity(messages int) Option {
	return checked("WithCapacity", messages <= 0, "must be greater than 0", func(s *settings) { s.capacity = messages })
}

// WithDeadLetters sets the maximum number of dead letters; at the limit, a
// failed message is retried instead. It must be greater than 0; the default is
// [DefaultCapacity].
func WithDeadLetters(messages int) Option {
	return checked("WithDeadLetters", messages <= 0, "must be greater than 0", func(s *settings) { s.deadLetters = messages })
}

// WithLease sets the lease of a message, which its worker extends. A message
// whose worker died waits that long. It must be at least a second; the default
// is [DefaultLease].
func WithLease(lease time.Duration) Option {
	return checked("WithLease", lease < time.Second, "must be at least a second", func(s *settings) { s.lease = lease })
}

// WithRetention sets how long the stores keep an event after its handling and a
// write after its registration; it also limits claims. It must be at least a second; the default is
// [webhook.DefaultRetention]. It is not specified how late the service may
// repeat an event.
func WithRetention(retention time.Duration) Option {
	return checked("WithRetention", retention < time.Second, "must be at least a second", func(s *settings) { s.retention = retention })
}

// WithLogger logs messages of the connection and of the server inside the
// process: warnings and errors, and other messages of the server at debug
// level. Without it nothing is logged.
func WithLogger(logger *slog.Logger) Option {
	return checked("WithLogger", logger == nil, "must not be nil", func(s *settings) { s.logger = logger })
}

// wrap adds context to an error. It returns nil for nil.
func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("nats: %s: %w", what, err)
}
