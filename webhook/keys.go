package webhook

import (
	"fmt"

	"github.com/practicesdk/practice-go/models"
)

// KeySet holds the keys of a subscription, or states that there is none. Make
// one with [Keys], [KeysFrom] or [NoKey]; the zero value is invalid.
type KeySet struct {
	keys   []models.Secret
	none   bool
	source KeySource
}

// Keys returns the set of these keys. While a key is being replaced give both,
// the new and the old one; the order matters only for [Verified.KeyIndex]. An
// empty set or an empty key is a [ConfigError] of the constructor that uses it:
// anyone can sign with an empty key.
func Keys[K string | models.Secret](keys ...K) KeySet {
	set := KeySet{keys: make([]models.Secret, len(keys))}
	for i, key := range keys {
		set.keys[i] = secretOf(key)
	}
	return set
}

// NoKey states that the subscription has no key. Its deliveries are not signed,
// and anyone who can reach the receiver can forge one: treat every event as a
// hint, and read the record before acting on it. The receiver ignores a
// signature that comes nevertheless.
func NoKey() KeySet { return KeySet{none: true} }

func secretOf[K string | models.Secret](key K) models.Secret {
	if secret, ok := any(key).(models.Secret); ok {
		return secret
	}
	text, _ := any(key).(string)
	return models.NewSecret(text)
}

// macs makes the keys ready for use.
func (s KeySet) macs() ([]mac, error) {
	if len(s.keys) == 0 {
		return nil, &ConfigError{"Keys", "must hold at least one key"}
	}
	macs := make([]mac, len(s.keys))
	for i, key := range s.keys {
		if key.IsZero() {
			return nil, &ConfigError{"Keys", fmt.Sprintf("must not hold an empty key, as number %d is", i)}
		}
		macs[i] = newMAC(key)
	}
	return macs, nil
}
