package transport

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatIsSentAgainDependsOnTheClass(t *testing.T) {
	t.Parallel()
	ok := status(http.StatusOK)
	for _, test := range []struct {
		name                     string
		first                    tripper
		read, idempotent, create int // number of attempts
		uncertain                bool
	}{
		{"success", ok, 1, 1, 1, false},
		{"400", status(400), 1, 1, 1, false},
		{"403", status(403), 1, 1, 1, false},
		{"404", status(404), 1, 1, 1, false},
		{"429 was not executed", status(429), 2, 2, 2, false},
		{"500 is repeated for reads only", status(500), 2, 1, 1, true},
		{"501", status(501), 1, 1, 1, true},
		{"502", status(502), 2, 2, 1, true},
		{"503", status(503), 2, 2, 1, true},
		{"504", status(504), 2, 2, 1, true},
		{"redirect elsewhere", status(302, "Location", "https://elsewhere.example.test/"), 1, 1, 1, false},
		{"connection reset", failing(errReset), 2, 2, 1, true},
		{"connection refused: nothing was sent", failing(errRefuse), 2, 2, 2, false},
		{"body of a success breaks off", truncated(200), 2, 2, 1, true},
		{"body of a 503 breaks off", truncated(503), 2, 2, 1, true},
		{"body of a 400 breaks off", truncated(400), 1, 1, 1, false},
	} {
		for class, want := range map[Class]int{Read: test.read, IdempotentWrite: test.idempotent, Create: test.create} {
			t.Run(test.name+"/"+className(class), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					chain, sent := chainOver(t, nil, test.first, ok)
					call := newCall(class)
					_, _ = chain.send(t, t.Context(), methodOf(class), call, 0)
					assert.Equal(t, want, *sent)
					assert.Len(t, call.Attempts, want)
					assert.Equal(t, test.uncertain, call.Uncertain())
					for _, attempt := range call.Attempts {
						assert.NotEmpty(t, attempt.Reason)
					}
				})
			})
		}
	}
}

func className(c Class) string { return [...]string{"read", "idempotent write", "create"}[c] }
func methodOf(c Class) string {
	return [...]string{http.MethodGet, http.MethodPatch, http.MethodPost}[c]
}

func TestRetryAfterIsHonoured(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, header string
		least, most  time.Duration
	}{
		{"seconds", "3", 3 * time.Second, 3 * time.Second},
		{"fraction", "0.5", 500 * time.Millisecond, 500 * time.Millisecond},
		{"date", "Sat, 01 Jan 2000 00:00:04 GMT", 4 * time.Second, 4 * time.Second},
		{"a past date falls back to the backoff", "Fri, 01 Jan 1999 00:00:00 GMT", 0, time.Second},
		{"zero falls back to the backoff", "0", 0, time.Second},
		{"nonsense falls back to the backoff", "soon", 0, time.Second},
		{"not a number falls back to the backoff", "NaN", 0, time.Second},
		{"none", "", 0, time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				chain, _ := chainOver(t, nil, status(503, "Retry-After", test.header), status(200))
				call := newCall(Read)
				started := time.Now()
				_, err := chain.send(t, t.Context(), http.MethodGet, call, 0)
				require.NoError(t, err)
				waited := time.Since(started)
				assert.Equal(t, waited, call.Attempts[0].Wait)
				assert.GreaterOrEqual(t, waited, test.least)
				assert.LessOrEqual(t, waited, test.most)
			})
		})
	}
}

// TestARetryAfterThatIsTooLongEndsTheCall checks that nothing is sent earlier
// than the service allows.
func TestARetryAfterThatIsTooLongEndsTheCall(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"86400", "99999999999999", "Fri, 31 Dec 9999 23:59:59 GMT", "11"} {
		for _, code := range []int{429, 503} {
			synctest.Test(t, func(t *testing.T) {
				chain, sent := chainOver(t, nil, status(code, "Retry-After", header))
				call := newCall(Read)
				started := time.Now()
				got, err := chain.send(t, t.Context(), http.MethodGet, call, 0)
				require.NoError(t, err)
				assert.Equal(t, code, got.Status)
				assert.Equal(t, 1, *sent)
				assert.Zero(t, time.Since(started))
				assert.Contains(t, call.Attempts[0].Reason, "the service asked the client to wait")
			})
		}
	}
}

func TestA429DoesNotUseUpTheRetries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var steps []tripper
		for range 10 {
			steps = append(steps, status(429))
		}
		steps = append(steps, status(503), status(429), status(503), status(503), status(200))
		chain, sent := chainOver(t, nil, steps...)
		got, err := chain.send(t, t.Context(), http.MethodPatch, newCall(IdempotentWrite), 10*time.Minute)
		require.NoError(t, err)
		assert.Equal(t, 200, got.Status)
		assert.Equal(t, len(steps), *sent)
	})
}

