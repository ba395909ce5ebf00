package practicetest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/practicesdk/practice-go/practicetest/internal/sandboxtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// callback is a webhook receiver that records the requests.
type callback struct {
	answer func(n int) int // returns the status for the n-th request; 0 means to hang

	mu     sync.Mutex
	header []http.Header
	bodies []string
}

func (c *callback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	c.mu.Lock()
	n := len(c.bodies)
	c.header = append(c.header, r.Header)
	c.bodies = append(c.bodies, string(body))
	c.mu.Unlock()
	status := http.StatusOK
	if c.answer != nil {
		status = c.answer(n)
	}
	if status == 0 {
		<-r.Context().Done()
		return
	}
	if status == http.StatusFound {
		w.Header().Set("Location", "http://"+sandboxtest.Host+"/elsewhere")
	}
	w.WriteHeader(status)
}

// sequence returns the numbers in the payloads in order of arrival.
func (c *callback) sequence() []int {
	c.mu.Lock()
	defer c.mu.Unlock()
	var got []int
	for _, body := range c.bodies {
		var n struct{ Payload struct{ N int } }
		if json.Unmarshal([]byte(body), &n) == nil {
			got = append(got, n.Payload.N)
		}
	}
	return got
}

func numbered(n int) Event {
	return Event{
		Type: "matter.updated", Source: "API", RequestID: "request " + strconv.Itoa(n),
		Payload: json.RawMessage(`{"n":` + strconv.Itoa(n) + `}`), Timestamp: 639000000000000001 + int64(n),
	}
}

func newTestCourier(t *testing.T, to http.Handler, clock *Clock, behaviour chaos) *courier {
	t.Helper()
	c := newCourier(clock, sandboxtest.InMemory(t, to), behaviour, func(was subscription) (subscription, bool) { return was, true })
	t.Cleanup(clock.close)
	t.Cleanup(c.close)
	return c
}

var signedSubscription = subscription{
	id: "sub", accountID: "account", clientID: "client0001", url: "http://" + sandboxtest.Host + "/hook", key: "k-0123456789",
}

func TestSignaturesHoldTheVectors(t *testing.T) {
	t.Parallel()
	tests := []struct{ key, requestID, want string }{
		{"k-0123456789", "6e546416-8149-5540-a814-155abb8460f5", "463d7ddf3b54fdf24c04ff24c7cd8ce0712242ecd7fb294fa74b5c4d94d98a86"},
		{"schlüssel", "", "a30b9d488cf50aa7e6df2d5c5213c2360e48e033893bb3bc026292cec8bb51ca"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, signDelivery(tt.key, "638912345678901234", tt.requestID, "client0001"))
	}
}

func TestTheBodyAndTheHeadersOfADelivery(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		to     subscription
		event  Event
		body   string
		signed bool
	}{
		"signed": {
			signedSubscription,
			Event{
				Type: "error", UserID: "user", Source: "API", RequestID: "r1", Timestamp: 638912345678901234,
				Payload: json.RawMessage(`{"message":"No <such> contact & more"}`),
			},
			`{"accountId":"account","userId":"user","subscriptionId":"sub","type":"error","source":"API",` +
				`"timestamp":638912345678901234,"payload":{"message":"No <such> contact & more"}}`,
			true,
		},
		"without a key, caused by nobody": {
			subscription{id: "sub", accountID: "account", clientID: "client0001", url: "http://" + sandboxtest.Host + "/hook"},
			Event{
				Type: "matter.closed", Source: "Vendor", RequestID: "r1", Timestamp: 638912345678901235,
				Payload: json.RawMessage(`{}`),
			},
			`{"accountId":"account","subscriptionId":"sub","type":"matter.closed","source":"Vendor",` +
				`"timestamp":638912345678901235,"payload":{}}`,
			false,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			to := &callback{}
			c := newTestCourier(t, to, newClock(noon), chaos{})
			c.enqueue(tt.to, tt.event)
			require.NoError(t, c.flush(t.Context()))
			require.Len(t, to.bodies, 1)
			h := to.header[0]
			assert.Equal(t, tt.body, to.bodies[0])
			assert.Equal(t, "application/json", h.Get("Content-Type"))
			assert.Equal(t, "r1", h.Get("RequestId"))
			timestamp := strconv.FormatInt(ticks(noon), 10)
			if tt.signed {
				assert.Equal(t, timestamp, h.Get("Timestamp"))
				assert.Equal(t, signDelivery(tt.to.key, timestamp, "r1", tt.to.clientID), h.Get("Signature"))
			} else {
				assert.NotContains(t, h, "Timestamp")
				assert.NotContains(t, h, "Signature")
			}

			require.Len(t, c.deliveries(), 1)
			d := c.deliveries()[0]
			assert.Equal(t, tt.body, string(d.Body))
			assert.Equal(t, h.Get("Signature"), d.Header.Get("Signature"))
			assert.Equal(t, []any{"sub", tt.to.url, tt.event.Type, "r1", http.StatusOK, noon, false},
				[]any{d.SubscriptionID, d.URL, d.Type, d.RequestID, d.Status, d.Sent, d.Duplicate})
			assert.NoError(t, d.Err)
		})
	}
}

