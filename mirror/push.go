package mirror

import (
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

// place executes a step of a push that makes a folder, renames or moves.
func (x *execution) place(s *plan.Step) error {
	if s.Op == plan.Note {
		return x.manifest.step(s, plan.Done{}, nil, plan.Key{})
	}
	in, ok := x.folderOf(s)
	if !ok {
		return errNotTried
	}
	if s.Op == plan.MakeFolder {
		return x.makeFolder(s, in)
	}
	var parent, name *string
	if s.Name != s.There.Name {
		name = &s.Name
	}
	if s.InPath != "" || s.In != plan.Folder(s.There.Parent) {
		parent = &in
	}
	err := x.inFolder(in, func() error { return x.service.Place(x.ctx, x.idOf(s.Key), s.Key.Dir, parent, name) })
	if err != nil {
		return err
	}
	wait := x.awaiting(awaited{In: in, Name: s.Name, Old: s.There.Name})
	return x.manifest.step(s, plan.Done{In: in}, wait, plan.Key{})
}

// folderOf returns the id of the folder that a step puts something into; false
// when it could not be made.
func (x *execution) folderOf(s *plan.Step) (id string, ok bool) {
	if s.InPath != "" {
		return x.made.in(s.InPath)
	}
	if s.In.ID == "" {
		return "", true
	}
	return x.idOf(s.In), true
}

func (x *execution) awaiting(a awaited) *awaited {
	a.At = time.Now().UnixNano()
	return &a
}

// makeFolder makes a folder. It is noted before: if the process ends in
// between, another call looks for it.
func (x *execution) makeFolder(s *plan.Step, in string) error {
	wait := x.awaiting(awaited{In: in, Name: s.Name, Made: true})
	intent := intent(true)
	if err := x.manifest.await(intent, wait); err != nil {
		return err
	}
	var id string
	err := x.inFolder(in, func() (err error) {
		id, err = x.service.MakeFolder(x.making(), in, s.Name)
		return err
	})
	if err != nil {
		return x.notMade(intent, err)
	}
	x.made.folder(s.Path, id)
	return x.manifest.step(s, plan.Done{Key: plan.Folder(id), In: plan.Folder(in).ID}, wait, intent)
}

// notMade ends the wait for a request unless it may have been executed.
func (x *execution) notMade(intent plan.Key, err error) error {
	if x.service.Unclear(err) {
		return err
	}
	return errors.Join(err, x.manifest.await(intent, nil))
}

// inFolder makes a request about a folder again while the service does not find
// the folder, which this run has made. A refused request had no effect.
func (x *execution) inFolder(in string, do func() error) error {
	for tries := 0; ; tries++ {
		err := do()
		if err == nil || !x.service.Missing(err) || !x.made.young(in, x.settleTime()) {
			return err
		}
		if backoff.Sleep(x.making(), backoff.Exponential(firstPause, longestPause, tries)) != nil {
			return err
		}
	}
}

// send sends the content of a file.
func (x *execution) send(ctx context.Context, s *plan.Step, o *plan.Outcome) (plan.Done, transferred, error) {
	if err := x.aside(s); err != nil {
		return plan.Done{}, transferred{}, err
	}
	file, info, err := x.body(s)
	if err != nil {
		return plan.Done{}, transferred{}, err
	}
	defer func() { _ = file.Close() }() // it was only read
	c := content{Body: file, Progress: x.progress(o.Path, o.Size)}
	if _, seeks := file.(io.Seeker); !seeks {
		c.Body = struct{ io.Reader }{file} // it is kept for another attempt
	}
	if s.Op == plan.Create {
		return x.create(ctx, s, c, info)
	}
	done := plan.Done{Digest: s.Here.Digest, Size: s.Here.Size}
	if err := x.sameThere(ctx, s); err != nil {
		return done, transferred{}, err
	}
	if err := x.manifest.sending(s.Entry, done.Digest, done.Size); err != nil {
		return done, transferred{}, err
	}
	sent, err := x.service.Send(ctx, x.idOf(s.Key), nil, c)
	if err != nil {
		return done, sent, err
	}
	in, _ := x.folderOf(s)
	wait := x.awaiting(awaited{In: in, Before: s.There.Version, Digest: done.Digest, Size: sent.Size})
	if s.Op == plan.Resume {
		wait.Before = ""
	}
	return done, sent, x.manifest.step(s, done, wait, plan.Key{})
}

// aside renames the local content of a conflict. It fails where nothing can be
// renamed: both stay as they are.
func (x *execution) aside(s *plan.Step) error {
	if s.Aside == "" {
		return nil
	}
	if x.disk.root == nil {
		return ErrChanged
	}
	if err := x.disk.unchanged(s.Path, x.local.infos[s.Path]); err != nil {
		return err
	}
	return x.disk.move(s.Path, s.Aside)
}

// body opens the local content of a step, and reads it again if it has changed.
func (x *execution) body(s *plan.Step) (fs.File, fs.FileInfo, error) {
	file, err := x.disk.fsys.Open(localPath(s))
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrChanged
	}
	if err == nil && !sameContent(info, x.local.infos[s.Here.Path]) { // the present content is sent
		now := *s.Here
		now.Digest, now.Stamp, now.Size, err = x.disk.sum(x.ctx, localPath(s))
		s.Here, s.Entry.Stamp = &now, now.Stamp
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, info, nil
}

// create makes a file, and sends its content. A file that a batch has made has
// its record already.
func (x *execution) create(ctx context.Context, s *plan.Step, c content, info fs.FileInfo) (plan.Done, transferred, error) {
	done := plan.Done{Digest: s.Here.Digest, Size: s.Here.Size}
	done.Inode, _ = inodeOf(info)
	in, ok := x.folderOf(s)
	if !ok {
		return done, transferred{}, errNotTried
	}
	wait := x.awaiting(awaited{In: in, Name: s.Name, Made: true})
	address, intent, err := x.record(s, in, wait, info)
	if err != nil {
		return done, transferred{}, err
	}
	done.Key, done.In = plan.File(address.FileID), plan.Folder(in).ID
	if err := x.manifest.step(s, done, wait, intent); err != nil {
		return done, transferred{}, err
	}
	sent, err := x.service.Send(ctx, address.FileID, address, c)
	if err != nil {
		return done, sent, err
	}
	wait.Digest, wait.Size = done.Digest, sent.Size
	wait = x.awaiting(*wait)
	return done, sent, x.manifest.await(done.Key, wait)
}

// record makes the record of a file, unless a batch has.
func (x *execution) record(s *plan.Step, in string, wait *awaited, info fs.FileInfo) (*models.UploadInfo, plan.Key, error) {
	if b := x.made.batched(s); b != nil {
		if b.err == nil && b.address == nil {
			return nil, b.intent, fmt.Errorf("mirror: %w", practice.ErrNotVisibleYet)
		}
		return b.address, b.intent, b.err
	}
	if x.ctx.Err() != nil {
		return nil, plan.Key{}, context.Cause(x.ctx)
	}
	intent := intent(false)
	intended := *wait
	intended.Digest, intended.Size = s.Here.Digest, s.Here.Size
	if err := x.manifest.await(intent, &intended); err != nil {
		return nil, intent, err
	}
	var address *models.UploadInfo
	err := x.inFolder(in, func() (err error) {
		address, err = x.service.MakeFile(x.making(), newFile{ParentID: in, Name: s.Name, Created: info.ModTime()})
		return err
	})
	if err != nil {
		return nil, intent, x.notMade(intent, err)
	}
	return address, intent, nil
}

// sameThere fails unless the service still has the planned version.
func (x *execution) sameThere(ctx context.Context, s *plan.Step) error {
	now, err := x.service.Get(ctx, s.Key)
	switch {
	case err != nil:
		return err
	case now == nil || now.Version != s.There.Version && (now.Stored || s.There.Stored):
		return ErrChanged
	}
	return nil
}

// drop deletes a record whose file is gone here, or forgets an entry.
func (x *execution) drop(s *plan.Step) error {
	if s.Op == plan.Forget {
		return x.manifest.step(s, plan.Done{}, nil, plan.Key{})
	}
	if info, err := fs.Stat(x.disk.fsys, s.Path); err == nil && info.IsDir() == s.Key.Dir {
		return ErrChanged // it is back
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return err
	}
	if err := x.dropable(s); err != nil {
		return err
	}
	wait := x.awaiting(awaited{In: s.There.Parent, Drop: true})
	if err := x.manifest.await(s.Key, wait); err != nil {
		return err
	}
	err := x.service.Drop(x.ctx, x.idOf(s.Key), s.Key.Dir)
	if err != nil && !x.service.Missing(err) {
		return fmt.Errorf("mirror: what is gone here stays in the service: %w", x.notMade(s.Key, err))
	}
	return x.manifest.step(s, plan.Done{}, wait, plan.Key{})
}

// dropable fails unless a file still has its planned version and place, or a
// folder is empty.
func (x *execution) dropable(s *plan.Step) error {
	if !s.Key.Dir {
		planned := *s.There
		planned.Digest = ""
		now, err := x.service.Get(x.ctx, s.Key)
		if err == nil && (now == nil || now.Remote != planned) {
			err = ErrChanged
		}
		return err
	}
	entries, err := x.service.List(x.ctx, x.idOf(s.Key))
	if x.service.Missing(err) {
		return nil
	}
	for i := range entries {
		if !entries[i].Deleted && !x.manifest.dropped(entries[i].Key) {
			return errStays
		}
	}
	return err
}
