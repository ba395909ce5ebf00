package practicetest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// inTurn returns a receiver's response with these statuses. 0 means none.
func inTurn(statuses ...int) func(int, http.ResponseWriter, *http.Request) {
	return func(n int, w http.ResponseWriter, r *http.Request) {
		switch statuses[n] {
		case 0:
			<-r.Context().Done()
			return
		case http.StatusFound:
			w.Header().Set("Location", "/elsewhere")
		}
		w.WriteHeader(statuses[n])
	}
}

// sequence returns the numbers in the payloads in order of arrival.
func (b *inbox) sequence() (got []int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, one := range b.got {
		n, err := strconv.Atoi(string(one.at("payload", "n").(json.Number)))
		require.NoError(b.t, err)
		got = append(got, n)
	}
	return got
}

// emit raises numbered events, to which only the receivers of a test subscribe.
func emit(s *practicetest.Server, numbers ...int) {
	for _, n := range numbers {
		s.Emit(practicetest.Event{Type: "error", RequestID: "request " + strconv.Itoa(n), Payload: json.RawMessage(`{"n":` + strconv.Itoa(n) + `}`)})
	}
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func TestTheBodyAndTheHeadersOfADelivery(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		event practicetest.Event
		body  string // with %s for the ids of the account and the subscription
		key   string
	}{
		"signed": {
			practicetest.Event{
				Type: "error", UserID: "user", Source: "API", RequestID: "r1", Timestamp: 638912345678901234,
				Payload: json.RawMessage(`{"message":"No <such> contact & more"}`),
			},
			`{"accountId":"%s","userId":"user","subscriptionId":"%s","type":"error","source":"API",` +
				`"timestamp":638912345678901234,"payload":{"message":"No <such> contact & more"}}`,
			webhookKey,
		},
		"without a key, caused by nobody": {
			practicetest.Event{Type: "error", Source: "Vendor", RequestID: "r1", Timestamp: 638912345678901235},
			`{"accountId":"%s","subscriptionId":"%s","type":"error","source":"Vendor","timestamp":638912345678901235,"payload":{}}`,
			"",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := practicetest.New(t, practicetest.WithVirtualClock(start))
			to := subscribe(t, s, "error")
			if tt.key == "" {
				call(t, s).asClient().do("PUT", "/webhooks/"+to.id, `{"name":"inbox"}`).want(200) // removes the key
			}
			s.Emit(tt.event)
			got := to.wait(1)[0]
			assert.Equal(t, fmt.Sprintf(tt.body, s.Firm().AccountID, to.id), got.Body)
			assert.Equal(t, "application/json", got.Header.Get("Content-Type"))
			assert.Equal(t, "r1", got.Header.Get("RequestId"))
			if tt.key == "" {
				assert.NotContains(t, got.Header, "Timestamp")
				assert.NotContains(t, got.Header, "Signature")
			} else {
				assert.Equal(t, "639080406001234567", got.Header.Get("Timestamp"))
				assert.NotEmpty(t, got.Header.Get("Signature")) // TestWritesAreToldToThoseWhoAsked computes it
			}

			require.Len(t, s.Deliveries(), 1)
			d := s.Deliveries()[0]
			assert.Equal(t, got.Body, string(d.Body))
			assert.Equal(t, got.Header.Get("Signature"), d.Header.Get("Signature"))
			assert.Equal(t, []any{to.id, to.url, tt.event.Type, "r1", http.StatusOK, start, false},
				[]any{d.SubscriptionID, d.URL, d.Type, d.RequestID, d.Status, d.Sent, d.Duplicate})
			assert.NoError(t, d.Err)
		})
	}
}

func TestDeliveriesKeepTheOrderOfTheEvents(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start))
	to := subscribe(t, s, "error")
	emit(s, upTo(100)...)
	seen := map[string]bool{}
	for _, one := range to.wait(100) {
		assert.False(t, seen[one.Header.Get("Timestamp")], "each is signed at a moment of its own, even while the clock stands")
		seen[one.Header.Get("Timestamp")] = true
	}
	assert.Equal(t, upTo(100), to.sequence())
}

