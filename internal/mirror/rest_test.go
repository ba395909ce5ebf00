package mirror

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/models"
)

var histories = flag.Int("histories", soak.Times(60, 1500), "how many random histories TestAnyPlanLeavesTheFixedPoint makes")

// history is what happens to both sides of a mirror.
type history struct {
	*setting
	random  *rand.Rand
	written int
	alive   map[string]bool // texts that somebody wrote, and nobody replaced or deleted
}

// TestAnyPlanLeavesTheFixedPoint changes both sides at random and pulls or
// pushes. The same call again then changes nothing; in the end both directions
// do nothing, and both sides have the same contents, every one that somebody
// wrote and nobody replaced or deleted.
func TestAnyPlanLeavesTheFixedPoint(t *testing.T) {
	t.Parallel()
	for seed := range uint64(*histories) {
		inBubble(t, fmt.Sprint("history ", seed), func(t *testing.T) {
			h := &history{setting: given(t, nil), random: rand.New(rand.NewPCG(14, seed))}
			h.failing, h.alive = true, map[string]bool{}
			h.options.Delete = h.random.IntN(2) == 0
			choices := []Choice{KeepsBoth, KeepsLocal, KeepsRemote}
			if seed%2 == 0 { // otherwise nothing is lost, whatever happens
				h.options.Conflict = func(at string, _ *models.File) Choice { return choices[(len(at)+int(seed))%len(choices)] }
				h.alive = nil
			}
			for range 6 {
				for range 1 + h.random.IntN(6) {
					h.happen()
				}
				h.round()
			}
			h.comeToRest()
		})
	}
}

// round pulls or pushes, with what may go wrong.
func (h *history) round() {
	call := []func() map[string]Action{h.pull, h.push}[h.random.IntN(2)]
	h.late, h.lost, h.refused = h.random.IntN(3), h.random.IntN(2), h.random.IntN(2)
	ctx := h.ctx
	h.ctx, h.cancel = context.WithCancel(ctx)
	h.calls = h.random.IntN(15)
	call()
	h.cancel()
	h.ctx, h.calls = ctx, 0
	h.late, h.lost, h.refused = 0, 0, 0
	h.nothingIsLost()
	h.foretold(call) // what may have been made is found, what was refused is made
	h.nothingIsLost()
	h.atRest(call)
}

// nothingIsLost asserts that each text is still somewhere.
func (h *history) nothingIsLost() {
	there := map[string]bool{}
	for at := range h.local() {
		assert.False(h.t, Parked(at), "%s stays aside", at)
	}
	for _, content := range h.local() {
		there[content] = true
	}
	for _, r := range h.records {
		there[r.content] = true
		for _, before := range r.before {
			there[before] = true
		}
	}
	for text := range h.alive {
		assert.True(h.t, there[text], "%q is lost", text)
	}
}

// over says that nobody needs a text any more, nor what it replaced.
func (h *history) over(text string) {
	delete(h.alive, text)
	h.replacedBy(text)
}

// replacedBy says that nobody needs what a text replaced.
func (h *history) replacedBy(text string) {
	for _, r := range h.records {
		if r.content == text {
			for _, before := range r.before {
				delete(h.alive, before)
			}
		}
	}
}

// foretold asserts that a dry run changes nothing and says what a call then
// does.
func (h *history) foretold(call func() map[string]Action) {
	writes, local := len(h.writes), h.local()
	h.options.DryRun = true
	foretold := call()
	h.options.DryRun = false
	assert.Len(h.t, h.writes, writes, "a dry run writes nothing")
	assert.Equal(h.t, local, h.local(), "a dry run changes nothing")
	found := call()
	for at, action := range found {
		if strings.Contains(string(action), string(Failed)) {
			below := func(other string, _ Action) bool { return other == at || strings.HasPrefix(other, at+"/") }
			maps.DeleteFunc(found, below) // what is in the way is met when something moves there
			maps.DeleteFunc(foretold, below)
		}
	}
	assert.Equal(h.t, foretold, found, "a dry run foretells it")
}

// comeToRest brings the changes of each side to the other one.
func (h *history) comeToRest() {
	h.options.Conflict = func(string, *models.File) Choice { return KeepsBoth }
	for range 3 {
		for at, action := range h.pull() {
			h.yield(at, action)
		}
		for at, action := range h.push() {
			h.yield(at, action)
		}
	}
	h.failing = false
	h.atRest(h.pull)
	h.atRest(h.push)
	if h.options.Delete {
		assert.Equal(h.t, texts(h.tree()), texts(h.local()), "both sides have the same")
	}
}

// yield does what a report asks for: it gives a file that is in the way another
// name.
func (h *history) yield(at string, action Action) {
	if _, err := os.Lstat(h.on(at)); err == nil && strings.Contains(string(action), string(Failed)) {
		h.written++
		h.rename(at, fmt.Sprint("yielded ", h.written))
	}
}

