package acceptance_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

func TestNoErrorTellsASecretThatTheServiceEscapes(t *testing.T) {
	t.Parallel()
	const key = "key-01234567+89/0"
	for _, said := range []string{`key-01234567\u002B89/0`, `\u006bey-01234567\u002b89\/0`, `key-01234567\u002B89\u002F0`} {
		for _, body := range []string{
			`{"title":"bad","errors":{"key":["%s is bad"]}}`, `{"title":"bad","errors":{"%s":["is bad"]}}`, `{"title":"bad","errors":["%s is bad"]}`,
			`{"errors":"%s"}`, `{"message":"%s is bad"}`, `{"error":"%s is bad"}`, `{"detail":"%s is bad"}`, `{"traceId":"%s"}`, `{"%s":1}`, `{"inner":[{"a":"%s"}]}`,
		} {
			text := fmt.Sprintf(body, said)
			client, err := practice.NewClient("https://api.example.test/v1", practice.WithAPIKey(key), practice.WithAccessToken("t"), practice.WithHTTPClient(&http.Client{
				Transport: testkit.RoundTripper(func(*http.Request) (*http.Response, error) { return testkit.AnswerOf(400, text), nil }),
			}))
			require.NoError(t, err)
			_, err = client.Staff.Get(t.Context(), "1")
			refused, ok := errors.AsType[*practice.Error](err)
			require.True(t, ok, "%v", err)
			told := fmt.Sprintf("%v %+v %s %s", err, refused.Problem, refused.Problem.RawErrors, refused.Problem.Extra)
			var decoded any
			require.NoError(t, json.Unmarshal(refused.Body, &decoded), "%s", refused.Body)
			told += fmt.Sprint(decoded)
			assert.NotContains(t, told, key, text)
			assert.Contains(t, told, "[redacted]", text)
		}
	}
}

func TestNoErrorTellsASecretOfTheRequest(t *testing.T) {
	t.Parallel()
	const key = "signing-key/0123456789"
	client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{
		Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			sent, err := io.ReadAll(r.Body)
			require.NoError(t, err)
			_, value, _ := strings.Cut(string(sent), `"key":"`)
			value, _, _ = strings.Cut(value, `"`)
			return testkit.AnswerOf(400, `{"title":"bad","errors":{"key":["The value '`+value+`' is not valid."]}}`), nil
		}),
	}))
	require.NoError(t, err)
	spec := testkit.SubscriptionOf("matter.created")
	spec.Key = models.Some(models.NewSecret(key))
	_, created := client.Webhooks.Create(t.Context(), spec)
	done := client.Do(t.Context(), practice.Request{Method: http.MethodPost, Path: "/hooks", Body: &spec}, nil)
	for _, err := range []error{created, done} {
		refused, ok := errors.AsType[*practice.Error](err)
		require.True(t, ok, "%v", err)
		told := fmt.Sprintf("%v %+v %s", err, refused.Problem, refused.Body)
		assert.NotContains(t, told, key)
		assert.Contains(t, told, "The value '[redacted]' is not valid.")
	}
}
