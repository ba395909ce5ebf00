package webhook_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

type vector struct{ Key, Timestamp, RequestID, ClientID, Signature string }

func vectors(tb testing.TB) []vector {
	tb.Helper()
	text, err := os.ReadFile("testdata/signature-vectors.json")
	require.NoError(tb, err)
	var file struct{ Vectors []vector }
	require.NoError(tb, json.Unmarshal(text, &file))
	require.Len(tb, file.Vectors, 2)
	return file.Vectors
}

func TestSignaturesAreThoseOfTheVectors(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t) {
		signer, err := webhook.NewSigner(v.ClientID, v.Key)
		require.NoError(t, err)
		assert.Equal(t, v.Signature, signer.Signature(v.Timestamp, v.RequestID))

		verifier, err := webhook.NewVerifier(v.ClientID, webhook.Keys("another", v.Key), webhook.WithClock(clock))
		require.NoError(t, err)
		verified, err := verifier.Verify(headers(v.Signature, v.Timestamp, v.RequestID))
		require.NoError(t, err)
		assert.True(t, verified.Signed())
		assert.Equal(t, v.Signature, verified.Signature.Reveal())
		assert.Equal(t, v.Timestamp, verified.Timestamp)
		assert.Equal(t, v.RequestID, verified.RequestID)
		assert.Equal(t, v.Timestamp, strconv.FormatInt(int64(verified.SentAt), 10))
		assert.Equal(t, 1, verified.KeyIndex)
	}
}

func headers(signature, timestamp, requestID string) http.Header {
	h := http.Header{}
	h.Set("Signature", signature)
	h.Set("Timestamp", timestamp)
	h.Set("RequestId", requestID)
	return h
}

func TestVerifyHeaders(t *testing.T) {
	t.Parallel()
	signer, err := webhook.NewSigner(clientID, key)
	require.NoError(t, err)
	timestamp := strconv.FormatInt(int64(sentTicks), 10)
	good := signer.Signature(timestamp, requestID)
	resigned := func(timestamp string) http.Header {
		return headers(signer.Signature(timestamp, requestID), timestamp, requestID)
	}
	with := func(change func(http.Header)) http.Header {
		h := headers(good, timestamp, requestID)
		change(h)
		return h
	}
	last := map[bool]string{true: "1", false: "0"}[good[63] == '0']

	for name, test := range map[string]struct {
		header http.Header
		want   error
	}{
		"all right":                         {headers(good, timestamp, requestID), nil},
		"no headers at all":                 {http.Header{}, webhook.ErrNoSignature},
		"no signature":                      {with(func(h http.Header) { h.Del("Signature") }), webhook.ErrNoSignature},
		"an empty signature":                {headers("", timestamp, requestID), webhook.ErrNoSignature},
		"no request id":                     {with(func(h http.Header) { h.Del("RequestId") }), webhook.ErrBadSignature},
		"another request id":                {headers(good, timestamp, requestID+"0"), webhook.ErrBadSignature},
		"another last digit":                {headers(good[:63]+last, timestamp, requestID), webhook.ErrBadSignature},
		"a cut signature":                   {headers(good[:32], timestamp, requestID), webhook.ErrBadSignature},
		"a longer signature":                {headers(good+"00", timestamp, requestID), webhook.ErrBadSignature},
		"upper case":                        {headers(strings.ToUpper(good), timestamp, requestID), webhook.ErrBadSignature},
		"no hexadecimal":                    {headers("sha256="+good, timestamp, requestID), webhook.ErrBadSignature},
		"two signatures":                    {with(func(h http.Header) { h.Add("Signature", good) }), webhook.ErrBadSignature},
		"two signatures, the first empty":   {http.Header{"Signature": {"", good}, "Timestamp": {timestamp}}, webhook.ErrBadSignature},
		"two request ids":                   {with(func(h http.Header) { h.Add("RequestId", requestID) }), webhook.ErrBadSignature},
		"two timestamps":                    {with(func(h http.Header) { h.Add("Timestamp", timestamp) }), webhook.ErrBadTimestamp},
		"no timestamp":                      {with(func(h http.Header) { h.Del("Timestamp") }), webhook.ErrBadTimestamp},
		"signed, but not a number":          {resigned("now"), webhook.ErrBadTimestamp},
		"signed, but with a sign":           {resigned("+" + timestamp), webhook.ErrBadTimestamp},
		"signed, but negative":              {resigned("-1"), webhook.ErrBadTimestamp},
		"signed, but with a fraction":       {resigned(timestamp + ".0"), webhook.ErrBadTimestamp},
		"signed, but beyond 64 bits":        {resigned("9223372036854775808"), webhook.ErrBadTimestamp},
		"signed, but an ISO time":           {resigned("2025-08-13T10:00:00Z"), webhook.ErrBadTimestamp},
		"the number in another writing":     {headers(good, "0"+timestamp, requestID), webhook.ErrBadSignature},
		"signed in another writing":         {resigned("0" + timestamp), nil},
		"signed, at the beginning of years": {resigned("0"), webhook.ErrTooOld},
		"signed, at the end of 64 bits":     {resigned(strconv.FormatInt(math.MaxInt64, 10)), webhook.ErrTooNew},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			verifier, err := webhook.NewVerifier(clientID, webhook.Keys(key), webhook.WithClock(clock))
			require.NoError(t, err)
			verified, err := verifier.Verify(test.header)
			require.ErrorIs(t, err, test.want)
			assert.Equal(t, test.want == nil, verified.Signed())
			if test.want != nil {
				assert.Zero(t, verified)
				assert.NotContains(t, err.Error(), good)
			}
		})
	}
}

