package mirror

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
	"github.com/practicesdk/practice-go/models"
)

// place executes a step of a push that creates a folder, or renames or moves an
// item. It returns the id of a folder that it created.
func (x *execution) place(s *plan.Step) (id string, err error) {
	in := x.folderOf(s)
	switch s.Op {
	case plan.Note, plan.Forget:
		return "", x.manifest.step(s, plan.Done{}, nil)
	case plan.MakeFolder:
		return x.makeFolder(s, in)
	}
	var parent, name models.Opt[string]
	if s.Name != s.There.Name {
		name = models.Some(s.Name)
	}
	if s.Within != nil || s.In != plan.Folder(s.There.Parent) {
		parent = models.Some(in)
	}
	err = x.inFolder(s.Within, func() error { return x.service.Place(x.ctx, x.idOf(s.Key), s.Key.Dir, parent, name) })
	if err != nil {
		return "", err
	}
	wait := &awaited{In: in, Name: s.Name, Old: s.There.Name}
	return "", x.manifest.step(s, plan.Done{In: in}, wait)
}

// folderOf returns the id of the target folder of a step.
func (x *execution) folderOf(s *plan.Step) string {
	if s.Within != nil {
		return x.attempt(s.Within).id
	}
	return x.idOf(s.In)
}

// makeFolder creates a folder.
func (x *execution) makeFolder(s *plan.Step, in string) (id string, err error) {
	wait := awaited{In: in, Name: s.Name, Made: true}
	intent := intent(true, wait)
	err = x.intend(s.Within, func() (err error) {
		id, err = x.service.MakeFolder(x.grace, in, s.Name)
		return err
	}, intent)
	if err != nil {
		return "", err
	}
	return id, x.manifest.step(s, plan.Done{Key: plan.Folder(id), In: plan.Folder(in).ID}, &wait, intent)
}

// intend sends a request that creates folders or files. It records the intents
// before: if the process crashes in between, another call looks for the created
// items. It removes them if the request was refused.
func (x *execution) intend(within *plan.Step, request func() error, intents ...note) error {
	err := x.manifest.update(intents...)
	if err != nil {
		return err
	}
	if err = x.inFolder(within, request); err == nil || unclear(err) {
		return err
	}
	for i := range intents {
		intents[i].Await = nil
	}
	return errors.Join(err, x.manifest.update(intents...))
}

// inFolder retries a request about a folder that this run has just created, as
// long as the service returns 404 for the folder. A refused request had no
// effect.
func (x *execution) inFolder(made *plan.Step, do func() error) error {
	for tries := 0; ; tries++ {
		err := do()
		if err == nil || !missing(err) || made == nil || time.Since(x.attempt(made).at) > x.settling {
			return err
		}
		if backoff.Sleep(x.grace, backoff.Exponential(firstPause, longestPause, tries)) != nil {
			return err
		}
	}
}

// send sends the content of a file. For a new file it first creates the record,
// unless a batch has.
func (x *execution) send(ctx context.Context, o *plan.Outcome, b *batched, r *Result) error {
	s := o.Transfer
	if err := x.aside(s); err != nil {
		return err
	}
	at := cmp.Or(s.Aside, s.Path)
	file, info, err := x.disk.open(at)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	upload := practice.Upload{Body: file, Progress: x.progress(o.Path, o.Size)}
	if _, seeks := file.(io.Seeker); !seeks {
		upload.Body = struct{ io.Reader }{file} // a plain Reader is buffered for another attempt
	}
	id, wait := x.idOf(s.Key), awaited{In: x.folderOf(s)}
	if s.Op == plan.Create {
		wait.Name, wait.Made = s.Name, true
		if b, err = x.create(s, wait, info, b); err == nil {
			upload.Address, id = b.address, b.address.FileID
			r.ID = id
		}
	} else {
		if s.There.Stored {
			wait.Before = s.There.Version
		}
		err = x.sameThere(ctx, s)
	}
	if err == nil {
		info, err = x.begin(s, file, wait, b)
	}
	if err != nil {
		return err
	}
	sent, err := x.service.Send(ctx, id, upload)
	if err != nil {
		return err
	}
	r.Size, r.ETag, r.Requests = sent.Size, sent.ETag, sent.Requests
	wait.Digest, wait.Size = s.Here.Digest, sent.Size
	if now, err := fs.Stat(x.disk.fsys, at); err != nil || !sameContent(now, info) {
		wait.Made = false // another content may have been sent, so it is read before it counts as alike
	}
	return x.manifest.await(plan.File(id), &wait)
}