// TestACallThatIsAlwaysRefusedEnds checks that retries of a 429 end at the time
// limit of the call. Without a limit they end two minutes after the client last
// received any other response.
func TestACallThatIsAlwaysRefusedEnds(t *testing.T) {
	t.Parallel()
	const limit = 2 * time.Minute
	for name, total := range map[string]time.Duration{"with a time limit": limit, "without": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				chain, sent := chainOver(t, nil, status(429))
				started := time.Now()
				got, err := chain.send(t, t.Context(), http.MethodPost, newCall(Create), total)
				require.NoError(t, err, "the last answer is kept")
				assert.Equal(t, 429, got.Status)
				assert.InDelta(t, limit.Seconds(), time.Since(started).Seconds(), 10)
				assert.LessOrEqual(t, *sent, 40, "less and less often")
			})
		})
	}
	t.Run("not while the service answers others", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			chain, _ := chainOver(t, nil, func(req *http.Request) (*http.Response, error) {
				if req.Method == http.MethodPost && time.Since(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)) < 5*limit {
					return answer(429, ""), nil
				}
				return answer(200, ""), nil
			})
			var other sync.WaitGroup
			other.Go(func() {
				for range 20 {
					<-time.After(30 * time.Second)
					asked := time.Now()
					_, err := chain.send(t, t.Context(), http.MethodGet, newCall(Read), 0)
					assert.NoError(t, err)
					assert.LessOrEqual(t, time.Since(asked), 2*maxPause, "its turn comes after that of the other")
				}
			})
			got, err := chain.send(t, t.Context(), http.MethodPost, newCall(Create), 0)
			require.NoError(t, err)
			assert.Equal(t, 200, got.Status)
			other.Wait()
		})
	})
}

func TestWithoutRetriesA429EndsTheCall(t *testing.T) {
	t.Parallel()
	chain, sent := chainOver(t, nil, status(429))
	call := newCall(Read)
	call.Retries.Max = 0
	got, err := chain.send(t, t.Context(), http.MethodGet, call, time.Minute)
	require.NoError(t, err)
	assert.Equal(t, 429, got.Status)
	assert.Equal(t, 1, *sent)
}

func TestBackoffIsJitteredAndDoubles(t *testing.T) {
	t.Parallel()
	call := newCall(Read)
	for _, test := range []struct {
		used  int
		bound time.Duration
	}{{0, time.Second}, {1, 2 * time.Second}, {2, 4 * time.Second}, {10, 10 * time.Second}, {100, 10 * time.Second}} {
		call.used = test.used
		different := map[time.Duration]bool{}
		longest := time.Duration(0)
		for range 200 {
			wait := call.nextWait(nil)
			assert.LessOrEqual(t, wait, test.bound)
			different[wait], longest = true, max(longest, wait)
		}
		assert.Greater(t, len(different), 10, "the waits must differ")
		assert.Greater(t, longest, test.bound/2, "the bound doubles")
	}
}

func TestNoWaitPassesTheTimeLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		chain, sent := chainOver(t, nil, status(503, "Retry-After", "5"))
		started := time.Now()
		got, err := chain.send(t, t.Context(), http.MethodGet, newCall(Read), 3*time.Second)
		require.NoError(t, err, "the last answer is kept")
		assert.Equal(t, 503, got.Status)
		assert.Equal(t, 1, *sent)
		assert.Zero(t, time.Since(started), "it gives up at once")
	})
}

func TestAContextThatEndsInTheWaitEndsTheCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		chain, sent := chainOver(t, nil, status(503, "Retry-After", "5"))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		started := time.Now()
		call := newCall(Read)
		_, err := chain.send(t, ctx, http.MethodGet, call, 0)
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, time.Second, time.Since(started))
		assert.Equal(t, 1, *sent)
		assert.Equal(t, 503, call.Attempts[0].Status, "the last status is not lost")
	})
}

// TestNothingIsAskedForACallThatEnded checks that a zero wait, after a 401,
// also ends with its context.
func TestNothingIsAskedForACallThatEnded(t *testing.T) {
	t.Parallel()
	for range 20 { // the context and the timer end at the same time, and a select may choose either
		ctx, cancel := context.WithCancel(t.Context())
		chain, sent := chainOver(t, &lastToken{end: cancel}, status(401))
		call := newCall(Read)
		call.Again = func(context.Context) error {
			assert.Fail(t, "the call has ended")
			return nil
		}
		_, err := chain.send(t, ctx, http.MethodGet, call, 0)
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, 1, *sent)
	}
}

