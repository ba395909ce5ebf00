package mirror

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"sync"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/partfile"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// all reads both sides, plans and executes.
func (r *run) all() error {
	if err := r.settle(false); err != nil {
		return err
	}
	if err := r.look(); err != nil {
		return err
	}
	r.completeMoves()
	p := r.decide()
	if p == nil {
		return nil // the context has ended; sum reports it
	}
	if err := r.brake(p); err != nil {
		return err
	}
	r.execute(p)
	if !r.push && !r.DryRun && r.sum("") == nil {
		for _, at := range r.local.parts {
			_ = partfile.Collect(r.disk.root, filepath.FromSlash(at)) // the next call finds the rest
		}
	}
	return nil
}

// brake refuses a plan with too many removals.
func (r *run) brake(p *plan.Plan) error {
	known, read, limit := len(r.trees.Base), len(r.trees.There), r.MaxDelete
	if r.push {
		read = len(r.trees.Here)
	}
	if limit == 0 && read > 0 {
		limit = max(20, known/2)
	}
	if p.Removals <= limit || limit < 0 {
		return nil
	}
	return fmt.Errorf("%w: %d of %d", ErrTooManyDeletions, p.Removals, known)
}

// execution holds the state of executing a plan.
type execution struct {
	*run

	mu    sync.Mutex
	tried map[*plan.Step]attempt
}

// attempt is the result of an attempted step.
type attempt struct {
	err error
	id  string // id of the remote folder that it created
	at  time.Time
}

// execute executes a plan, or only reports it for DryRun.
func (r *run) execute(p *plan.Plan) {
	x := &execution{run: r, tried: map[*plan.Step]attempt{}}
	var contents []*plan.Outcome
	for _, o := range p.Outcomes {
		if !o.Key.Dir && (inPlace(o.Action) || len(o.IDs) > 0) {
			r.left++
		}
		if o.Transfer != nil {
			r.total += o.Size
			contents = append(contents, o)
		}
	}
	r.left += p.Blocked
	if r.Progress != nil && r.ctx.Err() == nil {
		r.Progress(0, r.total)
	}
	if !r.DryRun {
		x.structure(p.Structure)
	}
	for _, o := range p.Outcomes {
		if o.Transfer == nil && (o.Place == nil || o.Place.Op != plan.Drop) {
			x.finish(o, nil)
		}
	}
	if r.push && !r.DryRun {
		contents = x.inBatches(contents)
	}
	each(r.ctx, r, contents, func(o *plan.Outcome) { x.finish(o, nil) })
	for _, o := range p.Drops {
		if !r.DryRun && r.ctx.Err() == nil {
			x.did(o.Place, attempt{err: x.drop(o.Place)})
		}
		x.finish(o, nil)
	}
	if r.push && r.ListWait >= 0 && !r.DryRun {
		_ = r.settle(true) // failures are already in the results
	}
}

func (x *execution) did(s *plan.Step, a attempt) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.tried[s] = a
}

// attempt returns the result of a step. Outside of a dry run its error is
// errNotTried if the step was not attempted.
func (x *execution) attempt(s *plan.Step) attempt {
	x.mu.Lock()
	defer x.mu.Unlock()
	a, tried := x.tried[s]
	if s != nil && !tried && !x.DryRun {
		a.err = errNotTried
	}
	return a
}

var errNotTried = errors.New("the step was not attempted")

// structure executes the steps that change names, places and folders.
func (x *execution) structure(levels [][]*plan.Step) {
	do := x.arrange
	if x.push {
		do = x.place
	}
	for _, level := range levels {
		each(x.ctx, x.run, level, func(s *plan.Step) {
			if x.attempt(s.Within).err != nil {
				return
			}
			id, err := do(s)
			x.did(s, attempt{err: err, id: id, at: time.Now()})
			if err != nil && (s.Op == plan.MakeDir || s.Op == plan.MakeFolder) {
				x.add(Result{Path: s.Path, IsDir: true, ID: s.Key.ID, Err: err})
			}
		})
	}
}

func (x *execution) result(o *plan.Outcome) Result {
	r := Result{Path: o.Path, From: o.From, Copy: o.Copy, Action: o.Action, ID: x.idOf(o.Key), Size: o.Size, IsDir: o.Key.Dir}
	if o.From == o.Path {
		r.From = ""
	}
	if rec := x.records[o.Key]; rec != nil && rec.File != nil && !x.push {
		r.VersionID = rec.File.VersionID
	}
	return r
}

// finish transfers the content of an outcome, if any, and reports the result.
func (x *execution) finish(o *plan.Outcome, b *batched) {
	r := x.result(o)
	err := x.attempt(o.Place).err
	if o.Transfer != nil && err == nil {
		err = x.attempt(o.Transfer.Within).err
	}
	switch {
	case len(o.IDs) > 0:
		err = x.ambiguous(o)
	case o.Transfer != nil && err == nil && !x.DryRun:
		err = x.observe(x.ctx, x.operation+" file", func(ctx context.Context) error {
			if x.push {
				return x.send(ctx, o, b, &r)
			}
			return x.receive(ctx, o, &r)
		})
	}
	switch {
	case errors.Is(err, errNotTried):
		return
	case errors.Is(err, errStays), errors.Is(err, ErrChanged) && o.Action == plan.Removed:
		r.Action = Gone
	case errors.Is(err, ErrChanged) && !errors.Is(err, errVanished): // both contents remain as they are
		r.Action, r.Copy = Conflict, ""
	default:
		r.Err = err
	}
	x.add(r)
}

func (x *execution) ambiguous(o *plan.Outcome) error {
	if !o.Key.Dir {
		return &AmbiguousFileError{Name: path.Base(o.Path), IDs: x.idsOf(o)}
	}
	e := &practice.AmbiguousFolderError{Name: path.Base(o.Path), IDs: x.idsOf(o)}
	if rec := x.records[plan.Folder(o.IDs[0])]; rec != nil {
		e.ParentID = cmp.Or(rec.Parent, x.FolderID)
	}
	return e
}