func TestDeliveriesKeepTheOrderOfTheEvents(t *testing.T) {
	t.Parallel()
	to := &callback{}
	c := newTestCourier(t, to, newClock(noon), chaos{})
	var want []int
	for n := range 100 {
		want = append(want, n)
		c.enqueue(signedSubscription, numbered(n))
	}
	require.NoError(t, c.flush(t.Context()))
	assert.Equal(t, want, to.sequence())
	seen := map[string]bool{}
	for _, h := range to.header {
		assert.False(t, seen[h.Get("Timestamp")], "each is signed at a moment of its own, even while the clock stands")
		seen[h.Get("Timestamp")] = true
	}
}

func TestChaosFollowsFromItsSeedAndLosesNothing(t *testing.T) {
	t.Parallel()
	const events = 200
	run := func(t *testing.T, behaviour chaos) ([]int, []Delivery) {
		to := &callback{}
		c := newTestCourier(t, to, newClock(noon), behaviour)
		for n := range events {
			c.enqueue(signedSubscription, numbered(n))
		}
		require.NoError(t, c.flush(t.Context()))
		return to.sequence(), c.deliveries()
	}
	tests := map[string]struct {
		behaviour         chaos
		minDup, maxDup    int
		minLate, maxLate  int
		differsByItsSeeds bool
	}{
		"none":             {chaos{}, 0, 0, 0, 0, false},
		"every event":      {chaos{duplicates: 1}, events, events, 0, events, true},
		"a few duplicates": {chaos{duplicates: 0.2}, 20, 60, 0, 60, true},
		"some disorder":    {chaos{disorder: 0.3}, 0, 0, 30, 90, true},
		"all disorder":     {chaos{disorder: 1}, 0, 0, 10, events, true},
		"both":             {chaos{duplicates: 0.5, disorder: 0.5}, 70, 130, 30, 2 * events, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got, again, other []int
			var made []Delivery
			synctest.Test(t, func(t *testing.T) {
				tt.behaviour.seed = 5
				got, made = run(t, tt.behaviour)
				again, _ = run(t, tt.behaviour)
				tt.behaviour.seed = 6
				other, _ = run(t, tt.behaviour)
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
		to := &callback{}
		c := newTestCourier(t, to, newClock(noon), chaos{disorder: 1})
		c.enqueue(signedSubscription, numbered(1))
		pass(holdTime / 2)
		assert.Empty(t, to.sequence())
		pass(holdTime)
		assert.Equal(t, []int{1}, to.sequence())
	})
}

func TestACallbackHasTenSeconds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		to := &callback{answer: func(n int) int { return []int{0, 204}[n] }}
		c := newTestCourier(t, to, newClock(time.Time{}), chaos{})
		start := time.Now()
		c.enqueue(signedSubscription, numbered(1))
		c.enqueue(signedSubscription, numbered(2))
		require.NoError(t, c.flush(t.Context()))
		assert.Equal(t, 10*time.Second, time.Since(start))
		made := c.deliveries()
		require.Len(t, made, 2)
		assert.Zero(t, made[0].Status)
		require.ErrorIs(t, made[0].Err, context.DeadlineExceeded)
		assert.Equal(t, 204, made[1].Status)
	})
}

