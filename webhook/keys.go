package webhook

import (
	"github.com/practicesdk/practice-go/models"
)

// KeySet holds the keys of a subscription, or states that there is none. Make
// one with [Keys], [KeysFrom] or [NoKey]; the zero value is invalid.
type KeySet struct {
	keys   []Key
	none   bool
	source KeySource
}

// Keys returns the set of these keys. While a key is being replaced give both,
// the new and the old one; the order matters only for [Verified.KeyIndex]. An
// empty set or an empty key is a [ConfigError] of the constructor that uses it:
// anyone can sign with an empty key.
func Keys[K string | models.Secret](keys ...K) KeySet {
	var set KeySet
	for _, key := range keys {
		set.keys = append(set.keys, Key{Secret: secretOf(key)})
	}
	return set
}

// NoKey states that the subscription has no key. Its deliveries are not signed,
// and anyone who can reach the receiver can forge one: treat its events as
// hints, and read the record before acting on it. The receiver ignores a
// signature that comes nevertheless.
func NoKey() KeySet { return KeySet{none: true} }

func secretOf[K string | models.Secret](key K) models.Secret {
	if secret, ok := any(key).(models.Secret); ok {
		return secret
	}
	text, _ := any(key).(string)
	return models.NewSecret(text)
}

// macsOf returns the MACs of the keys before the first empty key.
func macsOf(keys []Key) (macs []mac) {
	for _, key := range keys {
		if key.Secret.IsZero() {
			break
		}
		macs = append(macs, newMAC(key.Secret))
	}
	return macs
}
