package mirror

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/transfer"
	"github.com/practicesdk/practice-go/models"
)

var (
	errLost    = errors.New("the answer was lost")
	errBusy    = errors.New("the service is busy")
	errMissing = errors.New("not found")
)

// record is a file or folder of the fake service.
type record struct {
	id, name, parent string
	dir              bool
	content          string
	before           []string // contents of earlier versions
	version          int      // 0 while there is no content
	hidden           int      // so many looks do not show it yet
}

// fakeService holds one matter in memory.
type fakeService struct {
	mu      sync.Mutex
	records []*record
	named   int // ids that were given
	late    int // looks after which something new is listed
	lost    int // so many of the next creates are executed, and their answers are lost
	refused int // so many of the next creates are refused
	writes  []string
	lists   int
	reads   int      // of contents that are compared
	changed []Remote // since the cursor
	calls   int      // so many calls until cancel is called; 0 means never
	cancel  func()
}

// begin counts a call. One whose context has ended has no effect.
func (s *fakeService) begin(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls--; s.calls == 0 {
		s.cancel()
	}
	return ctx.Err()
}

var _ Service = (*fakeService)(nil)

// holding makes a matter of contents by their path; a path that ends with a
// slash is an empty folder.
func holding(contents map[string]string) *fakeService {
	s := &fakeService{}
	for _, at := range slices.Sorted(maps.Keys(contents)) {
		s.put(at, contents[at])
	}
	return s
}

// put adds a file, and the folders that it takes.
func (s *fakeService) put(at, content string) *record {
	parent := ""
	elements := strings.Split(at, "/")
	for _, name := range elements[:len(elements)-1] {
		dir := s.first(parent, name, true)
		if dir == nil {
			dir = s.insert(name, parent, true)
		}
		parent = dir.id
	}
	if strings.HasSuffix(at, "/") {
		return nil
	}
	r := s.insert(elements[len(elements)-1], parent, false)
	s.store(r, content)
	return r
}

// first is the first record of a name in a folder.
func (s *fakeService) first(parent, name string, dir bool) *record {
	for _, r := range s.records {
		if r.parent == parent && r.name == name && r.dir == dir {
			return r
		}
	}
	return nil
}

// at is the record of a path of names.
func (s *fakeService) at(t *testing.T, at string) *record {
	t.Helper()
	for _, r := range s.records {
		if s.path(r) == at {
			return r
		}
	}
	require.Fail(t, "the service has no "+at)
	return nil
}

func (s *fakeService) path(r *record) string {
	for _, parent := range s.records {
		if parent.dir && parent.id == r.parent {
			return path.Join(s.path(parent), r.name)
		}
	}
	return r.name
}

func (s *fakeService) insert(name, parent string, dir bool) *record {
	s.named++
	r := &record{id: "F" + strconv.Itoa(s.named), name: name, parent: parent, dir: dir, hidden: s.late}
	s.records = append(s.records, r)
	return r
}

func (s *fakeService) store(r *record, content string) {
	if r.version > 0 {
		r.before = append(r.before, r.content)
	}
	r.content = content
	r.version++
}

// tree is what the matter holds: contents by the paths of their names, folders
// with a slash.
func (s *fakeService) tree() map[string]string {
	all := map[string]string{}
	for _, r := range s.records {
		at := s.path(r)
		if r.dir {
			at += "/"
		}
		for _, twice := all[at]; twice; _, twice = all[at] {
			at += "'" // another one of this name
		}
		all[at] = r.content
	}
	return all
}

func (s *fakeService) find(id string) *record {
	for _, r := range s.records {
		if Key(r.id) == Key(id) {
			return r
		}
	}
	return nil
}

func (r *record) remote() Remote {
	all := Remote{ID: r.id, Name: r.name, Dir: r.dir, Size: -1}
	if !r.dir {
		all.Size, all.Stored = int64(len(r.content)), r.version > 0
		all.Version = fmt.Sprint(r.id, "-v", r.version)
		all.File = &models.File{ID: r.id, VersionID: all.Version, SizeBytes: models.Some(all.Size)}
	}
	return all
}

func (s *fakeService) Walk(ctx context.Context, _ int, leaveOut func(Item) bool) iter.Seq2[Remote, error] {
	return func(yield func(Remote, error) bool) {
		type level struct{ id, path string }
		for queue := []level{{}}; len(queue) > 0; queue = queue[1:] {
			entries, err := s.List(ctx, queue[0].id)
			if err != nil && !yield(Remote{ID: queue[0].id, Name: queue[0].path}, err) {
				return
			}
			for _, r := range entries {
				r.Parent = Key(queue[0].id)
				at := path.Join(queue[0].path, r.Name)
				r.Skip = leaveOut(Item{Path: at, IsDir: r.Dir, Size: max(0, r.Size)})
				if !yield(r, nil) {
					return
				}
				if r.Dir && !r.Skip {
					queue = append(queue, level{r.ID, at})
				}
			}
		}
	}
}

