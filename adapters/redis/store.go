package redis

import (
	"errors"
	"fmt"
	"math"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/practicesdk/practice-go/webhook"
)

// Store is a [webhook.Deduplicator], a [webhook.Sequencer] and a
// [webhook.TrackerStore] for several processes. Only the clock of Redis ends
// leases and retention. When Redis is down, its methods fail; the package
// documentation lists what a [webhook.Receiver] does then.
type Store struct {
	client    goredis.UniversalClient
	prefix    string
	retention time.Duration
}

// NewStore returns the stores on a server. A nil client and an invalid option
// are a [webhook.ConfigError].
func NewStore(client goredis.UniversalClient, options ...StoreOption) (*Store, error) {
	if err := must(client != nil, "client", notNil); err != nil {
		return nil, err
	}
	s := &Store{client: client, prefix: DefaultPrefix, retention: webhook.DefaultRetention}
	for _, option := range options {
		if err := option.applyStore(s); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Beginnings of the names of keys, by their content.
const (
	ofEvent    = "event:"
	ofResource = "order:"
	ofWrite    = "write:"
)

// keys names the one key that a script works on.
func (s *Store) keys(kind, key string) []string { return []string{s.prefix + kind + key} }

func (s *Store) milliseconds() int64 { return milliseconds(s.retention) }

// milliseconds rounds up, within its range: Redis refuses an expiry of 0.
func milliseconds(d time.Duration) int64 {
	whole := d.Milliseconds()
	if d > time.Duration(whole)*time.Millisecond && whole < math.MaxInt64/int64(time.Millisecond) {
		whole++
	}
	return max(1, whole)
}

var errUnreadable = errors.New("redis: a value is not one of this package")

// wrap returns nil without an error.
func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("redis: %s: %w", what, err)
}