func TestASlowSubscriptionDoesNotHoldUpAnother(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newTestCourier(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/slow" {
				pass(9 * time.Second)
			}
		}), newClock(time.Time{}), chaos{})
		slow, fast := signedSubscription, signedSubscription
		slow.id, slow.url = "slow", "http://"+sandboxtest.Host+"/slow"
		c.enqueue(slow, numbered(1))
		for n := range 5 {
			c.enqueue(fast, numbered(n))
		}
		pass(time.Second)
		assert.Len(t, c.deliveries(), 5)
		require.NoError(t, c.flush(t.Context()))
		assert.Len(t, c.deliveries(), 6)
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
				to := &callback{answer: func(n int) int { return tt.answers[n] }}
				c := newTestCourier(t, to, newClock(time.Time{}), chaos{redeliveries: tt.redeliveries})
				start := time.Now()
				c.enqueue(signedSubscription, numbered(1))
				c.enqueue(signedSubscription, numbered(2))
				require.NoError(t, c.flush(t.Context()))
				assert.Equal(t, tt.took, time.Since(start))
				assert.Equal(t, tt.sequence, to.sequence())
				var statuses []int
				signatures := map[string]bool{}
				for _, d := range c.deliveries() {
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
	c := newTestCourier(t, &callback{}, newClock(noon), chaos{})
	for _, address := range []string{"http://127.0.0.1:9/", "http://a b/", "ftp://example.test/"} {
		to := signedSubscription
		to.url = address
		c.enqueue(to, numbered(1))
	}
	require.NoError(t, c.flush(t.Context()))
	made := c.deliveries()
	require.Len(t, made, 3)
	require.ErrorIs(t, made[0].Err, syscall.ECONNREFUSED)
	for _, d := range made {
		assert.Zero(t, d.Status)
		require.Error(t, d.Err)
	}
}

func TestClosingGivesUpWhatIsOnItsWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		to := &callback{answer: func(int) int { return 0 }}
		c := newTestCourier(t, to, newClock(time.Time{}), chaos{disorder: 0.5, redeliveries: 3})
		for n := range 20 {
			c.enqueue(signedSubscription, numbered(n))
		}
		flushed := make(chan error, 1)
		go func() { flushed <- c.flush(t.Context()) }()
		synctest.Wait()
		start := time.Now()
		c.close()
		require.NoError(t, <-flushed)
		assert.Zero(t, time.Since(start))
		assert.Len(t, to.sequence(), 1, "one was under way")
		c.enqueue(signedSubscription, numbered(99))
		require.NoError(t, c.flush(t.Context()))
		pass(time.Hour)
		assert.Len(t, to.sequence(), 1)
	})
}

func TestTheRecordOfDeliveriesIsACopyAndBounded(t *testing.T) {
	t.Parallel()
	c := newTestCourier(t, &callback{}, newClock(noon), chaos{})
	c.enqueue(signedSubscription, numbered(1))
	require.NoError(t, c.flush(t.Context()))
	first := c.deliveries()[0]
	first.Header.Set("Signature", "forged")
	first.Body[0] = 'x'
	assert.NotEqual(t, "forged", c.deliveries()[0].Header.Get("Signature"))
	assert.Equal(t, "{", string(c.deliveries()[0].Body[:1]))

	for range maxRecorded {
		c.log = recorded(c.log, Delivery{Type: "later"})
	}
	assert.Len(t, c.deliveries(), maxRecorded)
	assert.Equal(t, "later", c.deliveries()[0].Type)
}

func TestManyGoroutinesRaiseEventsAtOnce(t *testing.T) {
	t.Parallel()
	to := &callback{}
	c := newTestCourier(t, to, newClock(noon), chaos{duplicates: 0.3, disorder: 0.3, seed: 1})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			own := signedSubscription
			own.id = "sub " + strconv.Itoa(i)
			for n := range 50 {
				c.enqueue(own, numbered(n))
			}
			assert.NoError(t, c.flush(t.Context()))
		})
	}
	wg.Wait()
	perLane := map[string]map[string]bool{}
	for _, d := range c.deliveries() {
		if perLane[d.SubscriptionID] == nil {
			perLane[d.SubscriptionID] = map[string]bool{}
		}
		perLane[d.SubscriptionID][d.RequestID] = true
	}
	assert.Len(t, perLane, 8)
	for _, ids := range perLane {
		assert.Len(t, ids, 50)
	}
}
