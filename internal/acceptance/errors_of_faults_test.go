package acceptance_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// Outcomes of a call with one fault.
const (
	succeeds  = "succeeds"
	ambiguous = "ambiguous"      // AmbiguousWriteError: it may have been executed, and was not retried
	refused   = "error"          // Error: a response that is no success
	undecoded = "decode error"   // DecodeError: a complete response that cannot be decoded
	noAnswer  = "call error"     // NoAnswerError: no complete response
	tooLarge  = "body too large" // NoAnswerError of ErrBodyTooLarge
)

// TestEveryFaultHasItsOutcome lists, for every single fault of the embedded
// service, the outcome of a read, an idempotent write and a create, and how
// often each was sent. It checks that nothing was executed twice.
func TestEveryFaultHasItsOutcome(t *testing.T) {
	t.Parallel()
	fault := func(kind practicetest.FaultKind) practicetest.Fault { return practicetest.Fault{Kind: kind} }
	status := func(code int) practicetest.Fault { return practicetest.Fault{Status: code} }
	type outcome struct {
		result  string
		sent    int // requests that reached the service
		created int // folders created by the call
	}
	for _, test := range []struct {
		name                     string
		fault                    practicetest.Fault
		read, idempotent, create outcome
	}{
		{"latency", practicetest.Fault{Kind: practicetest.FaultLatency, Delay: 2 * time.Second}, outcome{succeeds, 1, 0}, outcome{succeeds, 1, 0}, outcome{succeeds, 1, 1}},
		{"429", fault(practicetest.FaultRateLimit), outcome{succeeds, 2, 0}, outcome{succeeds, 2, 0}, outcome{succeeds, 2, 1}},
		{"429 with Retry-After", practicetest.Fault{Kind: practicetest.FaultRateLimit, RetryAfter: "2"}, outcome{succeeds, 2, 0}, outcome{succeeds, 2, 0}, outcome{succeeds, 2, 1}},
		{"400", status(400), outcome{refused, 1, 0}, outcome{refused, 1, 0}, outcome{refused, 1, 0}},
		{"401 of a fixed token", status(401), outcome{refused, 1, 0}, outcome{refused, 1, 0}, outcome{refused, 1, 0}},
		{"404", status(404), outcome{refused, 1, 0}, outcome{refused, 1, 0}, outcome{refused, 1, 0}},
		{"500", status(500), outcome{succeeds, 2, 0}, outcome{refused, 1, 0}, outcome{ambiguous, 1, 0}},
		{"502", status(502), outcome{succeeds, 2, 0}, outcome{succeeds, 2, 0}, outcome{ambiguous, 1, 0}},
		{"503", status(503), outcome{succeeds, 2, 0}, outcome{succeeds, 2, 0}, outcome{ambiguous, 1, 0}},
		{"504", status(504), outcome{succeeds, 2, 0}, outcome{succeeds, 2, 0}, outcome{ambiguous, 1, 0}},
		{"a page of a proxy with 502", fault(practicetest.FaultHTML), outcome{succeeds, 2, 0}, outcome{succeeds, 2, 0}, outcome{ambiguous, 1, 0}},
		{"a page of a proxy with 200", practicetest.Fault{Kind: practicetest.FaultHTML, Status: 200}, outcome{undecoded, 1, 0}, outcome{noAnswer, 1, 0}, outcome{ambiguous, 1, 0}},
		{"reset before the request was processed", fault(practicetest.FaultResetBefore), outcome{succeeds, 2, 0}, outcome{succeeds, 2, 0}, outcome{ambiguous, 1, 0}},
		{"reset after the request was processed", fault(practicetest.FaultResetAfter), outcome{succeeds, 2, 0}, outcome{succeeds, 2, 0}, outcome{ambiguous, 1, 1}},
		{"reset in the middle of the answer", practicetest.Fault{Kind: practicetest.FaultResetAfter, After: 5}, outcome{succeeds, 2, 0}, outcome{succeeds, 2, 0}, outcome{ambiguous, 1, 1}},
		{"truncated answer", fault(practicetest.FaultTruncated), outcome{succeeds, 2, 0}, outcome{succeeds, 2, 0}, outcome{ambiguous, 1, 1}},
		{"endless answer", fault(practicetest.FaultEndless), outcome{tooLarge, 1, 0}, outcome{tooLarge, 1, 0}, outcome{ambiguous, 1, 0}},
		{"endless refusal", practicetest.Fault{Kind: practicetest.FaultEndless, Status: 403}, outcome{refused, 1, 0}, outcome{refused, 1, 0}, outcome{refused, 1, 0}},
		{"no answer", fault(practicetest.FaultStall), outcome{succeeds, 2, 0}, outcome{succeeds, 2, 0}, outcome{ambiguous, 1, 0}},
		{"an answer in drops", practicetest.Fault{Kind: practicetest.FaultSlow, BytesPerSecond: 1}, outcome{succeeds, 2, 0}, outcome{succeeds, 2, 0}, outcome{ambiguous, 1, 1}},
		{"an answer that stops", practicetest.Fault{Kind: practicetest.FaultStall, After: 5}, outcome{succeeds, 2, 0}, outcome{succeeds, 2, 0}, outcome{ambiguous, 1, 1}},
	} {
		for _, op := range []struct {
			class, id string
			want      outcome
			call      func(context.Context, *practice.Client, practicetest.Firm) error
		}{
			{"read", "getStaff", test.read, func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				member, err := c.Staff.Get(ctx, f.StaffID)
				if err == nil {
					assert.Equal(t, f.StaffID, member.ID, "success means the right record")
				}
				return err
			}},
			{"idempotent write", "patchFee", test.idempotent, func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return testkit.Discard(c.Fees.Patch(ctx, f.MatterID, f.FeeID, models.FeePatch{Subject: models.Some("Advice")}))
			}},
			{"create", "createFolder", test.create, func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return testkit.Discard(c.Documents.CreateFolder(ctx, f.MatterID, models.FolderWrite{Name: "made once"}))
			}},
		} {
			t.Run(test.name+"/"+op.class, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					server := practicetest.New(t, practicetest.WithEvents(0), practicetest.WithMatters(2))
					client := server.Client(t, practice.WithMaxBody(1<<20))
					fault := test.fault
					fault.Operation = op.id
					server.Inject(fault)
					err := op.call(t.Context(), client, server.Firm())
					assert.Equal(t, op.want.result, resultOf(err), "%v", err)
					assert.Len(t, server.Requests(), op.want.sent)
					server.Settle()
					assert.Equal(t, op.want.created, testkit.FoldersNamed(t, client, server.Firm().MatterID, "made once"))
				})
			})
		}
	}
}

