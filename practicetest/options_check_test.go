package practicetest_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// TestAnOptionOutOfItsRangeIsRefused tries values just outside of the range of
// each option, and values far outside.
func TestAnOptionOutOfItsRangeIsRefused(t *testing.T) {
	t.Parallel()
	unkind := func(change func(*practicetest.Consistency)) practicetest.Option {
		c := practicetest.Unkind()
		change(&c)
		return practicetest.WithConsistency(c)
	}
	for says, options := range map[string][]practicetest.Option{
		"events must be between 0 and 1000000":        {practicetest.WithEvents(-1), practicetest.WithEvents(1_000_001)},
		"matters must be between 1 and 1000000":       {practicetest.WithMatters(0), practicetest.WithMatters(math.MaxInt32)},
		"promotions must be between 1 and 1000000":    {practicetest.WithPromotions(0), practicetest.WithPromotions(-1), practicetest.WithPromotions(math.MaxInt)},
		"write delay must be between 0s":              {practicetest.WithWriteDelay(-1), practicetest.WithWriteDelay(math.MaxInt64)},
		"latency must be between 0s":                  {practicetest.WithLatency(-time.Second), practicetest.WithLatency(2 * time.Hour)},
		"token lifetime must be between 1ns":          {practicetest.WithTokenLifetime(0), practicetest.WithTokenLifetime(-1)},
		"refresh lifetime must be between":            {practicetest.WithRefreshLifetime(0)},
		"presigned lifetime must be between":          {practicetest.WithPresignedLifetime(-1)},
		"request log must be between 0":               {practicetest.WithRequestLog(-1), practicetest.WithRequestLog(10_000_001)},
		"webhook redeliveries must be between 0":      {practicetest.WithWebhookRedeliveries(-1), practicetest.WithWebhookRedeliveries(101)},
		"share of duplicates must be between 0 and 1": {practicetest.WithWebhookChaos(7, 0), practicetest.WithWebhookChaos(math.NaN(), 0)},
		"share of disorder must be between 0 and 1":   {practicetest.WithWebhookChaos(0, -1), practicetest.WithWebhookChaos(0, 1.01)},
		"rate limit must be between 0":                {practicetest.WithRateLimit(-1, 1), practicetest.WithRateLimit(math.NaN(), 1), practicetest.WithRateLimit(math.Inf(1), 1)},
		"burst of the rate limit must be at least 1":  {practicetest.WithRateLimit(1, 0)},
		"burst of the rate limit must be between 0":   {practicetest.WithRateLimit(0, -1)},
		"requires a rate limit":                       {practicetest.WithRetryAfter(time.Second)},
		"Retry-After must be between":                 {practicetest.WithRetryAfter(-1)},
		"vendor member requires a name":               {practicetest.WithVendorMember("")},
		"unpublished must be between":                 {practicetest.WithUnpublished(-1), practicetest.WithUnpublished(3)},
		"list lag must be between":                    {unkind(func(c *practicetest.Consistency) { c.ListLag = -1 })},
		"shortest delay of writes must be between":    {unkind(func(c *practicetest.Consistency) { c.MinDelay = c.MaxDelay + 1 })},
		"consistency of references must be between":   {unkind(func(c *practicetest.Consistency) { c.Pending = 9 })},
	} {
		for _, option := range options {
			s, err := practicetest.Start(option)
			if assert.ErrorContains(t, err, says) {
				assert.ErrorAs(t, err, new(*practicetest.OptionError), says)
			} else {
				require.NoError(t, s.Close())
			}
		}
	}
	both, err := practicetest.Start(practicetest.WithEvents(-5), practicetest.WithMatters(0))
	assert.Nil(t, both)
	assert.ErrorContains(t, err, "events must")
	assert.ErrorContains(t, err, "matters must")
}

func TestAFirmOutOfItsRangeIsAMistake(t *testing.T) {
	t.Parallel()
	failing := &reporter{TB: t}
	s := practicetest.New(failing)
	firm := s.Firm()
	s.Reseed(practicetest.Seed{Number: 2, Events: -1, Matters: 8, Promotions: 1})
	if assert.Len(t, failing.failures, 1) {
		assert.Regexp(t, `Reseed: events must be between 0 and 1000000, not -1 \(options_check_test.go:\d+\)`, failing.failures[0])
	}
	assert.Equal(t, firm, s.Firm(), "nothing has changed")
	for _, f := range failing.cleanups {
		f()
	}
}
