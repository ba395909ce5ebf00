package mirror

import (
	"os"
	"path"
	"strconv"
	"strings"
)

// leaveHalves leaves alone the copies of local changes that are still the files
// that they are taken from: a process ended while it gave them their names. The
// one that settles the conflict goes on with them, and until then they are no
// files of their own.
func (u *upload) leaveHalves(state *State) {
	numbers := map[string]map[int]bool{} // of the copies that nobody knows, by their folder
	for at, there := range state.Local {
		if n := asideNumber(path.Base(at)); n > 0 && there.Regular && state.Base[at].FileID == "" {
			if numbers[path.Dir(at)] == nil {
				numbers[path.Dir(at)] = map[int]bool{}
			}
			numbers[path.Dir(at)][n] = true
		}
	}
	if len(numbers) == 0 {
		return
	}
	for _, at := range sorted(state.Local) {
		for n := range numbers[path.Dir(at)] {
			aside := path.Join(path.Dir(at), asideName(path.Base(at), n))
			if aside != at && state.Base[aside].FileID == "" && state.Local[aside].Regular && os.SameFile(u.infos[at], u.infos[aside]) {
				u.leave(state, aside)
				delete(state.Local, aside)
				delete(u.infos, aside)
				u.forgo()
				u.add(Result{Path: aside, Action: Ignored})
			}
		}
	}
}

// asideNumber is the n of a name that asideName gave; 0 for any other.
func asideNumber(name string) int {
	at := strings.LastIndex(name, asideMark)
	if at < 0 {
		return 0
	}
	number, _, closed := strings.Cut(name[at+len(asideMark):], ")")
	if closed && number == "" {
		return 1
	}
	n, err := strconv.Atoi(strings.TrimPrefix(number, " "))
	if !closed || err != nil {
		return 0
	}
	return n
}
