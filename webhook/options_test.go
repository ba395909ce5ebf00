package webhook_test

import (
	"context"
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

func TestReceiverRefusesBadConfiguration(t *testing.T) {
	t.Parallel()
	alarm := webhook.WithAlarmHook(func(context.Context, webhook.Alarm) bool { return false })
	for name, test := range map[string]struct {
		clientID string
		keys     webhook.KeySet
		option   webhook.Option
		names    string
	}{
		"no client id":               {"", webhook.Keys(key), nil, "clientID"},
		"no client id, no key":       {"", webhook.NoKey(), nil, "clientID"},
		"nothing said about keys":    {clientID, webhook.KeySet{}, nil, "Keys"},
		"no keys":                    {clientID, webhook.Keys[string](), nil, "Keys"},
		"an empty key":               {clientID, webhook.Keys(key, ""), nil, "Keys"},
		"an absent secret":           {clientID, webhook.Keys(models.Secret{}), nil, "Keys"},
		"no tolerance":               {clientID, webhook.Keys(key), webhook.WithTolerance(0), "WithTolerance"},
		"a negative tolerance":       {clientID, webhook.Keys(key), webhook.WithTolerance(-1), "WithTolerance"},
		"no clock":                   {clientID, webhook.Keys(key), webhook.WithClock(nil), "WithClock"},
		"no body":                    {clientID, webhook.Keys(key), webhook.WithMaxBody(0), "WithMaxBody"},
		"no time":                    {clientID, webhook.Keys(key), webhook.WithDeadline(0), "WithDeadline"},
		"more time than the service": {clientID, webhook.Keys(key), webhook.WithDeadline(10 * time.Second), "WithDeadline"},
		"no error hook":              {clientID, webhook.Keys(key), webhook.WithErrorHook(nil), "WithErrorHook"},
		"no alarm hook":              {clientID, webhook.Keys(key), webhook.WithAlarmHook(nil), "WithAlarmHook"},
		"an alarm without a key":     {clientID, webhook.NoKey(), alarm, "WithAlarmHook"},
		"no source of keys":          {clientID, webhook.KeysFrom(nil), nil, "Keys"},
		"no deliveries":              {clientID, webhook.Keys(key), webhook.WithMaxDeliveries(0), "WithMaxDeliveries"},
		"no propagator":              {clientID, webhook.Keys(key), webhook.WithPropagator(nil), "WithPropagator"},
		"no middleware":              {clientID, webhook.Keys(key), webhook.WithMiddleware(nil), "WithMiddleware"},
		"an order without a queue":   {clientID, webhook.NoKey(), webhook.WithSerialRecords(), "WithSerialRecords"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var options []webhook.Option
			if test.option != nil {
				options = append(options, test.option)
			}
			receiver, err := webhook.NewReceiver(test.clientID, test.keys, options...)
			assert.Nil(t, receiver)
			var bad *webhook.ConfigError
			require.ErrorAs(t, err, &bad)
			assert.Equal(t, test.names, bad.Name)
			assert.Contains(t, err.Error(), "must")
		})
	}
}

func TestVerifierRefusesBadConfiguration(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		clientID string
		keys     webhook.KeySet
		option   webhook.Option
		names    string
	}{
		"no client id":                      {"", webhook.Keys(key), webhook.WithClock(clock), "clientID"},
		"no key, so that nothing is signed": {clientID, webhook.NoKey(), webhook.WithClock(clock), "Keys"},
		"no tolerance":                      {clientID, webhook.Keys(key), webhook.WithTolerance(0), "WithTolerance"},
		"no clock":                          {clientID, webhook.Keys(key), webhook.WithClock(nil), "WithClock"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := webhook.NewVerifier(test.clientID, test.keys, test.option)
			var bad *webhook.ConfigError
			require.ErrorAs(t, err, &bad)
			assert.Equal(t, test.names, bad.Name)
		})
	}
}

func TestStoresInMemoryRefuseBadConfiguration(t *testing.T) {
	t.Parallel()
	for name, option := range map[string]webhook.Option{
		"WithCapacity": webhook.WithCapacity(0), "WithRetention": webhook.WithRetention(0), "WithClock": webhook.WithClock(nil),
	} {
		_, err := webhook.NewMemoryStore(option)
		var bad *webhook.ConfigError
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, name, bad.Name)
	}
	_, err := webhook.NewMemoryStore(webhook.WithCapacity(math.MaxInt32))
	require.Error(t, err, "the places of entries are counted with fewer bits")
}

func TestEveryOptionOfAStoreInMemoryCounts(t *testing.T) {
	t.Parallel()
	now := clock()
	store, err := webhook.NewMemoryStore(webhook.WithCapacity(2), webhook.WithRetention(time.Minute), webhook.WithClock(func() time.Time { return now }))
	require.NoError(t, err)
	claim := func(key string) webhook.Claim {
		c, err := store.Claim(t.Context(), key, "other", time.Minute)
		require.NoError(t, err)
		return c
	}
	require.NoError(t, store.Commit(t.Context(), "a"))
	now = now.Add(time.Minute - 1)
	assert.Equal(t, webhook.ClaimDone, claim("a"))
	now = now.Add(1)
	assert.Equal(t, webhook.ClaimNew, claim("a"), "by the clock, the retention is over")
	for _, key := range []string{"b", "c"} {
		require.NoError(t, store.Commit(t.Context(), key))
	}
	assert.Equal(t, webhook.ClaimDone, claim("b"))
	require.NoError(t, store.Commit(t.Context(), "d"))
	assert.Equal(t, webhook.ClaimNew, claim("b"), "there is room for two")
}

func TestSignerRefusesWhatItCannotSign(t *testing.T) {
	t.Parallel()
	var bad *webhook.ConfigError
	_, err := webhook.NewSigner("", key)
	require.ErrorAs(t, err, &bad)
	_, err = webhook.NewSigner(clientID, "")
	require.ErrorAs(t, err, &bad)

	signer, err := webhook.NewSigner(clientID, key)
	require.NoError(t, err)
	header := http.Header{}
	require.ErrorIs(t, signer.Sign(header, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), ""), models.ErrTicksRange)
	assert.Empty(t, header)
}
