package plan_test

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/practicesdk/practice-go/internal/filenames"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// node is a file or folder of one side of a world.
type node struct {
	dir     bool
	content string
	inode   uint64
}

// record is a remote file or folder of a world.
type record struct {
	parent, name, content string
}

// world holds both sides and the base, and executes plans strictly: each step
// must be possible in its turn, and must destroy nothing that the base does not
// know as alike.
type world struct {
	base   map[plan.Key]plan.Entry
	here   map[string]node
	there  map[plan.Key]record
	inodes uint64
	made   int
	told   []string
	bad    string
}

func (w *world) clone() *world {
	return &world{base: maps.Clone(w.base), here: maps.Clone(w.here), there: maps.Clone(w.there), inodes: w.inodes, made: w.made}
}

func (w *world) fail(format string, args ...any) {
	if w.bad == "" {
		w.bad = fmt.Sprintf(format, args...)
	}
}

// version returns the version of a content: in a world each content is one
// version.
func version(content string) string { return "v" + content }

func (w *world) trees() *plan.Trees {
	t := &plan.Trees{Base: maps.Clone(w.base)}
	for _, at := range slices.Sorted(maps.Keys(w.here)) {
		n := w.here[at]
		t.Here = append(t.Here, &plan.Local{Path: at, Dir: n.dir, Digest: n.content, Size: int64(len(n.content)), Inode: n.inode})
	}
	var add func(parent string, depth int)
	keys := slices.SortedFunc(maps.Keys(w.there), func(a, b plan.Key) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	add = func(parent string, depth int) {
		for _, key := range keys {
			if r := w.there[key]; r.parent == parent && depth < 20 {
				t.There = append(t.There, &plan.Remote{
					Key: key, Parent: r.parent, Name: r.name, Version: version(r.content), Size: int64(len(r.content)), Stored: r.content != "",
				})
				if key.Dir {
					add(key.ID, depth+1)
				}
			}
		}
	}
	add("", 0)
	return t
}

// run plans and executes, and returns the number of steps.
func (w *world) run(o plan.Options) int {
	trees := w.trees()
	o.Choices = map[plan.Key]plan.Choice{}
	var p *plan.Plan
	for rounds := 0; ; rounds++ {
		p = plan.Make(trees, o)
		if len(p.Questions)+len(p.Conflicts) == 0 || rounds > 5 {
			break
		}
		for _, key := range p.Questions {
			for _, r := range trees.There {
				if r.Key == key {
					r.Digest = w.there[key].content
				}
			}
		}
		for _, c := range p.Conflicts {
			o.Choices[c.Key] = plan.KeepBoth
		}
	}
	known := maps.Clone(w.base)
	for key, e := range trees.Base { // learned versions
		if e.Version != "" && e.Digest != "" {
			known[key] = e
		}
	}
	made := map[*plan.Step]plan.Key{}
	for _, s := range stepsOf(p) {
		w.told = append(w.told, fmt.Sprintf("%d %v %q→%q name %q in %v %p aside %q", s.Op, s.Key, s.Path, s.To, s.Name, s.In, s.Within, s.Aside))
		w.do(s, known, made)
		if w.bad != "" {
			return 1
		}
	}
	return len(stepsOf(p))
}

// stepsOf returns all steps of a plan in an order of execution.
func stepsOf(p *plan.Plan) []*plan.Step {
	steps := slices.Concat(p.Structure...)
	for _, o := range p.Outcomes {
		if o.Transfer != nil {
			steps = append(steps, o.Transfer)
		}
	}
	for _, o := range p.Drops {
		steps = append(steps, o.Place)
	}
	return steps
}

func (w *world) do(s *plan.Step, known map[plan.Key]plan.Entry, made map[*plan.Step]plan.Key) {
	done := plan.Done{In: s.In.ID}
	if s.Within != nil {
		done.In = made[s.Within].ID
		if done.In == "" {
			w.fail("the folder of %q was not made", s.Path)
		}
	}
	if s.Aside != "" {
		w.move(s.Path, s.Aside)
	}
	switch s.Op {
	case plan.MakeFolder, plan.Create:
		w.made++
		done.Key = plan.Key{Dir: s.Op == plan.MakeFolder, ID: fmt.Sprint("new", w.made)}
		at := s.Path
		if s.Aside != "" {
			at = s.Aside
		}
		content := w.here[at].content
		done.Digest = content
		w.there[done.Key] = record{done.In, s.Name, content}
		made[s] = done.Key
		if n, ok := w.here[at]; !ok || n.dir != done.Key.Dir {
			w.fail("nothing to make of %q", at)
		}
		if done.In != "" {
			if _, ok := w.there[plan.Folder(done.In)]; !ok {
				w.fail("made in no folder")
			}
		}
	case plan.Place:
		w.place(s, done.In)
	case plan.Send:
		r := w.there[s.Key]
		if e := known[s.Key]; s.There.Stored && e.Version != version(r.content) {
			w.fail("a version that the base does not know is replaced there")
		}
		r.content = w.here[s.Path].content
		done.Digest = r.content
		w.there[s.Key] = r
	case plan.Drop:
		r, e := w.there[s.Key], known[s.Key]
		if !s.Key.Dir && (e.Version != version(r.content) || e.Digest != r.content) {
			w.fail("dropped what was never alike")
		}
		for _, other := range w.there {
			if s.Key.Dir && other.parent == s.Key.ID {
				w.fail("dropped a folder that holds something")
			}
		}
		delete(w.there, s.Key)
	default:
		w.doHere(s, known, made, &done)
	}
	plan.After(w.base, s, done)
	for _, e := range w.base {
		if e.Version != "" && e.Digest != "" && e.Version != version(e.Digest) {
			w.fail("noted as alike what is not: %+v", e)
		}
	}
}

func (w *world) place(s *plan.Step, in string) {
	r := w.there[s.Key]
	for at, n := in, 0; at != ""; n++ {
		if at == s.Key.ID || n > 20 {
			w.fail("a folder there is put into itself")
			return
		}
		next, ok := w.there[plan.Folder(at)]
		if !ok {
			w.fail("placed into no folder")
			return
		}
		at = next.parent
	}
	r.parent, r.name = in, s.Name
	w.there[s.Key] = r
}

func (w *world) doHere(s *plan.Step, known map[plan.Key]plan.Entry, made map[*plan.Step]plan.Key, done *plan.Done) {
	there, taken := w.here[s.Path]
	switch s.Op {
	case plan.MakeDir:
		w.free(s.Path)
		w.inodes++
		done.Inode = w.inodes
		w.here[s.Path] = node{dir: true, inode: w.inodes}
		made[s] = s.Key
	case plan.Move:
		w.move(s.Path, s.To)
	case plan.Remove:
		if !taken || there.dir != s.Key.Dir {
			w.fail("nothing to remove at %q", s.Path)
		}
		if e := known[s.Key]; !there.dir && (e.Digest != there.content || e.Version != version(e.Digest)) {
			w.fail("removed what was never alike: %q", there.content)
		}
		for at := range w.here {
			if strings.HasPrefix(at, s.Path+"/") {
				w.fail("removed a folder that holds something")
			}
		}
		delete(w.here, s.Path)
	case plan.Receive:
		r := w.there[s.Key]
		switch {
		case !taken:
			w.free(s.Path)
			w.inodes++
			there.inode = w.inodes
		case there.dir:
			w.fail("received over a folder")
		case known[s.Key].Digest != there.content && r.content != there.content:
			w.fail("replaced what the base does not know: %q", there.content)
		}
		w.here[s.Path] = node{content: r.content, inode: there.inode}
		done.Version, done.Digest, done.Inode = version(r.content), r.content, there.inode
	}
}

// free checks that a path can be created.
func (w *world) free(at string) {
	for other := range w.here {
		if filenames.OnDisk(other) == filenames.OnDisk(at) {
			w.fail("%q is taken", at)
		}
	}
	if dir := path.Dir(at); dir != "." && !w.here[dir].dir {
		w.fail("%q has no folder", at)
	}
}

func (w *world) move(from, to string) {
	moved, ok := w.here[from]
	if !ok {
		w.fail("nothing to move at %q", from)
		return
	}
	delete(w.here, from)
	w.free(to)
	if strings.HasPrefix(to, from+"/") {
		w.fail("%q is moved into itself", from)
	}
	w.here[to] = moved
	for at, n := range maps.Clone(w.here) {
		if rest, inside := strings.CutPrefix(at, from+"/"); inside {
			delete(w.here, at)
			w.here[to+"/"+rest] = n
		}
	}
}

// same returns the difference between both sides, or "".
func (w *world) same() string {
	there := map[string]string{}
	for key, r := range w.there {
		at := plan.BasePath(w.base, w.base[key])
		if e, ok := w.base[key]; !ok || e.Name != r.name || e.Parent != r.parent {
			return fmt.Sprintf("%v is not noted as it is: %+v, %+v", key, e, r)
		}
		if key.Dir {
			at += "/"
		}
		there[at] = r.content
	}
	here := map[string]string{}
	for at, n := range w.here {
		if n.dir {
			at += "/"
		}
		here[at] = n.content
	}
	if !maps.Equal(here, there) || len(w.base) != len(here) {
		return fmt.Sprintf("here %v, there %v, base %v", here, there, w.base)
	}
	return ""
}

func (w *world) String() string {
	return fmt.Sprintf("base %v\nhere %v\nthere %v\nsteps:\n%s", w.base, w.here, w.there, strings.Join(w.told, "\n"))
}

// place is the location of a document in a small world, if it has one.
type place struct{ path, content string }

var smallPaths = []string{"a", "b", "a/x", "b/x"}

// places returns all locations of a document: none, or one of four paths with
// one of two contents.
func places() []place {
	all := []place{{}}
	for _, at := range smallPaths {
		for _, content := range []string{"1", "2"} {
			all = append(all, place{at, content})
		}
	}
	return all
}

// local reports whether a disk can hold both: not two at one path, nor a file
// where the other one needs a folder.
func local(a, b place) bool {
	return a.path == "" || b.path == "" || a.path != b.path && path.Dir(a.path) != b.path && path.Dir(b.path) != a.path
}

// smallWorld returns a world of two documents.
func smallWorld(base, here, there [2]place, inodes bool) *world {
	w := &world{base: map[plan.Key]plan.Entry{}, here: map[string]node{}, there: map[plan.Key]record{}, inodes: 100}
	inode := func(n uint64) uint64 {
		if inodes {
			return n
		}
		return 0
	}
	folder := func(at string) (id string, n uint64) {
		if dir := path.Dir(at); dir != "." {
			return "folder-" + dir, inode(10 + uint64(dir[0]))
		}
		return "", 0
	}
	for i, id := range []string{"one", "two"} {
		if at := base[i]; at.path != "" {
			parent, n := folder(at.path)
			if parent != "" {
				w.base[plan.Folder(parent)] = plan.Entry{Key: plan.Folder(parent), Name: path.Dir(at.path), Alias: path.Dir(at.path), Inode: n}
			}
			w.base[plan.File(id)] = plan.Entry{
				Key: plan.File(id), Parent: parent, Name: path.Base(at.path), Alias: path.Base(at.path),
				Version: version(at.content), Digest: at.content, Inode: inode(uint64(i) + 1),
			}
		}
		if at := here[i]; at.path != "" {
			if dir := path.Dir(at.path); dir != "." {
				_, n := folder(at.path)
				w.here[dir] = node{dir: true, inode: n}
			}
			w.here[at.path] = node{content: at.content, inode: inode(uint64(i) + 1)}
		}
		if at := there[i]; at.path != "" {
			parent, _ := folder(at.path)
			if parent != "" {
				w.there[plan.Folder(parent)] = record{"", path.Dir(at.path), ""}
			}
			w.there[plan.File(id)] = record{parent, path.Base(at.path), at.content}
		}
	}
	return w
}

// A push and a pull of any three trees destroy nothing that the base does not
// know as alike, and converge to one tree, in either order.
func TestEveryTripleOfSmallTreesComesToOneTree(t *testing.T) {
	t.Parallel()
	stride := soak.Times(421, 1)
	var tried atomic.Int64
	t.Cleanup(func() {
		t.Logf("%d triples of small trees were tried, each in two orders, with and without Delete", tried.Load())
	})
	var pairs [][2]place
	for _, one := range places() {
		for _, two := range places() {
			pairs = append(pairs, [2]place{one, two})
		}
	}
	for n, base := range pairs {
		t.Run(fmt.Sprint(base), func(t *testing.T) {
			t.Parallel()
			number := n
			for _, here := range pairs {
				if !local(base[0], base[1]) || !local(here[0], here[1]) {
					continue
				}
				for _, there := range pairs {
					number++
					if number%stride != 0 {
						continue
					}
					for _, inodes := range []bool{true, false} {
						if !tryTriple(t, smallWorld(base, here, there, inodes)) {
							return
						}
						tried.Add(1)
					}
				}
			}
		})
	}
}

func tryTriple(t *testing.T, start *world) bool {
	t.Helper()
	for _, first := range []bool{true, false} {
		for _, remove := range []bool{true, false} {
			w := start.clone()
			for round := range 6 {
				push := first == (round%2 == 0)
				w.told = append(w.told, fmt.Sprintf("-- push %t", push))
				steps := w.run(plan.Options{Push: push, Delete: remove})
				if round >= 4 && steps > 0 {
					w.fail("it does not come to rest")
				}
			}
			if remove && w.bad == "" {
				if differ := w.same(); differ != "" {
					w.fail("both sides differ: %s", differ)
				}
			}
			if w.bad != "" {
				t.Errorf("push first %t, delete %t: %s\nbefore: %v\nafter: %v", first, remove, w.bad, start, w)
				return false
			}
		}
	}
	return true
}

// A document stays at its path when a program saves a file and keeps the former
// one as a backup. In all other cases it follows its inode and content.
func TestWhichDocumentASavedFileIs(t *testing.T) {
	t.Parallel()
	a, b := place{"a", "1"}, place{"b", "2"}
	for rule, test := range map[string]struct {
		base [2]place
		here map[string]node
		want map[string]string // names with contents of the service, by id
	}{
		"a save that keeps a backup": {[2]place{a}, map[string]node{"a": {content: "9", inode: 9}, "a~": {content: "1", inode: 1}},
			map[string]string{"one": "a 9", "new1": "a~ 1"}},
		"a save that keeps two links to the former file": {[2]place{a}, map[string]node{"a": {content: "9", inode: 9}, "a~": {content: "1", inode: 1}, "c": {content: "1", inode: 1}},
			map[string]string{"one": "a 9", "new1": "a~ 1", "new2": "c 1"}},
		"two saves that keep a backup": {[2]place{a, b}, map[string]node{"a": {content: "8", inode: 8}, "a~": {content: "1", inode: 1}, "b": {content: "9", inode: 9}, "b~": {content: "2", inode: 2}},
			map[string]string{"one": "a 8", "two": "b 9", "new1": "a~ 1", "new2": "b~ 2"}},
		"a backup over another document": {[2]place{a, b}, map[string]node{"a": {content: "9", inode: 9}, "b": {content: "1", inode: 1}},
			map[string]string{"one": "b 1", "new1": "a 9"}},
		"a backup at a path of a document, and at a new one": {[2]place{a, b}, map[string]node{"a": {content: "9", inode: 9}, "b": {content: "1", inode: 1}, "c": {content: "1", inode: 1}},
			map[string]string{"one": "b 1", "new1": "a 9", "new2": "c 1"}},
		"a copy of another document in its place": {[2]place{a, b}, map[string]node{"a": {content: "2", inode: 9}, "b": {content: "2", inode: 2}, "c": {content: "1", inode: 1}},
			map[string]string{"one": "c 1", "two": "b 2", "new1": "a 2"}},
		"a move":                       {[2]place{a}, map[string]node{"c": {content: "1", inode: 1}}, map[string]string{"one": "c 1"}},
		"a move over another document": {[2]place{a, b}, map[string]node{"a": {content: "2", inode: 2}}, map[string]string{"two": "a 2"}},
		"a swap":                       {[2]place{a, b}, map[string]node{"a": {content: "2", inode: 2}, "b": {content: "1", inode: 1}}, map[string]string{"one": "b 1", "two": "a 2"}},
		"a save in place":              {[2]place{a}, map[string]node{"a": {content: "9", inode: 1}}, map[string]string{"one": "a 9"}},
		"a save by a rename":           {[2]place{a}, map[string]node{"a": {content: "9", inode: 9}}, map[string]string{"one": "a 9"}},
		"a copy, then an edit":         {[2]place{a}, map[string]node{"a": {content: "9", inode: 1}, "a~": {content: "1", inode: 9}}, map[string]string{"one": "a 9", "new1": "a~ 1"}},
		"a folder in its place":        {[2]place{a}, map[string]node{"a": {dir: true, inode: 9}, "c": {content: "1", inode: 1}}, map[string]string{"one": "c 1", "new1": "a "}},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			w := smallWorld(test.base, test.base, test.base, true)
			w.here = test.here
			w.run(plan.Options{Push: true, Delete: true})
			if w.bad != "" {
				t.Fatal(w.bad)
			}
			got := map[string]string{}
			for key, r := range w.there {
				got[key.ID] = r.name + " " + r.content
			}
			if !maps.Equal(got, test.want) {
				t.Errorf("the service has %v, want %v\n%v", got, test.want, w)
			}
			w.run(plan.Options{Delete: true}) // it learns the versions
			w.run(plan.Options{Push: true, Delete: true})
			if steps := w.run(plan.Options{Delete: true}) + w.run(plan.Options{Push: true, Delete: true}); steps > 0 || w.same() != "" {
				t.Errorf("the next calls do %d steps: %s", steps, w.same())
			}
		})
	}
}
