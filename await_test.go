package practice_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
)

func codeRead(client *practice.Client, id string) func(context.Context) (*models.ActivityCode, error) {
	return func(ctx context.Context) (*models.ActivityCode, error) { return client.ActivityCodes.Get(ctx, id) }
}

func TestAwaitReadsUntilWhatWasCreatedIsThere(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		link, err := client.ActivityCodes.Create(t.Context(), models.ActivityCodeWrite{Code: "ADV"})
		require.NoError(t, err)
		server.ResetRequests()
		began := time.Now()
		code, err := practice.Await(t.Context(), practice.ReadLink[models.ActivityCode](client, link), practice.Exists())
		require.NoError(t, err)
		assert.Equal(t, "ADV", code.Code)
		assert.Equal(t, 3100*time.Millisecond, time.Since(began), "100, 200, 400, 800 and 1600 ms: the write takes 2 s")
		assert.Len(t, server.Requests(), 6)
	}, practicetest.WithWriteDelay(2*time.Second))
}

func TestAwaitReadsUntilTheRecordHasChanged(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().ActivityCodeID
		before, err := client.ActivityCodes.Get(t.Context(), id)
		require.NoError(t, err)
		_, err = client.ActivityCodes.Update(t.Context(), id, models.ActivityCodeWrite{Code: "ADV"})
		require.NoError(t, err)
		after, err := practice.Await(t.Context(), codeRead(client, id), practice.Changed(before))
		require.NoError(t, err)
		assert.Equal(t, "ADV", after.Code)
	})
}

func TestAwaitReadsUntilTheRecordIsGone(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().ActivityCodeID
		_, err := client.ActivityCodes.Delete(t.Context(), id)
		require.NoError(t, err)
		marked, err := practice.Await(t.Context(), codeRead(client, id), practice.Gone())
		require.NoError(t, err)
		assert.True(t, marked.IsDeleted.Or(false), "the service keeps it, marked")

		missing, err := practice.Await(t.Context(), codeRead(client, testkit.UnknownID), practice.Gone())
		require.NoError(t, err)
		assert.Nil(t, missing)
	})
}

func TestAwaitEndsWithTheFailureThatATrackerHeardOf(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, _ *practicetest.Server, client *practice.Client) {
		store, err := webhook.NewMemoryStore()
		require.NoError(t, err)
		tracker, err := webhook.NewTracker(store)
		require.NoError(t, err)
		const requestID = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"
		require.NoError(t, tracker.Register(t.Context(), requestID))
		link, err := client.ActivityCodes.Create(t.Context(), models.ActivityCodeWrite{Code: "ADV"}, practice.WithRequestID(requestID))
		require.NoError(t, err)
		time.AfterFunc(time.Second, func() {
			assert.NoError(t, tracker.Feed(t.Context(), webhook.WriteError{RequestID: requestID, Message: "the code is taken"}))
		})
		_, err = practice.Await(t.Context(), practice.ReadLink[models.ActivityCode](client, link), practice.Exists(), practice.WithFailures(tracker, requestID))
		failed, is := errors.AsType[*webhook.WriteError](err)
		require.True(t, is, "%v", err)
		assert.Equal(t, "the code is taken", failed.Message)
		assert.EqualError(t, err, "practice: Await: stopped after 1.5s (reads: 5): webhook: the write "+requestID+" failed after it was accepted: the code is taken")

		_, err = practice.Await(t.Context(), practice.ReadLink[models.ActivityCode](client, link), practice.Exists(), practice.WithFailures(tracker, "another"))
		assert.ErrorIs(t, err, webhook.ErrNotTracked)
	}, practicetest.WithWriteDelay(time.Hour))
}

func TestAwaitWaitsAsLongAsItSaysAndReadsOnceMoreAtTheEnd(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		limit time.Duration // deadline of the context from now; 0: none
		opts  []practice.AwaitOption
		took  time.Duration
		reads int
	}{
		"by default a minute":        {0, nil, time.Minute, 18},
		"the option":                 {0, []practice.AwaitOption{practice.WithAwaitTimeout(time.Second)}, time.Second, 5},
		"the deadline of the caller": {time.Second, nil, 980 * time.Millisecond, 5},
		"other waits":                {10 * time.Second, []practice.AwaitOption{practice.WithAwaitInterval(2*time.Second, 3*time.Second)}, 9980 * time.Millisecond, 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				ctx := t.Context()
				if test.limit > 0 {
					limited, cancel := context.WithTimeout(ctx, test.limit)
					defer cancel()
					ctx = limited
				}
				began := time.Now()
				before, err := client.ActivityCodes.Get(t.Context(), server.Firm().ActivityCodeID)
				require.NoError(t, err)
				last, err := practice.Await(ctx, codeRead(client, before.ID), practice.Changed(*before), test.opts...)
				ended, is := errors.AsType[*practice.AwaitError](err)
				require.True(t, is, "%v", err)
				require.ErrorIs(t, err, practice.ErrNotYet)
				assert.Equal(t, test.reads, ended.Reads)
				assert.Equal(t, test.took, ended.Waited)
				assert.Equal(t, test.took, time.Since(began))
				assert.Equal(t, before.ID, last.ID, "what was read last")
			})
		})
	}
}

