package plan

import (
	"path"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// item is one identity across the three trees: what the base, here and there
// have of it, as far as they have it.
type item struct {
	key       Key
	base      *Entry
	here      *Local
	there     *Remote
	baseIn    *item // the folder that held it in the base; nil for the top
	hereIn    *item
	thereIn   *item
	other     bool // it only takes up its name here
	parked    bool // it lies under a name that it has for a moment
	unknown   bool // one side could not be looked at: nothing is done about it
	unread    bool // a folder whose entries there are not all known
	ambiguous bool // several have its name there, and nobody has chosen

	to     *item  // the folder that holds it in the end; nil for the top
	name   string // in the end: here of a pull, there of a push
	remove bool
	needed bool // a folder that has to be made
	state  state
}

// matching finds which entry of the base each file and folder here is.
type matching struct {
	trees *Trees
	items map[Key]*item    // by what the base or the service calls them
	paths map[string]*item // by their path here
	spare map[*item]string // entries that have nothing here yet, with their base path
	fresh map[string]*Local

	listed map[Key]bool // what the service has
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
	m.byParking()
	m.byInode()
	m.byPath()
	m.byForm()
	m.byContent()
	m.folders()
	for it, at := range m.spare {
		if other := m.paths[at]; other != nil && other.other {
			it.unknown = true // nobody can say what a link in its place means
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

func (m *matching) byParking() {
	for it := range m.spare {
		if local := m.fresh[it.base.Parked]; local != nil && local.Dir == it.key.Dir {
			m.take(it, local)
			it.parked = true
		}
	}
}

// byInode finds files by inode and content together: a system gives the inode
// of a removed file to the next one.
func (m *matching) byInode() {
	type identity struct {
		inode  uint64
		digest string
	}
	spare := map[identity]*item{}
	for _, it := range m.sparePaths() {
		local := m.fresh[m.spare[it]] // of several names of one file, its own comes first
		of := identity{it.base.Inode, it.base.here()}
		switch {
		case of.inode == 0 || of.digest == "" || it.key.Dir:
		case local != nil && local.Inode == of.inode && local.Digest == of.digest:
			m.take(it, local)
		case spare[of] == nil:
			spare[of] = it
		}
	}
	for _, at := range m.freshPaths() {
		local := m.fresh[at]
		if it := spare[identity{local.Inode, local.Digest}]; it != nil && !local.Dir && it.here == nil {
			m.take(it, local)
		}
	}
}

func (m *matching) byPath() {
	for _, it := range m.sparePaths() {
		if local := m.fresh[m.spare[it]]; local != nil && local.Dir == it.key.Dir {
			m.take(it, local)
		}
	}
}

// byForm finds what another system has written in another form of Unicode.
func (m *matching) byForm() {
	forms := map[string][]*Local{}
	for _, local := range m.fresh {
		if form := filenames.Form(local.Path); strings.ContainsFunc(form, func(r rune) bool { return r > 0x7f }) {
			forms[form] = append(forms[form], local)
		}
	}
	if len(forms) == 0 {
		return
	}
	for _, it := range m.sparePaths() {
		if same := forms[filenames.Form(m.spare[it])]; len(same) == 1 && same[0].Dir == it.key.Dir && m.fresh[same[0].Path] != nil {
			m.take(it, same[0])
		}
	}
}

// byContent pairs files of one content: first those whose paths have a long end
// in common that no others have, at last any.
func (m *matching) byContent() {
	for tail := 3; tail >= 0; tail-- {
		spare, fresh := map[[2]string][]*item{}, map[[2]string][]*Local{}
		for _, it := range m.sparePaths() {
			if digest := it.base.here(); digest != "" && !it.key.Dir {
				key := [2]string{digest, pathTail(m.spare[it], tail)}
				spare[key] = append(spare[key], it)
			}
		}
		if len(spare) == 0 {
			return
		}
		for _, at := range m.freshPaths() {
			if local := m.fresh[at]; !local.Dir {
				key := [2]string{local.Digest, pathTail(at, tail)}
				fresh[key] = append(fresh[key], local)
			}
		}
		for key, items := range spare {
			locals := fresh[key]
			if tail > 1 && (len(items) != 1 || len(locals) != 1) {
				continue
			}
			for i := range min(len(items), len(locals)) {
				m.take(items[i], locals[i])
			}
		}
	}
}

// folders finds folders that were moved: where most of what they held lies now.
// An empty one is found by its inode.
func (m *matching) folders() {
	for m.voted() {
	}
	inodes, held := map[uint64]*item{}, map[string]bool{}
	for _, it := range m.items {
		held[it.base.Parent] = true
	}
	for it := range m.spare {
		if it.key.Dir && it.base.Inode != 0 && !held[it.key.ID] {
			inodes[it.base.Inode] = it
		}
	}
	for _, at := range m.freshPaths() {
		if local := m.fresh[at]; local.Dir && inodes[local.Inode] != nil {
			m.take(inodes[local.Inode], local)
			delete(inodes, local.Inode)
		}
	}
}

// voted gives folders the paths to which most of what they held was moved, and
// reports whether any was found: what holds them may follow.
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
	for _, it := range m.sparePaths() {
		if local := m.fresh[most(votes[it])]; local != nil {
			m.take(it, local)
			found = true
		}
	}
	return found
}

func (m *matching) isSpare(it *item) bool { _, spare := m.spare[it]; return spare }

// link joins the items of the base and of here with those that hold them.
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

func (m *matching) freshPaths() []string {
	paths := make([]string, 0, len(m.fresh))
	for at := range m.fresh {
		paths = append(paths, at)
	}
	slices.Sort(paths)
	return paths
}

// sparePaths returns the entries that have nothing here yet, by path. Those of
// what the service still has come first: what is gone there may have lost its
// place to another one.
func (m *matching) sparePaths() []*item {
	items := make([]*item, 0, len(m.spare))
	for it := range m.spare {
		items = append(items, it)
	}
	slices.SortFunc(items, func(a, b *item) int {
		if m.listed[a.key] != m.listed[b.key] {
			if m.listed[a.key] {
				return -1
			}
			return 1
		}
		if order := strings.Compare(m.spare[a], m.spare[b]); order != 0 {
			return order
		}
		return strings.Compare(a.key.ID, b.key.ID)
	})
	return items
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
