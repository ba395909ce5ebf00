package practice_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// logLines makes a call with a logger and returns the lines it logged.
func logLines(t *testing.T, level slog.Level, server *practicetest.Server, call func(*practice.Client) error, opts ...practice.ClientOption) ([]map[string]any, string) {
	t.Helper()
	var out bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: level}))
	_ = call(server.Client(t, append(opts, practice.WithLogger(logger))...)) // the test checks the log and not the result
	var lines []map[string]any
	for text := range strings.Lines(out.String()) {
		var line map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &line))
		lines = append(lines, line)
	}
	return lines, out.String()
}

func TestOneLineAnAttemptAtDebugAndOneAFailedCallAtWarn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		get := func(c *practice.Client) error {
			return testkit.Discard(c.Staff.Get(t.Context(), server.Firm().StaffID))
		}
		server.Inject(practicetest.Fault{Operation: "getStaff", Status: 503})
		lines, _ := logLines(t, slog.LevelDebug, server, get)
		require.Len(t, lines, 2)
		assert.Equal(t, "DEBUG", lines[0]["level"])
		assert.Equal(t, "Staff.Get", lines[0]["operation"])
		assert.Equal(t, "/staff/{id}", lines[0]["path"], "the template, not the identifier")
		assert.EqualValues(t, 503, lines[0]["status"])
		assert.EqualValues(t, 1, lines[0]["attempt"])
		assert.Equal(t, "status 503", lines[0]["reason"])
		assert.EqualValues(t, 200, lines[1]["status"])
		assert.Equal(t, lines[0]["request_id"], lines[1]["request_id"])

		server.Inject(practicetest.Fault{Operation: "getStaff", Status: 400, Delay: 1500})
		lines, text := logLines(t, slog.LevelInfo, server, get)
		assert.Regexp(t, `"duration":"[0-9.]+(ns|µs|ms|s)"`, text, "with its unit")
		require.Len(t, lines, 1)
		assert.Equal(t, "WARN", lines[0]["level"])
		assert.EqualValues(t, 400, lines[0]["status"])
		lines, _ = logLines(t, slog.LevelInfo, server, get)
		assert.Empty(t, lines, "a call that succeeds says nothing above debug")
	})
}

func TestBodiesAreLoggedWhenAskedFor(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		bodies      []practice.ClientOption
		level       slog.Level
		lines       int
		has, hasNot []string
	}{
		"not unless asked for":       {nil, slog.LevelDebug, 0, nil, []string{"Rowan"}},
		"at debug level only":        {[]practice.ClientOption{practice.WithLoggedBodies(practice.WholeBodies)}, slog.LevelInfo, 0, nil, []string{"Rowan"}},
		"without personal data":      {[]practice.ClientOption{practice.WithLoggedBodies(practice.BodiesWithoutPersonalData)}, slog.LevelDebug, 2, []string{`"request":{`, `"answer":{`, "hooks.example.test"}, []string{"Rowan", "top-secret"}},
		"whole, but for its secrets": {[]practice.ClientOption{practice.WithLoggedBodies(practice.WholeBodies)}, slog.LevelDebug, 2, []string{"Rowan", "hooks.example.test"}, []string{"top-secret"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := practicetest.New(t)
			lines, text := logLines(t, test.level, server, func(c *practice.Client) error {
				_, err := c.Contacts.Create(t.Context(), models.ContactWrite{Person: models.PersonWrite{FirstName: "Rowan", LastName: "Ash"}})
				_, hook := c.Webhooks.Create(t.Context(), models.WebhookSubscriptionWrite{
					Name: "hook", EventNotificationURL: "https://hooks.example.test/", EventTypes: []models.EventType{"matter.created"}, Key: models.Some(models.NewSecret("top-secret")),
				})
				return errors.Join(err, hook)
			}, test.bodies...)
			lines = slices.DeleteFunc(lines, func(line map[string]any) bool { return line["msg"] != "practice: bodies" })
			assert.Len(t, lines, test.lines)
			for _, word := range test.has {
				assert.Contains(t, text, word)
			}
			for _, word := range test.hasNot {
				assert.NotContains(t, text, word)
			}
		})
	}
}

