package mirror

import (
	"path"
	"slices"
	"sort"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// moves say whether a local file has the content of an entry of the manifest
// that is not in its place any more. Size and time are those of any file that
// was written in the same moment. Until an answer is there it is yes, and the
// question is kept for learn.
type moves struct {
	local   map[string][]string // local files to be read, and the entries that ask
	entries map[string]string   // entries to be read from the service, and the local files that ask
	sums    map[string]string   // of local files
	unknown map[string]bool     // entries whose content nobody can tell
	trusted map[string]bool     // entries of which nothing could be learnt: their files fail, or wait
	closed  bool                // a record is needed that only a list has
}

func newMoves() *moves {
	return &moves{
		local: map[string][]string{}, entries: map[string]string{}, sums: map[string]string{},
		unknown: map[string]bool{}, trusted: map[string]bool{},
	}
}

// same reports a local file that has the content of an entry, as far as that is
// known.
func (m *moves) same(e Entry, to string) bool {
	size, _ := e.looked()
	sum, read := m.sums[to]
	switch want := e.content(); {
	case size == 0 || e.Lies == to || m.trusted[e.Path]:
		return true
	case m.unknown[e.Path]:
		return false
	case want != "" && read:
		return want == sum
	case want == "":
		m.entries[e.Path] = to
	}
	if !read {
		m.local[to] = append(m.local[to], e.Path)
	}
	return true
}

// pair joins files that were moved. One that has its name, and is the only one
// of it, is the one; of any other the content tells, and of several that look
// alike those belong together that end alike.
func (l *located) pair(from, to []string) {
	slices.Sort(from)
	slices.Sort(to)
	if len(from) == 1 && len(to) == 1 {
		if filenames.SameForm(path.Base(from[0]), path.Base(to[0])) || l.moves.same(l.base[from[0]], to[0]) {
			l.files[from[0]] = to[0]
		}
		return
	}
	type couple struct {
		from, to string
		alike    int
	}
	named, rivals := map[string][]string{}, map[string]int{}
	for _, t := range to {
		named[path.Base(t)] = append(named[path.Base(t)], t)
	}
	var couples []couple
	for _, f := range from {
		rivals[path.Base(f)]++
		for _, t := range named[path.Base(f)] {
			couples = append(couples, couple{f, t, tail(f, t)})
		}
	}
	sort.SliceStable(couples, func(i, j int) bool { return couples[i].alike > couples[j].alike })
	taken := map[string]bool{}
	for _, c := range couples {
		if _, done := l.files[c.from]; done || taken[c.to] {
			continue
		}
		name := path.Base(c.from)
		if rivals[name] == 1 && len(named[name]) == 1 || l.moves.same(l.base[c.from], c.to) {
			l.files[c.from], taken[c.to] = c.to, true
		}
	}
}
