package subscribe

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// Outcomes of a check.
var outcomes = []struct {
	name   string
	report *Report
	err    error
}{
	{"kept", &Report{Action: Kept}, nil},
	{"created", &Report{Action: Created, Missed: &Gap{}}, nil},
	{"failed", nil, errFault},
}

// Every history of five checks, while others renew the token all the time or at
// any time.
func TestKeepNeverChecksInARow(t *testing.T) {
	t.Parallel()
	for _, interval := range []time.Duration{time.Second, time.Minute, DefaultInterval} {
		t.Run(interval.String(), func(t *testing.T) {
			t.Parallel()
			longest := min(keepRetry, interval)
			var follow func(p pace, told string, atOnce bool, left int)
			follow = func(p pace, told string, atOnce bool, left int) {
				if left == 0 {
					return
				}
				for _, outcome := range outcomes {
					for _, renewed := range []bool{false, true} {
						next := p
						told := fmt.Sprintf("%s, %s", told, outcome.name)
						wait, quiet := next.after(outcome.report, outcome.err)
						spent := wait
						if renewed && quiet < wait {
							next.woken, spent = true, quiet
							told += " and woken"
						} else {
							next.woken = false
						}
						if outcome.err != nil {
							assert.Equal(t, wait, quiet, "no token shortens the wait%s", told)
						}
						assert.True(t, longest <= wait && wait <= interval, "a wait of %v%s", wait, told)
						assert.False(t, atOnce && spent < longest, "two checks in a row%s", told)
						follow(next, told, spent < longest, left-1)
					}
				}
			}
			follow(pace{interval: interval}, "", false, 5)
		})
	}
}

func TestKeepIsWokenLessAndLessOften(t *testing.T) {
	t.Parallel()
	p := pace{interval: DefaultInterval}
	var quiet []time.Duration
	for range 6 {
		_, q := p.after(&Report{Action: Kept}, nil)
		quiet, p.woken = append(quiet, q), true
	}
	assert.Equal(t, []time.Duration{0, 10 * time.Second, 40 * time.Second, 160 * time.Second, 640 * time.Second, DefaultInterval}, quiet)
	_, q := p.after(&Report{Action: Updated}, nil)
	assert.Equal(t, keepRetry, q, "a check that found something to do")
	p.woken = false
	_, q = p.after(&Report{Action: Kept}, nil)
	assert.Zero(t, q, "a check at the interval")
}
