package mirror

import (
	"context"
	"errors"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/practicesdk/practice-go/internal/panics"
	"github.com/practicesdk/practice-go/models"
)

// ErrNotVisibleYet reports what was accepted and is not listed.
var ErrNotVisibleYet = errors.New("the service accepted it but does not list it")

// Options are those that Pull and Push have in common.
type Options struct {
	Source
	Concurrency  int                                      // of transfers and of lists; at least 1
	Progress     func(done, total int64)                  // of all files; may be nil
	FileProgress func(path string, done, total int64)     // of each file; may be nil
	Result       func(Result)                             // may be nil
	Conflict     func(path string, r *models.File) Choice // never nil
	Exclude      func(Item) bool                          // reports what is left out; may be nil
	Delete       bool                                     // removes what is gone from the other side
	DryRun       bool                                     // changes nothing
	ByContent    bool                                     // compares the contents of what seems unchanged
}

func (o *Options) leavesOut(item Item) bool { return o.Exclude != nil && o.Exclude(item) }

// Outcome is the account of a Pull or Push.
type Outcome struct {
	Failed   []Result // sorted by path
	Done     int      // files that are in place
	Left     int      // files that were not tried
	Unlisted int      // files among Done that the service does not list yet
	Err      error    // why it ended early; nil when everything was tried
}

// run keeps the account of one Pull or Push.
type run struct {
	Options
	ctx     context.Context // of the call, which the run does not outlive
	stop    func()          // ends the context, and what may go on after it
	service Service

	compared comparisons
	arrivals arrivals

	mu          sync.Mutex
	outcome     Outcome
	files       int // all that should be in place in the end
	misses      int // files that failed
	sent, total int64
}

// expect counts a file that should be in place in the end.
func (r *run) expect() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files++
}

// forgo takes back that a file was expected.
func (r *run) forgo() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files--
}

// add takes the result of a file, or of a folder. A failure because the context
// ended only means that it was not done yet.
func (r *run) add(result Result) {
	if result.Err != nil && r.ctx.Err() != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case result.Err != nil:
		result.Action = Failed
		r.outcome.Failed = append(r.outcome.Failed, result)
		if !result.IsDir {
			r.misses++
		}
	case result.Action.inPlace() && !result.IsDir:
		r.outcome.Done++
	}
	if r.Result != nil {
		r.Result(result)
	}
}

// revoke says that a file that was done failed after all.
func (r *run) revoke(result Result) {
	r.mu.Lock()
	r.outcome.Done--
	r.mu.Unlock()
	r.add(result)
}

// unseen counts a file that was done and is not listed yet.
func (r *run) unseen() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outcome.Unlisted++
}

// sum sums up.
func (r *run) sum() Outcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	o := r.outcome
	o.Left, o.Err = r.files-o.Done-r.misses, context.Cause(r.ctx)
	sort.Slice(o.Failed, func(i, j int) bool { return o.Failed[i].Path < o.Failed[j].Path })
	return o
}

// Whole reports that everything is in place.
func (o *Outcome) Whole() bool { return len(o.Failed) == 0 && o.Left == 0 && o.Err == nil }

// each calls work for every item, some at a time, until the context of the run
// ends.
func each[T any](r *run, items []T, work func(T)) { eachUntil(r.ctx, r, items, work) }

// eachUntil calls work for every item, some at a time, until the context ends.
// A panic ends the run.
func eachUntil[T any](ctx context.Context, r *run, items []T, work func(T)) {
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

// begin tells how much is to be transferred before the first byte is.
func (r *run) begin(total int64) {
	r.total = total
	if r.Progress != nil {
		r.Progress(0, total)
	}
}

// progress is what the transfer of one file reports to. The size is the one
// that was counted in the total; the transfer may know better.
func (r *run) progress(path string, size int64) func(done, total int64) {
	if r.Progress == nil && r.FileProgress == nil {
		return nil
	}
	var before int64
	return func(done, total int64) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.FileProgress != nil {
			r.FileProgress(path, done, total)
		}
		if r.Progress == nil {
			return
		}
		if total >= 0 {
			r.total += total - size
			size = total
		}
		r.sent += done - before
		before = done
		r.Progress(r.sent, max(r.total, r.sent))
	}
}