func resultOf(err error) string {
	if err == nil {
		return succeeds
	}
	if _, ok := errors.AsType[*practice.AmbiguousWriteError](err); ok {
		return ambiguous
	}
	if _, ok := errors.AsType[*practice.Error](err); ok {
		return refused
	}
	if _, ok := errors.AsType[*practice.DecodeError](err); ok {
		return undecoded
	}
	if errors.Is(err, practice.ErrBodyTooLarge) {
		return tooLarge
	}
	if _, ok := errors.AsType[*practice.NoAnswerError](err); ok {
		return noAnswer
	}
	return err.Error()
}

func TestADeleteThatWasDoneBeforeTheAnswerWasLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		client := server.Client(t)
		server.Inject(practicetest.Fault{Operation: "deleteWebhook", Kind: practicetest.FaultResetAfter})
		_, err := client.Webhooks.Delete(t.Context(), server.Firm().WebhookID)
		require.NoError(t, err, "the second attempt meets a 404")
		require.Len(t, server.Requests(), 2)
		assert.Equal(t, 404, server.Requests()[1].Status)

		_, err = client.Webhooks.Delete(t.Context(), server.Firm().WebhookID)
		require.ErrorIs(t, err, practice.ErrNotFound, "a first attempt that meets a 404 is an error")
	})
}

func TestAnErrorKeepsWhatTheServiceSaid(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, body, message string
	}{
		{"a problem", `{"title":"Bad Request","status":400,"detail":"Unsupported request."}`, "Unsupported request."},
		{"a gateway", `{"message":"Forbidden"}`, "Forbidden"},
		{"no JSON", `<html>502 Bad Gateway</html>`, ""},
		{"nothing", ``, ""},
		{"lines that would fake a log", `{"detail":"one\nlevel=ERROR two\u001b[31m"}`, "one level=ERROR two [31m"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := practicetest.New(t)
				fault := practicetest.Fault{Status: 400, Body: test.body, ContentType: "application/json"}
				if test.body == "" {
					fault.Body = " "
				}
				server.Inject(fault)
				_, err := server.Client(t).Staff.Get(t.Context(), server.Firm().StaffID)
				answer, ok := errors.AsType[*practice.Error](err)
				require.True(t, ok)
				assert.Equal(t, 400, answer.StatusCode)
				assert.Contains(t, err.Error(), test.message)
				assert.NotContains(t, err.Error(), "\n")
				assert.Contains(t, err.Error(), answer.RequestID)
				assert.Contains(t, err.Error(), "Staff.Get: status 400 Bad Request")
				assert.Equal(t, fault.Body, string(answer.Body))
			})
		})
	}
}