func TestAwaitEndsWithTheContextInTheMiddleOfAWait(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, _ *practicetest.Server, client *practice.Client) {
		why := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(why) })
		_, err := practice.Await(ctx, codeRead(client, testkit.UnknownID), practice.Exists())
		assert.ErrorIs(t, err, why)
	})
}

func TestAwaitGivesTheErrorOfAReadThatSaysMoreThanNotFound(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		server.ResetRequests()
		_, err := practice.Await(t.Context(), codeRead(client, server.Firm().OtherFirmActivityCodeID), practice.Exists())
		require.ErrorIs(t, err, practice.ErrForbidden)
		assert.Len(t, server.Requests(), 1)

		server.Inject(practicetest.Fault{Operation: "getActivityCode", Kind: practicetest.FaultStatus, Status: http.StatusServiceUnavailable})
		_, err = practice.Await(t.Context(), codeRead(client, server.Firm().ActivityCodeID), practice.Exists())
		assert.NoError(t, err, "the client itself repeats what is worth it")

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = practice.Await(ctx, func(ctx context.Context) (*models.ActivityCode, error) { <-ctx.Done(); return nil, ctx.Err() }, practice.Exists())
		require.ErrorIs(t, err, practice.ErrNotYet)
		assert.ErrorIs(t, err, context.DeadlineExceeded, "a read does not outlast the wait")
	})
}

func TestChangedComparesVersionsThenTimesThenEverything(t *testing.T) {
	t.Parallel()
	type record struct {
		VersionID   string `json:"versionId,omitempty"`
		LastUpdated string `json:"lastUpdated,omitempty"`
		Text        string `json:"text"`
	}
	for name, test := range map[string]struct {
		before, after record
		changed       bool
	}{
		"another version":                  {record{"1", "a", "x"}, record{"2", "a", "x"}, true},
		"the same version":                 {record{"1", "a", "x"}, record{"1", "b", "y"}, false},
		"another time, without a version":  {record{"", "a", "x"}, record{"", "b", "x"}, true},
		"the same time, without a version": {record{"", "a", "x"}, record{"", "a", "y"}, false},
		"another text, without either":     {record{"", "", "x"}, record{"", "", "y"}, true},
		"the same text, without either":    {record{"", "", "x"}, record{"", "", "x"}, false},
		"a version where there was none":   {record{"", "", "x"}, record{"1", "", "x"}, true},
		"a time where there was a version": {record{"1", "", "x"}, record{"", "b", "x"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				_, err := practice.Await(t.Context(), func(context.Context) (record, error) { return test.after, nil }, practice.Changed(test.before))
				assert.Equal(t, !test.changed, errors.Is(err, practice.ErrNotYet), "%v", err)
			})
		})
	}
}

// TestChangedComparesEverythingWithoutAVersionOrTime checks values that stand
// for none.
func TestChangedComparesEverythingWithoutAVersionOrTime(t *testing.T) {
	t.Parallel()
	for _, same := range []string{
		`"versionId":""`, `"versionId":"00000000-0000-0000-0000-000000000000"`,
		`"lastUpdated":null`, `"lastUpdated":0`, `"lastUpdated":"0"`, `"lastUpdated":"0001-01-01T00:00:00"`, `"lastUpdated":"0001-01-01"`,
	} {
		before, after := json.RawMessage(`{"text":"x",`+same+`}`), json.RawMessage(`{"text":"y",`+same+`}`)
		_, err := practice.Await(t.Context(), func(context.Context) (json.RawMessage, error) { return after, nil }, practice.Changed(before), practice.WithAwaitTimeout(1))
		require.NoError(t, err, same)
	}
}

func TestChangedNoticesAnotherSecret(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		before := models.FilePreview{DownloadURL: models.NewSecret("https://files.example.test/1")}
		reads := 0
		after, err := practice.Await(t.Context(), func(context.Context) (*models.FilePreview, error) {
			if reads++; reads < 3 {
				return &before, nil
			}
			return &models.FilePreview{DownloadURL: models.NewSecret("https://files.example.test/2")}, nil
		}, practice.Changed(before))
		require.NoError(t, err)
		assert.Equal(t, "https://files.example.test/2", after.DownloadURL.Reveal())
	})
}

