package webhook_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

func keyOf(secret string, accounts ...string) webhook.Key {
	return webhook.Key{Secret: models.NewSecret(secret), Accounts: accounts}
}

func TestKeysMayChangeWhileAReceiverRuns(t *testing.T) {
	t.Parallel()
	var now []webhook.Key
	receiver, err := webhook.NewReceiver(clientID, webhook.KeysFrom(func(context.Context) ([]webhook.Key, error) { return now, nil }),
		webhook.WithClock(clock))
	require.NoError(t, err)
	deliver := func(key string) int {
		return serve(receiver, signedWith(t, key, clock(), requestID, sample(t, "matter-updated"))).Code
	}
	assert.Equal(t, 401, deliver("old"), "there is no key yet")
	now = []webhook.Key{keyOf("old")}
	assert.Equal(t, 200, deliver("old"))
	now = []webhook.Key{keyOf("new"), keyOf("old")}
	assert.Equal(t, 200, deliver("old"))
	assert.Equal(t, 200, deliver("new"))
	now = []webhook.Key{keyOf("new")}
	assert.Equal(t, 401, deliver("old"), "it was withdrawn")
	assert.Equal(t, 200, deliver("new"))
	now = []webhook.Key{keyOf("newest")}
	assert.Equal(t, 401, deliver("new"), "it was withdrawn for another")
	assert.Equal(t, 200, deliver("newest"))
}

// A table of firms has a row for each, also for those that share a key.
func TestTheAccountsOfKeysWithOneSecretAllCount(t *testing.T) {
	t.Parallel()
	for account, test := range map[string]struct {
		keys   []webhook.Key
		status int
	}{
		"a": {[]webhook.Key{keyOf("one", "a"), keyOf("one", "b"), keyOf("two", "c")}, 200},
		"b": {[]webhook.Key{keyOf("one", "a"), keyOf("one", "b"), keyOf("two", "c")}, 200},
		"c": {[]webhook.Key{keyOf("one", "a"), keyOf("one", "b"), keyOf("two", "c")}, 401},
		"d": {[]webhook.Key{keyOf("one"), keyOf("one", "b")}, 200},
		"e": {[]webhook.Key{keyOf("one", "b"), keyOf("one")}, 200},
	} {
		receiver, err := webhook.NewReceiver(clientID, webhook.KeysFrom(func(context.Context) ([]webhook.Key, error) { return test.keys, nil }),
			webhook.WithClock(clock))
		require.NoError(t, err)
		body := notificationOf("contact.updated", account, "s", int64(sentTicks), `{"id":"1"}`)
		assert.Equal(t, test.status, serve(receiver, signedWith(t, "one", clock(), requestID, body)).Code, account)
	}
}

func TestAKeyVouchesForItsAccountsOnly(t *testing.T) {
	t.Parallel()
	keys := webhook.KeysFrom(func(context.Context) ([]webhook.Key, error) {
		return []webhook.Key{keyOf("of one", "ACC-1"), keyOf("of two", "acc-2", "acc-3"), keyOf("of all")}, nil
	})
	for name, test := range map[string]struct {
		key, account string
		status       int
	}{
		"its account":                 {"of one", "acc-1", 200},
		"another account":             {"of one", "acc-2", 401},
		"the second of its accounts":  {"of two", "ACC-3", 200},
		"an account of another":       {"of two", "acc-1", 401},
		"a key of all accounts":       {"of all", "acc-9", 200},
		"an event without an account": {"of one", "", 200},
	} {
		for _, queued := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", queued: ", queued), func(t *testing.T) {
				t.Parallel()
				var reported []*webhook.DeliveryError
				options := []webhook.Option{webhook.WithClock(clock), failures(&reported)}
				if queued {
					queue, err := webhook.NewMemoryQueue(2)
					require.NoError(t, err)
					options = append(options, webhook.WithQueue(queue))
				}
				receiver, err := webhook.NewReceiver(clientID, keys, options...)
				require.NoError(t, err)
				called := handleRest(receiver)
				body := notificationOf("fee.updated", test.account, "s", 20, `{"id":"1"}`)
				for range 2 { // the second time with known keys
					assert.Equal(t, test.status, serve(receiver, signedWith(t, test.key, clock(), requestID, body)).Code)
				}
				require.NoError(t, receiver.Shutdown(t.Context()))
				assert.Equal(t, test.status == 200, len(*called) == 2)
				if test.status != 200 {
					require.Len(t, reported, 2)
					require.ErrorIs(t, reported[0], webhook.ErrWrongAccount)
					require.ErrorIs(t, reported[1], webhook.ErrWrongAccount)
				}
			})
		}
	}
}

func TestAVerifierTellsForWhichAccountsAKeyVouches(t *testing.T) {
	t.Parallel()
	verifier, err := webhook.NewVerifier(clientID, webhook.KeysFrom(func(context.Context) ([]webhook.Key, error) {
		return []webhook.Key{keyOf(key, "a")}, nil
	}), webhook.WithClock(clock))
	require.NoError(t, err)
	verified, err := verifier.Verify(signed(t, nil).Header)
	require.NoError(t, err)
	assert.True(t, verified.VouchesFor("a"))
	assert.False(t, verified.VouchesFor("b"))
	assert.True(t, webhook.Verified{}.VouchesFor("b"), "nothing was verified")
	assert.NotContains(t, fmt.Sprintf("%+v %#v", verified, verified), key)
}

func TestWithoutItsKeysAReceiverRefusesForNow(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]webhook.KeySource{
		"the source fails":              func(context.Context) ([]webhook.Key, error) { return nil, errOwn },
		"the source panics":             func(context.Context) ([]webhook.Key, error) { panic(errOwn) },
		"the source ends its goroutine": func(context.Context) ([]webhook.Key, error) { runtime.Goexit(); return nil, nil },
		"a key is empty":                func(context.Context) ([]webhook.Key, error) { return []webhook.Key{keyOf(key), {}}, nil },
		"the source hangs":              func(ctx context.Context) ([]webhook.Key, error) { <-ctx.Done(); return nil, ctx.Err() },
		"the source ignores the time":   func(context.Context) ([]webhook.Key, error) { <-time.After(time.Hour); return nil, nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				receiver, err := webhook.NewReceiver(clientID, webhook.KeysFrom(source), webhook.WithClock(clock))
				require.NoError(t, err)
				called, began := handleRest(receiver), time.Now()
				code := serve(receiver, signed(t, sample(t, "matter-updated"))).Code
				assert.Equal(t, 503, code, "it may come again")
				assert.Equal(t, map[error]uint64{webhook.ErrStore: 1}, receiver.Refusals())
				assert.LessOrEqual(t, time.Since(began), webhook.DefaultStoreTimeout)
				assert.Empty(t, *called)
				require.NoError(t, receiver.Shutdown(t.Context()))
			})
		})
	}
}
