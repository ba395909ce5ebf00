package redis

import (
	"errors"
	"fmt"
	"math"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/practicesdk/practice-go/webhook"
)

// Store is a [webhook.Deduplicator] and a [webhook.TrackerStore] for several
// processes. Leases and retention end by the clock of Redis. If Redis is down, the methods fail; the package documentation
// describes how a [webhook.Receiver] then behaves.
type Store struct {
	client    goredis.UniversalClient
	prefix    string
	retention time.Duration
}

// NewStore returns a store on a server. A nil client and an invalid option are
// a [webhook.ConfigError].
func NewStore(client goredis.UniversalClient, options ...Option) (*Store, error) {
	if err := must(client != nil, "client", notNil); err != nil {
		return nil, err
	}
	s := &Store{client: client, retention: webhook.DefaultRetention}
	chosen := settings{retention: &s.retention}
	if err := chosen.apply(options); err != nil {
		return nil, err
	}
	s.prefix = chosen.prefix
	return s, nil
}

// Prefixes of keys by their content.
const (
	ofEvent = "event:"
	ofWrite = "write:"
)

// keys returns the key that a script uses.
func (s *Store) keys(kind, key string) []string { return []string{s.prefix + kind + key} }

// lasts returns the retention, in the resolution of Redis.
func (s *Store) lasts() time.Duration {
	return time.Duration(milliseconds(s.retention)) * time.Millisecond
}

// milliseconds rounds a duration up to at least 1, because Redis refuses an
// expiry of 0, and limits it to the range of Redis.
func milliseconds(d time.Duration) int64 {
	whole := d.Milliseconds()
	if d > time.Duration(whole)*time.Millisecond && whole < math.MaxInt64/int64(time.Millisecond) {
		whole++
	}
	return max(1, whole)
}

var errUnreadable = errors.New("redis: a value was not written by this package")

// wrap adds context to an error. It returns nil for nil.
func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("redis: %s: %w", what, err)
}
