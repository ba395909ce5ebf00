package subscribe_test

import (
	"context"
	"net/http"
	"path"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook/subscribe"
)

// TestKeepTakesNoOtherResponseForASubscription returns undocumented responses to
// one kind of request for hours. Without a readable list or record, Keep reports
// an error and writes nothing. It creates at most one subscription in all cases.
func TestKeepTakesNoOtherResponseForASubscription(t *testing.T) {
	t.Parallel()
	const own = `{"id":"` + testkit.SomeID + `","name":"own","eventNotificationUrl":"https://own.example.test/hook","eventTypes":["matter.created"]}`
	for _, wrong := range []string{
		``, `null`, `{}`, `{"id":null}`, `{"id":""}`, `{"error":"internal"}`, `{"id":"0de4c732-092a-5bda-86af-e284e71b8af7","name":"own"}`,
		`<html>maintenance</html>`, `{"value":[{}],"size":1}`, `{"value":[null],"size":1}`, `{"value":[{"id":null}],"size":1}`, `{"value":[],"size":3}`,
	} {
		for _, asked := range []string{"list", "read", http.MethodPost, http.MethodPut} {
			for _, exists := range []bool{false, true} {
				synctest.Test(t, func(t *testing.T) {
					writes, made := map[string]int{}, exists
					wire := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
						kind := req.Method
						switch {
						case kind != http.MethodGet:
							writes[kind]++
							made = true
						case path.Base(req.URL.Path) == testkit.SomeID:
							kind = "read"
						default:
							kind = "list"
						}
						switch {
						case kind == asked:
							return testkit.AnswerOf(http.StatusOK, wrong), nil
						case kind == "list" && !made:
							return testkit.AnswerOf(http.StatusOK, `{"value":[],"size":0}`), nil
						case kind == "list":
							return testkit.AnswerOf(http.StatusOK, `{"value":[`+own+`],"size":1}`), nil
						}
						return testkit.AnswerOf(http.StatusOK, own), nil
					})
					client, err := practice.NewClient("https://api.example.test", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{Transport: wire}))
					require.NoError(t, err)
					ctx, stop := context.WithTimeout(t.Context(), 3*time.Hour)
					defer stop()
					checks, failures := 0, 0
					for _, err := range subscribe.Keep(ctx, client, subscribe.Spec{
						Name: "own", EventNotificationURL: "https://own.example.test/hook", EventTypes: []models.EventType{"matter.created"},
					}) {
						checks++
						if err != nil {
							failures++
						}
					}
					assert.LessOrEqual(t, writes[http.MethodPost], 1, "%s of %q", asked, wrong)
					if asked == "list" {
						assert.Empty(t, writes, "%s of %q", asked, wrong)
						assert.Equal(t, checks, failures, "%s of %q", asked, wrong)
					}
					assert.Greater(t, checks, 10)
				})
			}
		}
	}
}