// TestLinesForPeople checks the text of log lines.
func TestLinesForPeople(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		server.Inject(
			practicetest.Fault{Operation: "getStaff", Kind: practicetest.FaultStatus, Status: 503, RetryAfter: "2", Delay: 1234567},
			practicetest.Fault{Operation: "getStaff", Kind: practicetest.FaultTruncated, Delay: 61234567890, Times: -1})
		var out bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}}))
		client := server.Client(t, practice.WithLogger(logger), practice.WithRetries(1), practice.WithAttemptTimeout(0))
		err := testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID, practice.WithRequestID("request-1")))
		require.Error(t, err)
		lines := strings.SplitAfter(out.String(), "\n")
		require.Len(t, lines, 4)
		const origin = "method=GET path=/staff/{id} request_id=request-1\n"
		assert.Regexp(t, `^level=DEBUG msg="practice: attempt" operation=Staff.Get attempt=1 status=503 duration=1\.23ms reason="status 503" wait=2s received=\d+ `+
			regexp.QuoteMeta(origin)+"$", lines[0])
		assert.Regexp(t, `^level=DEBUG msg="practice: attempt" operation=Staff.Get attempt=2 status=200 duration=1m1\.2s error=".+" reason="no complete response, no retries are left" waited_for_retry=2s received=\d+ `+
			regexp.QuoteMeta(origin)+"$", lines[1])
		assert.Regexp(t, `^level=WARN msg="practice: call failed" operation=Staff.Get attempts=2 duration=1m3\.2s error=".+" reason="status 503; no complete response, no retries are left" waited_for_retry=2s `+regexp.QuoteMeta(origin)+"$", lines[2])
	})
}

func TestTheObserverSeesAttemptsAndCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		var seen []practice.Observation
		client := server.Client(t, practice.WithObserver(func(_ context.Context, o practice.Observation) { seen = append(seen, o) }))
		server.Inject(practicetest.Fault{Operation: "patchFee", Status: 503})
		require.NoError(t, testkit.Discard(client.Fees.Patch(t.Context(), server.Firm().MatterID, server.Firm().FeeID, models.FeePatch{Subject: models.Some("Advice")})))
		require.Len(t, seen, 3)
		for i, want := range []struct {
			call            bool
			attempt, status int
		}{{false, 1, 503}, {false, 2, 202}, {true, 2, 202}} {
			assert.Equal(t, "Fees.Patch", seen[i].Operation)
			assert.Equal(t, "PATCH", seen[i].Method)
			assert.Equal(t, want.call, !seen[i].Kind.IsAttempt())
			assert.Equal(t, want.attempt, seen[i].Attempt)
			assert.Equal(t, want.status, seen[i].Status)
			assert.Positive(t, seen[i].BytesReceived)
		}
		assert.EqualValues(t, len(`{"subject":"Advice"}`), seen[0].BytesSent)
		assert.EqualValues(t, 2*len(`{"subject":"Advice"}`), seen[2].BytesSent)
		assert.Greater(t, seen[2].Duration, seen[0].Duration+seen[1].Duration, "waits included")
		server.Inject(practicetest.Fault{Operation: "patchFee", Status: 404})
		seen = nil
		err := testkit.Discard(client.Fees.Patch(t.Context(), server.Firm().MatterID, server.Firm().FeeID, models.FeePatch{Subject: models.Some("Advice")}))
		require.Len(t, seen, 2)
		assert.Equal(t, err, seen[1].Err)
	})
}

func TestErrorsAreStructuredForSlog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		for _, fault := range []practicetest.Fault{{Status: 404}, {Kind: practicetest.FaultResetAfter, Times: -1}} {
			server.Inject(fault)
			err := testkit.Discard(server.Client(t).Staff.Get(t.Context(), server.Firm().StaffID, practice.WithRequestID("request-1")))
			var out bytes.Buffer
			slog.New(slog.NewJSONHandler(&out, nil)).Info("failed", "err", err)
			var line struct {
				Err struct {
					Operation string
					RequestID string `json:"request_id"`
					Attempts  int
				}
			}
			require.NoError(t, json.Unmarshal(out.Bytes(), &line))
			assert.Equal(t, "Staff.Get", line.Err.Operation)
			assert.Equal(t, "request-1", line.Err.RequestID)
			assert.Positive(t, line.Err.Attempts)
		}
		assert.NotErrorIs(t, &practice.Error{StatusCode: 418}, practice.ErrNotFound)
	})
}

func TestATracerSeesAttemptsBelowTheirCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		var tracer testkit.TraceRecorder
		var contexts []*testkit.Span
		client := server.Client(t, practice.WithTracer(&tracer), practice.WithObserver(func(ctx context.Context, _ practice.Observation) {
			contexts = append(contexts, ctx.Value(testkit.SpanKey{}).(*testkit.Span))
		}))
		server.Inject(practicetest.Fault{Operation: "getStaff", Status: 503})
		require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
		tracer.Complete(t)
		require.Len(t, tracer.Below(nil), 1)
		call := tracer.Below(nil)[0]
		attempts := tracer.Below(call)
		require.Len(t, attempts, 2)
		assert.Equal(t, []*testkit.Span{attempts[0], attempts[1], call}, contexts, "the observer gets the contexts of the tracer")
		kinds := []practice.ObservationKind{practice.ObservedCall, practice.ObservedAttempt, practice.ObservedAttempt}
		for i, s := range []*testkit.Span{call, attempts[0], attempts[1]} {
			want := practice.Observation{
				Operation: "Staff.Get", Method: http.MethodGet, Path: "/staff/{id}", Server: serverOf(server),
				RequestID: call.Started.RequestID, Kind: kinds[i], Attempt: i,
			}
			want.Waits.Retry = s.Ended.Waits.Retry * time.Duration(i/2)
			assert.Equal(t, want, s.Started, "nothing is known of the outcome")
			assert.Equal(t, i != 0, s.Header)
		}
		assert.Equal(t, 503, attempts[0].Ended.Status)
		assert.Equal(t, "status 503", attempts[0].Ended.Reason)
		assert.Equal(t, 200, attempts[1].Ended.Status)
		assert.Equal(t, 2, call.Ended.Attempt)
	})
}

func serverOf(server *practicetest.Server) string { return testkit.HostOf(server.BaseURL()) }

func TestWhatATracerAddsGoesOutWithEachAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		tracer := testkit.TraceRecorder{Add: http.Header{
			"Traceparent": {"00-01-02-01"}, "Baggage": {"a=1", "b=2"}, "Tracestate": {"tracer's"},
			"Authorization": {"Bearer other"}, "Userid": {"other"}, "Split": {"a\r\nX: y"}, "Bad name": {"x"},
		}}
		client := server.Client(t, practice.WithTracer(&tracer))
		server.Inject(practicetest.Fault{Operation: "getStaff", Status: 503})
		require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID, practice.WithHeader("Tracestate", "caller's"))))
		sent := testkit.RequestsTo(server, practicetest.PartAPI)
		require.Len(t, sent, 2)
		for _, r := range sent {
			assert.Equal(t, []string{"00-01-02-01"}, r.Header.Values("Traceparent"), "once, also the second time")
			assert.Equal(t, []string{"a=1", "b=2"}, r.Header.Values("Baggage"))
			assert.Equal(t, []string{"caller's"}, r.Header.Values("Tracestate"), "the caller knows better")
			assert.NotContains(t, r.Header.Values("Authorization"), "Bearer other")
			assert.Empty(t, r.Header.Values("Userid"))
			assert.Empty(t, r.Header.Values("Split"))
		}
		for _, r := range testkit.RequestsTo(server, practicetest.PartToken) {
			assert.Empty(t, r.Header.Values("Traceparent"))
		}
	})
}

func TestATracerSeesTheEndOfACallThatSendsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		var tracer testkit.TraceRecorder
		client := server.Client(t, practice.WithTracer(&tracer), practice.WithLimiter(closed{}))
		err := testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID))
		require.ErrorIs(t, err, errClosed)
		require.Len(t, tracer.Spans, 1)
		tracer.Complete(t)
		assert.Equal(t, err, tracer.Spans[0].Ended.Err)
		assert.Zero(t, tracer.Spans[0].Ended.Attempt)

		err = testkit.Discard(client.Staff.Get(t.Context(), ""))
		require.Error(t, err)
		require.Len(t, tracer.Spans, 2)
		assert.Equal(t, err, tracer.Spans[1].Ended.Err, "a refused argument")
		tracer.Complete(t)
	})
}