func TestVerifyForAnotherClientIsABadSignature(t *testing.T) {
	t.Parallel()
	signer, err := webhook.NewSigner("client0002", key)
	require.NoError(t, err)
	header := http.Header{}
	require.NoError(t, signer.Sign(header, clock(), requestID))
	verifier, err := webhook.NewVerifier(clientID, webhook.Keys(key), webhook.WithClock(clock))
	require.NoError(t, err)
	_, err = verifier.Verify(header)
	assert.ErrorIs(t, err, webhook.ErrBadSignature)
}

func TestVerifyWindowIsOpenToBothSides(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		age  time.Duration
		want error
	}{
		"at once":                  {0, nil},
		"as old as allowed":        {time.Minute, nil},
		"a tick too old":           {time.Minute + 100, webhook.ErrTooOld},
		"a year too old":           {365 * 24 * time.Hour, webhook.ErrTooOld},
		"as new as allowed":        {-time.Minute, nil},
		"a tick too new":           {-time.Minute - 100, webhook.ErrTooNew},
		"a year too new":           {-365 * 24 * time.Hour, webhook.ErrTooNew},
		"older than a duration":    {math.MaxInt64, webhook.ErrTooOld},
		"newer than most clocks":   {math.MinInt64 + 1, webhook.ErrTooNew},
		"nanoseconds do not count": {99, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			verifier, err := webhook.NewVerifier(clientID, webhook.Keys(key), webhook.WithTolerance(time.Minute),
				webhook.WithClock(func() time.Time { return clock().Add(test.age) }))
			require.NoError(t, err)
			_, err = verifier.Verify(signed(t, nil).Header)
			require.ErrorIs(t, err, test.want)
		})
	}
}

func TestVerifyToleratesFiveMinutesUnlessTold(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		age  time.Duration
		want error
	}{{5 * time.Minute, nil}, {5*time.Minute + 1, webhook.ErrTooOld}, {-5*time.Minute - 1, webhook.ErrTooNew}} {
		verifier, err := webhook.NewVerifier(clientID, webhook.Keys(key),
			webhook.WithClock(func() time.Time { return clock().Add(test.age) }))
		require.NoError(t, err)
		_, err = verifier.Verify(signed(t, nil).Header)
		assert.ErrorIs(t, err, test.want)
	}
}

func TestVerifyUsesTheClockOfTheMachineUnlessTold(t *testing.T) {
	t.Parallel()
	verifier, err := webhook.NewVerifier(clientID, webhook.Keys(key))
	require.NoError(t, err)
	_, err = verifier.Verify(signedWith(t, key, time.Now(), "", nil).Header)
	require.NoError(t, err)
	_, err = verifier.Verify(signedWith(t, key, time.Now().Add(-time.Hour), "", nil).Header)
	require.ErrorIs(t, err, webhook.ErrTooOld)
}

func TestKeysOfARotationAreAllTried(t *testing.T) {
	t.Parallel()
	current, previous := models.NewSecret("new"), models.NewSecret("old")
	verifier, err := webhook.NewVerifier(clientID, webhook.Keys(current, previous), webhook.WithClock(clock))
	require.NoError(t, err)
	for want, key := range []string{"new", "old"} {
		verified, err := verifier.Verify(signedWith(t, key, clock(), requestID, nil).Header)
		require.NoError(t, err)
		assert.Equal(t, want, verified.KeyIndex)
	}
	_, err = verifier.Verify(signedWith(t, "older", clock(), requestID, nil).Header)
	require.ErrorIs(t, err, webhook.ErrBadSignature)
}

func TestKeysAndSignaturesAreNotPrinted(t *testing.T) {
	t.Parallel()
	const key = "a-key-nobody-may-see"
	signer, err := webhook.NewSigner(clientID, models.NewSecret(key))
	require.NoError(t, err)
	verifier, err := webhook.NewVerifier(clientID, webhook.Keys(key), webhook.WithClock(clock))
	require.NoError(t, err)
	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key))
	require.NoError(t, err)
	header := signedWith(t, key, clock(), "", nil).Header
	verified, err := verifier.Verify(header)
	require.NoError(t, err)
	for _, value := range []any{signer, *signer, verifier, *verifier, receiver, webhook.Keys(key), verified} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
			text := fmt.Sprintf(verb, value)
			assert.NotContains(t, text, key)
			assert.NotContains(t, text, fmt.Sprintf("%x", key))
			assert.NotContains(t, text, strings.Trim(fmt.Sprintf("%d", []byte(key)), "[]"))
			assert.NotContains(t, text, header.Get("Signature"))
		}
	}
}

func TestASignedRequestForATestIsMadeInOneCall(t *testing.T) {
	t.Parallel()
	signer, err := webhook.NewSigner(clientID, key)
	require.NoError(t, err)
	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key))
	require.NoError(t, err)
	events := handleRest(receiver)
	for payload, want := range map[any]string{nil: `{}`, [1]int{7}: `[7]`} {
		req, err := signer.NewRequest(t.Context(), "https://app.example.test/hooks", models.EventTypeFeeUpdated.Type(), payload)
		require.NoError(t, err)
		require.Equal(t, 200, serve(receiver, req).Code)
		got := (*events)[len(*events)-1]
		assert.Equal(t, models.EventTypeFeeUpdated.Type(), got.Type)
		assert.JSONEq(t, want, string(got.Payload))
		assert.Equal(t, got.Verified.SentAt, got.Timestamp)
	}
	assert.NotEqual(t, (*events)[0].RequestID, (*events)[1].RequestID)

	_, err = signer.NewRequest(t.Context(), "/hooks", "a", make(chan int))
	require.Error(t, err, "no JSON")
	_, err = signer.NewRequest(t.Context(), "://", "a", nil)
	require.Error(t, err, "no address")
}
