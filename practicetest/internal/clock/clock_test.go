package clock

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pass waits for d in a synctest bubble.
func pass(d time.Duration) { <-time.After(d) }

var noon = time.Date(2026, 5, 22, 12, 0, 0, 0, time.UTC)

func TestAVirtualClockMovesOnlyWhenTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		clock := New(noon)
		defer clock.Close()
		pass(time.Hour)
		assert.Equal(t, noon, clock.Now(), "time passes, the clock stands")
		clock.Advance(90 * time.Second)
		assert.Equal(t, noon.Add(90*time.Second), clock.Now())
		clock.Set(noon.Add(-time.Hour))
		assert.Equal(t, noon.Add(-time.Hour), clock.Now())
	})
}

func TestAFollowingClockObeysTheBubbleAndKeepsItsLead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		clock := New(time.Time{})
		defer clock.Close()
		assert.True(t, clock.Now().Equal(time.Now()))
		pass(time.Minute)
		assert.True(t, clock.Now().Equal(time.Now()))
		clock.Advance(time.Hour)
		pass(time.Minute)
		assert.True(t, clock.Now().Equal(time.Now().Add(time.Hour)))
		clock.Set(noon)
		pass(time.Second)
		assert.True(t, clock.Now().Equal(noon.Add(time.Second)))
	})
}

func TestAdvanceDoesWhatIsDueInOrderBeforeItReturns(t *testing.T) {
	t.Parallel()
	tests := map[string]time.Time{"virtual": noon, "following": {}}
	for name, start := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := New(start)
			defer clock.Close()
			var done []string
			note := func(s string) func() { return func() { done = append(done, s) } }
			now := clock.Now()
			clock.Schedule(now.Add(3*time.Hour), note("third"))
			clock.Schedule(now.Add(time.Hour), note("first"))
			clock.Schedule(now.Add(2*time.Hour), note("second"))
			clock.Schedule(now.Add(2*time.Hour), note("second, asked later"))
			clock.Schedule(now.Add(9*time.Hour), note("never"))
			clock.Advance(59 * time.Minute)
			assert.Empty(t, done)
			clock.Advance(2*time.Hour + 2*time.Minute)
			assert.Equal(t, []string{"first", "second", "second, asked later", "third"}, done)
		})
	}
}

func TestAFollowingClockRingsByItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		clock := New(time.Time{})
		defer clock.Close()
		var rung atomic.Int32
		for n := range 5 {
			clock.Schedule(clock.Now().Add(time.Duration(n)*time.Second), func() { rung.Add(1) })
		}
		pass(2500 * time.Millisecond)
		assert.EqualValues(t, 3, rung.Load(), "at 0, 1 and 2 seconds")
		pass(time.Hour)
		assert.EqualValues(t, 5, rung.Load())
	})
}

func TestWhatIsAlreadyDueRunsSoonOnAStandingClockToo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		clock := New(noon)
		defer clock.Close()
		var rung atomic.Bool
		clock.Schedule(noon.Add(-time.Second), func() { rung.Store(true) })
		synctest.Wait()
		assert.True(t, rung.Load())
	})
}

func TestACallbackMayUseTheClock(t *testing.T) {
	t.Parallel()
	clock := New(noon)
	defer clock.Close()
	var at []time.Time
	var again func()
	again = func() {
		at = append(at, clock.Now())
		if len(at) < 3 {
			clock.Schedule(clock.Now().Add(time.Minute), again)
		}
	}
	clock.Schedule(noon.Add(time.Minute), again)
	clock.Advance(time.Minute)
	clock.Advance(time.Minute)
	clock.Advance(time.Hour)
	assert.Equal(t, []time.Time{noon.Add(time.Minute), noon.Add(2 * time.Minute), noon.Add(62 * time.Minute)}, at)
}

func TestWhatIsCancelledIsNeverDone(t *testing.T) {
	t.Parallel()
	clock := New(noon)
	defer clock.Close()
	var done []string
	cancel := clock.Schedule(noon.Add(time.Second), func() { done = append(done, "cancelled") })
	clock.Schedule(noon.Add(2*time.Second), func() { done = append(done, "kept") })
	cancel()
	cancel()
	clock.Advance(time.Minute)
	cancel()
	assert.Equal(t, []string{"kept"}, done)
}

func TestAClosedClockStillTellsTheTimeAndCallsNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, start := range []time.Time{noon, {}} {
			clock := New(start)
			clock.Schedule(clock.Now().Add(time.Second), func() { t.Error("called after close") })
			clock.Close()
			clock.Schedule(clock.Now(), func() { t.Error("scheduled after close") })
			before := clock.Now()
			clock.Advance(time.Hour)
			assert.Equal(t, before.Add(time.Hour), clock.Now())
		}
		pass(time.Hour)
	})
}

func TestAClockIsSharedByManyGoroutines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		clock := New(time.Time{})
		var rung atomic.Int32
		for range 50 {
			go func() {
				cancel := clock.Schedule(clock.Now().Add(time.Hour), func() { t.Error("cancelled in time") })
				clock.Schedule(clock.Now().Add(time.Second), func() { rung.Add(1) })
				clock.Advance(time.Second)
				cancel()
			}()
		}
		pass(2 * time.Second)
		clock.Close()
		assert.EqualValues(t, 50, rung.Load())
	})
}