// lastToken cancels the call when it is renewed.
type lastToken struct{ end context.CancelFunc }

func (*lastToken) Token(context.Context) (string, error) { return "token", nil }

func (l *lastToken) Replaced(string, bool) {}

func (l *lastToken) Renew(context.Context, string) (bool, error) {
	l.end()
	return true, nil
}

// TestAFailedCallLeavesTheConnectionsOfOthersOpen checks that the idle
// connections stay open after a failed call. retryablehttp closes those of its
// client; here they are shared by all calls and belong to the owner of the
// transport.
func TestAFailedCallLeavesTheConnectionsOfOthersOpen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		wire := &idleTransport{err: errReset}
		for name, middleware := range map[string][]Middleware{
			"no middleware":   nil,
			"with middleware": {func(http.RoundTripper) http.RoundTripper { return wire }},
		} {
			chain := New(Config{
				HTTPClient: &http.Client{Transport: wire}, Middleware: middleware,
				Origin: NewOrigin(mustURL(t, base)), Limiter: NewLimiter(0, 0),
			})
			_, err := chain.send(t, t.Context(), http.MethodGet, newCall(Read), 0)
			require.ErrorIs(t, err, errReset)
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			_, err = chain.send(t, ctx, http.MethodGet, newCall(Read), 0)
			require.Error(t, err)
			assert.Zero(t, wire.closed, name)
		}
	})
}

// idleTransport fails and counts the calls of CloseIdleConnections.
type idleTransport struct {
	err    error
	closed int
}

func (w *idleTransport) RoundTrip(*http.Request) (*http.Response, error) { return nil, w.err }

func (w *idleTransport) CloseIdleConnections() { w.closed++ }

// TestAFailureThatStaysIsNotRetried checks failures that have the same result
// each time, of a transport that reports its connections and of another one.
func TestAFailureThatStaysIsNotRetried(t *testing.T) {
	t.Parallel()
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	secure.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	for name, address := range map[string]string{
		"an unknown authority":     secure.URL,
		"another name":             strings.Replace(secure.URL, "127.0.0.1", "localhost", 1),
		"a scheme that is unknown": "gopher://127.0.0.1:1",
	} {
		for _, class := range []Class{Read, IdempotentWrite, Create} {
			for _, wrapped := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, class %d, wrapped: %t", name, class, wrapped), func(t *testing.T) {
					t.Parallel()
					own := new(http.Transport)
					if name == "another name" {
						own = secure.Client().Transport.(*http.Transport).Clone()
					}
					t.Cleanup(own.CloseIdleConnections)
					var wire http.RoundTripper = own
					if wrapped {
						wire = tripper(own.RoundTrip)
					}
					chain := New(Config{HTTPClient: &http.Client{Transport: wire}, Origin: NewOrigin(mustURL(t, address)), Limiter: NewLimiter(0, 0)})
					call := newCall(class)
					call.Method, call.URL = http.MethodPut, mustURL(t, address+"/staff/1")
					_, err := chain.Do(t.Context(), call)
					require.Error(t, err)
					assert.Len(t, call.Attempts, 1, "%v", err)
				})
			}
		}
	}
}

func TestRetriesEndWithTheLastAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		chain, sent := chainOver(t, nil, status(503), status(502), status(504), status(503, "X-Last", "yes"))
		call := newCall(Read)
		got, err := chain.send(t, t.Context(), http.MethodGet, call, 0)
		require.NoError(t, err)
		assert.Equal(t, 4, *sent, "three retries")
		assert.Equal(t, "yes", got.Header.Get("X-Last"))
		assert.Contains(t, call.Attempts[3].Reason, "no retries are left")
	})
}

// A token that cannot be had ends the call before another attempt, and does not
// change what is known of the last one.
func TestAFailureBeforeAnAttemptKeepsTheReasonOfTheLast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tokens := &tokenList{tokens: []string{"token"}}
		chain, _ := chainOver(t, tokens, func(req *http.Request) (*http.Response, error) {
			tokens.err = errors.New("no token")
			return status(503)(req)
		})
		call := newCall(Read)
		_, err := chain.send(t, t.Context(), http.MethodGet, call, 0)
		require.ErrorIs(t, err, tokens.err)
		require.Len(t, call.Attempts, 1)
		assert.Equal(t, "status 503", call.Attempts[0].Reason)
	})
}