type closed struct{}

var errClosed = errors.New("the limiter is closed")

func (closed) Wait(context.Context) error { return errClosed }

func TestPagesAreToldFromOtherCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		pages := map[string]int{}
		client := server.Client(t, practice.WithObserver(func(_ context.Context, o practice.Observation) {
			if o.Kind == practice.ObservedPage {
				pages[o.Operation]++
			}
		}))
		ctx, matterID := t.Context(), server.Firm().MatterID
		require.NoError(t, testkit.Discard(client.BankAccounts.List(ctx, practice.BankAccountListOptions{})))
		require.NoError(t, testkit.Discard(practice.Collect(client.Documents.AllEntries(ctx, matterID, ""))))
		require.NoError(t, testkit.Discard(client.Documents.ListRootFolder(ctx, matterID, practice.RootFolderListOptions{})))
		require.NoError(t, testkit.Discard(client.Fees.Patch(ctx, matterID, server.Firm().FeeID, models.FeePatch{Subject: models.Some("Advice")})))
		assert.Equal(t, map[string]int{"BankAccounts.List": 1, "Documents.ListRootFolder": 1, "Documents.AllEntries": 1}, pages)
	})
}

func TestAnOperationOfTheCallersOwnIsOneWhole(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		var tracer testkit.TraceRecorder
		client, firm := server.Client(t, practice.WithTracer(&tracer)), server.Firm()
		server.Inject(practicetest.Fault{Operation: "getStaff", Status: 503})
		err := client.Observe(t.Context(), "Intake.OpenMatter", func(ctx context.Context) error {
			require.NoError(t, testkit.Discard(client.Staff.Get(ctx, firm.StaffID)))
			return client.Observe(ctx, "Intake.Fill", func(ctx context.Context) error {
				require.NoError(t, testkit.Discard(client.Documents.Download(ctx, firm.MatterID, firm.FileID, &bytes.Buffer{}, practice.DownloadOptions{})))
				return testkit.Discard(practice.Collect(client.Documents.AllEntries(ctx, firm.MatterID, "")))
			})
		})
		require.NoError(t, err)
		tracer.Complete(t)

		whole := tracer.Below(nil)[0]
		assert.Equal(t, practice.Observation{Operation: "Intake.OpenMatter", Kind: practice.ObservedWhole}, whole.Started)
		below := tracer.Below(whole)
		require.Len(t, below, 2)
		assert.Equal(t, "Staff.Get", below[0].Started.Operation)
		assert.Equal(t, "Intake.Fill", below[1].Started.Operation)
		inner := tracer.Below(below[1])
		require.Len(t, inner, 2)
		assert.Equal(t, "Documents.Download", inner[0].Started.Operation)
		assert.Equal(t, "Documents.AllEntries", inner[1].Started.Operation)

		ended := func(sum func(practice.Observation) int64) (parts []int64) {
			for _, s := range []*testkit.Span{below[0], inner[0], inner[1], below[1], whole} {
				parts = append(parts, sum(s.Ended))
			}
			return parts
		}
		for name, parts := range map[string][]int64{
			"attempts": ended(func(o practice.Observation) int64 { return int64(o.Attempt) }),
			"received": ended(func(o practice.Observation) int64 { return o.BytesReceived }),
			"waits":    ended(func(o practice.Observation) int64 { return int64(o.Waits.Retry) }),
		} {
			assert.Equal(t, parts[1]+parts[2], parts[3], "%s: those of a transfer, a walk and their pages count once", name)
			assert.Equal(t, parts[0]+parts[3], parts[4], "%s: those of the inner operation count, too", name)
		}
		assert.Equal(t, 2, below[0].Ended.Attempt)
		assert.Equal(t, 200, whole.Ended.Status, "of the last answer")
		assert.NoError(t, whole.Ended.Err)
	})
}

