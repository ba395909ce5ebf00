package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/cmd/practice/internal/rows"
)

// rowReport is the line of a row in the report.
type rowReport struct {
	Line   int         `json:"line"`
	Key    string      `json:"key,omitempty"`
	Status rows.Status `json:"status"`
	Before bool        `json:"before,omitempty"` // an earlier run did it
	ID     string      `json:"id,omitempty"`
	Error  string      `json:"error,omitempty"`
	IDs    []string    `json:"ids,omitempty"` // records that may be the created one

	Sends   any                  `json:"sends,omitempty"`
	Changes map[string]rows.Pair `json:"changes,omitempty"` // by member
	There   any                  `json:"there,omitempty"`

	Result rows.Result `json:"-"`
}

// tally prints the rows, and counts them.
type tally struct {
	*many
	printer      *printer
	mu           sync.Mutex
	counts       map[rows.Status]int
	before       int
	unseen       int // accepted, and not visible in time
	began, noted time.Time
}

// row prints the line of a row. Its error ends the run.
func (t *tally) row(l *line, r rowReport) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	result := r.Result
	r.Line, r.Key, r.Status, r.Before, r.IDs = l.number, l.chosen, result.Status, result.Before, result.IDs
	if !strings.HasPrefix(result.ID, noID) {
		r.ID = result.ID
	}
	if result.Err != nil {
		r.Error = t.masked(t.errors(result.Err))
	}
	if t.counts == nil {
		t.counts = map[rows.Status]int{}
	}
	t.counts[r.Status]++
	if r.Before {
		t.before++
	}
	if r.Status == rows.Accepted && result.Err != nil {
		t.unseen++
	}
	text, err := json.Marshal(r)
	if err == nil {
		err = t.printer.record(text)
	}
	t.progress()
	switch {
	case err != nil:
		return phaseShow.of(err)
	case result.Ends(), errors.Is(result.Err, practice.ErrUnauthorized), errors.Is(result.Err, auth.ErrNotSignedIn), refusesSignIn(result.Err):
		return result.Err
	}
	return nil
}

// Times between two notes of the progress.
const (
	progressShown  = 2 * time.Second // at a terminal
	progressLogged = 30 * time.Second
)

// progress notes rows, rate and time left.
func (t *tally) progress() {
	wait := progressLogged
	if isTerminal(t.Err) {
		wait = progressShown
	}
	if time.Since(t.noted) < wait {
		return
	}
	t.noted = time.Now()
	ended, took := t.ended(), time.Since(t.began)
	left := time.Duration(float64(took) / float64(ended) * float64(t.found.rows-ended))
	t.note("%d of %d rows, %.1f per second, %s left", ended, t.found.rows, float64(ended)/took.Seconds(), left.Round(time.Second))
}

func (t *tally) ended() (n int) {
	for _, count := range t.counts {
		n += count
	}
	return n
}

// rowsError reports a run with rows that are not done.
type rowsError struct {
	text    string
	unknown int
	cause   error
}

func (e *rowsError) Error() string {
	if e.cause == nil {
		return e.text
	}
	return e.text + ": " + e.cause.Error()
}

func (e *rowsError) Unwrap() error { return e.cause }

// end ends the report. cause ended the run early.
func (t *tally) end(ctx context.Context, cause error) error {
	if ctx.Err() != nil {
		cause = context.Cause(ctx)
	}
	shown := t.printer.end(nil)
	var parts []string
	for _, status := range []rows.Status{planned, rows.Done, rows.Accepted, rows.Failed, rows.Changed, rows.Unknown} {
		if n := t.counts[status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, status))
		}
	}
	if t.before > 0 {
		parts = append(parts, fmt.Sprintf("%d of them in a previous run", t.before))
	}
	if t.unseen > 0 {
		parts = append(parts, fmt.Sprintf("%d not visible yet", t.unseen))
	}
	if left := t.found.rows - t.ended(); left > 0 {
		parts = append(parts, fmt.Sprintf("%d not started", left))
	}
	text := fmt.Sprintf("rows: %s; %d in total", strings.Join(parts, ", "), t.found.rows)
	cause = errors.Join(cause, phaseShow.of(shown))
	if cause == nil && t.unseen+t.counts[rows.Failed]+t.counts[rows.Changed]+t.counts[rows.Unknown] == 0 {
		t.note("%s.", text)
		return nil
	}
	return phaseSend.of(&rowsError{text, t.counts[rows.Unknown], cause})
}
