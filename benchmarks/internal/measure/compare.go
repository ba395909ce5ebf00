// Package measure runs contestants alternately and summarises their times.
package measure

import (
	"fmt"
	"math"
	"runtime"
	"time"
)

// Contestant does a piece of work in one of the ways to be compared.
type Contestant struct {
	Name    string
	Prepare func() error // runs before each sample and is not timed; nil: nothing runs
	Run     func() error
}

// Plan sets how long to measure.
type Plan struct {
	Rounds int
	Slice  time.Duration // time of one contestant in one round; 0: a single run
}

// Result holds the measurements of a contestant, one sample per round.
type Result struct {
	Name  string
	Times []float64 // nanoseconds of one run

	allocs []float64
	bytes  []float64
}

// Time returns the spread of the time of one run in nanoseconds.
func (r Result) Time() Spread { return SpreadOf(r.Times) }

// Allocs returns the median number of allocations of one run.
func (r Result) Allocs() float64 { return SpreadOf(r.allocs).Median }

// Bytes returns the median number of bytes allocated by one run.
func (r Result) Bytes() float64 { return SpreadOf(r.bytes).Median }

// Faster returns how many times faster r is than other, compared round by
// round.
func (r Result) Faster(other Result) Spread { return SpreadOf(Ratios(other.Times, r.Times)) }

// Compare runs the contestants alternately, A B C A B C, so that other load on
// the machine affects all of them.
func Compare(plan Plan, contestants ...Contestant) ([]Result, error) {
	results := make([]Result, len(contestants))
	repeats := make([]int, len(contestants))
	for i, c := range contestants {
		results[i].Name = c.Name
		var err error
		if repeats[i], err = calibrate(c, plan.Slice); err != nil {
			return nil, err
		}
	}
	for range plan.Rounds {
		for i, c := range contestants {
			if err := results[i].sample(c, repeats[i]); err != nil {
				return nil, err
			}
		}
	}
	return results, nil
}

// calibrate returns how often a contestant runs within a slice. The first run
// is a warm-up. The faster of two runs counts, because an interrupted one would
// make the samples too small.
func calibrate(c Contestant, slice time.Duration) (int, error) {
	if slice == 0 {
		return 1, nil
	}
	if _, err := repeat(c, 1); err != nil {
		return 0, err
	}
	for n := 1; ; n *= 2 {
		took := time.Duration(math.MaxInt64)
		for range 2 {
			again, err := repeat(c, n)
			if err != nil {
				return 0, err
			}
			took = min(took, again)
		}
		if took >= slice/4 {
			return max(1, int(float64(n)*float64(slice)/float64(took))), nil
		}
	}
}

func repeat(c Contestant, n int) (time.Duration, error) {
	started := time.Now()
	for range n {
		if err := c.Run(); err != nil {
			return 0, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return time.Since(started), nil
}

// sample measures n runs. It collects garbage first, so that no contestant pays
// for the previous one.
func (r *Result) sample(c Contestant, n int) error {
	if c.Prepare != nil {
		if err := c.Prepare(); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	took, err := repeat(c, n)
	if err != nil {
		return err
	}
	runtime.ReadMemStats(&after)
	r.Times = append(r.Times, float64(took)/float64(n))
	r.allocs = append(r.allocs, float64(after.Mallocs-before.Mallocs)/float64(n))
	r.bytes = append(r.bytes, float64(after.TotalAlloc-before.TotalAlloc)/float64(n))
	return nil
}
