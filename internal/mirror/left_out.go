package mirror

import (
	"cmp"
	"path"
)

// leftOut finds out which entries of the manifest a filter leaves out that are
// not where it is asked. An entry is left out with everything that was in it.
type leftOut struct {
	base    map[string]Entry
	exclude func(Item) bool
	// met says of an entry of which the filter was asked where it saw it, and
	// its answer.
	met func(at string, e Entry) (seen answer, met bool)
	// name is that of an entry in the paths that the filter sees.
	name  func(at string, e Entry) string
	found map[string]answer // by the path in the manifest
}

// answer is that of a filter about a path.
type answer struct {
	at  string
	out bool
}

// of gives the answer about an entry of the manifest. The filter is asked once
// for each that was not met, and not about what is in a folder that is left
// out.
func (l *leftOut) of(at string) answer {
	if at == "." {
		return answer{}
	}
	seen, known := l.found[at]
	if known {
		return seen
	}
	e := l.base[at]
	if seen, known = l.met(at, e); !known {
		seen = l.of(path.Dir(at))
		seen.at = below(seen.at, l.name(at, e))
		seen.out = seen.out || l.exclude(Item{Path: seen.at, IsDir: e.FileID == "", Size: e.Size})
	}
	l.found[at] = seen
	return seen
}

// below is the path of a name in a folder, as a filter sees it: a name may be
// any text.
func below(in, name string) string {
	if in == "" {
		return name
	}
	return in + "/" + name
}

// leftOutThere is leftOut for a download: its filter sees the names of the
// service.
func (d *download) leftOutThere(state *State) *leftOut {
	paths := map[string]string{} // by the keys of folders
	met := map[identity]answer{}
	for i := range state.Remote {
		r := &state.Remote[i]
		at := below(paths[r.Parent], r.Name)
		if r.Dir {
			paths[Key(r.ID)] = at
		}
		met[r.identity()] = answer{at, r.Skip}
	}
	return &leftOut{
		base: state.Base, exclude: d.Exclude, found: map[string]answer{},
		met: func(_ string, e Entry) (answer, bool) {
			seen, ok := met[e.identity()]
			return seen, ok && (e.FileID != "" || e.FolderID != "")
		},
		name: func(at string, e Entry) string { return cmp.Or(e.Name, path.Base(at)) },
	}
}

// leftOutHere is leftOut for an upload: its filter sees local paths.
func (u *upload) leftOutHere(state *State) *leftOut {
	return &leftOut{
		base: state.Base, exclude: u.Exclude, found: map[string]answer{},
		met: func(at string, _ Entry) (answer, bool) {
			_, there := state.Local[at]
			return answer{at, state.Left[at]}, there || state.Left[at]
		},
		name: func(at string, _ Entry) string { return path.Base(at) },
	}
}
