package practicetest

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// mostSeeded is the maximum of the numbers of seeded records.
const mostSeeded = 1_000_000

// OptionError reports an option that is out of range.
type OptionError struct {
	// Option is the name of the setting, such as "write delay".
	Option string
	// Wrong holds the reason why the option is invalid.
	Wrong string
}

// Error returns the name of the setting and the reason.
func (e *OptionError) Error() string { return e.Option + " " + e.Wrong }

// between returns an OptionError unless least <= value <= most.
func between[T int | float64 | time.Duration](option string, value, least, most T) error {
	if value >= least && value <= most { // false for NaN
		return nil
	}
	return &OptionError{option, fmt.Sprintf("must be between %v and %v, not %v", least, most, value)}
}

// CheckOptions returns an error if [New] and [Start] would reject the options.
func CheckOptions(opts ...Option) error {
	c := configured(opts)
	return c.check()
}

// check returns an error that lists all options that are out of range.
func (c *config) check() error {
	const soon = time.Nanosecond
	errs := []error{
		c.from().check(), c.consistency.check(),
		between("write delay", c.writeDelay, 0, longest), between("latency", c.latency, 0, time.Hour), between("Retry-After", c.retryAfter, 0, longest),
		between("token lifetime", c.tokenLifetime, soon, longest), between("refresh lifetime", c.refreshLifetime, soon, longest),
		between("presigned lifetime", c.presignedLifetime, soon, longest),
		between("request log", c.requestLog, 0, 10*mostSeeded), between("webhook redeliveries", c.chaos.redeliveries, 0, 100),
		between("share of duplicates", c.chaos.duplicates, 0, 1), between("share of disorder", c.chaos.disorder, 0, 1),
		between("rate limit", c.ratePerSecond, 0, math.MaxInt32), between("burst of the rate limit", c.rateBurst, 0, math.MaxInt32),
		between("unpublished", int(c.unpublished), 0, int(UnpublishedRefused)),
	}
	if c.ratePerSecond > 0 && c.rateBurst < 1 {
		errs = append(errs, &OptionError{"burst of the rate limit", "must be at least 1, because otherwise every request is rejected"})
	}
	if c.retryAfter > 0 && c.ratePerSecond == 0 {
		errs = append(errs, &OptionError{"Retry-After", "requires a rate limit"})
	}
	if c.vendorMember == "" {
		errs = append(errs, &OptionError{"vendor member", "requires a name"})
	}
	return errors.Join(errs...)
}

// check returns an error that lists all counts that are out of range.
func (s Seed) check() error {
	return errors.Join(
		between("events", s.Events, 0, mostSeeded), between("matters", s.Matters, 1, mostSeeded), between("promotions", s.Promotions, 1, mostSeeded))
}
