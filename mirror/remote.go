package mirror

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/turns"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
	"github.com/practicesdk/practice-go/models"
)

// remote implements service with a client.
type remote struct {
	documents          *practice.DocumentsService
	matterID, folderID string
	opts               []practice.CallOption

	mu     sync.Mutex
	looked bool                        // the mirrored folder is known to exist
	walked map[string]bool             // ids of the folders found by the last walk
	turns  turns.Turns[struct{}]       // protects listed while a folder is listed
	listed map[string][]practice.Entry // folders that the walk did not find, by the id of their parent
}

var _ service = (*remote)(nil)

func (s *remote) Walk(ctx context.Context, concurrency int, leaveOut func(Item, plan.Key) bool) (*listing, error) {
	if err := s.alive(ctx); err != nil {
		return nil, err
	}
	l := &listing{failed: map[plan.Key]*practice.FolderError{}}
	s.walked, s.listed = map[string]bool{}, map[string][]practice.Entry{}
	left := map[*models.Folder]bool{} // decided once for each folder
	options := practice.WalkOptions{FolderID: s.folderID, Concurrency: concurrency, Skip: func(e practice.WalkEntry) bool {
		left[e.Folder] = leaveOut(itemOf(e), plan.Folder(e.ID()))
		return left[e.Folder]
	}}
	for entry, err := range s.documents.Walk(ctx, s.matterID, options, s.opts...) {
		if err != nil {
			failed, ok := errors.AsType[*practice.FolderError](err)
			if !ok {
				return nil, err
			}
			key := plan.Folder(failed.FolderID)
			if key == plan.Folder(s.folderID) {
				key.ID = ""
			}
			l.failed[key] = failed
			continue
		}
		r := entryOf(entry.Entry)
		if r.Key.Dir {
			s.walked[r.Key.ID] = true
		}
		r.Parent = ""
		if n := len(entry.Parents); n > 0 {
			r.Parent = strings.ToLower(entry.Parents[n-1].ID)
		}
		r.Skip = left[entry.Folder] || entry.File != nil && leaveOut(itemOf(entry), plan.File(entry.ID()))
		l.skipped = l.skipped || r.Skip
		l.records = append(l.records, r)
	}
	return l, context.Cause(ctx)
}

func (s *remote) List(ctx context.Context, folderID string) ([]record, error) {
	if err := s.alive(ctx); err != nil {
		return nil, err
	}
	entries, err := practice.Collect(s.documents.AllEntries(ctx, s.matterID, cmp.Or(folderID, s.folderID), s.opts...))
	all := make([]record, len(entries))
	for i, entry := range entries {
		all[i] = entryOf(entry)
		all[i].Parent = strings.ToLower(folderID)
	}
	return all, err
}

func (s *remote) Get(ctx context.Context, key plan.Key) (*record, error) {
	var r record
	var err error
	if key.Dir {
		var page *practice.FolderPage
		if page, err = s.folder(ctx, key.ID); err == nil {
			r = record{ID: key.ID, Deleted: page.IsDeleted.Or(false)}
			r.Remote = plan.Remote{Key: key, Parent: strings.ToLower(page.ParentID), Name: page.Name}
		}
	} else {
		var file *models.File
		if file, err = s.documents.GetFile(ctx, s.matterID, key.ID, s.opts...); err == nil {
			r = s.recordOf(file)
		}
	}
	switch {
	case errors.Is(err, practice.ErrNotFound), r.Deleted:
		return nil, ErrChanged
	case err != nil:
		return nil, err
	}
	return &r, nil
}

// recordOf returns the record of a file that was not read through its folder.
func (s *remote) recordOf(file *models.File) record {
	r := usable(recordOf(file))
	switch {
	case strings.EqualFold(r.Parent, s.folderID):
		r.Parent = ""
	case r.Parent == "": // the root folder of the matter
		r.Parent = outside
	}
	return r
}

func (s *remote) Changed(ctx context.Context, cursor string) ([]record, error) {
	files, err := practice.Collect(s.documents.AllFiles(ctx, s.matterID, practice.FileListOptions{Cursor: cursor}, s.opts...))
	all := make([]record, len(files))
	for i := range files {
		all[i] = s.recordOf(&files[i])
	}
	return all, err
}

// MakeFolder creates a folder, unless one of that name exists that the walk did
// not find: this client may have created it before the service listed it.
// Besides a folder that the walk found, it creates another one of the same
// name.
func (s *remote) MakeFolder(ctx context.Context, parentID, name string) (id string, err error) {
	folder := models.FolderWrite{Name: name, ParentFolderID: cmp.Or(parentID, s.folderID)}
	options := practice.EnsureFolderOptions{ListWait: -1, Ambiguous: practice.FirstListed}
	if options.Listed, err = s.unmet(ctx, folder.ParentFolderID); err != nil {
		return "", err
	}
	id, err = s.documents.EnsureFolder(ctx, s.matterID, folder, options, s.opts...)
	if s.walked[strings.ToLower(id)] {
		link, err := s.documents.CreateFolder(ctx, s.matterID, folder, s.opts...)
		if err != nil {
			return "", err
		}
		id = link.TargetID()
	}
	return id, err
}