func TestOneReplayAfterA401(t *testing.T) {
	t.Parallel()
	t.Run("with a new token, without waiting or counting", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			tokens := &tokenList{tokens: []string{"old", "new"}}
			chain, sent := chainOver(t, tokens, status(401), func(req *http.Request) (*http.Response, error) {
				assert.Equal(t, "Bearer new", req.Header.Get("Authorization"))
				return answer(200, ""), nil
			})
			call := newCall(Create)
			call.Retries.Max = 0
			started := time.Now()
			got, err := chain.send(t, t.Context(), http.MethodPost, call, 0)
			require.NoError(t, err)
			assert.Equal(t, 200, got.Status)
			assert.Equal(t, 2, *sent)
			assert.Zero(t, time.Since(started))
		})
	})
	t.Run("not with the same token", func(t *testing.T) {
		t.Parallel()
		chain, sent := chainOver(t, &tokenList{tokens: []string{"only"}}, status(401))
		got, err := chain.send(t, t.Context(), http.MethodGet, newCall(Read), 0)
		require.NoError(t, err)
		assert.Equal(t, 401, got.Status)
		assert.Equal(t, 1, *sent)
	})
	t.Run("not twice", func(t *testing.T) {
		t.Parallel()
		chain, sent := chainOver(t, &tokenList{tokens: []string{"a", "b", "c"}}, status(401))
		got, err := chain.send(t, t.Context(), http.MethodGet, newCall(Read), 0)
		require.NoError(t, err)
		assert.Equal(t, 401, got.Status)
		assert.Equal(t, 2, *sent)
	})
	t.Run("twice if the first other token was only found", func(t *testing.T) {
		t.Parallel()
		chain, sent := chainOver(t, &tokenList{tokens: []string{"a", "b", "c", "d"}, found: true}, status(401))
		call := newCall(Create)
		got, err := chain.send(t, t.Context(), http.MethodPost, call, 0)
		require.NoError(t, err)
		assert.Equal(t, 401, got.Status)
		assert.Equal(t, 3, *sent, "others that renew do not keep the call alive")
		assert.False(t, call.Uncertain())
	})
	t.Run("and the retries are still there", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			chain, sent := chainOver(t, &tokenList{tokens: []string{"a", "b"}}, status(401), status(503), status(503), status(503), status(200))
			got, err := chain.send(t, t.Context(), http.MethodGet, newCall(Read), 0)
			require.NoError(t, err)
			assert.Equal(t, 200, got.Status)
			assert.Equal(t, 5, *sent)
		})
	})
}

func TestEveryAttemptIsReportedOnceWithWhatFollowed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		chain, _ := chainOver(t, nil, status(503), status(200))
		call := newCall(Read)
		var seen attempts
		call.Observer = &seen
		_, err := chain.send(t, t.Context(), http.MethodGet, call, 0)
		require.NoError(t, err)
		assert.Equal(t, call.Attempts, []Attempt(seen))
		assert.Equal(t, "success", seen[1].Reason)
	})
}

type attempts []Attempt

func (a *attempts) Begin(_ Attempt, req *http.Request) *http.Request { return req }

func (a *attempts) Attempt(attempt Attempt) { *a = append(*a, attempt) }

// TestTheTimeOfAnObserverIsNotThatOfTheAttempt checks that the time of a slow
// tracer does not count as time of the exchange.
func TestTheTimeOfAnObserverIsNotThatOfTheAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		chain, _ := chainOver(t, nil, status(503), status(200))
		call := newCall(Read)
		call.Observer = slowObserver{}
		_, err := chain.send(t, t.Context(), http.MethodGet, call, 0)
		require.NoError(t, err)
		require.Len(t, call.Attempts, 2)
		for _, attempt := range call.Attempts {
			assert.Zero(t, attempt.Duration)
		}
	})
}

// brokenObserver panics at the end of each attempt.
type brokenObserver struct{ ends int }

func (*brokenObserver) Begin(_ Attempt, req *http.Request) *http.Request { return req }
func (o *brokenObserver) Attempt(Attempt)                                { o.ends++; panic("no") }

func TestAnObserverThatPanicsIsToldOfAnAttemptOnce(t *testing.T) {
	t.Parallel()
	chain, _ := chainOver(t, nil, status(200))
	call, observer := newCall(Read), new(brokenObserver)
	call.Observer = observer
	assert.PanicsWithValue(t, "no", func() { _, _ = chain.send(t, t.Context(), http.MethodGet, call, 0) })
	assert.Equal(t, 1, observer.ends)
}

type slowObserver struct{}

func (slowObserver) Begin(_ Attempt, req *http.Request) *http.Request {
	<-time.After(time.Second)
	return req.WithContext(req.Context())
}

func (slowObserver) Attempt(Attempt) {}
