package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/filenames"
	"github.com/practicesdk/practice-go/internal/partfile"
)

// history is a matter and its mirror, both of which are changed.
type history struct {
	service  *fakeService
	dir      string
	written  int
	alive    map[string]bool   // contents that a user wrote and no user has replaced or deleted
	between  map[string]bool   // contents that another user stored between the last check and a request
	moved    map[string]string // contents that a user moved away, by their former paths
	backups  map[string]bool   // contents beside whose file a user saved another one at the former path
	unsent   map[string]bool   // backups that a Push met which failed: the document keeps the content
	told     []string
	first    string // initial content of a
	restored bool   // a user wrote it again
	remove   bool
	bad      string
}

func (h *history) fail(format string, args ...any) {
	if h.bad == "" {
		h.bad = fmt.Sprintf(format, args...)
	}
}

// text returns a content that was not written before. All have the same size.
func (h *history) text() string {
	h.written++
	text := fmt.Sprintf("%06d", h.written)
	h.alive[text] = true
	return text
}

func (h *history) at(name string) string { return filepath.Join(h.dir, filepath.FromSlash(name)) }

// local returns the content of a local file; ok is false if there is none.
func (h *history) local(name string) (text string, ok bool) {
	info, err := os.Lstat(h.at(name))
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	b, err := os.ReadFile(h.at(name))
	return string(b), err == nil
}

// gone records that a user deleted contents locally.
func (h *history) gone(name string) {
	_ = filepath.WalkDir(h.at(name), func(at string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			text, _ := os.ReadFile(at)
			h.deleted(string(text))
		}
		return nil
	})
}

// saved records that a user put a file at a path: what was moved away from there
// is a backup.
func (h *history) saved(name string) {
	if text := h.moved[name]; text != "" {
		h.backups[text] = true
	}
}

// there returns the remote record of a name, in the mirrored folder or in a
// subfolder.
func (h *history) there(name string) *fakeRecord {
	parent := ""
	var found *fakeRecord
	for element := range strings.SplitSeq(name, "/") {
		found = nil
		for _, r := range h.service.sorted() {
			if r.parent == parent && r.name == element && !r.deleted {
				found = r
			}
		}
		if found == nil {
			return nil
		}
		parent = found.id
	}
	return found
}

// begin returns a history whose sides are alike.
func begin(t *testing.T, dir string, remove bool) *history {
	t.Helper()
	h := &history{
		service: newFake(), dir: dir, alive: map[string]bool{}, between: map[string]bool{}, remove: remove,
		moved: map[string]string{}, backups: map[string]bool{}, unsent: map[string]bool{},
	}
	require.NoError(t, os.MkdirAll(h.at("D"), 0o700))
	require.NoError(t, os.MkdirAll(h.at("E"), 0o700))
	for _, name := range []string{"a", "b", "D/x", "E/y", "u\u0308"} {
		write(h, name, false)
	}
	h.first, _ = h.local("a")
	h.sync(true, 0)
	h.sync(false, 0)
	return h
}

