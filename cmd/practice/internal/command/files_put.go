package command

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/filenames"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
)

// oneFile is a tree with one file of a folder, under another name.
type oneFile struct {
	fs.FS
	local, name string
}

func (o oneFile) Open(name string) (fs.File, error) {
	if name == o.name {
		name = o.local
	}
	return o.FS.Open(name)
}

func (o oneFile) Stat(name string) (fs.FileInfo, error) {
	if name == o.name {
		name = o.local
	}
	return fs.Stat(o.FS, name)
}

func (o oneFile) ReadDir(string) ([]fs.DirEntry, error) {
	info, err := o.Stat(o.name)
	if err != nil {
		return nil, err
	}
	return []fs.DirEntry{renamed{fs.FileInfoToDirEntry(info), o.name}}, nil
}

// renamed is an entry under another name.
type renamed struct {
	fs.DirEntry
	name string
}

func (r renamed) Name() string { return r.name }

// sentFile is the output of practice files put.
type sentFile struct {
	Action mirror.Action `json:"action"` // created, updated, resumed, or kept if the content was there
	ID     string        `json:"id"`
	Path   string        `json:"path"`
	Size   int64         `json:"size"`
}

// put sends a file: it mirrors a tree with only that file. After an interruption,
// the next command continues from the manifest.
func (f *files) put(ctx context.Context, args []string) error {
	out, err := f.printer()
	if err != nil {
		return err
	}
	tree, remove, err := f.source(args[1])
	defer remove()
	if err != nil {
		return misuse{err}
	}
	if err := f.open(ctx, args[0], true); err != nil {
		return err
	}
	folder, name := f.goal(strings.Join(args[2:], ""), args[1])
	if tree.name = f.inMirror(folder, name); name == "-" && args[1] == "-" {
		return phaseCheck.of(misuse{errors.New("content from stdin has no name: PATH must end with a file name")})
	}
	id, err := f.folder(ctx, folder)
	if err != nil {
		return phaseSend.of(err)
	}
	sent, err := f.send(ctx, tree, id)
	switch {
	case has[*mirror.AmbiguousFileError](err):
		err = f.missing(path.Join(folder, name))
	case err != nil:
	case sent.Action == mirror.Conflict && f.replace:
		err = unfinished{fmt.Errorf("%q was changed while the command was running", path.Join(folder, name))}
	case sent.Action == mirror.Conflict:
		err = misuse{fmt.Errorf("%q already exists: use --replace to add a new version; the service keeps the old version", path.Join(folder, name))}
	case sent.Action == "":
		err = misuse{fmt.Errorf("%s was not sent: such names are reserved for the files of this program; use PATH to give the file a different name", args[1])}
	}
	if err != nil {
		return phaseSend.of(err)
	}
	f.wrote = written{class: practice.OperationCreate, look: "practice files ls " + f.matter + " " + quoted(folder)}
	return f.accept(&plan{show: (*printer).single}, encode(sentFile{sent.Action, sent.ID, path.Join(folder, name), sent.Size}), out)
}

// source returns a tree with a local file. It copies stdin to one, which remove
// removes.
func (f *files) source(local string) (tree oneFile, remove func(), err error) {
	if local != "-" {
		info, err := os.Stat(local)
		switch {
		case err != nil:
		case info.IsDir():
			err = fmt.Errorf("%s is a folder: use practice files mirror push to send it", local)
		case !info.Mode().IsRegular(): // to open a pipe would wait for a writer
			err = fmt.Errorf("%s is not a regular file: pass - as LOCAL and pipe the content to stdin", local)
		}
		return oneFile{FS: os.DirFS(filepath.Dir(local)), local: filepath.Base(local)}, func() {}, err
	}
	if isTerminal(f.In) {
		return tree, func() {}, errors.New("no input: specify a file or pipe the content to stdin")
	}
	folder, err := os.MkdirTemp("", "practice-")
	if err != nil {
		return tree, func() {}, err
	}
	remove = func() { _ = os.RemoveAll(folder) }                                                       // nobody else can read it
	file, err := os.OpenFile(filepath.Join(folder, "stdin"), os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600) //nolint:gosec // the folder is new
	if err == nil {
		_, err = io.Copy(file, f.In)
		err = errors.Join(err, file.Close())
	}
	return oneFile{FS: os.DirFS(folder), local: "stdin"}, remove, err
}

