package command

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/cmd/practice/internal/rows"
	"github.com/practicesdk/practice-go/once"
)

// errListChanged reports a list that was saved while it was read.
var errListChanged = errors.New("the list has changed since its rows were checked: run the command again")

// keyed yields the rows of the survey again, with their keys.
func (m *many) keyed(ctx context.Context, t *target) iter.Seq2[*line, error] {
	return func(yield func(*line, error) bool) {
		times, n := maps.Clone(m.found.again), 0
		for l, err := range m.lines(ctx, t) {
			if err == nil && (n >= len(m.found.prints) || m.found.prints[n] != l.print()) {
				err = errListChanged
			}
			if err != nil {
				yield(nil, err)
				return
			}
			n++
			content := l.sent.Content()
			l.key = "c:" + content
			if m.key != "" {
				l.key = "k:" + l.chosen
			} else if _, twice := times[content]; twice {
				if times[content]++; times[content] > 1 {
					l.key += fmt.Sprintf("#%d", times[content])
				}
			}
			if !yield(l, nil) {
				return
			}
		}
		if n < len(m.found.prints) {
			yield(nil, errListChanged)
		}
	}
}

// perform sends or shows the rows, and reports them.
func (m *many) perform(ctx context.Context, t *target, printer *printer, firm string, dry bool) (err error) {
	if len(m.columns) == 0 && (printer.format == formatTable || printer.format == formatCSV) {
		m.columns = []string{"line", "key", "status", "before", "id", "error"}
		if dry {
			m.columns = append(m.columns, "sends", "changes", "there")
		}
	}
	if err := printer.of(reflect.TypeFor[rowReport]()); err != nil {
		return err
	}
	path := m.journalFile()
	if m.server != nil && m.sandbox == inMemory { // the firm ends with the command
		folder, err := os.MkdirTemp("", "practice-run-")
		if err != nil {
			return phaseCheck.of(err)
		}
		defer func() { _ = os.RemoveAll(folder) }()
		path = filepath.Join(folder, "journal")
	} else {
		m.note("The progress is recorded in %s.", path)
	}
	if m.journal, err = rows.Open(ctx, path, m.description(firm), dry); err != nil {
		return phaseCheck.of(misuse{err})
	}
	m.tally = tally{many: m, printer: printer, began: time.Now(), noted: time.Now()}
	ended := m.begun(ctx, t)
	if ended == nil {
		ended = m.each(ctx, t, dry)
	}
	return m.tally.end(ctx, errors.Join(ended, m.journal.Close()))
}