// texts are the contents of all files.
func texts(tree map[string]string) (all []string) {
	for at, content := range tree {
		if !strings.HasSuffix(strings.TrimRight(at, "'"), "/") {
			all = append(all, content)
		}
	}
	slices.Sort(all)
	return all
}

// happen changes something on one side.
func (h *history) happen() {
	files, dirs := h.places()
	local := h.local()
	file, dir := h.pick(files), h.pick(append(dirs, "."))
	switch h.random.IntN(7) {
	case 0:
		if at := path.Join(dir, h.name()); !slices.Contains(dirs, at) {
			h.over(local[at])
			h.edit(at, h.text())
		}
	case 1:
		if file != "" {
			h.over(local[file])
			h.edit(file, h.text())
		}
	case 2:
		to := path.Join(dir, h.name())
		if _, err := os.Lstat(h.on(to)); err != nil && strings.HasPrefix(local[file], "x") {
			h.replacedBy(local[file]) // its document may be gone, with what it replaced
			h.rename(file, to)
		}
	case 3:
		if file != "" && h.random.IntN(3) == 0 {
			h.over(local[file])
			h.remove(file)
		}
	case 4:
		if file != "" {
			h.twin(file, path.Join(dir, fmt.Sprint("twin ", h.written)), local[file])
		}
	default:
		h.happenThere()
	}
}

// twin removes a local file, and writes another one of its size and time. It
// has a name of its own, and keeps it: what nobody knows is compared by name
// and size.
func (h *history) twin(file, to, content string) {
	info, err := os.Stat(h.on(file))
	h.written++
	text := fmt.Sprintf("%0*d", len(content), h.written)
	if err != nil || len(text) > len(content) || content == "" {
		return
	}
	h.over(content)
	h.remove(file)
	h.edit(to, text)
	if h.alive != nil {
		h.alive[text] = true
	}
	assert.NoError(h.t, os.Chtimes(h.on(to), info.ModTime(), info.ModTime()))
}

// happenThere changes something in the service.
func (h *history) happenThere() {
	var files []*record
	parents := []string{""}
	for _, r := range h.records {
		if r.dir {
			parents = append(parents, r.id)
		} else {
			files = append(files, r)
		}
	}
	parent := h.pick(parents)
	if len(files) == 0 || h.random.IntN(4) == 0 {
		h.store(h.insert(h.name(), parent, false), h.text())
		return
	}
	file := files[h.random.IntN(len(files))]
	switch h.random.IntN(8) {
	case 0:
		h.insert(h.name(), parent, true)
	case 6:
		if dir := h.find(parent); dir != nil {
			h.deleteWhole(dir)
		}
	case 7:
		if dir := h.find(parent); dir != nil {
			h.deleteWhole(dir)
			again := h.insert(dir.name, dir.parent, h.random.IntN(3) > 0)
			if !again.dir {
				h.store(again, h.text())
			}
		}
	case 1:
		file.name = h.name()
	case 2:
		file.parent = parent
	case 3:
		h.over(file.content)
		_ = h.delete(file.id)
	case 4:
		if dir := h.find(h.pick(parents)); dir != nil && !h.holds(dir, parent) {
			dir.parent, dir.name = parent, h.name()
		}
	default:
		h.over(file.content)
		h.store(file, h.text())
	}
}

// deleteWhole deletes a folder of the service with everything in it.
func (h *history) deleteWhole(dir *record) {
	for _, r := range slices.Clone(h.records) {
		switch {
		case r.parent != dir.id:
		case r.dir:
			h.deleteWhole(r)
		default:
			h.over(r.content)
			_ = h.delete(r.id)
		}
	}
	_ = h.delete(dir.id)
}

// holds reports that a folder of the service is one, or holds it.
func (h *history) holds(dir *record, id string) bool {
	for id != "" {
		if id == dir.id {
			return true
		}
		id = h.find(id).parent
	}
	return false
}

// places are the files and folders of the local side.
func (h *history) places() (files, dirs []string) {
	for at := range h.local() {
		if dir, isDir := strings.CutSuffix(at, "/"); isDir {
			dirs = append(dirs, dir)
		} else {
			files = append(files, at)
		}
	}
	slices.Sort(files)
	slices.Sort(dirs)
	return files, dirs
}

func (h *history) pick(of []string) string {
	if len(of) == 0 {
		return ""
	}
	return of[h.random.IntN(len(of))]
}

func (h *history) name() string {
	return h.pick([]string{"a", "A", "b.txt", "c.txt", "d", "\u00fc", "u\u0308", "x_y"})
}

// text is one that nobody wrote before.
func (h *history) text() string {
	h.written++
	text := strings.Repeat("x", h.written)
	if h.alive != nil {
		h.alive[text] = true
	}
	return text
}