// unmet returns the folders of a parent that the walk did not find. It lists
// each parent once, because many folders may be created in one. A parent that
// the service does not know yet is empty.
func (s *remote) unmet(ctx context.Context, parentID string) ([]practice.Entry, error) {
	leave, err := s.turns.Take(ctx, struct{}{})
	if err != nil {
		return nil, err
	}
	defer leave()
	if listed, known := s.listed[parentID]; known {
		return listed, nil
	}
	entries, err := practice.Collect(s.documents.AllEntries(ctx, s.matterID, parentID, s.opts...))
	if err != nil && !missing(err) {
		return nil, err
	}
	entries = slices.DeleteFunc(entries, func(e practice.Entry) bool { return e.Folder == nil || s.walked[strings.ToLower(e.ID())] })
	s.listed[parentID] = append([]practice.Entry{}, entries...)
	return s.listed[parentID], nil
}

func (s *remote) MakeFile(ctx context.Context, file models.FileCreate) (*models.UploadInfo, error) {
	file.FolderID = cmp.Or(file.FolderID, s.folderID)
	info, err := s.documents.CreateFile(ctx, s.matterID, file, s.opts...)
	if err == nil && usable(record{ID: info.FileID}).ID == "" {
		return nil, fmt.Errorf("mirror: the service accepted the file, but %w", practice.ErrNoID)
	}
	return info, err
}

func (s *remote) MakeFiles(ctx context.Context, files []models.FileCreate) ([]models.UploadInfo, error) {
	for i := range files {
		files[i].FolderID = cmp.Or(files[i].FolderID, s.folderID)
	}
	page, err := s.documents.CreateFiles(ctx, s.matterID, files, s.opts...)
	if page == nil {
		return nil, err
	}
	return page.Items, err
}

func (s *remote) Place(ctx context.Context, id string, dir bool, parentID, name models.Opt[string]) (err error) {
	if in, moves := parentID.Get(); moves {
		if parentID = models.Some(cmp.Or(in, s.folderID)); in == "" && s.folderID == "" {
			parentID = models.Null[string]()
		}
	}
	if dir {
		_, err = s.documents.PatchFolder(ctx, s.matterID, id, models.FolderPatch{Name: name, ParentFolderID: parentID}, s.opts...)
	} else {
		_, err = s.documents.PatchFile(ctx, s.matterID, id, models.FilePatch{FileName: name, FolderID: parentID}, s.opts...)
	}
	return err
}

func (s *remote) Drop(ctx context.Context, id string, dir bool) (err error) {
	if dir {
		_, err = s.documents.DeleteFolder(ctx, s.matterID, id, s.opts...)
	} else {
		_, err = s.documents.DeleteFile(ctx, s.matterID, id, s.opts...)
	}
	answer, answered := errors.AsType[*practice.Error](err)
	if err != nil && (!answered || answer.StatusCode >= http.StatusInternalServerError) {
		return fmt.Errorf("%w: %w", errNoAnswer, err)
	}
	return err
}

// errNoAnswer reports a deletion that may have been executed.
var errNoAnswer = errors.New("the service did not confirm the deletion")

func (s *remote) Send(ctx context.Context, fileID string, upload practice.Upload) (*practice.UploadedFile, error) {
	return s.documents.ResumeUpload(ctx, s.matterID, fileID, upload, s.opts...)
}

func (s *remote) Read(ctx context.Context, fileID, versionID string, to io.Writer) error {
	_, err := s.documents.Download(ctx, s.matterID, fileID, to, practice.DownloadOptions{VersionID: versionID}, s.opts...)
	return err
}

func (s *remote) Fetch(ctx context.Context, fileID, path string, options practice.DownloadOptions) (*practice.DownloadedFile, error) {
	return s.documents.DownloadFile(ctx, s.matterID, fileID, path, options, s.opts...)
}

// unclear reports whether a failed call may have been executed.
func unclear(err error) bool {
	_, unclear := errors.AsType[*practice.AmbiguousWriteError](err)
	_, unread := errors.AsType[*practice.DecodeError](err) // response to an accepted request
	return unclear || unread || errors.Is(err, practice.ErrNoID) || errors.Is(err, errNoAnswer)
}

// missing reports whether a call had no effect because its record does not
// exist.
func missing(err error) bool {
	_, begun := errors.AsType[*practice.TransferError](err)
	return errors.Is(err, practice.ErrFolderDeleted) || !begun && errors.Is(err, practice.ErrNotFound)
}

// alive returns an error if the mirrored folder, or a folder above it, is
// deleted. It requests each of them once.
func (s *remote) alive(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.folderID == "" || s.looked {
		return nil
	}
	seen := map[string]bool{}
	for id := s.folderID; id != "" && !seen[strings.ToLower(id)] && len(seen) < practice.MaxWalkDepth; {
		page, err := s.folder(ctx, id)
		above := len(seen) > 0
		switch seen[strings.ToLower(id)] = true; {
		case above && (errors.Is(err, practice.ErrNotFound) || errors.Is(err, practice.ErrForbidden)):
			id = "" // the folders above are not visible
		case err != nil:
			return err
		case page.IsDeleted.Or(false):
			return fmt.Errorf("folder %s: %w", id, practice.ErrFolderDeleted)
		default:
			id = page.ParentID
		}
	}
	s.looked = true
	return nil
}

// folder returns a folder without its entries.
func (s *remote) folder(ctx context.Context, id string) (*practice.FolderPage, error) {
	page, err := s.documents.ListFolder(ctx, s.matterID, id, practice.FolderListOptions{ListOptions: practice.ListOptions{Limit: 1}}, s.opts...)
	if err == nil && page.Name == "" && page.ParentID == "" && page.IsDeleted.IsZero() {
		err = fmt.Errorf("folder %s: %w", id, practice.ErrOtherRecord)
	}
	return page, err
}