func TestAnOperationOfTheCallersOwnEndsWithItsError(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	var seen []practice.Observation
	var log bytes.Buffer
	client := server.Client(t, practice.WithLogger(slog.New(slog.NewTextHandler(&log, nil))),
		practice.WithObserver(func(_ context.Context, o practice.Observation) { seen = append(seen, o) }))
	secret := server.Credentials().APIKey
	own, leaky := errors.New("no such thing"), &json.UnsupportedValueError{Str: "key " + secret}
	with := func(err error) func(context.Context) error { return func(context.Context) error { return err } }

	require.Same(t, own, client.Observe(t.Context(), "Own", with(own)))
	require.Same(t, leaky, client.Observe(t.Context(), "Leaky", with(leaky)), "the caller gets its error as it is")
	assert.PanicsWithValue(t, "on the way", func() {
		_ = client.Observe(t.Context(), "Panics", func(context.Context) error { panic("on the way") })
	})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = client.Observe(t.Context(), "Exits", func(context.Context) error { runtime.Goexit(); return nil })
	}()
	<-ended

	require.Len(t, seen, 4)
	assert.Same(t, own, seen[0].Err)
	require.ErrorContains(t, seen[1].Err, "key [redacted]")
	require.ErrorAs(t, seen[1].Err, new(*json.UnsupportedValueError))
	for _, o := range seen[2:] {
		require.EqualError(t, o.Err, "a callback panicked or called runtime.Goexit", o.Operation)
	}
	assert.Regexp(t, `operation=Own duration=\S+ error="no such thing"`, log.String())
	assert.NotContains(t, log.String(), secret)
	assert.Equal(t, 4, strings.Count(log.String(), "call failed"))
}

func TestAnOperationThatNobodyObservesCostsNothing(t *testing.T) {
	client := practicetest.New(t).Client(t)
	ctx, calls := t.Context(), 0
	allocs := testing.AllocsPerRun(100, func() {
		_ = client.Observe(ctx, "Own", func(inner context.Context) error {
			if inner == ctx {
				calls++
			}
			return nil
		})
	})
	assert.Zero(t, allocs)
	assert.Equal(t, 101, calls)
}

func TestTheRenewalOfATokenIsHeardByAllWhoShareIt(t *testing.T) {
	t.Parallel()
	over := func(renewed <-chan struct{}) bool {
		select {
		case <-renewed:
			return true
		default:
			return false
		}
	}
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		client := server.Client(t, testkit.ClientCredentials(server))
		server.Inject(practicetest.Fault{Operation: "token", Status: 400})
		failed, err := client.TokenRenewal(t.Context())
		require.ErrorAs(t, err, new(*auth.TokenError))
		assert.False(t, over(failed))
		<-time.After(time.Minute) // a refused token source is asked again after a while
		first, err := client.TokenRenewal(t.Context())
		require.NoError(t, err)
		assert.True(t, over(failed), "a token came after all")
		second, err := client.With(practice.WithTimeout(time.Minute)).TokenRenewal(t.Context())
		require.NoError(t, err)
		assert.Equal(t, first, second, "a token that is there is not renewed")

		server.ExpireTokens()
		require.NoError(t, testkit.Discard(client.With().Staff.Get(t.Context(), server.Firm().StaffID)))
		assert.True(t, over(first), "renewed after a 401, by another client")
		third, err := client.TokenRenewal(t.Context())
		require.NoError(t, err)
		assert.False(t, over(third))

		none, err := server.Client(t, practice.WithoutCredentials()).TokenRenewal(t.Context())
		require.NoError(t, err)
		assert.False(t, over(none))
		_, err = client.ForAccount("..").TokenRenewal(t.Context())
		require.ErrorAs(t, err, new(*practice.ConfigError))
	})
}

func TestTheAccountOfAClient(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"https://api.example.test", "https://api.example.test/v1/", "https://api.example.test/a%2Db/v1"} {
		client, err := practice.NewClient(base, practice.WithoutCredentials())
		require.NoError(t, err)
		assert.Empty(t, client.AccountID(), base)
		account := client.ForAccount("an account")
		assert.Equal(t, "an account", account.With(practice.WithRetries(1)).AccountID(), base)
		assert.Equal(t, practice.SystemAccountID, account.ForAccount(practice.SystemAccountID).AccountID(), base)
	}
}
