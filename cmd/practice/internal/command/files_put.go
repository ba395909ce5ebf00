package command

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/filenames"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/once"
)

// ofFile is the only key of the journal of a file.
const ofFile = "file"

// clockSkew is the maximum difference between the service's clock and ours.
const clockSkew = 5 * time.Minute

// place is where practice files put sends a file.
type place struct {
	path     string // of the folder
	folderID string
	name     string
	there    *models.File // receives the content; nil: it is created

	journal *once.File // of the create; only one command has it
	kept    string     // folder of the journal
	listed  bool       // whether the service lists the file, so that nothing needs the journal
}

// open opens the journal of a place.
func (to *place) open(kept string) (err error) {
	if err = os.MkdirAll(kept, 0o700); err == nil {
		to.kept = kept
		to.journal, err = once.Open(filepath.Join(kept, "journal"))
	}
	if errors.Is(err, once.ErrInUse) {
		err = fmt.Errorf("another command is sending %q: wait until it has ended", to.name)
	}
	return err
}

// close closes the journal, and removes it if nothing needs it.
func (to *place) close() {
	if to.journal == nil {
		return
	}
	_ = to.journal.Close() // each line was synced
	if to.listed {
		_ = os.RemoveAll(to.kept) // what is left does no harm
	}
}

// arrived reports whether the content of a file has arrived.
func arrived(file *models.File) bool { return file.IsUploaded.Or(true) }

// put sends a file, and waits until the service lists it: another put of its
// name then finds it.
func (f *files) put(ctx context.Context, args []string) error {
	out, err := f.printer()
	if err != nil {
		return err
	}
	body, closeBody, err := f.source(args[1])
	defer closeBody()
	if err != nil {
		return misuse{err}
	}
	if err := f.open(ctx, args[0], true); err != nil {
		return err
	}
	to, err := f.place(ctx, strings.Join(args[2:], ""), args[1])
	if err == nil {
		defer to.close()
		err = f.claim(ctx, to)
	}
	if err != nil {
		return phaseSend.of(err)
	}
	told := f.progress()
	stored, err := f.send(ctx, to, practice.Upload{Body: body, Progress: told.tell})
	told.end()
	if has[*practice.TransferError](err) {
		err = unfinished{err}
	}
	if err != nil {
		return phaseSend.of(err)
	}
	sent := sentFile{ID: stored.ID, Path: path.Join(to.path, to.name), Size: stored.Size, NewVersion: to.there != nil && arrived(to.there)}
	return f.accept(&plan{show: (*printer).single, after: func([]byte) error {
		err := f.awaitListed(ctx, to, stored.ID)
		to.listed = err == nil
		return err
	}}, encode(sent), out)
}

// sentFile is what practice files put prints.
type sentFile struct {
	ID         string `json:"id"`
	Path       string `json:"path"`
	Size       int64  `json:"size"`
	NewVersion bool   `json:"newVersion"`
}

// source opens a local file, or copies stdin to one.
func (f *files) source(local string) (body io.ReadSeeker, closeBody func(), err error) {
	if local == "-" {
		if isTerminal(f.In) {
			return nil, func() {}, errors.New("name a file, or pass the content to stdin")
		}
		return seekable(f.In)
	}
	info, err := os.Stat(local)
	switch {
	case err != nil:
		return nil, func() {}, err
	case info.IsDir():
		return nil, func() {}, fmt.Errorf("%s is a folder: practice files mirror push sends it", local)
	case !info.Mode().IsRegular(): // to open a pipe would wait for a writer
		return nil, func() {}, fmt.Errorf("%s is no regular file: pass its content to stdin, with - as the name", local)
	}
	file, err := os.Open(local)                   //nolint:gosec // the person names it
	return file, func() { _ = file.Close() }, err // it is only read
}

// place finds or creates the folder for a local file, and looks for a file of
// its name there.
func (f *files) place(ctx context.Context, target, local string) (*place, error) {
	to := &place{path: inTree(target), name: filepath.Base(local)}
	info, err := f.tree.Stat(to.path)
	switch {
	case err != nil && !absent(err):
		return nil, ofService(err)
	case err == nil && info.IsDir():
	case strings.HasSuffix(target, "/") && err == nil:
		return nil, misuse{fmt.Errorf("%q is a file, and no folder", target)}
	case !strings.HasSuffix(target, "/"):
		to.path, to.name = path.Split(to.path)
		to.path = inTree(to.path)
	}
	if to.name == "-" && local == "-" {
		return nil, misuse{errors.New("stdin has no name: PATH must end with one")}
	}
	f.wrote = written{class: practice.OperationCreate, sending: true, look: "practice files ls " + f.matter + " " + quoted(to.path)}
	if to.folderID, err = f.folder(ctx, to.path); err != nil {
		return nil, err
	}
	if info != nil && !info.IsDir() {
		to.there = entryOf(info).File
	}
	return to, nil
}

