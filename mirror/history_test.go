package mirror

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/partfile"
	"github.com/practicesdk/practice-go/internal/soak"
)

// history is a matter and its mirror, which people change on both sides.
type history struct {
	service *fakeService
	dir     string
	written int
	alive   map[string]bool // contents that somebody wrote and nobody has replaced or deleted
	told    []string
	remove  bool
	bad     string
}

func (h *history) fail(format string, args ...any) {
	if h.bad == "" {
		h.bad = fmt.Sprintf(format, args...)
	}
}

// text returns a content that nobody has written before. All have one size.
func (h *history) text() string {
	h.written++
	text := fmt.Sprintf("%06d", h.written)
	h.alive[text] = true
	return text
}

func (h *history) at(name string) string { return filepath.Join(h.dir, filepath.FromSlash(name)) }

// local returns the content of a local file; ok is false when it is none.
func (h *history) local(name string) (text string, ok bool) {
	info, err := os.Lstat(h.at(name))
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	b, err := os.ReadFile(h.at(name))
	return string(b), err == nil
}

// gone notes that somebody replaced or deleted contents here, where the mirror
// has seen what it did.
func (h *history) gone(name string) {
	_ = filepath.WalkDir(h.at(name), func(at string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			text, _ := os.ReadFile(at)
			delete(h.alive, string(text))
		}
		return nil
	})
}

// there returns the record of a name at the top, or in a folder, of the
// service.
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

// change is something that somebody does on one side.
type change struct {
	name string
	do   func(h *history) bool // false when there is nothing to do it to
}

func write(h *history, name string, keepTime bool) bool {
	info, err := os.Lstat(h.at(name))
	if err == nil && !info.Mode().IsRegular() {
		return false
	}
	h.gone(name)
	if err := os.WriteFile(h.at(name), []byte(h.text()), 0o600); err != nil {
		delete(h.alive, fmt.Sprintf("%06d", h.written))
		return false
	}
	if keepTime && err == nil {
		_ = os.Chtimes(h.at(name), info.ModTime(), info.ModTime())
	}
	return true
}

func rename(h *history, from, to string) bool {
	if _, ok := h.local(to); ok {
		h.gone(to)
	}
	return os.Rename(h.at(from), h.at(to)) == nil
}

func swap(h *history, a, b string) bool {
	return os.Rename(h.at(a), h.at("swap")) == nil && os.Rename(h.at(b), h.at(a)) == nil && os.Rename(h.at("swap"), h.at(b)) == nil ||
		os.Rename(h.at("swap"), h.at(a)) == nil && false
}

func removeHere(h *history, name string) bool {
	if _, err := os.Lstat(h.at(name)); err != nil {
		return false
	}
	h.gone(name)
	return os.RemoveAll(h.at(name)) == nil
}

func version(h *history, name string) bool {
	r := h.there(name)
	if r == nil || r.dir {
		return false
	}
	if n := len(r.versions); n > 0 {
		delete(h.alive, r.versions[n-1])
	}
	r.versions = append(r.versions, h.text())
	return true
}

func renameThere(h *history, from, to string) bool {
	r := h.there(from)
	if r == nil {
		return false
	}
	parent := ""
	if dir := path.Dir(to); dir != "." {
		in := h.there(dir)
		if in == nil || !in.dir || in == r {
			return false
		}
		for at := in; at != nil; at = h.service.records[at.parent] {
			if at == r {
				return false
			}
		}
		parent = in.id
	}
	r.parent, r.name = parent, path.Base(to)
	return true
}

func removeThere(h *history, name string) bool {
	r := h.there(name)
	if r == nil {
		return false
	}
	h.deleteThere(r)
	return true
}

func (h *history) deleteThere(r *fakeRecord) {
	r.deleted = true
	if n := len(r.versions); n > 0 {
		delete(h.alive, r.versions[n-1])
	}
	for _, child := range h.service.sorted() {
		if child.parent == r.id && !child.deleted {
			h.deleteThere(child)
		}
	}
}

func createThere(h *history, name string, stored bool) bool {
	parent := ""
	if dir := path.Dir(name); dir != "." {
		in := h.there(dir)
		if in == nil || !in.dir {
			return false
		}
		parent = in.id
	}
	r := h.service.insert(parent, path.Base(name), false)
	if stored {
		r.versions = append(r.versions, h.text())
	}
	return true
}

// changes are what people do: the names a, b, D and E are all that there are.
func changes() []change {
	return []change{
		{"here: create or edit a", func(h *history) bool { return write(h, "a", false) }},
		{"here: edit b at its time", func(h *history) bool { return write(h, "b", true) }},
		{"here: delete a", func(h *history) bool { return removeHere(h, "a") }},
		{"here: delete D", func(h *history) bool { return removeHere(h, "D") }},
		{"here: rename a to c", func(h *history) bool { return rename(h, "a", "c") }},
		{"here: rename b over a", func(h *history) bool { return rename(h, "b", "a") }},
		{"here: swap a and b", func(h *history) bool { return swap(h, "a", "b") }},
		{"here: move a into D", func(h *history) bool { return rename(h, "a", "D/a") }},
		{"here: move E into D", func(h *history) bool { return rename(h, "E", "D/E") }},
		{"here: rename D to F", func(h *history) bool { return rename(h, "D", "F") }},
		{"here: a becomes a folder", func(h *history) bool {
			return removeHere(h, "a") && os.Mkdir(h.at("a"), 0o700) == nil && write(h, "a/x", false)
		}},
		{"here: E becomes a file", func(h *history) bool { return removeHere(h, "E") && write(h, "E", false) }},
		{"here: a in another form", func(h *history) bool { return rename(h, "u\u0308", "\u00fc") }},
		{"here: restore a", func(h *history) bool { return write(h, "a", true) }},
		{"there: version of a", func(h *history) bool { return version(h, "a") }},
		{"there: version of D/x", func(h *history) bool { return version(h, "D/x") }},
		{"there: delete a", func(h *history) bool { return removeThere(h, "a") }},
		{"there: delete D", func(h *history) bool { return removeThere(h, "D") }},
		{"there: create a", func(h *history) bool { return createThere(h, "a", true) }},
		{"there: rename a to c", func(h *history) bool { return renameThere(h, "a", "c") }},
		{"there: rename b to a", func(h *history) bool { return renameThere(h, "b", "a") }},
		{"there: move b into D", func(h *history) bool { return renameThere(h, "b", "D/b") }},
		{"there: move D into E", func(h *history) bool { return renameThere(h, "D", "E/D") }},
		{"there: rename D to G", func(h *history) bool { return renameThere(h, "D", "G") }},
		{"there: a broken upload of c", func(h *history) bool { return createThere(h, "c", false) }},
	}
}

