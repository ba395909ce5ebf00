package webhook

import . "time"

type clocks struct {
	all   []func() Time
	named map[string]Clock
}

type Clock interface{ Now() Time }

type chain []link

type link struct {
	clock Clock
	next  chain
}

var now = Now

func current() Time { return Now() }

func untilDue(q *queue) Duration { return q.due.Sub(current()) }

func logged(text string) string { return Now().String() + text }

func (c *clocks) read(q *queue) {
	_ = Now()       // want `the code reads the time without the clock that was passed to read`
	read := Now     // want `the code reads the time without the clock that was passed to read`
	_ = now()       // want `the code reads the time without the clock that was passed to read`
	_ = current()   // want `the code reads the time without the clock that was passed to read`
	_ = untilDue(q) // want `the code reads the time without the clock that was passed to read`
	_ = logged("x")
	use(Since) // want `the code reads the time without the clock that was passed to read`
	_ = read
	c.all[0] = c.named["x"].Now
}

func use(func(Time) Duration) {}

func (c chain) age() Duration { return Since(Time{}) } // want `without the clock that was passed to age`

func (s *settings) orDefault() {
	if s.now == nil {
		s.now = Now
	}
	*s = settings{now: Now}
}

func without(q *queue) Duration { return untilDue(q) }