// goal returns the folder and the name for a local file. A path that is a
// folder, or ends with a slash, takes the local name.
func (f *files) goal(target, local string) (folder, name string) {
	folder = inTree(target)
	if info, err := f.tree.Stat(folder); strings.HasSuffix(target, "/") || err == nil && info.IsDir() {
		return folder, filepath.Base(local)
	}
	return path.Dir(folder), path.Base(folder)
}

// inMirror returns the name under which mirror knows the file at a path. A path
// replaces only separators in the name from the service; mirror also replaces the
// characters that a local system refuses.
func (f *files) inMirror(folder, name string) string {
	listed, _ := f.tree.ReadDir(folder) // its error ends a later request
	at, entries := -1, make([]filenames.Entry, len(listed))
	for i, entry := range listed {
		entries[i] = filenames.Entry{Name: nameOf(entry), ID: entryOf(entry).ID(), Folder: entry.IsDir()}
		if entry.Name() == name && entries[i].Name != name && !entry.IsDir() {
			at = i
		}
	}
	if at < 0 {
		return name
	}
	return filenames.DistinctLocal(entries)[at]
}

// folder returns the id of the folder at a path, and with --parents creates it.
func (f *files) folder(ctx context.Context, name string) (string, error) {
	info, err := f.at(name + "/")
	switch {
	case err == nil:
		return entryOf(info).ID(), nil
	case !has[notFoundError](err):
		return "", err
	case !f.parents:
		return "", fmt.Errorf("%w; use --parents to create missing folders", err)
	}
	parent, err := f.folder(ctx, path.Dir(name))
	if err != nil {
		return "", err
	}
	id, err := f.client.Documents.EnsureFolder(ctx, f.matter, models.FolderWrite{Name: path.Base(name), ParentFolderID: parent}, practice.EnsureFolderOptions{})
	if err != nil {
		err = unfinished{err} // the same command finds the folder, if it was created
	}
	return id, err
}

// send sends the only file of a tree to a folder, and waits until it is listed.
func (f *files) send(ctx context.Context, tree oneFile, folderID string) (sent mirror.Result, err error) {
	key := sha256.Sum256([]byte(strings.ToLower(strings.Join([]string{f.firm, f.matter, folderID}, " ")) + " " + tree.name))
	kept, err := f.fileOf(filepath.Join("files", hex.EncodeToString(key[:16])))
	if err != nil {
		return sent, err
	}
	told := f.progress()
	options := mirror.Options{FolderID: folderID, Tree: tree, Progress: told.tell, Result: func(r mirror.Result) { sent = r }}
	if f.replace {
		options.Conflict = func(string, *models.File) mirror.Choice { return mirror.KeepLocal }
	}
	for range 2 { // a create whose response was lost is found by the second call
		err = mirror.Push(ctx, f.client, f.matter, kept, options)
		switch {
		case has[*practice.AmbiguousWriteError](err) && ctx.Err() == nil:
			continue
		case err == nil && (sent.Action == mirror.Waiting || sent.Action == mirror.Moved): // the manifest knows an older content
			_ = os.RemoveAll(kept) // the next call compares contents
			continue
		}
		break
	}
	told.end()
	if err == nil {
		_ = os.RemoveAll(kept) // what is left does no harm
	}
	return sent, ofFile(err)
}

// ofFile returns the error of the only file of a mirror. Unless the service
// refuses the file, the same command goes on.
func ofFile(err error) error {
	all, ok := errors.AsType[*mirror.Error](err)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, mirror.ErrDirInUse):
		return errors.New("another command is sending this file: wait for it to finish")
	case ok && all.Err == nil && len(all.Failed) == 1:
		err = all.Failed[0].Err
	}
	transfers := has[*practice.AmbiguousWriteError](err) || has[*practice.TransferError](err)
	if refused := has[*practice.Error](err) && !transfers; refused || has[*mirror.AmbiguousFileError](err) {
		return err
	}
	return unfinished{err}
}
