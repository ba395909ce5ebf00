package practice

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/practicesdk/practice-go/models"
)

// DirAction tells how UploadDir or DownloadDir handled a file.
type DirAction string

// Actions of UploadDir and DownloadDir.
const (
	DirCreated DirAction = "created" // it was not there
	DirUpdated DirAction = "updated" // another version was there
	// DirResumed: the file was there without its content, as an upload that broke
	// off leaves it. UploadDir only.
	DirResumed DirAction = "resumed"
	DirKept    DirAction = "kept"  // it was there already
	DirMoved   DirAction = "moved" // it was there in another place, see DirResult.From
	// DirWaiting: the side that is copied to has changed, and the other one has not. The
	// other direction carries the change over.
	DirWaiting DirAction = "waiting"
	// DirConflict: both sides have changed, see ConflictPolicy. Copy is where the local
	// change lies when both are kept.
	DirConflict DirAction = "conflict"
	// DirGone: the side that is copied from does not have it any more. It stays on the
	// other side unless Delete is set.
	DirGone    DirAction = "gone"
	DirRemoved DirAction = "removed" // it was gone, and Delete is set
	// DirIgnored: there is no content to transfer. The local file is no regular
	// one, or a file of this library; or the content of the service's file never
	// arrived there.
	DirIgnored DirAction = "ignored"
	DirFailed  DirAction = "failed" // Err says why
)

// DirResult reports the result for one file, or for a folder that failed.
type DirResult struct {
	// Path leads to the local file or folder, with slashes, from the folder that
	// is mirrored; that one itself is ".".
	Path   string
	From   string // the path before, when the file or folder was moved; otherwise empty
	Copy   string // the path of the local change after DirConflict; otherwise empty
	Action DirAction
	// ID identifies the file or folder of the service. Empty while there is none.
	ID   string
	Size int64 // of the content in bytes
	// ETag is the entity tag of content that was transferred, with its quotes. Empty when
	// the storage names none.
	ETag string
	// VersionID is the version that DownloadDir received, or found in place. Empty when the
	// service does not list it.
	VersionID string
	Requests  int // to the storage, for this file
	// IsDir tells that this is a folder. It stands for everything in it.
	IsDir bool
	Err   error // nil unless Action is DirFailed
}

// ErrNotVisibleYet reports that the service accepted a file or folder but did
// not list it within UploadDirOptions.Settle. It may appear later. If it never
// does, an error event says why.
var ErrNotVisibleYet = errors.New("the service accepted it but does not list it")

// DirError lists the files that UploadDir or DownloadDir did not transfer.
// Another call transfers only these. errors.Is and errors.As examine Err and
// the error of each failed file.
type DirError struct {
	Operation string
	// Failed are the files, and the folders with everything in them, that could
	// not be transferred, sorted by path.
	Failed []DirResult
	Done   int // files that are in place now, those that were before included
	// Left counts the files that were not tried: they lie in a folder that failed,
	// or the context ended before.
	Left int
	// Unlisted counts the files among Done that the service accepted, but had not listed
	// yet when the context ended. UploadDir only.
	Unlisted int
	Err      error // why it ended early; nil when everything was tried
}

