package mirror_test

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
)

var (
	randomMirrors = flag.Int("mirrors", soak.Times(soak.Least(10), 200), "how many random histories TestAMirrorLosesNothingAndComesToRest makes")
	firstMirror   = flag.Uint64("first-mirror", 0, "the seed of the first random history of a mirror")
)

// mirrorHistory is a matter and its mirror, both of which are changed.
type mirrorHistory struct {
	*testMatter
	random  *rand.Rand
	dir     string
	written int
	named   int
	alive   map[string]bool // texts that a user wrote and no user has replaced or deleted
	told    []string        // log of events
	cursors <-chan string   // cursors of the received events; nil if there is no receiver
}

// cursor returns the cursor of the first event since the last call, or "".
func (h *mirrorHistory) cursor() (earliest string) {
	for {
		select {
		case cursor := <-h.cursors:
			if earliest == "" {
				earliest = cursor
			}
		default:
			return earliest
		}
	}
}

// text returns a content that was not written before, of an unused size,
// because a disk may not distinguish the times of two changes.
func (h *mirrorHistory) text() string {
	h.written++
	return strings.Repeat("x", h.written)
}

// localFiles returns the files of the mirror, without those of the library.
func (h *mirrorHistory) localFiles(t *testing.T) (files, dirs []string) {
	t.Helper()
	require.NoError(t, fs.WalkDir(os.DirFS(h.dir), ".", func(at string, entry fs.DirEntry, err error) error {
		switch {
		case strings.HasPrefix(entry.Name(), ".practice-"):
		case entry.IsDir():
			dirs = append(dirs, at)
		default:
			files = append(files, at)
		}
		return err
	}))
	return files, dirs
}

func (h *mirrorHistory) pick(of []string) string { return of[h.random.IntN(len(of))] }

func (h *mirrorHistory) local(at string) string { return filepath.Join(h.dir, at) }

// changeLocally makes one local change.
func (h *mirrorHistory) changeLocally(t *testing.T) {
	t.Helper()
	files, dirs := h.localFiles(t)
	h.named++
	fresh := path.Join(h.pick(dirs), fmt.Sprint("local ", h.named))
	if len(files) == 0 || h.random.IntN(4) == 0 {
		text := h.text()
		h.alive[text] = true
		h.told = append(h.told, fmt.Sprintf("locally: new %q, %d", fresh, h.written))
		require.NoError(t, os.WriteFile(h.local(fresh+".txt"), []byte(text), 0o600))
		return
	}
	at := h.pick(files)
	old, err := os.ReadFile(h.local(at))
	require.NoError(t, err)
	what := h.random.IntN(5)
	h.told = append(h.told, fmt.Sprintf("locally: change %d of %q, which has %d bytes, or of a folder; %q, %d", what, at, len(old), fresh, h.written+1))
	switch what {
	case 0, 1:
		text := h.text()
		delete(h.alive, string(old))
		h.alive[text] = true
		require.NoError(t, os.WriteFile(h.local(at), []byte(text), 0o600))
	case 2:
		require.NoError(t, os.Rename(h.local(at), h.local(fresh+".txt")))
	case 3:
		require.NoError(t, os.Remove(h.local(at)))
		delete(h.alive, string(old))
	case 4:
		if dir := h.pick(dirs); dir != "." && !strings.HasPrefix(fresh, dir+"/") {
			require.NoError(t, os.Rename(h.local(dir), h.local(fresh)))
		}
	}
}

// changeRemotely makes one remote change.
func (h *mirrorHistory) changeRemotely(t *testing.T) {
	t.Helper()
	files, folders := []*models.File{}, []*models.Folder{}
	for entry, err := range h.client.Documents.Walk(t.Context(), h.id, practice.WalkOptions{}) {
		require.NoError(t, err)
		if entry.File != nil {
			files = append(files, entry.File)
		} else {
			folders = append(folders, entry.Folder)
		}
	}
	parent := ""
	if n := h.random.IntN(len(folders) + 1); n > 0 {
		parent = folders[n-1].ID
	}
	name := []string{"Agenda.docx", "Re: offer.msg", "x:y", "local (local copy).txt"}[h.random.IntN(4)]
	what := h.random.IntN(8)
	h.told = append(h.told, fmt.Sprintf("remotely: change %d, %q, %d", what, name, h.written+1))
	switch {
	case what == 0:
		h.folder(t, parent, name)
	case what <= 2 || len(files) == 0:
		text := h.text()
		h.alive[text] = true
		h.file(t, parent, name, text)
	default:
		h.changeFile(t, what, files[h.random.IntN(len(files))], name, parent)
	}
}

