package practice

import (
	"context"
	"sync"
	"sync/atomic"
)

// DefaultDirConcurrency is how many files UploadDir and DownloadDir transfer at
// a time.
const DefaultDirConcurrency = 8

// dirRun keeps the account of one UploadDir or DownloadDir.
type dirRun struct {
	ctx         context.Context
	operation   string
	concurrency int
	report      func(DirResult) // nil when nobody asks

	mu     sync.Mutex
	files  int // all that should be in place in the end
	failed []DirResult
	misses int // files among them
	done   int
}

func newDirRun(ctx context.Context, operation string, concurrency int, report func(DirResult)) *dirRun {
	if concurrency == 0 {
		concurrency = DefaultDirConcurrency
	}
	return &dirRun{ctx: ctx, operation: operation, concurrency: concurrency, report: report}
}

// expect counts a file that should be in place in the end.
func (r *dirRun) expect() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files++
}

// add takes the result of a file, or of a folder that failed. What failed
// because the context ended was just not done yet.
func (r *dirRun) add(result DirResult) {
	if result.Err != nil && r.ctx.Err() != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case result.Err != nil:
		result.Action = DirFailed
		r.failed = append(r.failed, result)
		if !result.IsDir {
			r.misses++
		}
	case result.Action != DirIgnored:
		r.done++
	}
	if r.report != nil {
		r.report(result)
	}
}

// revoke says that a file that was done failed after all.
func (r *dirRun) revoke(result DirResult) {
	r.mu.Lock()
	r.done--
	r.mu.Unlock()
	r.add(result)
}

// err sums up.
func (r *dirRun) err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	left := r.files - r.done - r.misses
	ended := context.Cause(r.ctx)
	if len(r.failed) == 0 && left == 0 && ended == nil {
		return nil
	}
	sortByPath(r.failed)
	return &DirError{Operation: r.operation, Failed: r.failed, Done: r.done, Left: left, Err: ended}
}

// each calls work for every item, some at a time, until the context of the run
// ends.
func each[T any](r *dirRun, items []T, work func(T)) { eachUntil(r.ctx, r.concurrency, items, work) }

// eachUntil calls work for every item, some at a time, until the context ends.
func eachUntil[T any](ctx context.Context, concurrency int, items []T, work func(T)) {
	var next atomic.Int64
	var running sync.WaitGroup
	for range min(concurrency, len(items)) {
		running.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(items) {
					return
				}
				work(items[i])
			}
		})
	}
	running.Wait()
}