func TestAConditionOfOnesOwnIsAskedAboutRecordsThatAreThere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := 0
		got, err := practice.Await(t.Context(), func(context.Context) (int, error) {
			if n++; n < 3 {
				return n, practice.ErrNotFound
			}
			return n, nil
		}, practice.When(func(n int) bool { return assert.Greater(t, n, 2) && n == 5 }))
		require.NoError(t, err)
		assert.Equal(t, 5, got)
	})
}

func TestWhatAwaitCannotDoIsRefused(t *testing.T) {
	t.Parallel()
	read := func(context.Context) (int, error) { return 0, errors.New("never called") }
	var none func(context.Context) (int, error)
	for argument, err := range map[string]error{
		"read":              testkit.Discard(practice.Await(t.Context(), none, practice.Exists())),
		"until":             testkit.Discard(practice.Await(t.Context(), read, practice.Condition{})),
		"WithAwaitTimeout":  testkit.Discard(practice.Await(t.Context(), read, practice.Exists(), practice.WithAwaitTimeout(0))),
		"WithAwaitInterval": testkit.Discard(practice.Await(t.Context(), read, practice.Exists(), practice.WithAwaitInterval(0, time.Second))),
		"WithFailures":      testkit.Discard(practice.Await(t.Context(), read, practice.Exists(), practice.WithFailures(nil, ""))),
		"link":              testkit.Discard(practice.Await(t.Context(), practice.ReadLink[models.ActivityCode](nil, nil), practice.Exists())),
	} {
		refused, is := errors.AsType[*practice.ArgumentError](err)
		if assert.True(t, is, "%s: %v", argument, err) {
			assert.Equal(t, argument, refused.Argument)
		}
	}
	made := func(context.Context) (int, error) { return 1, nil }
	for reason, err := range map[string]error{
		"cannot be compared: json: unsupported type: func()": testkit.Discard(practice.Await(t.Context(), read, practice.Changed(func() {}))),
		"must not be empty": testkit.Discard(practice.Await(t.Context(), read, practice.When[int](nil))),
		"expects a *models.Fee, but the read returned a int": testkit.Discard(practice.Await(t.Context(), made, practice.When(func(*models.Fee) bool { return true }))),
	} {
		refused, is := errors.AsType[*practice.ArgumentError](err)
		require.True(t, is, "%v", err)
		assert.Equal(t, practice.ArgumentError{Operation: "Await", Argument: "until", Reason: reason}, *refused)
	}
	setting, is := errors.AsType[*practice.ConfigError](testkit.Discard(practice.Await(t.Context(), read, practice.Exists(), nil)))
	require.True(t, is)
	assert.Equal(t, "received a nil option", setting.Reason)
}

func TestAwaitTellsThatTheRecordWasNotFoundAtLast(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().FeeID
		before, err := client.Fees.Get(t.Context(), server.Firm().MatterID, id)
		require.NoError(t, err)
		reads := 0
		_, err = practice.Await(t.Context(), func(ctx context.Context) (*models.Fee, error) {
			if reads++; reads > 2 {
				id = testkit.UnknownID // an unknown id stands for a record deleted meanwhile
			}
			return client.Fees.Get(ctx, server.Firm().MatterID, id)
		}, practice.Changed(before))
		require.ErrorIs(t, err, practice.ErrNotYet)
		require.ErrorIs(t, err, practice.ErrNotFound)
		assert.ErrorContains(t, err, "the condition has not been met yet: practice: Fees.Get: status 404")
	})
}

// TestAwaitSeesWhatTakesEffectInTime checks that Await finds a write that takes
// effect before the limit, whatever the delay.
func TestAwaitSeesWhatTakesEffectInTime(t *testing.T) {
	t.Parallel()
	const limit = 8 * time.Second
	for delay := 100 * time.Millisecond; delay < limit; delay += 700 * time.Millisecond {
		for name, wait := range map[string]func(context.Context) (context.Context, []practice.AwaitOption, func()){
			"by the option": func(ctx context.Context) (context.Context, []practice.AwaitOption, func()) {
				return ctx, []practice.AwaitOption{practice.WithAwaitTimeout(limit)}, func() {}
			},
			"by the context": func(ctx context.Context) (context.Context, []practice.AwaitOption, func()) {
				ctx, cancel := context.WithTimeout(ctx, limit)
				return ctx, nil, cancel
			},
		} {
			t.Run(delay.String()+" "+name, func(t *testing.T) {
				t.Parallel()
				testkit.InBubble(t, func(t *testing.T, _ *practicetest.Server, client *practice.Client) {
					link, err := client.ActivityCodes.Create(t.Context(), models.ActivityCodeWrite{Code: "ADV"})
					require.NoError(t, err)
					ctx, options, cancel := wait(t.Context())
					defer cancel()
					_, err = practice.Await(ctx, practice.ReadLink[models.ActivityCode](client, link), practice.Exists(), options...)
					require.NoError(t, err)
				}, practicetest.WithWriteDelay(delay))
			})
		}
	}
}

