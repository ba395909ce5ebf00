package webhook

import "time"

type settings struct{ now func() time.Time }

type Tracker struct {
	settings settings
	last     time.Time
}

type queue struct{ due time.Time }

func New() *Tracker { return &Tracker{settings: settings{now: time.Now}} } // the default of a setting

func (t *Tracker) poll() {
	t.last = t.settings.now()
	t.last = time.Now()                   // want `the code reads the time without the clock that was passed to poll`
	_ = func() { _ = time.Until(t.last) } // want `the code reads the time without the clock that was passed to poll`
}

func age(s *settings, at time.Time) time.Duration {
	return time.Since(at) // want `the code reads the time without the clock that was passed to age`
}

func (q *queue) wait() time.Duration { return time.Until(q.due) }
