package plan

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// item is one file or folder in the three trees. base, here and there are nil
// if the tree does not contain it.
type item struct {
	key     Key
	base    *Entry
	at      string // local path according to the base
	here    *Local
	local   string // local name; for a parked item the name before parking
	there   *Remote
	baseIn  *item // its folder according to the base; nil for the mirrored folder
	hereIn  *item
	thereIn *item
	other   bool // a local link or device: it only occupies its name
	parked  bool // it has a temporary local name
	unknown bool // one side could not be read, so no step is planned for it

	to     *item  // its folder after the plan; nil for the mirrored folder
	name   string // name after the plan: the local name in a pull, the remote name in a push
	remove bool
	needed bool // it must be created remotely
	state  state
}

// matching finds the entry of the base for each local file and folder.
type matching struct {
	trees   *Trees
	items   map[Key]*item    // items by their key in the base or the service
	entries []*item          // items in the base
	paths   map[string]*item // items by their local path
	locals  map[string]*Local
}

// match returns the items of the three trees. A local file belongs to the entry
// with its content and inode, otherwise to the entry with its path, otherwise
// to one with its content. A file that was saved beside a backup belongs to the
// entry with its path.
func match(trees *Trees) *matching {
	m := &matching{trees: trees, items: map[Key]*item{}, paths: map[string]*item{}, locals: map[string]*Local{}}
	for key, entry := range trees.Base {
		it := &item{key: key, base: &entry, at: BasePath(trees.Base, entry)}
		m.items[key], m.entries = it, append(m.entries, it)
	}
	for _, r := range trees.There {
		if m.items[r.Key] == nil {
			m.items[r.Key] = &item{key: r.Key}
		}
		m.items[r.Key].there = r
	}
	for _, local := range trees.Here {
		if m.locals[local.Path] = local; local.Other {
			m.paths[local.Path] = &item{here: local, other: true}
		}
	}
	m.files()
	m.folders()
	m.link()
	return m
}

func (m *matching) take(it *item, local *Local) { it.here, m.paths[local.Path] = local, it }

// by pairs entries with unpaired local files and folders that have the same
// key. An empty key pairs nothing. With only, a key that several items share
// pairs nothing.
func (m *matching) by(only bool, ofEntry func(*item) string, ofLocal func(*Local) string) {
	type key struct {
		dir  bool
		text string
	}
	spare, fresh := map[key][]*item{}, map[key][]*Local{}
	for _, it := range m.entries {
		if it.here == nil {
			if of := (key{it.key.Dir, ofEntry(it)}); of.text != "" {
				spare[of] = append(spare[of], it)
			}
		}
	}
	if len(spare) == 0 {
		return
	}
	for _, local := range m.trees.Here {
		if m.paths[local.Path] == nil {
			if of := (key{local.Dir, ofLocal(local)}); spare[of] != nil {
				fresh[of] = append(fresh[of], local)
			}
		}
	}
	for of, locals := range fresh {
		items := spare[of]
		if only && (len(items) > 1 || len(locals) > 1) {
			continue
		}
		slices.SortFunc(items, order)
		for i := range min(len(items), len(locals)) {
			m.take(items[i], locals[i])
		}
	}
}

// order sorts entries by path. Entries that the service still lists come first,
// because a new entry may have replaced one that the service no longer has.
func order(a, b *item) int {
	if (a.there == nil) != (b.there == nil) {
		if b.there == nil {
			return -1
		}
		return 1
	}
	return cmp.Or(strings.Compare(a.at, b.at), strings.Compare(a.key.ID, b.key.ID))
}

// files pairs files and folders by inode, path and content. An inode counts
// only together with the content, because systems reuse inodes.
func (m *matching) files() {
	pathOf := func(l *Local) string { return l.Path }
	m.by(false, func(it *item) string { return it.base.Parked }, pathOf)
	for _, it := range m.entries {
		it.parked = it.here != nil
	}
	m.saved()
	// Of several hard links to a file, the one with the known path comes first.
	m.by(false, func(it *item) string { return identity(it.base.Inode, it.base.here(), it.at) },
		func(l *Local) string { return identity(l.Inode, l.Digest, l.Path) })
	m.by(false, func(it *item) string { return identity(it.base.Inode, it.base.here(), "") },
		func(l *Local) string { return identity(l.Inode, l.Digest, "") })
	m.by(false, func(it *item) string { return it.at }, pathOf)
	// Another system may have written the name in another Unicode form.
	m.by(true, func(it *item) string { return filenames.Form(it.at) }, func(l *Local) string { return filenames.Form(l.Path) })
	// Files with the same content: first those that share a unique end of their
	// paths, the longest first, then any.
	content := func(digest, at string, tail int) string {
		if digest == "" {
			return ""
		}
		elements := strings.Split(at, "/")
		return digest + path.Join(elements[max(0, len(elements)-tail):]...)
	}
	for tail := 3; tail >= 0; tail-- {
		m.by(tail > 1, func(it *item) string { return content(it.base.here(), it.at, tail) },
			func(l *Local) string { return content(l.Digest, l.Path, tail) })
	}
}