// aside renames the local file of a conflict. It fails if the tree is
// read-only; both contents then remain as they are.
func (x *execution) aside(s *plan.Step) error {
	if s.Aside == "" {
		return nil
	}
	if x.disk.root == nil {
		return ErrChanged
	}
	if err := x.disk.unchanged(s.Path, x.local.infos[s.Here.Path]); err != nil {
		return err
	}
	return x.disk.move(s.Path, s.Aside)
}

// create creates the record of a file, unless a batch has.
func (x *execution) create(s *plan.Step, wait awaited, info fs.FileInfo, b *batched) (*batched, error) {
	if b == nil {
		wait.Digest, wait.Size = s.Here.Digest, s.Here.Size
		if b = (&batched{intent: intent(false, wait), err: context.Cause(x.ctx)}); b.err == nil {
			b.err = x.intend(s.Within, func() (err error) {
				b.address, err = x.service.MakeFile(x.grace, fileOf(s, wait.In, info))
				return err
			}, b.intent)
		}
	}
	if b.err == nil && b.address == nil {
		return nil, fmt.Errorf("mirror: %w", practice.ErrNotVisibleYet)
	}
	return b, b.err
}

// begin records the content that is sent next, and returns its file
// information. If the file has changed since the scan, for example while its
// record was created, begin computes the digest again.
func (x *execution) begin(s *plan.Step, file fs.File, wait awaited, b *batched) (fs.FileInfo, error) {
	info, err := file.Stat()
	if err == nil && !sameContent(info, x.local.infos[s.Here.Path]) {
		now := *s.Here
		now.Digest, now.Stamp, now.Size, err = x.disk.sum(x.ctx, cmp.Or(s.Aside, s.Path))
		s.Here, s.Entry.Stamp = &now, now.Stamp
	}
	if err != nil {
		return nil, err
	}
	done := plan.Done{Digest: s.Here.Digest, In: plan.Folder(wait.In).ID}
	if b == nil {
		return info, x.manifest.step(s, done, nil)
	}
	done.Key = plan.File(b.address.FileID)
	return info, x.manifest.step(s, done, &wait, b.intent)
}

// fileOf returns the request that creates a file.
func fileOf(s *plan.Step, in string, info fs.FileInfo) models.FileCreate {
	return models.FileCreate{FileName: s.Name, FolderID: in, DateCreated: models.DateTimeOf(info.ModTime())}
}

// sameThere returns an error unless the service still has the planned version.
func (x *execution) sameThere(ctx context.Context, s *plan.Step) error {
	now, err := x.service.Get(ctx, s.Key)
	if err == nil && now.Version != s.There.Version && (now.Stored || s.There.Stored) {
		err = ErrChanged
	}
	return err
}

// drop deletes a remote item that is gone locally.
func (x *execution) drop(s *plan.Step) error {
	seen := x.local.infos[s.Path] // of another item, which was moved there
	if info, err := fs.Stat(x.disk.fsys, s.Path); err == nil && info.IsDir() == s.Key.Dir && seen == nil {
		return ErrChanged // it exists again
	} else if err != nil && s.Path != "" && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return err // without a path, a folder of it is unknown, and no file can be there
	}
	if err := x.dropable(s); err != nil {
		return err
	}
	wait := &awaited{In: s.There.Parent, Drop: true}
	if err := x.manifest.await(s.Key, wait); err != nil {
		return err
	}
	err := x.service.Drop(x.ctx, x.idOf(s.Key), s.Key.Dir)
	if err != nil && !missing(err) {
		if !unclear(err) {
			err = errors.Join(err, x.manifest.await(s.Key, nil))
		}
		return fmt.Errorf("mirror: cannot delete the remote entry: %w", err)
	}
	return x.manifest.step(s, plan.Done{}, wait)
}

// dropable returns an error unless a file still has its planned version and
// place, or a folder is empty. It waits until the folder no longer lists what
// this mirror has moved away: an earlier deletion could include it.
func (x *execution) dropable(s *plan.Step) error {
	if !s.Key.Dir {
		planned := *s.There
		planned.Digest = ""
		now, err := x.service.Get(x.ctx, s.Key)
		if err == nil && now.Remote != planned {
			err = ErrChanged
		}
		return err
	}
	for began, looks := time.Now(), 0; ; looks++ {
		entries, err := x.service.List(x.ctx, x.idOf(s.Key))
		if missing(err) {
			return nil
		}
		waits := false
		for i := range entries {
			stays, left := x.manifest.isIn(entries[i].Key, s.Key.ID)
			if stays && !entries[i].Deleted {
				return errStays
			}
			waits = waits || left && !entries[i].Deleted
		}
		switch {
		case err != nil || !waits:
			return err
		case x.ListWait < 0 || time.Since(began) > x.settling || backoff.Sleep(x.ctx, backoff.Exponential(firstPause, longestPause, looks)) != nil:
			return errStays
		}
	}
}