// begin makes a history whose sides are alike.
func begin(t *testing.T, dir string, remove bool) *history {
	t.Helper()
	h := &history{service: newFake(), dir: dir, alive: map[string]bool{}, remove: remove}
	require.NoError(t, os.MkdirAll(h.at("D"), 0o700))
	require.NoError(t, os.MkdirAll(h.at("E"), 0o700))
	for _, name := range []string{"a", "b", "D/x", "E/y", "u\u0308"} {
		write(h, name, false)
	}
	h.sync(true, 0)
	h.sync(false, 0)
	return h
}

// sync pushes or pulls, and checks what may have been lost.
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
	err := r.in(h.dir)
	r.stop()
	h.service.fault = 0
	if err != nil {
		h.told = append(h.told, err.Error())
		if fault == 0 {
			h.fail("an error without a reason: %v", err)
		}
	}
	for text := range h.alive {
		if !h.has(text) {
			h.fail("%s is lost", text)
		}
	}
}

// has reports whether a content is anywhere: here, there, or among the versions
// of what is there.
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

// rest syncs without anything that goes wrong, and checks that both sides come
// to one tree and to rest.
func (h *history) rest() {
	h.service.cancel, h.service.lost, h.service.meanwhile = nil, false, nil
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
}

func (h *history) report() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\nhere: %v\n", h.bad, strings.Join(h.told, "\n"), h.files())
	for _, r := range h.service.sorted() {
		fmt.Fprintf(&b, "there: %+v\n", *r)
	}
	return b.String()
}

// All histories of two changes, with or without a round between them, in either
// order: no content is lost, and both sides come to one tree and to rest.
func TestEverySmallHistoryOfAMirrorLosesNothing(t *testing.T) {
	t.Parallel()
	eachPair(t, soak.Times(31, 1), func(t *testing.T, first, second change, count func()) {
		for variant := range 8 {
			one(t, variant&1 == 0, func(h *history) {
				h.do(first)
				if variant&2 != 0 {
					h.sync(variant&4 != 0, 0)
				}
				h.do(second)
				h.sync(variant&4 == 0, 0)
				h.rest()
			})
			count()
		}
	})
}

// The same with something that goes wrong at each request in turn: it is
// refused, its answer is lost, the context ends, or somebody stores a version.
func TestASmallHistoryWithAFaultAtEachRequestLosesNothing(t *testing.T) {
	t.Parallel()
	eachPair(t, soak.Times(157, 1), func(t *testing.T, first, second change, count func()) {
		for variant := range 16 {
			for fault, more := 1, true; more; fault++ {
				one(t, variant&1 == 0, func(h *history) {
					h.do(first)
					h.do(second)
					more = h.syncWith(variant&2 == 0, fault, variant>>2)
					h.rest()
				})
				count()
			}
		}
	})
}

// Kinds of faults.
const (
	refused = iota
	lost
	cancelled
	colleague
)

// syncWith pushes or pulls with a fault, and reports whether it came to it.
func (h *history) syncWith(push bool, number, kind int) bool {
	h.told = append(h.told, fmt.Sprintf("fault %d at request %d", kind, number))
	switch kind {
	case lost:
		h.service.lost = true
	case cancelled:
		h.service.cancel = func() {}
	case colleague:
		h.service.meanwhile = func() {
			for _, r := range h.service.sorted() {
				if !r.dir && !r.deleted && len(r.versions) > 0 {
					delete(h.alive, r.versions[len(r.versions)-1])
					r.versions = append(r.versions, h.text()+strings.Repeat("+", h.written))
					h.alive[r.versions[len(r.versions)-1]] = true
					delete(h.alive, fmt.Sprintf("%06d", h.written))
					return
				}
			}
		}
	}
	h.sync(push, number)
	return h.service.requests >= number
}

// eachPair calls try for each pair of changes; stride leaves pairs out.
func eachPair(t *testing.T, stride int, try func(t *testing.T, first, second change, count func())) {
	t.Helper()
	var tried atomic.Int64
	t.Cleanup(func() { t.Logf("%d histories were tried", tried.Load()) })
	number := 0
	for _, first := range changes() {
		for _, second := range changes() {
			if number++; number%stride == 0 {
				t.Run(first.name+", "+second.name, func(t *testing.T) {
					t.Parallel()
					try(t, first, second, func() { tried.Add(1) })
				})
			}
		}
	}
}

// one tries one history, on a virtual clock.
func one(t *testing.T, remove bool, try func(h *history)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := begin(t, t.TempDir(), remove)
		h.told = nil
		try(h)
		if h.bad != "" {
			t.Error(h.report())
		}
	})
}

func (h *history) do(c change) {
	done := c.do(h)
	h.told = append(h.told, fmt.Sprintf("%s: %t", c.name, done))
}
