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
	s := practicetest.New(t, practicetest.WithClock(start), practicetest.WithRateLimit(5, 3))
	c := call(t, s)
	for range 3 {
		c.get("/webhooks/types").want(200)
	}
	assert.NotContains(t, c.get("/webhooks/types").want(429).Header, "Retry-After")
	s.Clock().Advance(200 * time.Millisecond)
	c.get("/webhooks/types").want(200)
	c.get("/webhooks/types").want(429)

	s = practicetest.New(t, practicetest.WithClock(start), practicetest.WithRateLimit(1, 1), practicetest.WithRetryAfter(1500*time.Millisecond))
	call(t, s).get("/webhooks/types").want(200)
	assert.Equal(t, "2", call(t, s).get("/webhooks/types").want(429).Header.Get("Retry-After"))
}

// Each request after the first, which spends the bucket of its operation, asks for one that
// has a bucket of its own or shares that one.
func TestTheRateLimitCountsEachClientAtEachOperation(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		who    func(caller) caller
		method string
		path   func(practicetest.Firm) string
		status int
	}{
		"the same again":                  {nil, http.MethodGet, staffOf, http.StatusTooManyRequests},
		"another record":                  {nil, http.MethodGet, func(f practicetest.Firm) string { return "/staff/" + f.StaffIDs[1] }, http.StatusTooManyRequests},
		"one that is not there":           {nil, http.MethodGet, func(practicetest.Firm) string { return "/staff/" + nobody }, http.StatusTooManyRequests},
		"another token of the client":     {caller.asClient, http.MethodGet, staffOf, http.StatusTooManyRequests},
		"another operation":               {nil, http.MethodGet, func(practicetest.Firm) string { return "/staff" }, http.StatusOK},
		"another method of the path":      {nil, http.MethodDelete, staffOf, http.StatusAccepted},
		"another operation and token":     {caller.asClient, http.MethodGet, func(practicetest.Firm) string { return "/webhooks" }, http.StatusOK},
		"the path in another spelling":    {nil, http.MethodGet, func(f practicetest.Firm) string { return "/st%61ff/" + f.StaffID }, http.StatusTooManyRequests},
		"the same with a query of a list": {nil, http.MethodGet, func(f practicetest.Firm) string { return staffOf(f) + "?" }, http.StatusTooManyRequests},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := practicetest.New(t, practicetest.WithClock(start), practicetest.WithRateLimit(1, 1))
			c := call(t, s)
			c.get(staffOf(s.Firm())).want(200)
			if test.who != nil {
				c = test.who(c)
			}
			c.do(test.method, test.path(s.Firm()), "").want(test.status)
		})
	}
}

func staffOf(f practicetest.Firm) string { return "/staff/" + f.StaffID }

// One client waits between its attempts, the others at other operations never do.
func TestTheRateLimitLeavesAClientThatWaitsItsTurn(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithClock(start), practicetest.WithRateLimit(1, 1))
	c := call(t, s)
	for range 10 {
		c.get("/staff/" + s.Firm().StaffID).want(200)
		for _, path := range []string{"/bankaccounts", "/bankaccounts", "/webhooks/types", "/webhooks/types"} {
			c.get(path)
		}
		s.Clock().Advance(time.Second)
	}
}

// Requests that are refused meanwhile cost nothing.
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
		"after a reset":                  func(_ *testing.T, s *practicetest.Server) { s.Reset() },
		"after another firm was made up": func(_ *testing.T, s *practicetest.Server) { s.Reseed(practicetest.Seed{Number: 2}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := practicetest.New(t, practicetest.WithClock(start), practicetest.WithRateLimit(1, 1))
			call(t, s).get("/webhooks/types").want(200)
			renew(t, s)
			call(t, s).get("/webhooks/types").want(200)
			call(t, s).get("/webhooks/types").want(429)
		})
	}
}

// waitRefused moves the clock step by step, with a request in front of each that is refused.
func waitRefused(t *testing.T, s *practicetest.Server, steps ...time.Duration) {
	t.Helper()
	for _, by := range steps {
		call(t, s).get("/webhooks/types").want(429)
		s.Clock().Advance(by)
	}
}