func TestChaosFollowsFromItsSeedAndLosesNothing(t *testing.T) {
	t.Parallel()
	const events = 200
	tests := map[string]struct {
		duplicates, disorder float64
		minDup, maxDup       int
		minLate, maxLate     int
		differsByItsSeeds    bool
	}{
		"none":             {0, 0, 0, 0, 0, 0, false},
		"every event":      {1, 0, events, events, 0, events, true},
		"a few duplicates": {0.2, 0, 20, 60, 0, 60, true},
		"some disorder":    {0, 0.3, 0, 0, 30, 90, true},
		"all disorder":     {0, 1, 0, 0, 10, events, true},
		"both":             {0.5, 0.5, 70, 130, 30, 2 * events, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := func(t *testing.T, seed uint64) ([]int, []practicetest.Delivery) {
				s := practicetest.New(t, practicetest.WithSeed(seed), practicetest.WithMatters(1), practicetest.WithEvents(0), practicetest.WithWebhookChaos(tt.duplicates, tt.disorder))
				to := subscribeAs(t, s, nobody, "error")
				emit(s, upTo(events)...)
				require.NoError(t, s.Flush(t.Context()))
				return to.sequence(), s.Deliveries()
			}
			var got, again, other []int
			var made []practicetest.Delivery
			synctest.Test(t, func(t *testing.T) {
				got, made = run(t, 5)
				again, _ = run(t, 5)
				other, _ = run(t, 6)
			})
			assert.Equal(t, got, again)
			assert.Equal(t, tt.differsByItsSeeds, fmt.Sprint(got) != fmt.Sprint(other))

			times, late, newest := map[int]int{}, 0, -1
			for _, n := range got {
				times[n]++
				if n < newest && times[n] == 1 {
					late++
				}
				newest = max(newest, n)
			}
			assert.Len(t, times, events, "nothing is lost")
			assert.GreaterOrEqual(t, len(got)-events, tt.minDup)
			assert.LessOrEqual(t, len(got)-events, tt.maxDup)
			assert.GreaterOrEqual(t, late, tt.minLate)
			assert.LessOrEqual(t, late, tt.maxLate)
			marked := 0
			for _, d := range made {
				if d.Duplicate {
					marked++
				}
			}
			assert.Equal(t, len(got)-events, marked)
		})
	}
}

func TestWhatIsHeldBackGoesOutByItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithWebhookChaos(0, 1))
		to := subscribe(t, s, "error")
		emit(s, 1)
		pass(time.Second / 2)
		assert.Empty(t, to.sequence())
		pass(time.Second)
		assert.Equal(t, []int{1}, to.sequence())
		emit(s, 2)
		began := time.Now()
		to.wait(2)
		assert.Zero(t, time.Since(began), "or when the test asks for it")
	})
}

func TestACallbackHasTenSeconds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := practicetest.New(t)
		to := subscribe(t, s, "error")
		to.respond = inTurn(0, 204)
		began := time.Now()
		emit(s, 1, 2)
		require.NoError(t, s.Flush(t.Context()))
		assert.Equal(t, 10*time.Second, time.Since(began))
		made := s.Deliveries()
		require.Len(t, made, 2)
		assert.Zero(t, made[0].Status)
		require.ErrorIs(t, made[0].Err, context.DeadlineExceeded)
		assert.Equal(t, 204, made[1].Status)
	})
}

func TestASlowSubscriptionDoesNotHoldUpAnother(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := practicetest.New(t)
		slow, fast := subscribe(t, s, "error"), subscribe(t, s, "error")
		slow.respond = func(int, http.ResponseWriter, *http.Request) { pass(9 * time.Second) }
		emit(s, upTo(5)...)
		pass(time.Second)
		assert.Len(t, s.Deliveries(), 5)
		fast.wait(5)
		slow.wait(5)
	})
}

