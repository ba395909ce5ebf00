package webhook

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/practicesdk/practice-go/models"
)

// Key is a subscription key with the accounts for which it is valid.
type Key struct {
	// Secret is the signing key. Required.
	Secret models.Secret
	// Accounts lists the ids of the accounts whose events the key may sign. If
	// it is empty, the key may sign events of any account, and its holder can
	// put any account id into a body. Keys with the same Secret may sign events
	// of the accounts of all of them.
	Accounts []string
}

// KeySource returns the keys that are in force, in any order; all of them are
// tried. It is called for every delivery, by many goroutines at once, and
// should return keys from memory. The receiver responds with 503 if it fails or
// does not return within the time of [WithStoreTimeout].
type KeySource func(ctx context.Context) ([]Key, error)

// KeysFrom returns a set whose keys source returns for each delivery, so that
// keys can be added, rotated and withdrawn while the receiver runs. A nil
// source is a [ConfigError] of the constructor that uses the set.
func KeysFrom(source KeySource) KeySet { return KeySet{source: source} }

var errEmptyKey = errors.New("the source returned an empty key, which would let anyone forge a signature")

// keyring holds the MACs of the keys until the source returns other keys.
type keyring struct {
	source KeySource // nil for a fixed set of keys without accounts

	mu   sync.Mutex
	keys []Key
	macs []mac
}

func (k *keyring) current(ctx context.Context) ([]Key, []mac, error) {
	if k.source == nil {
		return nil, k.macs, nil
	}
	keys, err := k.source(ctx)
	if err != nil {
		return nil, nil, storeError("key source", err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if slices.EqualFunc(keys, k.keys, func(a, b Key) bool { return a.Secret.Equal(b.Secret) }) {
		return keys, k.macs, nil
	}
	macs := macsOf(keys)
	if len(macs) < len(keys) {
		return nil, nil, storeError("key source", errEmptyKey)
	}
	k.keys, k.macs = slices.Clone(keys), macs
	return keys, macs, nil
}

// joined returns a key with the accounts of all keys that have its secret.
func joined(keys []Key, place int) *Key {
	all := keys[place]
	for i, other := range keys {
		switch {
		case i == place || !other.Secret.Equal(all.Secret):
		case len(all.Accounts) == 0 || len(other.Accounts) == 0: // of any account
			return &Key{Secret: all.Secret}
		default:
			all.Accounts = append(slices.Clip(all.Accounts), other.Accounts...)
		}
	}
	return &all
}

// VouchesFor reports whether the key of the signature may sign the events of an
// account. It is true when nothing was verified, when the key has no accounts,
// and for an event that names no account. The case of the id does not matter.
func (v Verified) VouchesFor(accountID string) bool {
	return v.key == nil || len(v.key.Accounts) == 0 || accountID == "" ||
		slices.ContainsFunc(v.key.Accounts, func(account string) bool { return strings.EqualFold(account, accountID) })
}
