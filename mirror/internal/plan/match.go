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

// item is one identity across the three trees. A tree that does not have it is
// nil.
type item struct {
	key     Key
	base    *Entry
	here    *Local
	there   *Remote
	baseIn  *item // the folder that held it in the base; nil for the top
	hereIn  *item
	thereIn *item
	other   bool // a local link or device, which only occupies its name
	parked  bool // it has a temporary local name
	unknown bool // one side could not be read: no step is planned for it
	unread  bool // a folder whose remote entries are not all known

	to     *item  // the folder that holds it in the end; nil for the top
	name   string // after the plan: the local name of a pull, the remote name of a push
	remove bool
	needed bool // a folder that has to be made
	state  state
}

// matching finds the entry of the base for each local file and folder.
type matching struct {
	trees *Trees
	items map[Key]*item    // items by their key in the base or the service
	paths map[string]*item // items by their local path
	spare map[*item]string // entries without a local item so far, with their base path
	fresh map[string]*Local

	listed map[Key]bool // keys that the service lists
}

// match returns the items of the three trees. A file is the entry whose content
// and inode it has, else the one of its path, else one of the same content.
func match(trees *Trees) *matching {
	m := &matching{trees: trees, items: map[Key]*item{}, paths: map[string]*item{}, spare: map[*item]string{}, fresh: map[string]*Local{}, listed: map[Key]bool{}}
	for i := range trees.There {
		m.listed[trees.There[i].Key] = true
	}
	for key, entry := range trees.Base {
		it := &item{key: key, base: &entry}
		m.items[key], m.spare[it] = it, BasePath(trees.Base, entry)
	}
	for i := range trees.Here {
		if local := &trees.Here[i]; local.Other {
			m.paths[local.Path] = &item{here: local, other: true}
		} else {
			m.fresh[local.Path] = local
		}
	}
	m.files()
	m.folders()
	for it, at := range m.spare {
		if other := m.paths[at]; other != nil && other.other {
			it.unknown = true // a link in its place has no known meaning
		}
	}
	for at, local := range m.fresh {
		m.paths[at] = &item{key: Key{Dir: local.Dir}, here: local, unknown: trees.HereUnknown != nil && trees.HereUnknown(at)}
	}
	m.link()
	return m
}

func (m *matching) take(it *item, local *Local) {
	it.here = local
	m.paths[local.Path] = it
	delete(m.spare, it)
	delete(m.fresh, local.Path)
}

// by pairs entries with local files and folders that have the same key; an
// empty key pairs nothing. With only, no other item may have the key.
func (m *matching) by(only bool, ofEntry func(it *item, at string) string, ofLocal func(*Local) string) {
	type key struct {
		dir  bool
		text string
	}
	spare, fresh := map[key][]*item{}, map[key][]*Local{}
	for it, at := range m.spare {
		if of := (key{it.key.Dir, ofEntry(it, at)}); of.text != "" {
			spare[of] = append(spare[of], it)
		}
	}
	if len(spare) == 0 {
		return
	}
	for _, local := range m.fresh {
		if of := (key{local.Dir, ofLocal(local)}); spare[of] != nil {
			fresh[of] = append(fresh[of], local)
		}
	}
	for of, locals := range fresh {
		items := spare[of]
		if only && (len(items) > 1 || len(locals) > 1) {
			continue
		}
		slices.SortFunc(items, m.order)
		slices.SortFunc(locals, func(a, b *Local) int { return strings.Compare(a.Path, b.Path) })
		for i := range min(len(items), len(locals)) {
			m.take(items[i], locals[i])
		}
	}
}

