package mirror

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
	"github.com/practicesdk/practice-go/models"
)

var (
	errLost    = &practice.AmbiguousWriteError{Err: errors.New("the answer was lost")}
	errRefused = errors.New("the service refused it")
	errMissing = practice.ErrNotFound
)

// longAgo is the change time of all contents, so that times do not distinguish
// them.
var longAgo = models.DateTimeOf(time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC))

// fakeRecord is a file or folder of the fake service.
type fakeRecord struct {
	id, name, parent string
	dir, deleted     bool
	versions         []string // contents
	hidden           int      // number of lists that do not show it yet
	rest             int      // number of lists that still show deleted items
}

// fakeService holds one matter in memory. The request with the given number is
// lost, refused or ends the context; later requests succeed.
type fakeService struct {
	mu        sync.Mutex
	records   map[string]*fakeRecord
	made      int
	late      int // number of lists after which a new record is shown
	requests  int
	fault     int // number of the request that fails; 0 means none
	lost      bool
	cancel    func()
	meanwhile func() // called at the request of that number, as another user
}

var _ service = (*fakeService)(nil)

func newFake() *fakeService { return &fakeService{records: map[string]*fakeRecord{}} }

// request counts a request, and performs it unless it must be refused. A lost
// response is not returned.
func (s *fakeService) request(ctx context.Context, do func() error) error {
	s.mu.Lock()
	s.requests++
	hit := s.requests == s.fault
	meanwhile := s.meanwhile
	s.mu.Unlock()
	if hit && s.cancel != nil {
		s.cancel()
	}
	if hit && meanwhile != nil {
		meanwhile()
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if hit && s.cancel == nil && meanwhile == nil && !s.lost {
		return errRefused
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := do(); err != nil {
		return err
	}
	if hit && s.lost {
		return errLost
	}
	return nil
}

func (r *fakeRecord) record() record {
	out := record{
		Remote: plan.Remote{Key: plan.Key{Dir: r.dir, ID: r.id}, Parent: r.parent, Name: r.name, Size: -1}, ID: r.id, Deleted: r.deleted && r.rest == 0,
	}
	if r.dir {
		return out
	}
	out.Size = 0
	if n := len(r.versions); n > 0 {
		out.Stored, out.Size = true, int64(len(r.versions[n-1]))
	}
	out.Version = fmt.Sprint(r.id, "-v", len(r.versions))
	out.File = &models.File{ID: r.id, VersionID: out.Version, DateModified: longAgo}
	return out
}

func (s *fakeService) sorted() []*fakeRecord {
	ids := slices.Sorted(maps.Keys(s.records))
	all := make([]*fakeRecord, len(ids))
	for i, id := range ids {
		all[i] = s.records[id]
	}
	return all
}

func (s *fakeService) list(folderID string) (all []record) {
	for _, r := range s.sorted() {
		switch {
		case r.parent != folderID || r.deleted && r.rest == 0:
		case r.hidden > 0:
			r.hidden--
		default:
			if r.rest > 0 {
				r.rest--
			}
			all = append(all, r.record())
		}
	}
	return all
}

func (s *fakeService) Walk(ctx context.Context, _ int, leaveOut func(Item, plan.Key) bool) (*listing, error) {
	l := &listing{failed: map[plan.Key]*practice.FolderError{}}
	type level struct{ id, at string }
	for queue := []level{{}}; len(queue) > 0; queue = queue[1:] {
		err := s.request(ctx, func() error {
			for _, r := range s.list(queue[0].id) {
				at := filepath.ToSlash(filepath.Join(queue[0].at, r.Name))
				r.Skip = leaveOut(Item{Path: at, IsDir: r.Key.Dir, Size: max(0, r.Size), File: r.File, Folder: &models.Folder{Name: r.Name}}, r.Key)
				l.skipped = l.skipped || r.Skip
				l.records = append(l.records, r)
				if r.Key.Dir && !r.Skip {
					queue = append(queue, level{r.ID, at})
				}
			}
			return nil
		})
		if err != nil {
			l.failed[plan.Folder(queue[0].id)] = &practice.FolderError{Path: queue[0].at, Err: err}
		}
	}
	return l, context.Cause(ctx)
}

func (s *fakeService) List(ctx context.Context, folderID string) (all []record, err error) {
	err = s.request(ctx, func() error {
		if r := s.records[folderID]; folderID != "" && (r == nil || r.deleted) {
			return errMissing
		}
		all = s.list(folderID)
		return nil
	})
	return all, err
}

func (s *fakeService) Get(ctx context.Context, key plan.Key) (got *record, err error) {
	err = s.request(ctx, func() error {
		r := s.records[key.ID]
		if r == nil || r.deleted {
			return ErrChanged
		}
		rec := r.record()
		got = &rec
		return nil
	})
	return got, err
}

func (s *fakeService) Changed(context.Context, string) ([]record, error) { return nil, errRefused }

func (s *fakeService) insert(parent, name string, dir bool) *fakeRecord {
	s.made++
	r := &fakeRecord{id: "f" + strconv.Itoa(100+s.made), name: name, parent: parent, dir: dir, hidden: s.late}
	s.records[r.id] = r
	return r
}

func (s *fakeService) alive(folderID string) bool {
	r := s.records[folderID]
	return folderID == "" || r != nil && !r.deleted
}

func (s *fakeService) MakeFolder(ctx context.Context, parentID, name string) (id string, err error) {
	err = s.request(ctx, func() error {
		if !s.alive(parentID) {
			return errMissing
		}
		id = s.insert(parentID, name, true).id
		return nil
	})
	return id, err
}

func (s *fakeService) MakeFile(ctx context.Context, file models.FileCreate) (info *models.UploadInfo, err error) {
	err = s.request(ctx, func() error {
		if !s.alive(file.FolderID) {
			return errMissing
		}
		info = &models.UploadInfo{FileID: s.insert(file.FolderID, file.FileName, false).id}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return info, nil
}

func (s *fakeService) MakeFiles(ctx context.Context, files []models.FileCreate) (infos []models.UploadInfo, err error) {
	err = s.request(ctx, func() error {
		for _, file := range slices.Backward(files) {
			infos = append(infos, models.UploadInfo{FileID: s.insert(file.FolderID, file.FileName, false).id})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return infos, nil
}

func (s *fakeService) Place(ctx context.Context, id string, _ bool, parentID, name models.Opt[string]) error {
	return s.request(ctx, func() error {
		r := s.records[id]
		in, moves := parentID.Get()
		if r == nil || r.deleted || moves && !s.alive(in) {
			return errMissing
		}
		if moves {
			for at := in; at != ""; at = s.records[at].parent {
				if at == id {
					return errRefused
				}
			}
			r.parent = in
		}
		if to, renames := name.Get(); renames {
			r.name = to
		}
		return nil
	})
}

func (s *fakeService) Drop(ctx context.Context, id string, _ bool) error {
	if s.requests+1 == s.fault && s.meanwhile != nil {
		s.fault = 0 // the service has no conditional deletion, so this moment is not tried
	}
	return s.request(ctx, func() error {
		if r := s.records[id]; r != nil {
			r.deleted, r.rest = true, s.late
			return nil
		}
		return errMissing
	})
}

func (s *fakeService) Send(ctx context.Context, fileID string, upload practice.Upload) (sent *practice.UploadedFile, err error) {
	text, err := io.ReadAll(upload.Body)
	if err != nil {
		return nil, err
	}
	err = s.request(ctx, func() error {
		r := s.records[fileID]
		if r == nil || r.deleted {
			return errMissing
		}
		r.versions = append(r.versions, string(text))
		sent = &practice.UploadedFile{Size: int64(len(text)), Requests: 1}
		return nil
	})
	return sent, err
}

func (s *fakeService) content(fileID, versionID string) (string, error) {
	r := s.records[fileID]
	if r == nil || r.deleted {
		return "", errMissing
	}
	for n := range r.versions {
		if fmt.Sprint(r.id, "-v", n+1) == versionID {
			return r.versions[n], nil
		}
	}
	return "", errMissing
}

func (s *fakeService) Read(ctx context.Context, fileID, versionID string, to io.Writer) error {
	return s.request(ctx, func() error {
		text, err := s.content(fileID, versionID)
		if err == nil {
			_, err = io.WriteString(to, text)
		}
		return err
	})
}

func (s *fakeService) Fetch(ctx context.Context, fileID, name string, options practice.DownloadOptions) (*practice.DownloadedFile, error) {
	var text string
	err := s.request(ctx, func() (err error) {
		text, err = s.content(fileID, options.VersionID)
		return err
	})
	if err != nil {
		return nil, err
	}
	to := options.Into
	if _, err := to.Root.Lstat(name); err == nil {
		if to.Replace == nil {
			return nil, &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
		}
		if err := to.Replace(); err != nil {
			return nil, err
		}
	}
	part := filepath.Join(filepath.Dir(name), ".practice-part")
	if err := to.Root.WriteFile(part, []byte(text), 0o600); err != nil {
		return nil, err
	}
	if err := to.Root.Chtimes(part, to.ModTime, to.ModTime); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(text))
	return &practice.DownloadedFile{Size: int64(len(text)), SHA256: hex.EncodeToString(sum[:]), Requests: 1}, to.Root.Rename(part, name)
}