// The message "See errors." alone would not help the reader of a log.
func TestAnErrorNamesTheFieldsThatTheServiceRefused(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 4000)
	for _, test := range []struct{ name, body, message string }{
		{"one", `{"detail":"See errors.","errors":{"rate":["must not be null"]}}`, "See errors. [rate: must not be null]"},
		{"several", `{"detail":"See errors.","errors":{"rate":["a","b"],"tax":["c"]}}`, "See errors. [rate: a; rate: b; tax: c]"},
		{"a list", `{"title":"Bad","errors":[{"field":"rate","message":"a"},{"code":"x1"}]}`, `Bad [rate: a; {"code":"x1"}]`},
		{"more than are shown", `{"detail":"d","errors":{"a":["1","2","3","4","5","6","7"]}}`, "d [a: 1; a: 2; a: 3; a: 4; a: 5; and 2 more]"},
		{"nothing else", `{"errors":{"rate":["a"],"tax":["b"]}}`, "rate: a [tax: b]"},
		{"only one, and nothing else", `{"errors":{"rate":["a"]}}`, "rate: a"},
		{"none", `{"detail":"d","errors":{}}`, "d"},
		{"lines", `{"detail":"d","errors":{"a\nb":["c\r\nlevel=ERROR\u001b[31m\u2028x"]}}`, "d [a b: c  level=ERROR [31m x]"},
		{"a long one", `{"detail":"d","errors":{"a":["` + long + `"]}}`, "d [a: " + strings.Repeat("ä", 78) + "…]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			client := testkit.BareClient(t, "https://api.example.test", practice.WithHTTPClient(&http.Client{
				Transport: testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
					return testkit.AnswerOf(http.StatusBadRequest, test.body), nil
				}),
			}))
			err := testkit.Discard(client.Staff.Get(t.Context(), "s1", practice.WithRequestID("r1")))
			require.EqualError(t, err, "practice: Staff.Get: status 400 Bad Request: "+test.message+" (request r1)")
			assert.Less(t, len(err.Error()), 1500)
			refused, ok := errors.AsType[*practice.Error](err)
			require.True(t, ok)
			for _, attr := range refused.LogValue().Group() {
				if attr.Key == "message" {
					assert.Equal(t, test.message, attr.Value.String(), "a log says the same")
				}
			}
		})
	}
}

func TestAnErrorKeepsHeaderAndBeginningOfItsBody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		server.Inject(practicetest.Fault{Status: 400, Body: strings.Repeat("x", 1<<20), ContentType: "text/plain"})
		answer, ok := errors.AsType[*practice.Error](testkit.Discard(server.Client(t).Staff.Get(t.Context(), server.Firm().StaffID)))
		require.True(t, ok)
		assert.Equal(t, 400, answer.StatusCode)
		assert.Equal(t, "text/plain", answer.Header.Get("Content-Type"))
		assert.Equal(t, strings.Repeat("x", 64<<10), string(answer.Body))
		assert.Less(t, len(answer.Error()), 200, "and shows none of it")
	})
}

func TestAttemptsExplainThemselves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		server.Inject(practicetest.Fault{Operation: "getStaff", Status: 503, RetryAfter: "1", Times: -1})
		_, err := server.Client(t).Staff.Get(t.Context(), server.Firm().StaffID, practice.WithRetries(1))
		answer, ok := errors.AsType[*practice.Error](err)
		require.True(t, ok)
		require.Len(t, answer.Attempts, 2)
		assert.Equal(t, "status 503", answer.Attempts[0].Reason)
		assert.Equal(t, time.Second, answer.Attempts[0].Wait)
		assert.Equal(t, "status 503, no retries are left", answer.Attempts[1].Reason)
		assert.Contains(t, err.Error(), "2 attempts")
	})
}