func TestAFailedDeliveryIsNotTriedAgainUnlessAsked(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		redeliveries int
		answers      []int
		took         time.Duration
		sequence     []int // 1 is the event that fails, 2 is accepted
	}{
		"not asked":       {0, []int{500, 200}, 0, []int{1, 2}},
		"asked":           {2, []int{500, 200, 200}, time.Second, []int{1, 2, 1}},
		"in vain":         {2, []int{503, 200, 503, 503}, 3 * time.Second, []int{1, 2, 1, 1}},
		"redirects count": {1, []int{302, 200, 200}, time.Second, []int{1, 2, 1}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := practicetest.New(t, practicetest.WithWebhookRedeliveries(tt.redeliveries))
				to := subscribe(t, s, "error")
				to.respond = inTurn(tt.answers...)
				began := time.Now()
				emit(s, 1, 2)
				require.NoError(t, s.Flush(t.Context()))
				assert.Equal(t, tt.took, time.Since(began))
				assert.Equal(t, tt.sequence, to.sequence())
				var statuses []int
				signatures := map[string]bool{}
				for _, d := range s.Deliveries() {
					statuses = append(statuses, d.Status)
					signatures[d.Header.Get("Signature")] = true
				}
				assert.Equal(t, tt.answers, statuses)
				assert.Len(t, signatures, len(statuses), "every attempt is signed anew")
			})
		})
	}
}

func TestADeliveryThatReachesNobodySaysWhy(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	to := subscribe(t, s, "error")
	call(t, s).asClient().do("PUT", "/webhooks/"+to.id, `{"eventNotificationUrl":"http://127.0.0.1:9/"}`).want(200)
	emit(s, 1)
	to.wait(0)
	require.Len(t, s.Deliveries(), 1)
	assert.Zero(t, s.Deliveries()[0].Status)
	require.ErrorIs(t, s.Deliveries()[0].Err, syscall.ECONNREFUSED)
}

func TestClosingGivesUpWhatIsOnItsWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := practicetest.New(t, practicetest.WithWebhookChaos(0, 0.5), practicetest.WithWebhookRedeliveries(3))
		to := subscribe(t, s, "error")
		to.respond = inTurn(0)
		emit(s, upTo(20)...)
		flushed := make(chan error, 1)
		go func() { flushed <- s.Flush(t.Context()) }()
		synctest.Wait()
		began := time.Now()
		require.NoError(t, s.Close())
		require.NoError(t, <-flushed)
		assert.Zero(t, time.Since(began))
		assert.Len(t, to.sequence(), 1, "one was under way")
		emit(s, 99)
		require.NoError(t, s.Flush(t.Context()))
		pass(time.Hour)
		assert.Len(t, to.sequence(), 1)
	})
}

func TestTheRecordOfDeliveriesIsACopy(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	subscribe(t, s, "error")
	emit(s, 1)
	require.NoError(t, s.Flush(t.Context()))
	first := s.Deliveries()[0]
	first.Header.Set("Signature", "forged")
	first.Body[0] = 'x'
	assert.NotEqual(t, "forged", s.Deliveries()[0].Header.Get("Signature"))
	assert.Equal(t, "{", string(s.Deliveries()[0].Body[:1]))
}

func TestManyGoroutinesRaiseEventsAtOnce(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWebhookChaos(0.3, 0.3))
	for range 8 {
		subscribe(t, s, "error")
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 6 {
				emit(s, 6*i+n)
			}
			assert.NoError(t, s.Flush(t.Context()))
		})
	}
	wg.Wait()
	received := map[string]map[string]bool{} // request ids by subscription
	for _, d := range s.Deliveries() {
		if received[d.SubscriptionID] == nil {
			received[d.SubscriptionID] = map[string]bool{}
		}
		received[d.SubscriptionID][d.RequestID] = true
	}
	assert.Len(t, received, 8)
	for _, ids := range received {
		assert.Len(t, ids, 8*6)
	}
}
