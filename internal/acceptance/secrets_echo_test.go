package acceptance_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

const (
	echoedKey, echoedSecret = "key-0123456789", `cli"ent/secret-0123456789`
	echoedToken, echoedNew  = "token-0123456789", "refresh-0123456789"
)

// echo is a service that returns the request wherever a response can contain
// text.
func echo(w http.ResponseWriter, r *http.Request) {
	said := fmt.Sprint("x-api-key: ", r.Header.Get("X-Api-Key"), ", ", r.Header.Get("Authorization"))
	text, err := json.Marshal(said)
	if err != nil {
		panic(err)
	}
	w.Header().Set("X-Said", said)
	switch r.URL.Query().Get("how") {
	case "problem":
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = fmt.Fprintf(w, `{"title":%s,"detail":%s,"errors":{"key":[%s]}}`, text, text, text)
	case "escaped":
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprint(w, `{"detail":"\u006bey-0123456789 and \u0074oken-0123456789"}`)
	case "text":
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = fmt.Fprint(w, said)
	case "unreadable":
		_, _ = fmt.Fprintf(w, `{"id":%s`, text)
	case "record":
		_, _ = fmt.Fprintf(w, `{"value":[{"id":{"said":%s}}],"size":1}`, text)
	case "wire":
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_, _ = fmt.Fprintf(conn, "%s\r\n\r\n", said)
			_ = conn.Close()
		}
	}
}

// TestNothingTellsTheSecretsThatAServiceRepeats checks that the client masks
// its own secrets in a response that echoes them.
func TestNothingTellsTheSecretsThatAServiceRepeats(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(echo))
	t.Cleanup(server.Close)
	for _, how := range []string{"problem", "escaped", "text", "unreadable", "record", "wire"} {
		var log bytes.Buffer
		wire := &http.Transport{}
		client, err := practice.NewClient(server.URL, practice.WithAPIKey(echoedKey), practice.WithAccessToken(echoedToken), practice.WithRetries(0),
			practice.WithHTTPClient(&http.Client{Transport: wire}),
			practice.WithLogger(slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))))
		require.NoError(t, err)
		query := practice.WithQuery("how", how)
		_, single := client.Staff.Get(t.Context(), "1", query)
		_, list := practice.Collect(client.Webhooks.All(t.Context(), practice.WebhookSubscriptionListOptions{}, query))
		_, create := client.Webhooks.Create(t.Context(), testkit.SubscriptionOf("matter.created"), query)
		for _, err := range []error{single, list, create} {
			said := fmt.Sprintf("%v %+v %#v %q ", err, err, err, err)
			for inner := err; inner != nil; inner = errors.Unwrap(inner) {
				said += inner.Error()
			}
			if answer, ok := errors.AsType[*practice.Error](err); ok {
				said += fmt.Sprintf("%s %v %+v", answer.Body, answer.Header, answer.Problem)
			}
			if unreadable, ok := errors.AsType[*practice.DecodeError](err); ok {
				said += string(unreadable.Body)
			}
			if record, ok := errors.AsType[*practice.RecordError](err); ok {
				said += string(record.Raw)
			}
			said += log.String()
			for _, secret := range []string{echoedKey, echoedToken} {
				assert.NotContains(t, said, secret, how)
			}
		}
		assert.Error(t, errors.Join(single, list, create), how)
		wire.CloseIdleConnections()
	}
}

func TestNothingTellsTheSecretsThatATokenEndpointRepeats(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, secret, _ := r.BasicAuth()
		plain, err := url.QueryUnescape(secret)
		if err == nil {
			err = r.ParseForm()
		}
		text, marshalled := json.Marshal(fmt.Sprint(plain, secret, r.Header.Get("Authorization"), r.Form))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		if errors.Join(err, marshalled) == nil {
			_, _ = fmt.Fprintf(w, `{"error":"invalid_client","error_description":%s}`, text)
		}
	}))
	t.Cleanup(server.Close)
	secret := models.NewSecret(echoedSecret)
	for _, grant := range []practice.ClientOption{
		practice.WithTokens(auth.ClientCredentials{TokenURL: server.URL, ClientID: "id", ClientSecret: secret}),
		practice.WithTokens(auth.RefreshCredentials{TokenURL: server.URL, ClientID: "id", ClientSecret: secret, RefreshToken: models.NewSecret(echoedNew)}),
	} {
		wire := &http.Transport{}
		client, err := practice.NewClient(server.URL, practice.WithAPIKey(echoedKey), grant, practice.WithHTTPClient(&http.Client{Transport: wire}))
		require.NoError(t, err)
		_, err = client.Staff.Get(t.Context(), "1")
		var refused *auth.TokenError
		require.ErrorAs(t, err, &refused)
		said := fmt.Sprintf("%v %+v %#v", err, refused, *refused)
		assert.Contains(t, said, "[redacted]")
		for _, part := range []string{"secret-0123456789", "refresh-0123456789", "aWQ6"} {
			assert.NotContains(t, said, part)
		}
		wire.CloseIdleConnections()
	}
}

// TestNothingTellsTheSecretsOfATokenSourceThatTheServiceRepeats checks responses
// that contain secrets which the request does not: those of the token request and
// of its response.
func TestNothingTellsTheSecretsOfATokenSourceThatTheServiceRepeats(t *testing.T) {
	t.Parallel()
	const granted = "granted-0123456789"
	secret := models.NewSecret(echoedSecret)
	for name, test := range map[string]struct {
		source func(tokenURL string) practice.TokenSource
		known  []string
	}{
		"client credentials": {func(tokenURL string) practice.TokenSource {
			return auth.ClientCredentials{TokenURL: tokenURL, ClientID: "id", ClientSecret: secret}
		}, []string{echoedSecret}},
		"a refresh token": {func(tokenURL string) practice.TokenSource {
			return auth.RefreshCredentials{TokenURL: tokenURL, ClientID: "id", ClientSecret: secret, RefreshToken: models.NewSecret(echoedNew)}
		}, []string{echoedSecret, granted}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if r.URL.Path == "/token" {
					_, _ = fmt.Fprintf(w, `{"access_token":%q,"refresh_token":%q,"token_type":"Bearer","expires_in":3600}`, echoedToken, granted)
					return
				}
				w.WriteHeader(http.StatusBadRequest)
				_, _ = fmt.Fprintf(w, `{"detail":%q}`, fmt.Sprint(test.known))
			}))
			t.Cleanup(server.Close)
			wire := &http.Transport{}
			t.Cleanup(wire.CloseIdleConnections)
			client, err := practice.NewClient(server.URL, practice.WithAPIKey(echoedKey), practice.WithTokens(test.source(server.URL+"/token")),
				practice.WithUserID("1"), practice.WithHTTPClient(&http.Client{Transport: wire}))
			require.NoError(t, err)
			_, err = client.Staff.Get(t.Context(), "1")
			refused, ok := errors.AsType[*practice.Error](err)
			require.True(t, ok, "%v", err)
			told := fmt.Sprintf("%v %+v %s", err, refused.Problem, refused.Body)
			assert.Contains(t, told, "[redacted]")
			for _, known := range test.known {
				assert.NotContains(t, told, known[len(known)-10:], name)
			}
		})
	}
}