func (s *fakeService) List(ctx context.Context, folderID string) (all []Remote, err error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lists++
	if folderID != "" && s.find(folderID) == nil {
		return nil, errMissing
	}
	for _, r := range s.records {
		switch {
		case Key(r.parent) != Key(folderID):
		case r.hidden > 0:
			r.hidden--
		default:
			all = append(all, r.remote())
		}
	}
	return all, nil
}

func (s *fakeService) Has(ctx context.Context, id string, _ bool) (bool, error) {
	if err := s.begin(ctx); err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(id) != nil, nil
}

func (s *fakeService) Changed(context.Context, string) ([]Remote, error) {
	return s.changed, nil
}

// write notes a change that somebody asked for.
func (s *fakeService) write(format string, args ...any) {
	s.writes = append(s.writes, fmt.Sprintf(format, args...))
}

// fault is the end of a create that does not go well.
func (s *fakeService) fault(create func()) error {
	switch {
	case s.refused > 0:
		s.refused--
		return errBusy
	case s.lost > 0:
		s.lost--
		create()
		return errLost
	}
	create()
	return nil
}

func (s *fakeService) CreateFolder(ctx context.Context, folder models.FolderCreate) (id string, err error) {
	if err := s.begin(ctx); err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.fault(func() { id = s.insert(folder.Name, folder.ParentFolderID, true).id }); err != nil {
		return "", err
	}
	s.write("make folder %s", folder.Name)
	return id, nil
}

func (s *fakeService) CreateFiles(ctx context.Context, files []models.FileCreate) (places map[string]transfer.Place, err error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err = s.fault(func() {
		places = map[string]transfer.Place{}
		for _, file := range files {
			places[Key(s.insert(file.FileName, file.FolderID, false).id)] = transfer.Place{}
		}
	})
	if err != nil {
		return nil, err
	}
	s.write("make %d files", len(files))
	return places, nil
}

func (s *fakeService) PatchFolder(ctx context.Context, folderID string, patch models.FolderPatch) error {
	return s.patch(ctx, folderID, patch.Name, patch.ParentFolderID)
}

func (s *fakeService) PatchFile(ctx context.Context, fileID string, patch models.FilePatch) error {
	return s.patch(ctx, fileID, patch.FileName, patch.FolderID)
}

func (s *fakeService) patch(ctx context.Context, id string, name, parent models.Opt[string]) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.find(id)
	if r == nil {
		return errMissing
	}
	s.write("patch %s", r.name)
	r.name = name.Or(r.name)
	if !parent.IsZero() {
		r.parent = parent.Or("")
	}
	return nil
}

func (s *fakeService) DeleteFolder(ctx context.Context, id string) error { return s.deleted(ctx, id) }

func (s *fakeService) DeleteFile(ctx context.Context, id string) error { return s.deleted(ctx, id) }

func (s *fakeService) deleted(ctx context.Context, id string) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	return s.delete(id)
}

func (s *fakeService) delete(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.find(id)
	if r == nil {
		return errMissing
	}
	s.write("delete %s", r.name)
	s.records = slices.DeleteFunc(s.records, func(other *record) bool { return other == r })
	return nil
}

func (s *fakeService) Open(ctx context.Context, fileID string, _ func(done, total int64)) (Content, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.find(fileID); r != nil {
		return fakeContent(r.content), nil
	}
	return nil, errMissing
}

func (s *fakeService) Read(ctx context.Context, fileID, versionID string, to io.Writer) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	r := s.find(fileID)
	if r == nil {
		return errMissing
	}
	content := r.content
	for n, before := range r.before {
		if fmt.Sprint(r.id, "-v", n+1) == versionID {
			content = before
		}
	}
	_, err := io.WriteString(to, content)
	return err
}

