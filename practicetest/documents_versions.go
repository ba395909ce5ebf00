package practicetest

import (
	"errors"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"
)

// fileVersion is an uploaded version of a file; the last one is the current
// one. Its bytes lie in the object store.
type fileVersion struct {
	id   string
	key  string
	size int64
}

// document returns the id of the version in the histories and previews: that of
// the file, followed by more.
func (v *fileVersion) document(file *record) string {
	return file.id + "-" + strings.ReplaceAll(v.id, "-", "")
}

// current returns the version of a file that is there to be read, or nil.
func current(r *record) *fileVersion {
	all := keptOf(r).versions
	if len(all) == 0 {
		return nil
	}
	return &all[len(all)-1]
}

// versionOf returns a version by either of its ids, or nil.
func versionOf(r *record, id string) *fileVersion {
	all := keptOf(r).versions
	known := func(v fileVersion) bool { return v.id == sameID(id) || v.document(r) == strings.ToLower(id) }
	if i := slices.IndexFunc(all, known); i >= 0 {
		return &all[i]
	}
	return nil
}

// uploadTo returns a pre-signed address for a new version of a file.
func (s *Server) uploadTo(c *call, file string) (fields, error) {
	version := s.state.newID("version of a file")
	key := c.account.id + "/" + file + "/" + version
	s.uploads[key] = upload{account: c.account, file: file, version: version, number: len(s.uploads)}
	address, expiry, err := s.address(c.now, http.MethodPut, key, "")
	return fields{"fileId": file, "uploadUrl": address, "expiry": expiry}, err
}

// upload answers such an address.
func (s *Server) upload(c *call, file string) (answer, error) {
	to, err := s.uploadTo(c, file)
	return s.object(c, to), err
}

// upload is a version that may arrive at the object store.
type upload struct {
	account *account
	file    string
	version string
	number  int    // counts the addresses
	source  string // of its event; empty for the interface
	came    bool   // something was stored at the address
	size    int64  // of that
}

// stored makes an uploaded object the current version of its file.
func (s *Server) stored(key string, size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep(key, size)
}

// keep does the work of stored under the lock. Content of a file that is not
// visible yet waits for it; the file of a failed write and a deleted file never
// take it. It takes effect after the delay of the consistency, as a write does.
func (s *Server) keep(key string, size int64) {
	u, known := s.uploads[key]
	if !known {
		return
	}
	now := s.clock.Now().UTC()
	s.settleDue(now)
	u.came, u.size = true, size
	s.uploads[key] = u
	due := now
	if u.source == "" && s.state.consistency.MaxDelay > 0 {
		due = now.Add(s.delay())
	}
	s.later(due, now, func(now time.Time) { s.bind(u, key, now) })
}

// bind makes received content a version of its file.
func (s *Server) bind(u upload, key string, now time.Time) {
	place := s.state.slot(s.catalog.byTarget["files"], u.file)
	switch {
	case place == nil, place.Now != nil && place.Now.deleted:
	case place.Now == nil:
		s.arrived[u.file] = with(s.arrived[u.file], fileVersion{u.version, key, u.size})
	default:
		owner := place.Now.fields.str("ownerId")
		t := &tx{server: s, account: u.account, now: now, from: cause{accountID: u.account.id, userID: owner, link: s.linkerFor(""), source: u.source}}
		r, p := t.edit(place.Now), keptOf(place.Now)
		p.versions = with(p.versions, fileVersion{u.version, key, u.size})
		r.data, r.fields["dateModified"] = p, now
		t.put(r, updated)
		t.commit()
	}
}

// with adds a version, or replaces the earlier one of the same address.
func with(all []fileVersion, one fileVersion) []fileVersion {
	all = slices.Clone(all)
	if i := slices.IndexFunc(all, func(v fileVersion) bool { return v.id == one.id }); i >= 0 {
		all[i] = one
		return all
	}
	return append(all, one)
}

// upload answers an address for another version. A file that was accepted has
// one before it is visible.
func (d *documents) upload(s *Server, c *call) (answer, error) {
	id := sameID(c.value("fileId"))
	_, err := s.tx(c).find(d.files, id, []string{sameID(c.value("matterId"))})
	if pending := (*pendingError)(nil); err != nil && !errors.As(err, &pending) {
		return nil, err
	}
	return s.upload(c, id)
}

// versionAsked returns the file of a path and one of its versions, the current
// one without an id.
func (d *documents) versionAsked(s *Server, c *call, id string) (*record, *fileVersion, error) {
	f, err := s.tx(c).read(d.files, c.value("fileId"), []string{sameID(c.value("matterId"))})
	if err != nil {
		return nil, nil, err
	}
	version := current(f)
	if id != "" {
		version = versionOf(f, id)
	}
	if version == nil {
		return nil, nil, notFound("uploaded version of the file")
	}
	return f, version, nil
}

func (d *documents) download(s *Server, c *call) (answer, error) {
	f, version, err := d.versionAsked(s, c, c.query["versionId"])
	if err != nil {
		return nil, err
	}
	name, extension := f.fields.str("name"), f.fields.str("fileExtension")
	saveAs := mime.FormatMediaType("attachment", map[string]string{"filename": name + extension})
	address, expiry, err := s.address(c.now, http.MethodGet, version.key, saveAs)
	return s.object(c, fields{
		"fileId": f.id, "downloadUrl": address, "expiry": expiry, "sizeBytes": version.size, "name": name, "fileExtension": extension,
	}), err
}

// FileContent returns the bytes of the current version of a file, and false
// when nothing was uploaded.
func (s *Server) FileContent(fileID string) ([]byte, bool) {
	if s.outside != nil && s.collect(s.host.life, fileID) != nil {
		return nil, false
	}
	key, ok := s.currentKey(fileID)
	if !ok || s.outside == nil {
		return s.store.Get(key)
	}
	content, err := s.outside.Get(s.host.life, key)
	return content, err == nil
}

func (s *Server) currentKey(fileID string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	place, all := s.state.lookUp(s.catalog.byTarget["files"], fileID), s.arrived[fileID]
	if place != nil && place.Now != nil {
		all = keptOf(place.Now).versions
	}
	if len(all) == 0 {
		return "", false
	}
	return all[len(all)-1].key, true
}

// SetFileContent makes content the current version of a file, as a user of the
// vendor's own application would. It returns false if there is no such file.
func (s *Server) SetFileContent(fileID string, content []byte) bool {
	key, known := s.newVersion(fileID)
	if !known {
		return false
	}
	if s.outside == nil {
		s.store.Put(key, slices.Clone(content))
	} else if err := s.outside.Put(s.host.life, key, content); err != nil {
		s.misuse("practicetest: SetFileContent: the object store does not take it: %v", err)
		return false
	}
	s.stored(key, int64(len(content)))
	return true
}

// newVersion returns the key of a version that the vendor's own application
// stores.
func (s *Server) newVersion(fileID string) (key string, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	place := s.state.lookUp(s.catalog.byTarget["files"], fileID)
	if place == nil || place.Now != nil && place.Now.deleted {
		return "", false
	}
	version := s.state.newID("version of a file")
	key = place.At.account.id + "/" + sameID(fileID) + "/" + version
	s.uploads[key] = upload{account: place.At.account, file: sameID(fileID), version: version, number: len(s.uploads), source: applicationSource}
	return key, true
}
