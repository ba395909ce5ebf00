package mirror

import (
	"context"
	"errors"
	"io/fs"
	"os"
)

// PullOptions are those of Pull.
type PullOptions struct {
	Options
	Overwrite bool        // replaces local files that were changed or that nobody knows
	Cursor    string      // of the last change that is known; may be empty
	FileMode  fs.FileMode // of local files; 0 leaves them to their owner
}

// Pull makes a local folder like that of the service. The error is one of the
// local folder.
func Pull(ctx context.Context, service Service, dir string, options PullOptions) (Outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d := &download{run: &run{Options: options.Options, ctx: ctx, service: service, stop: cancel}, options: options}
	defer func() {
		if d.root != nil {
			_ = d.root.Close() // nothing is written through it any more
		}
	}()
	if err := d.open(dir); err != nil {
		return Outcome{}, err
	}
	closed := false
	defer func() {
		if !closed { // a function of the caller panicked
			_ = d.manifest.Close()
		}
	}()
	plan := d.plan()
	d.receive(d.arrange(plan))
	d.drop(plan)
	closed = true
	err := d.manifest.Close()
	outcome := d.sum()
	if outcome.Whole() && !d.DryRun {
		d.collect()
	}
	return outcome, err
}

// download is one Pull.
type download struct {
	*run
	options  PullOptions
	root     *os.Root
	manifest *Manifest

	parts    []string          // unfinished files in the folder
	moved    renames           // what was moved in the local folder
	renamed  renames           // folders that were moved in the manifest, the outermost first
	leaving  map[string]Entry  // unchanged copies of what is gone from the service, by path
	sources  map[string]string // where everything goes, by where it lay at the beginning
	replaced map[string]bool   // those among them that made room
	failed   map[string]bool   // local folders that have no place, by path
}

const ownerOnly fs.FileMode = 0o700

// dirMode are the permissions of a folder whose files have others.
func dirMode(files fs.FileMode) fs.FileMode { return ownerOnly | files | files&0o444>>2 }

// open opens the local folder and its manifest.
func (d *download) open(dir string) (err error) {
	if !d.DryRun {
		err = os.MkdirAll(dir, dirMode(d.options.FileMode))
	}
	if err == nil {
		d.root, err = os.OpenRoot(dir)
	}
	if d.DryRun && errors.Is(err, fs.ErrNotExist) {
		d.root, err = nil, nil
	}
	if err != nil {
		return err
	}
	if d.DryRun {
		d.manifest, err = Look(d.root, d.Source)
	} else {
		d.manifest, err = Open(d.root, d.Source)
	}
	return err
}
