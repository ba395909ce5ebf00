package mirror

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/panics"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// account collects the results of a run.
type account struct {
	options *Options
	ctx     context.Context // context of the caller

	mu          sync.Mutex
	results     map[plan.Key]Result // results of remote items
	failed      []Result
	left        int // files that should be in place at the end and are not yet
	done        int
	unlisted    int
	sent, total int64
}

// inPlace reports whether the file is in place after an action.
func inPlace(a Action) bool { return a != Ignored && a != Gone && a != Removed && a != Failed }

// fail reports the failure of a file that is not part of the plan.
func (a *account) fail(result Result) {
	a.mu.Lock()
	a.left++
	a.mu.Unlock()
	a.add(result)
}

// add counts and reports a result. A file that failed because the context ended
// counts as left.
func (a *account) add(result Result) {
	if result.Err != nil && a.ctx.Err() != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case result.Err != nil:
		result.Action = Failed
		a.failed = append(a.failed, result)
		if !result.IsDir {
			a.left--
		}
	case inPlace(result.Action) && !result.IsDir:
		a.done++
		a.left--
	}
	if result.Err == nil && result.ID != "" {
		a.results[plan.Key{Dir: result.IsDir, ID: strings.ToLower(result.ID)}] = result
	}
	if a.options.Result != nil {
		a.options.Result(result)
	}
}

// unseen reports as a failure that the service accepted an item but does not
// list it; problem is the error of the last list. It does nothing if the caller
// ended the run.
func (a *account) unseen(key plan.Key, name string, problem error) {
	a.mu.Lock()
	result, ours := a.results[key]
	switch {
	case !ours:
		result = Result{Path: name, ID: key.ID, IsDir: key.Dir}
	case key.Dir:
	case a.ctx.Err() != nil:
		a.unlisted++
	default:
		a.done--
		a.left++
	}
	a.mu.Unlock()
	result.Err = practice.ErrNotVisibleYet
	if problem != nil && !missing(problem) {
		result.Err = fmt.Errorf("%w: %w", practice.ErrNotVisibleYet, problem)
	}
	a.add(result)
}

// sum returns the error of the run, or nil if all is done and ctx goes on.
func (a *account) sum(operation string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	e := &Error{
		Operation: operation, Failed: a.failed, Done: a.done, Left: max(0, a.left),
		Unlisted: a.unlisted, Err: context.Cause(a.ctx),
	}
	if len(e.Failed) == 0 && e.Left == 0 && e.Err == nil {
		return nil
	}
	sort.Slice(e.Failed, func(i, j int) bool { return e.Failed[i].Path < e.Failed[j].Path })
	return e
}

// progress returns the progress function for the transfer of one file, or nil
// if no option needs it. The planned total includes size; the function corrects
// it if the transfer reports another total.
func (a *account) progress(path string, size int64) func(done, total int64) {
	if a.options.Progress == nil && a.options.FileProgress == nil {
		return nil
	}
	var before int64
	return func(done, total int64) {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.options.FileProgress != nil {
			a.options.FileProgress(path, done, total)
		}
		if a.options.Progress == nil {
			return
		}
		if total >= 0 {
			a.total += total - size
			size = total
		}
		a.sent += done - before
		before = done
		a.options.Progress(a.sent, max(a.total, a.sent))
	}
}

// each calls work for every item, several at a time, until the context ends. A
// panic ends the run.
func each[T any](ctx context.Context, r *run, items []T, work func(T)) {
	var next atomic.Int64
	var running panics.Group
	for range min(r.Concurrency, len(items)) {
		running.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(items) {
					return
				}
				work(items[i])
			}
		}, func(returned bool) {
			if !returned {
				r.stop()
			}
		})
	}
	running.Wait()
}
