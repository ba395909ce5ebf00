package models_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

const hush = "k-0123456789"

// vault is a struct with secrets in fields that formatters may print.
type vault struct {
	Open    models.Secret
	hidden  models.Secret
	pointer *models.Secret
	list    []models.Secret
	table   map[string]models.Secret
	any     any
	opt     models.Opt[models.Secret]
}

func newVault() vault {
	s := models.NewSecret(hush)
	return vault{s, s, &s, []models.Secret{s}, map[string]models.Secret{"a": s}, s, models.Some(s)}
}

func TestNoVerbShowsASecret(t *testing.T) {
	t.Parallel()
	s := models.NewSecret(hush)
	v := newVault()
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%e", "%10s", "%-20v", "%T %[1]v", "%p", "%U"} {
		for _, arg := range []any{s, &s, v, &v, []any{s}, struct{ S any }{s}, fmt.Errorf("wrapped %v", s), errors.Join(fmt.Errorf("%s", s))} {
			text := fmt.Sprintf(verb, arg)
			assert.NotContains(t, text, hush, "%s of %T", verb, arg)
			assert.NotContains(t, text, fmt.Sprintf("%x", hush), "%s of %T", verb, arg)
		}
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		assert.Equal(t, "[redacted]", fmt.Sprintf(verb, s), verb)
	}
	assert.Equal(t, "[redacted]", s.String())
	assert.Equal(t, "[redacted]", s.GoString())
	assert.Equal(t, "[redacted]", fmt.Sprint(models.Secret{}), "an absent secret does not show that it is absent")
}

func TestNoEncodingShowsASecret(t *testing.T) {
	t.Parallel()
	s := models.NewSecret(hush)
	text, err := json.Marshal(map[string]any{"a": s, "b": &s, "c": newVault(), "d": []models.Secret{s}})
	require.NoError(t, err)
	assert.NotContains(t, string(text), hush)
	assert.Contains(t, string(text), `"a":"[redacted]"`)
	text, err = s.MarshalText()
	require.NoError(t, err)
	assert.Equal(t, "[redacted]", string(text))
	text, err = xml.Marshal(models.NewSecret(hush))
	require.NoError(t, err)
	assert.NotContains(t, string(text), hush)
	text, err = json.Marshal(models.WebhookSubscription{Key: s})
	require.NoError(t, err)
	assert.Equal(t, `{"key":"[redacted]"}`, string(text))
}

func TestNoLogShowsASecret(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	s := models.NewSecret(hush)
	for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(handler).Info("message", "secret", s, "pointer", &s, "vault", newVault(), slog.Group("g", "s", s))
	}
	assert.NotContains(t, out.String(), hush)
	assert.Contains(t, out.String(), "secret=[redacted]")
	assert.Contains(t, out.String(), `"secret":"[redacted]"`)
}

func TestOnlyRevealAndRequestsShowASecret(t *testing.T) {
	t.Parallel()
	s := models.NewSecret(hush)
	assert.Equal(t, hush, s.Reveal())
	body, err := codec.AppendRequest(nil, s, models.Wire)
	require.NoError(t, err)
	assert.Equal(t, `"`+hush+`"`, string(body))
	body, err = codec.AppendRequest(nil, models.WebhookSubscriptionWrite{Name: "a", Key: models.Some(s)}, models.Wire)
	require.NoError(t, err)
	assert.Contains(t, string(body), `"key":"`+hush+`"`)
}

func TestSecretsAreReadAndCompared(t *testing.T) {
	t.Parallel()
	var s models.Secret
	require.NoError(t, json.Unmarshal([]byte(`"`+hush+`"`), &s))
	assert.Equal(t, hush, s.Reveal())
	assert.True(t, s.Equal(models.NewSecret(hush)))
	assert.False(t, s.Equal(models.NewSecret("other")))
	assert.False(t, s.Equal(models.Secret{}))
	assert.False(t, s.IsZero())
	for _, nothing := range []string{`null`, `{}`, `""`} {
		require.NoError(t, s.UnmarshalJSON([]byte(nothing)))
		assert.True(t, s.IsZero())
		assert.Empty(t, s.Reveal())
	}
	require.Error(t, json.Unmarshal([]byte(`5`), &s))
	assert.True(t, models.NewSecret("").IsZero())
}

func TestASecretObjectIsShownToTheServiceOnly(t *testing.T) {
	t.Parallel()
	data, err := models.ParseObject(`{"token":"card-1","n":1.50}`)
	require.NoError(t, err)
	secret := models.NewSecretObject(data)
	body := models.PaymentMethodAdd{PaymentInformation: secret}
	for _, shown := range []string{
		fmt.Sprint(secret), fmt.Sprintf("%v %+v %#v %s %q %x", body, &body, body, secret, secret, secret), secret.String(), secret.GoString(),
		secret.LogValue().String(), string(mustJSON(t, body)), string(mustJSON(t, secret)),
	} {
		assert.NotContains(t, shown, "card-1")
		assert.Contains(t, shown, "[redacted]")
	}
	text, err := secret.MarshalText()
	require.NoError(t, err)
	assert.Equal(t, "[redacted]", string(text))
	sent, err := codec.AppendRequest(nil, &body, models.Wire)
	require.NoError(t, err)
	assert.Equal(t, `{"paymentInformation":{"token":"card-1","n":1.50}}`, string(sent))
	assert.Equal(t, data, secret.Reveal())
	assert.True(t, models.NewSecretObject(models.Object{}).IsZero())
	require.NoError(t, json.Unmarshal([]byte(`{"a":1}`), &secret))
	assert.Equal(t, `{"a":1}`, secret.Reveal().String())
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return text
}
