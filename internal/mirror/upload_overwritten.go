package mirror

import (
	"crypto/sha256"
	"encoding/hex"
)

// overwritten looks for files that were moved over others before their
// documents are deleted: by size and time nothing of that can be seen where
// those are the same.
type overwritten struct {
	*upload
	state   *State
	here    map[[2]int64][]string // files that seem to be as they were, by size and time
	records map[string]*Remote    // files of the service, by key
	sums    map[string]string     // of local files
	stored  map[string]string     // of files of the service, by key
}

// holds reports a file that lies in the place of another one, which has another
// content in the service.
func (o *overwritten) holds(gone *PushGone) (bool, error) {
	size, modTime := gone.Was.looked()
	if gone.Dir || size == 0 || modTime == 0 {
		return false, nil
	}
	o.find()
	for _, at := range o.here[[2]int64{size, modTime}] {
		lost, err := o.there(gone.Was)
		if err != nil {
			return true, err
		}
		if o.sums[at] == "" {
			if o.sums[at], err = o.sumOf(at, o.fsys.Open); err != nil {
				return true, staysErr(err)
			}
		}
		if o.sums[at] != lost {
			continue
		}
		if own, err := o.there(o.state.Base[at]); err != nil || own != lost {
			return true, err
		}
	}
	return false, nil
}

// find sorts what both sides have, once.
func (o *overwritten) find() {
	if o.here != nil {
		return
	}
	o.here, o.records, o.sums, o.stored = map[[2]int64][]string{}, map[string]*Remote{}, map[string]string{}, map[string]string{}
	for _, at := range sorted(o.state.Local) {
		there, e := o.state.Local[at], o.state.Base[at]
		if there.Regular && e.FileID != "" && e.Noted() && !e.Edited(there) {
			key := [2]int64{there.Size, there.ModTime}
			o.here[key] = append(o.here[key], at)
		}
	}
	for i := range o.state.Remote {
		if r := &o.state.Remote[i]; !r.Dir {
			o.records[Key(r.ID)] = r
		}
	}
}

// there is the SHA256 of what the service has of an entry; empty when it has
// another version.
func (o *overwritten) there(e Entry) (string, error) {
	if known := e.content(); known != "" {
		return known, nil
	}
	key := Key(e.FileID)
	sum, read := o.stored[key]
	if r := o.records[key]; !read && r != nil && r.Stored && !e.replaced(r) {
		content := sha256.New()
		if err := o.service.Read(o.ctx, r.ID, r.versionID(), content); err != nil {
			return "", staysErr(err)
		}
		sum = hex.EncodeToString(content.Sum(nil))
		o.stored[key] = sum
	}
	return sum, nil
}