// sync pushes or pulls, and checks that nothing was lost.
func (h *history) sync(push bool, fault int) {
	operation := "Mirror.Pull"
	if push {
		operation = "Mirror.Push"
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if h.service.cancel != nil {
		h.service.cancel = cancel
	}
	h.service.requests, h.service.fault = 0, fault
	h.told = append(h.told, "-- "+operation)
	options := Options{Delete: h.remove, MaxDelete: -1, Concurrency: 1, Result: func(r Result) {
		if r.Action != Kept {
			h.told = append(h.told, fmt.Sprintf("%s %q from %q copy %q %v", r.Action, r.Path, r.From, r.Copy, r.Err))
		}
	}}
	r := newRun(ctx, operation, h.service, source{MatterID: "m"}, options)
	r.observe = func(ctx context.Context, _ string, do func(context.Context) error) error { return do(ctx) }
	err := r.in(h.dir)
	r.stop()
	h.service.fault = 0
	if err != nil {
		if push {
			maps.Copy(h.unsent, h.backups)
		}
		h.told = append(h.told, err.Error())
		if fault == 0 && !h.ambiguous(err) {
			h.fail("an error without a reason: %v", err)
		}
	}
	for text := range h.alive {
		if !h.has(text) {
			h.fail("%s is lost", text)
		}
	}
}

// ambiguous reports whether all failures of a call have one reason: several
// documents of a folder have the same name, and none has the content of the
// local file.
func (h *history) ambiguous(err error) bool {
	failed, ok := errors.AsType[*Error](err)
	if !ok || failed.Err != nil || failed.Left > 0 {
		return false
	}
	for _, result := range failed.Failed {
		several, ok := errors.AsType[*AmbiguousFileError](result.Err)
		if !ok || len(several.IDs) < 2 {
			return false
		}
		text, _ := h.local(result.Path)
		first := h.service.records[several.IDs[0]]
		for _, id := range several.IDs {
			r := h.service.records[id]
			if r.deleted || r.parent != first.parent || !filenames.SameForm(r.name, first.name) || len(r.versions) > 0 && r.versions[len(r.versions)-1] == text {
				return false
			}
		}
	}
	return true
}

// has reports whether a local file, or a version of a remote document, has the
// content.
func (h *history) has(text string) bool {
	for _, r := range h.service.records {
		if !r.deleted && slices.Contains(r.versions, text) {
			return true
		}
	}
	return slices.Contains(slices.Collect(maps.Values(h.files())), text)
}

func (h *history) files() map[string]string {
	all := map[string]string{}
	_ = filepath.WalkDir(h.dir, func(at string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(h.dir, at)
		if err != nil {
			return err
		}
		switch {
		case name == ".":
		case strings.HasPrefix(entry.Name(), partfile.Prefix) && !strings.Contains(entry.Name(), "moving"):
		case entry.IsDir():
			all[filepath.ToSlash(name)+"/"] = ""
		default:
			text, _ := os.ReadFile(at)
			all[filepath.ToSlash(name)] = string(text)
		}
		return nil
	})
	return all
}

// rest syncs three times without faults. It checks that both sides then have
// the same tree, and that another sync changes nothing.
func (h *history) rest() {
	for range 3 {
		h.sync(true, 0)
		h.sync(false, 0)
	}
	before, writes := h.files(), len(h.told)
	h.sync(true, 0)
	h.sync(false, 0)
	quiet := 0
	for _, line := range h.told[writes:] {
		if !strings.HasPrefix(line, "--") && (h.remove || !strings.HasPrefix(line, "gone") && !strings.HasPrefix(line, "waiting")) && !strings.HasPrefix(line, "ignored") {
			quiet++
		}
	}
	if quiet > 0 || !maps.Equal(before, h.files()) {
		h.fail("it does not come to rest")
	}
	if !h.remove {
		return
	}
	here, there := []string{}, []string{}
	for at, text := range h.files() {
		if !strings.HasSuffix(at, "/") {
			here = append(here, text)
		}
	}
	for _, r := range h.service.records {
		if n := len(r.versions); !r.deleted && n > 0 {
			there = append(there, r.versions[n-1])
		}
	}
	slices.Sort(here)
	slices.Sort(there)
	if !slices.Equal(here, there) {
		h.fail("both sides differ: here %v, there %v", here, there)
	}
	for n := range there {
		if n > 0 && there[n] == there[n-1] && (there[n] != h.first || !h.restored) && !h.unsent[there[n]] {
			h.fail("a content is there twice: %v", there)
		}
	}
}

func (h *history) report() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\nhere: %v\n", h.bad, strings.Join(h.told, "\n"), h.files())
	for _, r := range h.service.sorted() {
		fmt.Fprintf(&b, "there: %+v\n", *r)
	}
	return b.String()
}
