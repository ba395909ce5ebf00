package once

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/pending"
)

// DefaultConcurrency is the number of rows that Run processes at the same time.
const DefaultConcurrency = 4

// ErrDuplicateKey reports a row with the key of an earlier row of the same run.
var ErrDuplicateKey = errors.New("once: an earlier row has the same key")

// RowError reports a row that failed.
type RowError struct {
	Key string
	Err error
}

// Error returns the row and its error.
func (e *RowError) Error() string { return fmt.Sprintf("row %q: %v", e.Key, e.Err) }

// Unwrap returns Err.
func (e *RowError) Unwrap() error { return e.Err }

// Report counts the rows of a run.
type Report struct {
	Done   int         // rows that succeeded
	Failed []*RowError // failed rows in the order in which they ended, including those that match ErrUnknown
	// Skipped counts the rows that were not begun because ctx had ended, or
	// because the rate limit did not allow a create before its deadline.
	Skipped int
}

// RunOptions configure a run. The zero value is ready to use.
type RunOptions struct {
	// Concurrency is the number of rows processed at the same time; 0 means
	// DefaultConcurrency.
	Concurrency int
	// Progress is called after each row, including skipped ones. Calls do not
	// overlap, and the last one receives the final report.
	Progress func(Report)
}

// Run calls do for each row, several at a time, and returns when these calls
// have returned. A failed row does not stop the others. When ctx ends, or its
// deadline is too near for the rate limit, the remaining rows count as Skipped.
// Repeat an incomplete run with the same rows: a do that calls Do with the key
// detects rows that are already done. The error joins the errors of the rows
// and the cause of ctx.
func Run[T any](ctx context.Context, rows iter.Seq2[string, T], do func(ctx context.Context, key string, row T) error, options RunOptions) (Report, error) {
	if options.Concurrency <= 0 {
		options.Concurrency = DefaultConcurrency
	}
	r, seen := &run{options: options}, map[string]bool{}
	free := make(chan struct{}, options.Concurrency)
	var working sync.WaitGroup
	defer working.Wait() // also if rows panics
	for key, row := range rows {
		select {
		case <-ctx.Done():
		case free <- struct{}{}:
		}
		if ctx.Err() != nil {
			r.skip(nil)
			continue
		}
		if seen[key] {
			<-free
			r.end(key, ErrDuplicateKey)
			continue
		}
		seen[key] = true
		working.Go(func() {
			defer func() { <-free }()
			watched, unproven := pending.Watch(ctx)
			if err := do(watched, key, row); !unproven.Any() && tooNear(ctx, err) {
				r.skip(err)
			} else {
				r.end(key, err)
			}
		})
	}
	working.Wait()
	var failures []error
	for _, failed := range r.report.Failed {
		failures = append(failures, failed)
	}
	return r.report, errors.Join(append(failures, context.Cause(ctx), r.held)...)
}

// tooNear reports whether the rate limit refused a call because it would have
// been sent after the deadline of ctx. An unknown outcome is a failure.
func tooNear(ctx context.Context, err error) bool {
	_, limited := ctx.Deadline()
	return limited && errors.Is(err, practice.ErrRateLimitWait) && !errors.Is(err, ErrUnknown)
}

// run holds the state of a Run.
type run struct {
	options RunOptions
	mu      sync.Mutex
	report  Report
	held    error // error of the first row that the rate limit held up
}

// skip counts a row that was not begun, and keeps the first error that is not
// nil.
func (r *run) skip(held error) {
	r.count(func() {
		r.report.Skipped++
		if r.held == nil {
			r.held = held
		}
	})
}

func (r *run) end(key string, err error) {
	r.count(func() {
		if err != nil {
			r.report.Failed = append(r.report.Failed, &RowError{key, err})
		} else {
			r.report.Done++
		}
	})
}

// count changes the report, and reports the progress.
func (r *run) count(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
	if r.options.Progress != nil {
		r.options.Progress(r.report)
	}
}
