package mirror

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sync"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

type fileInfo = fs.FileInfo

// all looks, plans and executes.
func (r *run) all() error {
	if err := r.settle(nil); err != nil {
		return err
	}
	if err := r.look(); err != nil {
		return err
	}
	p := r.decide()
	if p == nil {
		return nil // the context has ended; sum reports it
	}
	if err := r.brake(p); err != nil {
		return err
	}
	r.execute(p)
	if !r.push && !r.DryRun && r.sum("") == nil {
		r.disk.collect(r.local.parts)
	}
	return nil
}

// An empty side is suspicious with more than manyKnown entries; manyRemovals
// deletions are never too many.
const (
	manyKnown    = 3
	manyRemovals = 20
)

// brake refuses a plan with too many removals.
func (r *run) brake(p *plan.Plan) error {
	limit := max(manyRemovals, p.Known/2)
	if p.Empty && p.Known > manyKnown {
		limit = 0
	}
	if r.MaxDelete != 0 {
		limit = r.MaxDelete
	}
	if p.Removals <= limit || limit < 0 {
		return nil
	}
	return fmt.Errorf("%w: %d of %d", ErrTooManyDeletions, p.Removals, p.Known)
}

// execution is a plan that is being executed.
type execution struct {
	*run
	plan *plan.Plan

	mu   sync.Mutex
	errs map[*plan.Step]error // of what was tried, with nil for what was done
	dead map[string]bool      // paths of folders that could not be made
}

// execute executes a plan, or only reports it.
func (r *run) execute(p *plan.Plan) {
	x := &execution{run: r, plan: p, errs: map[*plan.Step]error{}, dead: map[string]bool{}}
	var total int64
	carried := map[*plan.Step]*plan.Outcome{}
	for _, o := range p.Outcomes {
		if !o.Key.Dir && (inPlace(o.Action) || len(o.IDs) > 0) {
			r.expect()
		}
		if o.Transfer != nil {
			total += o.Size
			carried[o.Transfer] = o
		}
	}
	for range p.Blocked {
		r.expect()
	}
	if r.ctx.Err() == nil {
		r.begin(total)
	}
	if !r.DryRun {
		x.structure()
	}
	for _, o := range p.Outcomes {
		if o.Transfer == nil && !dropped(o) {
			x.report(o)
		}
	}
	if !r.DryRun && r.push {
		x.inBatches(carried)
	}
	each(r.ctx, r, p.Transfers, func(s *plan.Step) { x.carry(s, carried[s]) })
	for _, s := range p.Drops {
		if !r.DryRun && r.ctx.Err() == nil {
			x.did(s, x.drop(s))
		}
	}
	for _, o := range p.Outcomes {
		if dropped(o) {
			x.report(o)
		}
	}
	if r.push && r.Settle >= 0 && !r.DryRun {
		_ = r.settle(x) // results report the rest
	}
}

func dropped(o *plan.Outcome) bool { return o.Place != nil && o.Place.Op == plan.Drop }

func (x *execution) did(s *plan.Step, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.errs[s] = err
	if err != nil && (s.Op == plan.MakeDir || s.Op == plan.MakeFolder) {
		x.dead[s.Path] = true
	}
}

// outcomeOf returns the error of a step; errNotTried when it was not tried.
func (x *execution) outcomeOf(s *plan.Step) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	err, tried := x.errs[s]
	if s == nil || x.DryRun {
		return nil
	}
	if !tried {
		return errNotTried
	}
	return err
}

var errNotTried = errors.New("it was not tried")

// buried reports a path in a folder that could not be made.
func (x *execution) buried(at string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	for ; at != "." && at != ""; at = path.Dir(at) {
		if x.dead[at] {
			return true
		}
	}
	return false
}

// structure executes what changes names, places and folders.
func (x *execution) structure() {
	do := x.arrange
	if x.push {
		do = x.place
	}
	for _, level := range x.plan.Structure {
		each(x.ctx, x.run, level, func(s *plan.Step) {
			if x.buried(path.Dir(s.Path)) && s.Op != plan.Note {
				return
			}
			err := do(s)
			x.did(s, err)
			if err != nil && (s.Op == plan.MakeDir || s.Op == plan.MakeFolder) {
				x.add(Result{Path: s.Path, IsDir: true, ID: s.Key.ID, Err: err})
			}
		})
	}
}

func (x *execution) result(o *plan.Outcome) Result {
	r := Result{Path: o.Path, From: o.From, Copy: o.Copy, Action: o.Action, Size: o.Size, IsDir: o.Key.Dir}
	if o.Key.ID != "" {
		r.ID = x.idOf(o.Key)
	}
	if o.From == o.Path {
		r.From = ""
	}
	if rec := x.records[o.Key]; rec != nil && !x.push {
		r.VersionID = rec.VersionID
	}
	return r
}

// report reports an outcome without a transfer.
func (x *execution) report(o *plan.Outcome) {
	r := x.result(o)
	switch err := x.outcomeOf(o.Place); {
	case len(o.IDs) > 0:
		r.Err = x.ambiguous(o)
	case errors.Is(err, errNotTried):
		return
	case errors.Is(err, errStays), errors.Is(err, ErrChanged) && o.Action == plan.Removed:
		r.Action = Gone
	default:
		r.Err = err
	}
	x.add(r)
	if o.Place != nil && r.Err == nil && x.push {
		x.made.done(o.Key, r)
	}
}

func (x *execution) ambiguous(o *plan.Outcome) error {
	ids := make([]string, len(o.IDs))
	for i, id := range o.IDs {
		ids[i] = x.idOf(plan.Key{Dir: o.Key.Dir, ID: id})
	}
	if !o.Key.Dir {
		return &AmbiguousFileError{Name: path.Base(o.Path), IDs: ids}
	}
	e := &practice.AmbiguousFolderError{Name: path.Base(o.Path), IDs: ids}
	if rec := x.records[plan.Folder(o.IDs[0])]; rec != nil {
		e.ParentID = cmp.Or(rec.Parent, x.FolderID)
	}
	return e
}

// carry transfers a content and reports the result.
func (x *execution) carry(s *plan.Step, o *plan.Outcome) {
	r := x.result(o)
	if x.DryRun {
		x.add(r)
		return
	}
	switch err := x.outcomeOf(o.Place); {
	case errors.Is(err, errNotTried), x.buried(path.Dir(s.Path)):
		return
	case err != nil:
		r.Err = err
		x.add(r)
		return
	}
	var done plan.Done
	err := x.observe(x.ctx, x.operation+" file", func(ctx context.Context) (err error) {
		var moved transferred
		if x.push {
			done, moved, err = x.send(ctx, s, o)
		} else {
			done, moved, err = x.receive(ctx, s, o)
		}
		if err == nil {
			r.Size, r.ETag, r.Requests = moved.Size, moved.ETag, moved.Requests
		}
		return err
	})
	if done.Key.ID != "" {
		r.ID = done.Key.ID
	}
	if errors.Is(err, ErrChanged) { // both stay as they are
		r.Action, r.Copy, err = Conflict, "", nil
	}
	r.Err = err
	x.add(r)
	if err == nil && x.push {
		key := o.Key
		if done.Key.ID != "" {
			key = done.Key
		}
		x.made.done(key, r)
	}
}