func (h *mirrorHistory) changeFile(t *testing.T, what int, file *models.File, name, parent string) {
	t.Helper()
	old, _ := h.server.FileContent(file.ID)
	h.told = append(h.told, fmt.Sprintf("remotely: of %q, which has %d bytes", file.Name+file.FileExtension, len(old)))
	switch what {
	case 3, 4:
		text := h.text()
		delete(h.alive, string(old))
		h.alive[text] = true
		_, err := h.client.Documents.UploadVersion(t.Context(), h.id, file.ID, practice.Upload{Body: strings.NewReader(text)})
		require.NoError(t, err)
	case 5:
		h.patchFile(t, file.ID, models.FilePatch{FileName: models.Some(name)})
	case 6:
		patch := models.FilePatch{FolderID: models.Null[string]()}
		if parent != "" {
			patch.FolderID = models.Some(parent)
		}
		h.patchFile(t, file.ID, patch)
	default:
		h.deleteFile(t, file.ID)
		delete(h.alive, string(old))
	}
	h.server.Settle()
}

// texts returns the contents on both sides.
func (h *mirrorHistory) texts(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, content := range onDisk(t, h.dir) {
		all[content] = true
	}
	for _, content := range h.contents(t) {
		all[content] = true
	}
	return all
}

// Users may change anything on both sides, and both directions may run in any
// order: a text is kept until a user replaces or deletes it, and without
// further changes both sides converge.
func TestAMirrorLosesNothingAndComesToRest(t *testing.T) {
	t.Parallel()
	for seed := *firstMirror; seed < *firstMirror+uint64(*randomMirrors); seed++ {
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			h := &mirrorHistory{testMatter: m, random: rand.New(rand.NewPCG(seed, 47)), dir: t.TempDir(), alive: map[string]bool{}}
			if seed%3 == 1 {
				h.cursors = cursorsOf(t, m.server)
			}
			done := dirResults{}
			tell := func(direction string) func(mirror.Result) {
				clear(done)
				return func(r mirror.Result) {
					done.add(r)
					if r.Action != mirror.Kept {
						h.told = append(h.told, fmt.Sprintf("%s: %s %q from %q copy %q", direction, r.Action, r.Path, r.From, r.Copy))
					}
				}
			}
			carry := func(pull bool) {
				var foreseen dirResults
				switch {
				case seed%4 != 0 || h.cursors != nil: // a dry run takes as long as a run, and detects folders that a cursor does not report
				case pull:
					foreseen = h.foreseeBackup(t, h.dir, mirror.Options{Delete: true})
				default:
					foreseen = h.foreseePush(t, h.dir, mirror.Options{Delete: true})
				}
				if pull {
					require.NoError(t, mirror.Pull(t.Context(), h.client, h.id, h.dir, mirror.Options{Delete: true, Result: tell("pull"), Cursor: h.cursor()}), "history %d\n%s", seed, strings.Join(h.told, "\n"))
				} else {
					require.NoError(t, mirror.Push(t.Context(), h.client, h.id, h.dir, mirror.Options{Delete: true, Result: tell("push")}), "history %d\n%s", seed, strings.Join(h.told, "\n"))
				}
				h.server.Settle()
				if foreseen != nil {
					assert.Equal(t, done, foreseen, "history %d, pull %t\n%s", seed, pull, strings.Join(h.told, "\n"))
				}
			}
			for range 6 {
				for range h.random.IntN(4) {
					h.changeLocally(t)
				}
				for range h.random.IntN(4) {
					h.changeRemotely(t)
				}
				carry(h.random.IntN(2) == 0)
				there := h.texts(t)
				for _, text := range slices.Sorted(maps.Keys(h.alive)) {
					if !assert.True(t, there[text], "history %d: text %d is lost\n%s", seed, len(text), strings.Join(h.told, "\n")) {
						return
					}
				}
			}
			for range 3 {
				carry(false)
				carry(true)
			}
			h.told = nil
			h.server.ResetRequests()
			carry(false)
			carry(true)
			assert.Empty(t, h.told, "history %d comes to rest", seed)
			assert.Empty(t, h.writes(), "history %d", seed)
			assert.Equal(t, slices.Sorted(maps.Values(h.contents(t))), slices.Sorted(maps.Values(onDisk(t, h.dir))), "history %d: both sides hold the same", seed)
		})
	}
}