// begun notes the creates of earlier runs whose outcome is unknown.
func (m *many) begun(ctx context.Context, t *target) error {
	if m.finder == nil || !m.journal.Resumed() {
		return nil
	}
	for l, err := range m.keyed(ctx, t) {
		if err == nil {
			err = m.journal.Begun(ctx, l.key, m.groups.Of(l.sent), l.sent.Content())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// each processes the rows, several at a time, until one of them ends the run.
func (m *many) each(ctx context.Context, t *target, dry bool) error {
	work := m.send
	if dry {
		work = m.plan
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	free := make(chan struct{}, once.DefaultConcurrency)
	var working sync.WaitGroup
	defer working.Wait()
	for l, err := range m.keyed(ctx, t) {
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case free <- struct{}{}:
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		working.Go(func() {
			defer func() { <-free }()
			report := work(ctx, l)
			if err := m.tally.row(l, report); err != nil {
				end(err)
			}
		})
	}
	working.Wait()
	return context.Cause(ctx)
}

// send sends a row, unless it was sent before.
func (m *many) send(ctx context.Context, l *line) rowReport {
	if m.key != "" {
		if err := m.journal.Claim(ctx, l.key, l.sent.Content()); err != nil {
			return rowReport{Result: rows.Result{Status: rows.Failed, Err: err}}
		}
	}
	report := rowReport{}
	if m.creates() {
		report.Result = m.journal.Create(ctx, m.create(l))
	} else {
		report.Result = m.journal.Change(ctx, m.change(l))
	}
	if m.wait && report.Result.Status == rows.Accepted {
		if report.Result.Err = m.seen(ctx, l, report.Result); report.Result.Err == nil {
			report.Result.Status = rows.Done
		}
	}
	return report
}

// create returns the create of a row.
func (m *many) create(l *line) rows.Create {
	c := rows.Create{
		Key: l.key, Content: l.sent.Content(), Group: m.groups.Of(l.sent), Settle: m.settle, Again: m.again,
		Send: func(ctx context.Context, _ once.Intent) (string, error) {
			answer, err := m.callOf(ctx, l)
			if err != nil {
				return "", err
			}
			id := idOf(answer)
			if id == "" && m.finder == nil {
				id = noID + l.key
			}
			return id, nil
		},
	}
	if m.finder != nil {
		c.Find = func(ctx context.Context, since time.Time) ([]string, error) {
			return m.finder.Find(ctx, m.client, l.arguments, l.body, since)
		}
	}
	return c
}

// noID begins the id of a record whose response has none.
const noID = "accepted "

func (m *many) callOf(ctx context.Context, l *line) (answer []byte, err error) {
	var body any
	if l.body != nil {
		body = l.body
	}
	err = m.client.Call(ctx, m.operation.ID, l.arguments, body, &answer)
	return answer, err
}

// change returns the change of a row.
func (m *many) change(l *line) rows.Change {
	c := rows.Change{
		Key: l.key,
		Send: func(ctx context.Context) error {
			_, err := m.callOf(ctx, l)
			return err
		},
		Unclear: func(err error) bool {
			return written{class: m.operation.Class}.effectOf(err) == unclear
		},
	}
	if _, readable := m.reader(); readable {
		c.Look = func(ctx context.Context) (rows.View, error) {
			v, err := m.see(ctx, l)
			if l.was == nil && err == nil {
				l.was = &v
			}
			return v, err
		}
	}
	return c
}

// see reads the record that a row changes.
func (m *many) see(ctx context.Context, l *line) (rows.View, error) {
	return m.look(ctx, m.client, l.arguments, rows.WriteOf(m.operation, l.body, l.sent.Body))
}

// seen waits until the effect of a row is visible.
func (m *many) seen(ctx context.Context, l *line, r rows.Result) error {
	if m.creates() {
		read := func(ctx context.Context) (bool, error) {
			return true, m.readCreated(ctx, m.client, l.arguments, r.ID)
		}
		_, err := practice.Await(ctx, read, practice.Exists())
		return err
	}
	until := practice.When(func(v rows.View) bool { return v.Shows })
	if l.was != nil {
		until = since(*l.was, func() {})
	}
	_, err := practice.Await(ctx, func(ctx context.Context) (rows.View, error) { return m.see(ctx, l) }, until)
	return err
}

// planned is the status of a row of a dry run.
const planned rows.Status = "planned"

// plan shows what a row would change, beside what is there, and notes what is
// there.
func (m *many) plan(ctx context.Context, l *line) rowReport {
	report := rowReport{Result: rows.Result{Status: planned}, Sends: l.sent.Body}
	failed := func(err error) rowReport {
		return rowReport{Result: rows.Result{Status: rows.Failed, Err: err}}
	}
	if m.creates() {
		id, err := m.journal.Created(ctx, l.key)
		if err != nil {
			return failed(err)
		}
		report.Result.ID, report.Result.Before = id, id != ""
		return report
	}
	_, readable := m.reader()
	if !readable {
		return report
	}
	there, err := m.see(ctx, l)
	if err != nil {
		return failed(err)
	}
	if report.Result.Before, err = m.journal.See(ctx, l.key, there); err != nil {
		return failed(err)
	}
	report.There, report.Sends = there.There, nil
	if l.sent.Body != nil {
		report.There, report.Changes = nil, there.Changes
	}
	return report
}
