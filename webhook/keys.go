package webhook

import (
	"github.com/practicesdk/practice-go/models"
)

// KeySet holds the keys of a subscription, or states that it has none. Create
// one with [Keys], [KeysFrom] or [NoKey]; the zero value is invalid.
type KeySet struct {
	keys   []Key
	none   bool
	source KeySource
}

// Keys returns a set of fixed keys. While a key is being replaced, pass both
// the new and the old one; the order matters only for [Verified.KeyIndex]. An
// empty set or an empty key is a [ConfigError] of the constructor that uses it,
// because anyone can sign with an empty key.
func Keys[K string | models.Secret](keys ...K) KeySet {
	var set KeySet
	for _, key := range keys {
		set.keys = append(set.keys, Key{Secret: secretOf(key)})
	}
	return set
}

// NoKey states that the subscription has no key. Its deliveries are not signed,
// and anyone who can reach the receiver can forge one. Treat its events as
// hints, and read the record before acting on one. The receiver ignores
// signatures.
func NoKey() KeySet { return KeySet{none: true} }

func secretOf[K string | models.Secret](key K) models.Secret {
	if secret, ok := any(key).(models.Secret); ok {
		return secret
	}
	text, _ := any(key).(string)
	return models.NewSecret(text)
}

// macsOf returns the MACs of the keys, up to the first empty key.
func macsOf(keys []Key) (macs []mac) {
	for _, key := range keys {
		if key.Secret.IsZero() {
			break
		}
		macs = append(macs, newMAC(key.Secret))
	}
	return macs
}
