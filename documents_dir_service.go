package practice

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"strconv"

	"github.com/practicesdk/practice-go/internal/mirror"
	"github.com/practicesdk/practice-go/internal/transfer"
	"github.com/practicesdk/practice-go/models"
)

// dirService is the matter of an UploadDir or DownloadDir, as internal/mirror
// knows it.
type dirService struct {
	documents          *DocumentsService
	operation          string // name of the method, for errors
	matterID, folderID string
	download           DownloadOptions // how one file is read
	opts               []CallOption    // of the caller, for every call to the service
	start              dirStart
}

func (s *dirService) Walk(ctx context.Context, concurrency int, leaveOut func(mirror.Item) bool) iter.Seq2[mirror.Remote, error] {
	left := map[*models.Folder]bool{} // asked once for each
	options := WalkOptions{FolderID: s.folderID, Concurrency: concurrency, leaveOut: func(e WalkEntry) bool {
		left[e.Folder] = leaveOut(remoteItem(e))
		return left[e.Folder]
	}}
	return func(yield func(mirror.Remote, error) bool) {
		if err := s.deleted(ctx); err != nil {
			err = &FolderError{FolderID: s.folderID, Err: err}
			yield(unreadFolder(err), err)
			return
		}
		for entry, err := range s.documents.Walk(ctx, s.matterID, options, s.opts...) {
			var r mirror.Remote
			if err != nil {
				r = unreadFolder(err)
			} else {
				r = remoteOf(entry.Entry)
				if n := len(entry.Parents); n > 0 {
					r.Parent = mirror.Key(entry.Parents[n-1].ID)
				}
				r.Skip = left[entry.Folder] || entry.Folder == nil && leaveOut(remoteItem(entry))
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// unreadFolder is the folder that could not be read, or could not wholly.
func unreadFolder(err error) (r mirror.Remote) {
	if failed, ok := errors.AsType[*FolderError](err); ok {
		r.ID, r.Name = failed.FolderID, failed.Path
	}
	return r
}

func (s *dirService) List(ctx context.Context, folderID string) (all []mirror.Remote, err error) {
	if err := s.deleted(ctx); err != nil {
		return nil, err
	}
	entries, err := Collect(s.documents.AllEntries(ctx, s.matterID, folderID, s.opts...))
	for _, entry := range entries {
		all = append(all, remoteOf(entry))
	}
	return all, err
}

func (s *dirService) Has(ctx context.Context, id string, dir bool) (there bool, err error) {
	if dir {
		var page *FolderPage
		if page, err = s.documents.ListFolder(ctx, s.matterID, id, ListOptions{Limit: 1}, s.opts...); err == nil {
			there = !page.IsDeleted.Or(false)
		}
	} else {
		var file *models.File
		if file, err = s.documents.GetFile(ctx, s.matterID, id, s.opts...); err == nil {
			there = !remoteOf(Entry{File: file}).Deleted
		}
	}
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return there, err
}

func (s *dirService) Changed(ctx context.Context, cursor string) (all []mirror.Remote, err error) {
	files, err := Collect(s.documents.AllFiles(ctx, s.matterID, FileListOptions{Cursor: cursor}, s.opts...))
	for i := range files {
		r := remoteOf(Entry{File: &files[i]})
		r.Parent = mirror.Key(files[i].Folder.TargetID())
		all = append(all, r)
	}
	return all, err
}

// remoteOf is an entry as package mirror knows it.
func remoteOf(entry Entry) mirror.Remote {
	id := entry.ID()
	r := mirror.Remote{
		ID: id, NoID: badIdentifier(id) != "", Name: entry.Name(), Dir: entry.Folder != nil, Deleted: entry.deleted(), Size: -1, File: entry.File,
	}
	if entry.File != nil {
		r.Version, r.Size, r.Stored = versionOf(entry.File), entry.File.SizeBytes.Or(-1), entry.uploaded()
	}
	return r
}

// versionOf names the version of a content: by its id, else by when it changed
// and how long it is. Empty when the service says neither.
func versionOf(record *models.File) string {
	switch {
	case record.VersionID != "":
		return record.VersionID
	case record.DateModified.IsZero():
		return ""
	}
	return record.DateModified.String() + " " + strconv.FormatInt(record.SizeBytes.Or(-1), 10)
}

func (s *dirService) CreateFolder(ctx context.Context, folder models.FolderCreate) (id string, err error) {
	return s.documents.createdFolder(ctx, s.operation, s.matterID, folder, s.opts)
}

func (s *dirService) PatchFolder(ctx context.Context, folderID string, patch models.FolderPatch) error {
	_, err := s.documents.PatchFolder(ctx, s.matterID, folderID, patch, s.opts...)
	return err
}

func (s *dirService) DeleteFolder(ctx context.Context, folderID string) error {
	_, err := s.documents.DeleteFolder(ctx, s.matterID, folderID, s.opts...)
	return err
}

func (s *dirService) CreateFiles(ctx context.Context, files []models.FileCreate) (map[string]transfer.Place, error) {
	page, err := s.documents.CreateFiles(ctx, s.matterID, files, s.opts...)
	if page == nil {
		return nil, err
	}
	places := map[string]transfer.Place{}
	skew := transfer.Skew(page.Response.Header)
	for _, info := range page.Items {
		if badIdentifier(info.FileID) == "" {
			places[mirror.Key(info.FileID)] = transfer.Place{Address: info.UploadURL, Expiry: info.Expiry.Time(), Skew: skew}
		}
	}
	return places, err
}

func (s *dirService) PatchFile(ctx context.Context, fileID string, patch models.FilePatch) error {
	_, err := s.documents.PatchFile(ctx, s.matterID, fileID, patch, s.opts...)
	return err
}

func (s *dirService) DeleteFile(ctx context.Context, fileID string) error {
	_, err := s.documents.DeleteFile(ctx, s.matterID, fileID, s.opts...)
	return err
}

func (s *dirService) Open(ctx context.Context, fileID string, progress func(done, total int64)) (mirror.Content, error) {
	options := s.download
	options.Progress = progress
	d, err := s.documents.download(ctx, s.operation, s.matterID, fileID, options, s.opts)
	if err != nil {
		return nil, err
	}
	return dirContent{d}, nil
}

// dirContent is the content of a file that DownloadDir reads.
type dirContent struct{ *download }

func (c dirContent) CopyTo(ctx context.Context, w io.Writer) (int64, error) { return c.copyTo(ctx, w) }

func (c dirContent) ToFile(ctx context.Context, dir *os.Root, name string, replace func() error, mode fs.FileMode) (transfer.File, error) {
	c.object.SetMode(mode)
	c.object.SetReplace(replace)
	c.object.SetSHA256()
	return c.store(ctx, dir, name, replace != nil)
}

func (s *dirService) Read(ctx context.Context, fileID, versionID string, to io.Writer) error {
	_, err := s.documents.Download(ctx, s.matterID, fileID, to, DownloadOptions{VersionID: versionID}, s.opts...)
	return err
}

func (s *dirService) Send(ctx, making context.Context, file mirror.Upload) (mirror.Sent, error) {
	upload := Upload{
		Name: file.Name, FolderID: file.FolderID, Body: file.Body, DateCreated: file.DateCreated,
		Progress: file.Progress, Created: file.Created,
	}
	stored, err := s.send(ctx, making, file, upload)
	if err == nil {
		return mirror.Sent{ID: stored.ID, Size: stored.Size, ETag: stored.ETag, Requests: stored.Requests}, nil
	}
	if failed, ok := errors.AsType[*TransferError](err); ok {
		return mirror.Sent{ID: failed.FileID}, err
	}
	return mirror.Sent{}, err
}

func (s *dirService) send(ctx, making context.Context, file mirror.Upload, upload Upload) (*UploadedFile, error) {
	switch {
	case file.Place != nil:
		t := s.newFile()
		t.fileID, t.fresh = file.FileID, true
		settings := s.documents.client.call(ctx, documentsCreateFile, s.opts).settings
		return t.deliver(ctx, settings, upload, func(context.Context) (transfer.Place, error) { return *file.Place, nil })
	case file.FileID != "" && file.Resumed:
		return s.documents.ResumeUpload(ctx, s.matterID, file.FileID, upload, s.opts...)
	case file.FileID != "":
		return s.documents.UploadVersion(ctx, s.matterID, file.FileID, upload, s.opts...)
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	t := s.newFile()
	t.grace = making // a file is not given up while it is being made
	return t.send(ctx, s.documents.createFileCall(ctx, s.matterID, upload.record(), s.opts), upload)
}

func (s *dirService) newFile() *fileUpload {
	return &fileUpload{fileTransfer: fileTransfer{documents: s.documents, operation: "Documents.Upload", matterID: s.matterID, opts: s.opts}}
}

func (s *dirService) Meaning(err error) mirror.Meaning {
	if maybeMade(err) {
		return mirror.Unclear
	}
	_, begun := errors.AsType[*TransferError](err)
	switch {
	case errors.Is(err, ErrFolderDeleted):
		return mirror.IsDeleted
	case !begun && errors.Is(err, ErrNotFound):
		return mirror.NotFound
	}
	return 0
}

func (s *dirService) Observe(ctx context.Context) (context.Context, func(error)) {
	ctx, observer := s.documents.client.observeTransfer(ctx, s.operation+" file")
	return ctx, observer.end
}

// dirError is the public error of an UploadDir or DownloadDir.
func dirError(operation string, outcome mirror.Outcome, err error) error {
	if !outcome.Whole() {
		e := &DirError{Operation: operation, Done: outcome.Done, Left: outcome.Left, Unlisted: outcome.Unlisted, Err: outcome.Err}
		for _, failed := range outcome.Failed {
			e.Failed = append(e.Failed, dirResult(failed))
		}
		return e
	}
	for inner, public := range map[error]error{
		mirror.ErrOther: ErrMirrorMismatch, mirror.ErrBusy: ErrMirrorBusy, mirror.ErrFormat: ErrMirrorFormat,
	} {
		if errors.Is(err, inner) {
			err = fmt.Errorf("%w: %w", public, err)
		}
	}
	if err != nil {
		return fmt.Errorf("practice: %s: %w", operation, err)
	}
	return nil
}

// reportDir tells a function of the caller what became of a file.
func reportDir(report func(DirResult)) func(mirror.Result) {
	if report == nil {
		return nil
	}
	return func(r mirror.Result) { report(dirResult(r)) }
}

func dirResult(r mirror.Result) DirResult {
	return DirResult{
		Path: r.Path, From: r.From, Copy: r.Copy, Action: DirAction(r.Action), ID: r.ID, Size: r.Size,
		ETag: r.ETag, VersionID: r.VersionID, Requests: r.Requests, IsDir: r.IsDir, Err: listedError(r.Err),
	}
}

// listedError makes the public error of a *mirror.ListedError. Another one
// stays as it is.
func listedError(err error) error {
	listed, ok := errors.AsType[*mirror.ListedError](err)
	switch {
	case !ok:
		return err
	case listed.Dir && len(listed.IDs) == 0:
		return fmt.Errorf("practice: the folder is listed: %w", ErrNoID)
	case listed.Dir:
		return &AmbiguousFolderError{Name: listed.Name, ParentID: listed.FolderID, IDs: listed.IDs}
	case len(listed.IDs) == 0:
		return fmt.Errorf("practice: the file is listed: %w", ErrNoID)
	}
	return &AmbiguousFileError{Name: listed.Name, FolderID: listed.FolderID, IDs: listed.IDs}
}