// identity returns an inode with the content and the path of its file, or "" if
// one of the first two is unknown.
func identity(inode uint64, digest, at string) string {
	if inode == 0 || digest == "" {
		return ""
	}
	return strconv.FormatUint(inode, 10) + " " + digest + " " + at
}

// saved pairs documents with the files at their paths that a program has saved
// beside a backup: the content is that of no document, and the former file lies
// at a path that had no document.
func (m *matching) saved() {
	contents, paths, backups := map[string]bool{"": true}, map[string]bool{}, map[string]bool{}
	for _, it := range m.entries {
		contents[it.base.Digest], contents[it.base.Sent], paths[it.at] = true, true, true
	}
	for _, local := range m.trees.Here {
		if id := identity(local.Inode, local.Digest, ""); id != "" && m.paths[local.Path] == nil {
			others, several := backups[id]
			backups[id] = !paths[local.Path] && (others || !several)
		}
	}
	m.by(false, func(it *item) string {
		if backups[identity(it.base.Inode, it.base.here(), "")] {
			return it.at
		}
		return ""
	}, func(l *Local) string {
		if contents[l.Digest] {
			return ""
		}
		return l.Path
	})
}

// folders finds moved folders by the new location of most of their entries, and
// empty ones by inode.
func (m *matching) folders() {
	for m.voted() {
	}
	held := map[string]bool{}
	for _, it := range m.entries {
		held[it.base.Parent] = true
	}
	m.by(false, func(it *item) string {
		if !it.key.Dir || it.base.Inode == 0 || held[it.key.ID] {
			return ""
		}
		return strconv.FormatUint(it.base.Inode, 10)
	}, func(l *Local) string { return strconv.FormatUint(l.Inode, 10) })
}

// voted pairs folders with the paths to which most of their entries were moved.
// It reports whether it paired any, because their parent folders may then be
// paired as well.
func (m *matching) voted() (found bool) {
	votes := map[*item]map[string]int{}
	for _, it := range m.entries {
		in := m.items[Folder(it.base.Parent)]
		if it.here == nil || in == nil || in.base == nil || in.here != nil || path.Base(it.here.Path) != it.base.Alias {
			continue
		}
		if dir := path.Dir(it.here.Path); m.paths[dir] == nil && m.locals[dir] != nil {
			if votes[in] == nil {
				votes[in] = map[string]int{}
			}
			votes[in][dir]++
		}
	}
	for _, it := range slices.SortedFunc(maps.Keys(votes), order) {
		dirs := votes[it]
		most := slices.MaxFunc(slices.Sorted(maps.Keys(dirs)), func(a, b string) int { return cmp.Compare(dirs[a], dirs[b]) })
		if m.paths[most] == nil {
			m.take(it, m.locals[most])
			found = true
		}
	}
	return found
}

// link creates items for the remaining local files and folders, and sets the
// folders of all items.
func (m *matching) link() {
	for at, local := range m.locals {
		if m.paths[at] == nil {
			m.paths[at] = &item{key: Key{Dir: local.Dir}, here: local}
		}
	}
	for _, it := range m.entries {
		it.baseIn = m.items[Folder(it.base.Parent)]
		if it.here == nil { // a link at its path does not show whether the file still exists
			inPlace := m.paths[it.at]
			it.unknown = inPlace != nil && inPlace.other || it.at != "" && m.hidden(it.at)
		}
	}
	for at, it := range m.paths {
		it.unknown = it.unknown || m.hidden(at)
		if it.hereIn, it.local = m.paths[path.Dir(at)], path.Base(at); it.parked {
			it.hereIn, it.local = it.baseIn, it.base.Alias
			if in := it.baseIn; in != nil && in.here == nil && in.there == nil {
				it.hereIn = nil
			}
		}
	}
	for _, it := range m.items {
		it.unknown = it.unknown || m.trees.ThereUnknown[it.key]
		if it.there != nil {
			it.thereIn = m.items[Folder(it.there.Parent)]
		}
	}
}

func (m *matching) hidden(at string) bool {
	return m.trees.HereUnknown != nil && m.trees.HereUnknown(at)
}