// Error counts the failures and names the first.
func (e *DirError) Error() string {
	const named = 3
	var b strings.Builder
	fmt.Fprintf(&b, "practice: %s: %d failed, %d left, %d done", e.Operation, len(e.Failed), e.Left, e.Done)
	if e.Unlisted > 0 {
		fmt.Fprintf(&b, " (%d not listed yet)", e.Unlisted)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	for _, failed := range e.Failed[:min(named, len(e.Failed))] {
		fmt.Fprintf(&b, "; %s: %s", oneLine(failed.Path), oneLine(failed.Err.Error()))
	}
	if more := len(e.Failed) - named; more > 0 {
		fmt.Fprintf(&b, "; and %d more", more)
	}
	return b.String()
}

// Unwrap returns all errors.
func (e *DirError) Unwrap() []error {
	var all []error
	if e.Err != nil {
		all = append(all, e.Err)
	}
	for _, failed := range e.Failed {
		all = append(all, failed.Err)
	}
	return all
}

func sortByPath(results []DirResult) {
	slices.SortFunc(results, func(a, b DirResult) int { return strings.Compare(a.Path, b.Path) })
}

// ConflictChoice says which change of a file holds when both sides have changed.
type ConflictChoice string

// Choices of a ConflictPolicy.
const (
	// KeepsBoth leaves the version of the service under the name of the file and the
	// local change beside it under a name of its own.
	KeepsBoth   ConflictChoice = "both"
	KeepsLocal  ConflictChoice = "local"  // the local change becomes a new version
	KeepsRemote ConflictChoice = "remote" // the local change is lost
)

// ConflictPolicy chooses for a file that has changed locally and in the service since
// both were alike. The path is that of the local file, with slashes. It is not asked
// when both have the same content. KeepBoth, KeepLocal and KeepRemote are policies.
type ConflictPolicy func(path string, remote *models.File) ConflictChoice

// KeepBoth is the policy of KeepsBoth. It holds where there is none.
func KeepBoth(string, *models.File) ConflictChoice { return KeepsBoth }

// KeepLocal is the policy of KeepsLocal.
func KeepLocal(string, *models.File) ConflictChoice { return KeepsLocal }

// KeepRemote is the policy of KeepsRemote.
func KeepRemote(string, *models.File) ConflictChoice { return KeepsRemote }

func (p ConflictPolicy) choose(path string, remote *models.File) ConflictChoice {
	if p == nil {
		return KeepsBoth
	}
	return p(path, remote)
}

// DefaultDirConcurrency is how many files UploadDir and DownloadDir transfer at
// a time.
const DefaultDirConcurrency = 8

// dirRun keeps the account of one UploadDir or DownloadDir.
type dirRun struct {
	ctx         context.Context
	operation   string
	concurrency int
	report      func(DirResult) // nil when nobody asks

	mu       sync.Mutex
	files    int // all that should be in place in the end
	failed   []DirResult
	misses   int // files among them
	done     int
	unlisted int // files among those that are done
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

// add takes the result of a file, or of a folder that failed. A failure
// because the context ended only means that it was not done yet.
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
	case result.Action.inPlace() && !result.IsDir:
		r.done++
	}
	if r.report != nil {
		r.report(result)
	}
}

// inPlace reports an action after which the file is there.
func (a DirAction) inPlace() bool { return a != DirIgnored && a != DirGone && a != DirRemoved }

// revoke says that a file that was done failed after all.
func (r *dirRun) revoke(result DirResult) {
	r.mu.Lock()
	r.done--
	r.mu.Unlock()
	r.add(result)
}

// unseen counts a file that was done and is not listed yet.
func (r *dirRun) unseen() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unlisted++
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
	return &DirError{Operation: r.operation, Failed: r.failed, Done: r.done, Left: left, Unlisted: r.unlisted, Err: ended}
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

// dirProgress adds up how far all files of a folder are.
type dirProgress struct {
	report func(done, total int64)              // nil when nobody asks
	file   func(path string, done, total int64) // nil when nobody asks

	mu          sync.Mutex
	done, total int64
}

// begin tells the sum before the first byte.
func (p *dirProgress) begin(total int64) {
	p.total = total
	if p.report != nil {
		p.report(0, total)
	}
}

// of is what the transfer of one file reports to. The size is the one that
// was counted in the total; the transfer may know better.
func (p *dirProgress) of(path string, size int64) func(done, total int64) {
	if p.report == nil && p.file == nil {
		return nil
	}
	var before int64
	return func(done, total int64) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.file != nil {
			p.file(path, done, total)
		}
		if p.report == nil {
			return
		}
		if total >= 0 {
			p.total += total - size
			size = total
		}
		p.done += done - before
		before = done
		p.report(p.done, max(p.total, p.done))
	}
}