// files finds files and folders by inode, path and content. An inode counts
// together with the content: a system reuses inodes of removed files.
func (m *matching) files() {
	pathOf := func(l *Local) string { return l.Path }
	m.by(false, func(it *item, _ string) string { return it.base.Parked }, pathOf)
	for _, it := range m.items {
		it.parked = it.here != nil
	}
	identity := func(inode uint64, digest, at string) string {
		if inode == 0 || digest == "" {
			return ""
		}
		return strconv.FormatUint(inode, 10) + " " + digest + " " + at
	}
	// Of several names of one file, its own comes first.
	m.by(false, func(it *item, at string) string { return identity(it.base.Inode, it.base.here(), at) },
		func(l *Local) string { return identity(l.Inode, l.Digest, l.Path) })
	m.by(false, func(it *item, _ string) string { return identity(it.base.Inode, it.base.here(), "") },
		func(l *Local) string { return identity(l.Inode, l.Digest, "") })
	m.by(false, func(_ *item, at string) string { return at }, pathOf)
	// Another system may have written a name in another form of Unicode.
	m.by(true, func(_ *item, at string) string { return filenames.Form(at) }, func(l *Local) string { return filenames.Form(l.Path) })
	// Files of one content: first those whose paths have a long end in common
	// that no others have, at last any.
	content := func(digest, at string, tail int) string {
		if digest == "" {
			return ""
		}
		return digest + pathTail(at, tail)
	}
	for tail := 3; tail >= 0; tail-- {
		m.by(tail > 1, func(it *item, at string) string { return content(it.base.here(), at, tail) },
			func(l *Local) string { return content(l.Digest, l.Path, tail) })
	}
}

// folders finds moved folders by the new place of most of their entries, empty
// ones by inode.
func (m *matching) folders() {
	for m.voted() {
	}
	held := map[string]bool{}
	for _, it := range m.items {
		held[it.base.Parent] = true
	}
	m.by(false, func(it *item, _ string) string {
		if !it.key.Dir || it.base.Inode == 0 || held[it.key.ID] {
			return ""
		}
		return strconv.FormatUint(it.base.Inode, 10)
	}, func(l *Local) string { return strconv.FormatUint(l.Inode, 10) })
}

// voted pairs folders with the paths to which most of their entries were moved.
// It reports whether it found any: their own holders may follow.
func (m *matching) voted() (found bool) {
	votes := map[*item]map[string]int{}
	for _, it := range m.items {
		in := m.items[Folder(it.base.Parent)]
		if it.here == nil || in == nil || !m.isSpare(in) || path.Base(it.here.Path) != it.base.Alias {
			continue
		}
		if local := m.fresh[path.Dir(it.here.Path)]; local != nil && local.Dir {
			if votes[in] == nil {
				votes[in] = map[string]int{}
			}
			votes[in][local.Path]++
		}
	}
	for _, it := range slices.SortedFunc(maps.Keys(votes), m.order) {
		if local := m.fresh[most(votes[it])]; local != nil {
			m.take(it, local)
			found = true
		}
	}
	return found
}

func (m *matching) isSpare(it *item) bool { _, spare := m.spare[it]; return spare }

// link sets the folders that hold the items in the base and locally.
func (m *matching) link() {
	for _, it := range m.items {
		it.baseIn = m.items[Folder(it.base.Parent)]
		at := m.spare[it]
		if it.here != nil {
			at = it.here.Path
		}
		it.unknown = it.unknown || m.trees.HereUnknown != nil && at != "" && m.trees.HereUnknown(at)
	}
	for at, it := range m.paths {
		if it.hereIn = m.paths[path.Dir(at)]; it.parked {
			it.hereIn = it.baseIn
		}
	}
}

// order sorts entries without a local item by path. Entries that the service
// still lists come first: another entry may have taken the place of an entry
// that the service has no more.
func (m *matching) order(a, b *item) int {
	if m.listed[a.key] != m.listed[b.key] {
		if m.listed[a.key] {
			return -1
		}
		return 1
	}
	return cmp.Or(strings.Compare(m.spare[a], m.spare[b]), strings.Compare(a.key.ID, b.key.ID))
}

// pathTail returns the last n elements of a path.
func pathTail(at string, n int) string {
	from := len(at)
	for ; n > 0 && from > 0; n-- {
		from = strings.LastIndexByte(at[:from], '/')
		from = max(from, 0)
	}
	return at[from:]
}

// most returns the path with the most votes, the first one of several.
func most(votes map[string]int) (best string) {
	for at, n := range votes {
		if best == "" || n > votes[best] || n == votes[best] && at < best {
			best = at
		}
	}
	return best
}
