package mirror

import (
	"strings"
	"unicode/utf8"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// spellings are local paths by the form that they have in common: another
// system may write the same path in another form.
type spellings map[string][]string

func (s *State) spellings() spellings {
	all := spellings{}
	for at := range s.Local {
		if !plain(at) {
			form := filenames.Form(at)
			all[form] = append(all[form], at)
		}
	}
	return all
}

// plain reports a path of which there is one form only.
func plain(at string) bool {
	return !strings.ContainsFunc(at, func(r rune) bool { return r >= utf8.RuneSelf })
}

// other gives the only path that spells another one in its own way, of those
// that are free.
func (s spellings) other(at string, free func(string) bool) (other string, ok bool) {
	if plain(at) {
		return "", false
	}
	for _, spelled := range s[filenames.Form(at)] {
		switch {
		case spelled == at || !free(spelled):
		case ok:
			return "", false
		default:
			other, ok = spelled, true
		}
	}
	return other, ok
}

// respell finds files and folders of the manifest that lie in their place, in
// another form of their path.
func (l *located) respell(spelled spellings) {
	if len(spelled) == 0 {
		return
	}
	for at, e := range l.base {
		if _, there := l.local[at]; there || e.FileID == "" && e.FolderID == "" {
			continue
		}
		isDir := e.FolderID != ""
		other, ok := spelled.other(at, func(other string) bool {
			return !l.base[other].Known() && l.local[other].Dir == isDir
		})
		switch {
		case ok && isDir:
			l.dirs[at] = other
		case ok:
			l.files[at] = other
		}
	}
}
