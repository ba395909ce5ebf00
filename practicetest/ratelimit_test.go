package practicetest_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestTheRateLimitFollowsTheClock(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithRateLimit(5, 3))
	c := call(t, s)
	for range 3 {
		c.get("/webhooks/types").want(200)
	}
	assert.NotContains(t, c.get("/webhooks/types").want(429).Header, "Retry-After")
	s.Clock().Advance(200 * time.Millisecond)
	c.get("/webhooks/types").want(200)
	c.get("/webhooks/types").want(429)

	s = practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithRateLimit(1, 1), practicetest.WithRetryAfter(1500*time.Millisecond))
	call(t, s).get("/webhooks/types").want(200)
	assert.Equal(t, "2", call(t, s).get("/webhooks/types").want(429).Header.Get("Retry-After"))
}

func TestTheRateLimitCountsAllRequestsOfTheClient(t *testing.T) {
	t.Parallel()
	for name, request := range map[string]func(caller){
		"the same again":              func(c caller) { c.get("/staff").want(429) },
		"another operation":           func(c caller) { c.get("/webhooks").want(429) },
		"a write":                     func(c caller) { c.do(http.MethodDelete, "/staff/"+c.server.Firm().StaffID, "").want(429) },
		"another token of the client": func(c caller) { c.asClient().get("/webhooks").want(429) },
		"one that is not there":       func(c caller) { c.get("/staff/" + nobody).want(429) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithRateLimit(1, 1))
			c := call(t, s)
			c.get("/staff").want(200)
			request(c)
		})
	}
}

// TestTheRateLimitIsFreshAgain checks that refused requests do not count.
func TestTheRateLimitIsFreshAgain(t *testing.T) {
	t.Parallel()
	for name, renew := range map[string]func(*testing.T, *practicetest.Server){
		"after the time of one request": func(t *testing.T, s *practicetest.Server) { waitRefused(t, s, time.Second) },
		"after many small steps": func(t *testing.T, s *practicetest.Server) {
			waitRefused(t, s, 333*time.Millisecond, 333*time.Millisecond, 333*time.Millisecond, time.Millisecond)
		},
		"after a second, though the clock was set back": func(t *testing.T, s *practicetest.Server) {
			waitRefused(t, s, -time.Hour, time.Second)
		},
		"after a second, though the clock was set back twice": func(t *testing.T, s *practicetest.Server) {
			waitRefused(t, s, -time.Hour, 500*time.Millisecond, -time.Hour, 500*time.Millisecond)
		},
		"after a reset": func(_ *testing.T, s *practicetest.Server) { s.Reset() },
		"after another firm was made up": func(_ *testing.T, s *practicetest.Server) {
			s.Reseed(practicetest.Seed{Number: 2, Matters: 1, Promotions: 1})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithRateLimit(1, 1))
			call(t, s).get("/webhooks/types").want(200)
			renew(t, s)
			call(t, s).get("/webhooks/types").want(200)
			call(t, s).get("/webhooks/types").want(429)
		})
	}
}

// waitRefused advances the clock in steps, and before each step sends a request
// that must be refused.
func waitRefused(t *testing.T, s *practicetest.Server, steps ...time.Duration) {
	t.Helper()
	for _, by := range steps {
		call(t, s).get("/webhooks/types").want(429)
		s.Clock().Advance(by)
	}
}