// TestAwaitEndsWithErrNotYetWhateverHoldsUpItsReads checks that a read that
// cannot be sent in time counts as a condition that does not hold yet.
func TestAwaitEndsWithErrNotYetWhateverHoldsUpItsReads(t *testing.T) {
	t.Parallel()
	slow := func(ctx context.Context) error { return backoff.Sleep(ctx, time.Hour) }
	for name, test := range map[string]struct {
		client []practice.ClientOption
		fault  practicetest.Fault
		read   func(context.Context) error // replaces the client's read
	}{
		"nothing":                             {},
		"the rate limit":                      {client: []practice.ClientOption{practice.WithRateLimit(0.5, 1)}},
		"the rate limit, with shorter calls":  {client: []practice.ClientOption{practice.WithRateLimit(0.1, 1), practice.WithTimeout(time.Second)}},
		"a 429":                               {fault: practicetest.Fault{Kind: practicetest.FaultRateLimit, RetryAfter: "20", Times: -1, Skip: 1}},
		"a service that is out of order":      {fault: practicetest.Fault{Status: http.StatusServiceUnavailable, RetryAfter: "25", Times: -1, Skip: 1}},
		"a read that takes longer than there": {read: slow},
	} {
		for _, byContext := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, by the context %t", name, byContext), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					server := practicetest.New(t)
					client := server.Client(t, test.client...)
					if test.fault != (practicetest.Fault{}) {
						server.Inject(test.fault)
					}
					ctx, options := t.Context(), []practice.AwaitOption{practice.WithAwaitTimeout(10 * time.Second)}
					if byContext {
						limited, cancel := context.WithTimeout(ctx, 10*time.Second)
						defer cancel()
						ctx, options = limited, nil
					}
					var all sync.WaitGroup
					for range 8 {
						all.Go(func() {
							began := time.Now()
							_, err := practice.Await(ctx, func(ctx context.Context) (*models.ActivityCode, error) {
								if test.read != nil {
									return nil, test.read(ctx)
								}
								return client.ActivityCodes.Get(ctx, testkit.UnknownID)
							}, practice.Exists(), options...)
							assert.ErrorIs(t, err, practice.ErrNotYet)
							_, is := errors.AsType[*practice.AwaitError](err)
							assert.True(t, is, "%v", err)
							assert.GreaterOrEqual(t, time.Since(began), 9*time.Second)
							assert.LessOrEqual(t, time.Since(began), 16*time.Second)
						})
					}
					all.Wait()
				})
			})
		}
	}
}

// TestAwaitMatchesTheCauseOfItsEnd ends the context of Await at each moment.
// ErrNotYet alone means that the time of Await itself was over.
func TestAwaitMatchesTheCauseOfItsEnd(t *testing.T) {
	t.Parallel()
	own := errors.New("the program stops")
	for _, moment := range []string{"before", "reading", "answered", "waiting", "deadline", "its own time"} {
		for _, found := range []bool{true, false} {
			t.Run(fmt.Sprint(moment, " found ", found), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithCancelCause(t.Context())
					defer cancel(nil)
					if moment == "deadline" {
						limited, stop := context.WithTimeout(ctx, 10*time.Second)
						defer stop()
						ctx = limited
					}
					read := func(ctx context.Context) (int, error) {
						switch moment {
						case "reading":
							time.AfterFunc(10*time.Millisecond, func() { cancel(own) })
							<-ctx.Done()
							return 0, ctx.Err()
						case "answered":
							cancel(own)
						}
						if found {
							return 0, nil
						}
						return 0, practice.ErrNotFound
					}
					switch moment {
					case "before":
						cancel(own)
					case "waiting":
						time.AfterFunc(150*time.Millisecond, func() { cancel(own) })
					}
					_, err := practice.Await(ctx, read, practice.When(func(int) bool { return false }))
					_, is := errors.AsType[*practice.AwaitError](err)
					require.True(t, is, "%v", err)
					late := moment == "deadline" || moment == "its own time"
					assert.Equal(t, late, errors.Is(err, practice.ErrNotYet), "%v", err)
					assert.Equal(t, !late, errors.Is(err, context.Canceled), "%v", err)
					assert.Equal(t, !late, errors.Is(err, own), "%v", err)
					assert.Equal(t, moment == "deadline", errors.Is(err, context.DeadlineExceeded), "%v", err)
				})
			})
		}
	}
}