func (s *fakeService) Send(ctx, _ context.Context, upload Upload) (Sent, error) {
	if err := s.begin(ctx); err != nil {
		return Sent{}, err
	}
	content, err := io.ReadAll(upload.Body)
	if err != nil {
		return Sent{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.find(upload.FileID)
	if upload.FileID == "" {
		if err := s.fault(func() { r = s.insert(upload.Name, upload.FolderID, false) }); err != nil {
			return Sent{}, err
		}
		if err := upload.Created(r.id); err != nil {
			return Sent{ID: r.id}, err
		}
	}
	if r == nil {
		return Sent{}, errMissing
	}
	if err := ctx.Err(); err != nil {
		return Sent{ID: r.id}, err // the record is made, and has no content
	}
	s.write("send %s", r.name)
	s.store(r, string(content))
	return Sent{ID: r.id, Size: int64(len(content)), Requests: 1}, nil
}

func (s *fakeService) Meaning(err error) Meaning {
	switch {
	case errors.Is(err, errLost):
		return Unclear
	case errors.Is(err, errMissing):
		return NotFound
	}
	return 0
}

func (s *fakeService) Observe(ctx context.Context) (context.Context, func(error)) {
	return ctx, func(error) {}
}

// fakeContent is the content of a file.
type fakeContent string

func (c fakeContent) CopyTo(_ context.Context, w io.Writer) (int64, error) {
	n, err := io.WriteString(w, string(c))
	return int64(n), err
}

func (c fakeContent) ToFile(_ context.Context, dir *os.Root, name string, replace func() error, _ fs.FileMode) (transfer.File, error) {
	if _, err := dir.Lstat(name); err == nil {
		if replace == nil {
			return transfer.File{}, fs.ErrExist
		}
		if err := replace(); err != nil {
			return transfer.File{}, err
		}
	}
	if err := dir.WriteFile(name, []byte(c), 0o600); err != nil {
		return transfer.File{}, err
	}
	return transfer.File{Size: int64(len(c)), SHA256: sumOf(string(c)), Requests: 1}, nil
}

func sumOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// setting is a matter and a local folder.
type setting struct {
	*fakeService
	t       *testing.T
	dir     string
	options Options
	settle  time.Duration
	clock   int64 // of local changes, in seconds: a disk may not tell two of them apart
	failing bool  // something may be in the way
	ctx     context.Context
	results []Result
}

// given makes a setting in which the local folder is empty.
func given(t *testing.T, contents map[string]string) *setting {
	t.Helper()
	return &setting{
		fakeService: holding(contents), t: t, dir: t.TempDir(), settle: time.Minute, ctx: t.Context(),
		options: Options{Source: matter, Concurrency: 2, Conflict: func(string, *models.File) Choice { return KeepsBoth }},
	}
}

func (s *setting) told(r Result) { s.results = append(s.results, r) }

// pull downloads, and gives what became of each file: its action by its path.
func (s *setting) pull() map[string]Action { return s.pullWith(PullOptions{}) }

func (s *setting) pullWith(options PullOptions) map[string]Action {
	s.t.Helper()
	options.Options, s.results = s.options, nil
	options.Result = s.told
	outcome, err := Pull(s.ctx, s, s.dir, options)
	require.NoError(s.t, err)
	return s.actions(outcome)
}

// push uploads.
func (s *setting) push() map[string]Action {
	s.t.Helper()
	options := PushOptions{Options: s.options, Settle: s.settle, Grace: time.Second}
	options.Result, s.results = s.told, nil
	outcome, err := Push(s.ctx, s, os.DirFS(s.dir), options)
	require.NoError(s.t, err)
	return s.actions(outcome)
}

func (s *setting) actions(outcome Outcome) map[string]Action {
	if len(outcome.Failed) == 0 && s.ctx.Err() == nil {
		assert.Zero(s.t, outcome.Left)
	}
	all := map[string]Action{}
	for _, r := range s.results {
		if r.Err != nil {
			r.Action = Action(fmt.Sprint(Failed, ": ", r.Err))
		}
		if before := all[r.Path]; before != "" { // such as a folder that is gone and a file in its place
			r.Action = min(before, r.Action) + ", " + max(before, r.Action)
		}
		all[r.Path] = r.Action
	}
	return all
}

// local is the local folder: contents by path, folders with a slash.
func (s *setting) local() map[string]string {
	s.t.Helper()
	all := map[string]string{}
	require.NoError(s.t, fs.WalkDir(os.DirFS(s.dir), ".", func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || at == "." || at == Name:
			return err
		case entry.IsDir():
			all[at+"/"] = ""
			return nil
		}
		content, err := os.ReadFile(s.on(at))
		all[at] = string(content)
		return err
	}))
	return all
}

// noted is what the manifest says.
func (s *setting) noted() map[string]Entry {
	s.t.Helper()
	root, err := os.OpenRoot(s.dir)
	require.NoError(s.t, err)
	defer func() { assert.NoError(s.t, root.Close()) }()
	m, err := Look(root, matter)
	require.NoError(s.t, err)
	return m.Entries()
}

func (s *setting) on(at string) string { return filepath.Join(s.dir, filepath.FromSlash(at)) }

// edit writes a local file.
func (s *setting) edit(at, content string) {
	s.t.Helper()
	require.NoError(s.t, os.MkdirAll(filepath.Dir(s.on(at)), 0o700))
	require.NoError(s.t, os.WriteFile(s.on(at), []byte(content), 0o600))
	s.clock++
	changed := time.Unix(1_700_000_000+s.clock, 7)
	require.NoError(s.t, os.Chtimes(s.on(at), changed, changed))
}

func (s *setting) rename(from, to string) {
	s.t.Helper()
	require.NoError(s.t, os.MkdirAll(filepath.Dir(s.on(to)), 0o700))
	require.NoError(s.t, os.Rename(s.on(from), s.on(to)))
}

func (s *setting) remove(at string) {
	s.t.Helper()
	require.NoError(s.t, os.RemoveAll(s.on(at)))
}
