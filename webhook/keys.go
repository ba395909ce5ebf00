package webhook

import (
	"fmt"

	"github.com/practicesdk/practice-go/models"
)

// KeySet is what a receiver knows of the keys of its subscription: some keys, or that there is none. Make one with
// [Keys] or [NoKey]; the zero value is refused. Specification, Signature verification.
type KeySet struct {
	keys []models.Secret
	none bool
}

// Keys gives the keys that a signature may be made with. While a key is being replaced name the new and the old one;
// the order only matters for [Verified.KeyIndex]. A set without keys, or with an empty key, is refused where it is
// used: anybody can sign with an empty key. Specification, Signature verification.
func Keys[K string | models.Secret](keys ...K) KeySet {
	set := KeySet{keys: make([]models.Secret, len(keys))}
	for i, key := range keys {
		set.keys[i] = secretOf(key)
	}
	return set
}

// NoKey says that the subscription has no key. Its deliveries are not signed, so that anybody who can reach the
// receiver can feign one: treat every event as a hint, and read the record before acting on it. Whether a delivery
// has a signature is then not looked at. Specification, Webhook subscription.
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