// claim opens the journal of a place, and decides whether its file is created,
// receives its content, or a new version.
func (f *files) claim(ctx context.Context, to *place) (err error) {
	at := sha256.Sum256([]byte(strings.ToLower(strings.Join([]string{f.firm, f.matter, to.folderID}, " ")) + " " + to.name))
	kept, err := f.fileOf(filepath.Join("files", hex.EncodeToString(at[:16])))
	if err == nil {
		err = to.open(kept)
	}
	if err != nil {
		return err
	}
	if to.there == nil {
		err = f.namesake(ctx, to)
	}
	switch {
	case err != nil || to.there == nil:
		return err
	case arrived(to.there) && !f.replace:
		to.listed = true
		return misuse{fmt.Errorf("%q exists: --replace makes a new version of it, and the service keeps the old one", path.Join(to.path, to.name))}
	}
	f.wrote.class = practice.OperationIdempotentWrite
	return nil
}

// folder returns the id of the folder at a path, and with --parents creates it.
func (f *files) folder(ctx context.Context, name string) (string, error) {
	info, err := f.tree.Stat(name)
	switch {
	case err == nil && !info.IsDir():
		return "", misuse{fmt.Errorf("%q is a file, and no folder", name)}
	case err == nil:
		return entryOf(info).ID(), nil
	case !absent(err):
		return "", ofService(err)
	case !f.parents:
		return "", fmt.Errorf("%w; --parents creates folders", f.missing(name))
	}
	parent, err := f.folder(ctx, path.Dir(name))
	if err != nil {
		return "", err
	}
	id, err := f.client.Documents.EnsureFolder(ctx, f.matter, models.FolderWrite{Name: path.Base(name), ParentFolderID: parent}, practice.EnsureFolderOptions{})
	if errors.Is(err, practice.ErrNotVisibleYet) {
		err = unfinished{err}
	}
	return id, err
}

// namesake finds the file in the folder that has the name: one whose content
// has arrived, else one that waits for it.
func (f *files) namesake(ctx context.Context, to *place) error {
	var ids []string
	for e, err := range f.client.Documents.AllEntries(ctx, f.matter, to.folderID) {
		switch {
		case err != nil:
			return err
		case e.File == nil || practice.IsDeleted(e.File) || !filenames.SameForm(e.Name(), to.name):
		case arrived(e.File):
			to.there, ids = e.File, append(ids, e.ID())
		case to.there == nil:
			to.there = e.File
		}
	}
	if len(ids) > 1 {
		return f.missing(path.Join(to.path, to.name))
	}
	return nil
}

// send sends the content to the file that is there, or to a new one.
func (f *files) send(ctx context.Context, to *place, upload practice.Upload) (*practice.UploadedFile, error) {
	if to.there != nil {
		return f.client.Documents.UploadVersion(ctx, f.matter, to.there.ID, upload)
	}
	id, err := f.create(ctx, to, &upload)
	if err != nil {
		return nil, err
	}
	if upload.Address == nil { // an earlier command has created it, or the response was lost
		_, err := practice.Await(ctx, func(ctx context.Context) (*models.File, error) { return f.client.Documents.GetFile(ctx, f.matter, id) },
			practice.Exists(), practice.WithAwaitTimeout(practice.DefaultListWait))
		if errors.Is(err, practice.ErrNotFound) {
			return nil, unfinished{errors.Join(err, to.journal.Forget(ctx, ofFile, id))}
		}
		if err != nil {
			return nil, err
		}
	}
	return f.client.Documents.ResumeUpload(ctx, f.matter, id, upload)
}

// create creates a file once, whatever happens to this command: the journal has
// what an earlier one left.
func (f *files) create(ctx context.Context, to *place, upload *practice.Upload) (id string, err error) {
	file := models.FileCreate{FileName: to.name, FolderID: to.folderID}
	before, err := to.journal.Load(ctx, ofFile)
	if err != nil {
		return "", err
	}
	options := []once.Option{once.SearchLimit(practice.DefaultListWait)}
	if !before.IsZero() { // a person has looked, and repeats the command
		options = append(options, once.CreateAgain())
	}
	return once.Do(ctx, to.journal, ofFile, func(ctx context.Context, _ once.Intent) (string, error) {
		info, err := f.client.Documents.CreateFile(ctx, f.matter, file)
		if err != nil {
			return "", err
		}
		upload.Address = info
		return info.FileID, nil
	}, func(ctx context.Context, intent once.Intent) (ids []string, err error) {
		found, err := f.client.Documents.FindCreatedFile(ctx, f.matter, file, intent.At.Add(-clockSkew))
		for _, one := range found {
			if !arrived(&one) && strings.EqualFold(one.Folder.TargetID(), to.folderID) {
				ids = append(ids, one.ID)
			}
		}
		return ids, err
	}, options...)
}

// awaitListed waits until the folder lists the content that was sent.
func (f *files) awaitListed(ctx context.Context, to *place, id string) error {
	before := ""
	if to.there != nil {
		before = to.there.VersionID
	}
	_, err := practice.Await(ctx, func(ctx context.Context) (*models.File, error) {
		for e, err := range f.client.Documents.AllEntries(ctx, f.matter, to.folderID) {
			if err != nil || e.File != nil && strings.EqualFold(e.ID(), id) {
				return e.File, err
			}
		}
		return nil, notFoundError{errors.New("the folder does not list the file yet")}
	}, practice.When(func(file *models.File) bool { return arrived(file) && (before == "" || file.VersionID != before) }),
		practice.WithAwaitTimeout(practice.DefaultListWait))
	return err
}
