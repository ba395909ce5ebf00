package mirror

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/models"
)

// PushOptions are those of Push.
type PushOptions struct {
	Options
	// Changed decides whether a file of the same size is sent; nil leaves it to
	// the manifest.
	Changed func(path string, local fs.FileInfo, remote *models.File) bool
	// Ambiguous chooses one of several folders of one name; nil chooses none.
	Ambiguous   func(path string, ids []string) (id string)
	ManifestDir string        // empty means the folder that is shown, where there is one
	Settle      time.Duration // how long to wait for lists; negative means not at all
	Grace       time.Duration // how long creates may go on once the context has ended
}

// Push makes the folder of the service like a local tree. The error is one of
// the manifest.
func Push(ctx context.Context, service Service, fsys fs.FS, options PushOptions) (Outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	grace, end := withGrace(ctx, options.Grace)
	defer end()
	u := &upload{
		run: &run{Options: options.Options, ctx: ctx, service: service, stop: func() { cancel(); end() }}, options: options,
		fsys: fsys, listed: map[string]int{}, grace: grace,
	}
	if err := u.openManifest(); err != nil {
		return Outcome{}, err
	}
	closed := false
	defer func() {
		if !closed { // a function of the caller panicked
			_ = u.close()
		}
	}()
	if u.DryRun {
		u.options.Settle = -1
	}
	state := u.scan()
	plan := u.plan(state)
	if ctx.Err() == nil {
		u.forget(plan, state)
		u.arrange(plan, state)
		u.send(u.decided(plan))
		u.drop(plan, state)
	}
	u.settle(state)
	closed = true
	return u.sum(), u.close()
}

// upload is one Push.
type upload struct {
	*run
	options PushOptions
	fsys    fs.FS
	grace   context.Context // for what must not be left half done

	root     *os.Root  // holds the manifest; nil without one
	manifest *Manifest // nil without one
	infos    map[string]fs.FileInfo
	listed   map[string]int       // how much each folder of the service holds, by its key
	dirs     map[string]*localDir // that have a place in the service, by path
	pending  map[string][]Entry   // what earlier calls made or may have made, by the key of its folder
	before   map[identity]bool    // what the service had before anything was made
	removed  []PushGone           // deleted in the service just now
}

// localDir is a folder of the local tree and its counterpart in the service.
type localDir struct {
	PushDir
	parent    *localDir
	id        string // in the service; empty for the root of the matter and for a folder that failed
	made      time.Time
	uncertain bool // it may have been made
	failed    bool
	moved     bool // renamed or moved just now
	files     []*localFile
}

// localFile is a file of the local tree and what has to be done about it.
type localFile struct {
	PushFile
	info      fs.FileInfo
	dir       *localDir
	action    Action
	name      string  // in the service
	id        string  // in the service; empty for a new one
	sent      int64   // bytes that were stored; -1 when they were not
	made      bool    // the service accepted it just now, with its content or without
	sending   Sending // the content that is about to be sent; zero without a manifest
	uncertain bool    // it may have been made
	moved     bool    // renamed or moved just now
	batch     *batch  // that makes its record; nil when it is made alone
	announced *announced
}

// close ends the work on the manifest.
func (u *upload) close() (err error) {
	if u.manifest != nil {
		err = u.manifest.Close()
	}
	if u.root != nil {
		err = errors.Join(err, u.root.Close())
	}
	return err
}

// fail gives up a folder with everything in it.
func (u *upload) fail(dir *localDir, err error) {
	dir.failed = true
	u.add(Result{Path: dir.Path, ID: dir.id, IsDir: true, Err: err})
}

// withGrace gives a context that ends some time after another one.
func withGrace(ctx context.Context, wait time.Duration) (grace context.Context, end func()) {
	grace, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if backoff.Sleep(grace, wait) == nil {
			cancel(context.Cause(ctx))
		}
	})
	return grace, func() {
		stop()
		cancel(nil)
	}
}
