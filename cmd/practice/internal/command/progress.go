package command

import (
	"fmt"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// progress shows the progress of a transfer on the last line of a terminal.
type progress struct {
	*app
	atTerminal  bool // whether stderr is a terminal
	began, told backoff.Stopwatch
	from, done  int64 // bytes at the beginning and now
	begun       bool
}

func (a *app) progress() *progress {
	return &progress{app: a, atTerminal: isTerminal(a.Err) && !a.quiet}
}

// tell is the progress function of a transfer. total is -1 while it is unknown.
func (p *progress) tell(done, total int64) {
	const often = 200 * time.Millisecond
	if !p.begun {
		p.begun, p.from, p.began, p.told = true, done, backoff.Start(), backoff.Start()
	}
	if p.done = done; p.atTerminal && p.told.Passed() >= often {
		p.told = backoff.Start()
		p.onLine(progressText(p.from, done, total, p.began.Passed()))
	}
}

// end removes the progress from the terminal.
func (p *progress) end() { p.onLine("") }

// progressText returns bytes, rate and time left.
func progressText(from, done, total int64, took time.Duration) string {
	text, rate := bytesText(done), float64(done-from)/took.Seconds()
	if total >= 0 {
		text += " of " + bytesText(total)
	}
	if rate > 0 {
		text += fmt.Sprintf(", %s/s", bytesText(int64(rate)))
		if total >= 0 {
			text += fmt.Sprintf(", %s left", time.Duration(float64(total-done)/rate*float64(time.Second)).Round(time.Second))
		}
	}
	return text
}

// bytesText returns a number of bytes in a unit that suits it.
func bytesText(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	value, unit := float64(n)/1000, 0
	for ; value >= 999.95 && unit < 3; unit++ {
		value /= 1000
	}
	return fmt.Sprintf("%.1f %cB", value, "kMGT"[unit])
}

// onLine replaces the last line of the terminal. An empty text removes it.
func (a *app) onLine(text string) {
	a.errs.Lock()
	defer a.errs.Unlock()
	a.replaceLine(text)
}

// replaceLine does what onLine does, for callers that hold the lock.
func (a *app) replaceLine(text string) {
	if a.shown == 0 && text == "" {
		return
	}
	_, _ = fmt.Fprintf(a.Err, "\r%-*s", a.shown, text) // an error cannot be printed anywhere else
	if a.shown = len(text); text == "" {
		_, _ = fmt.Fprint(a.Err, "\r") // as above
	}
}
