package practicetest

import (
	"errors"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"
)

// fileVersion is an uploaded version of a file. The object store holds its
// content under key.
type fileVersion struct {
	id   string
	key  string
	size int64
}

// document returns the id of the version in histories and previews. It begins
// with the id of the file.
func (v *fileVersion) document(file *record) string {
	return file.id + "-" + strings.ReplaceAll(v.id, "-", "")
}

// current returns the current version of a file, or nil if nothing was
// uploaded.
func current(r *record) *fileVersion {
	all := keptOf(r).versions
	if len(all) == 0 {
		return nil
	}
	return &all[len(all)-1]
}

// versionOf returns the version that has id as its id or as its document id, or
// nil.
func versionOf(r *record, id string) *fileVersion {
	all := keptOf(r).versions
	known := func(v fileVersion) bool { return v.id == sameID(id) || v.document(r) == strings.ToLower(id) }
	if i := slices.IndexFunc(all, known); i >= 0 {
		return &all[i]
	}
	return nil
}

// uploadTo creates a pre-signed address for uploading a new version of a file.
func (s *Server) uploadTo(c *call, file string) (fields, error) {
	version := s.state.newID("version of a file")
	key := c.account.id + "/" + file + "/" + version
	s.uploads[key] = upload{account: c.account, file: file, version: version, number: len(s.uploads)}
	address, expiry, err := s.address(c.now, http.MethodPut, key, "")
	return fields{"fileId": file, "uploadUrl": address, "expiry": expiry}, err
}

// upload responds with an address for uploading a new version of a file.
func (s *Server) upload(c *call, file string) (answer, error) {
	to, err := s.uploadTo(c, file)
	return s.object(c, to), err
}

// upload is an address that was issued for uploading a version.
type upload struct {
	account *account
	file    string
	version string
	number  int    // sequence number
	source  string // source of the event; empty for uploads through the API
	came    bool   // whether content was uploaded
	size    int64  // size of the uploaded content
}

// stored records that an object was uploaded. Its content becomes the current
// version of the file.
func (s *Server) stored(key string, size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep(key, size)
}

// keep does what stored does, for callers that hold the lock. The content takes
// effect after the delay of the consistency, as writes do. If the file is not
// visible yet, the content waits for it. Content for a deleted file, or a file
// whose create failed, is ignored.
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

// bind adds uploaded content as a version of its file.
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

// with returns a copy of all with the version one. It replaces the version with
// the same id if there is one.
func with(all []fileVersion, one fileVersion) []fileVersion {
	all = slices.Clone(all)
	if i := slices.IndexFunc(all, func(v fileVersion) bool { return v.id == one.id }); i >= 0 {
		all[i] = one
		return all
	}
	return append(all, one)
}

// upload handles getFileUpload. It also works for a file whose create is
// accepted but not visible yet.
func (d *documents) upload(s *Server, c *call) (answer, error) {
	id := sameID(c.value("fileId"))
	_, err := s.tx(c).find(d.files, id, []string{sameID(c.value("matterId"))})
	if pending := (*pendingError)(nil); err != nil && !errors.As(err, &pending) {
		return nil, err
	}
	return s.upload(c, id)
}

// versionAsked returns the file in the path and the version with the id, or its
// current version if id is empty.
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

// FileContent returns the content of the current version of a file. It returns
// false if there is no such file or if no content was uploaded.
func (s *Server) FileContent(fileID string) ([]byte, bool) {
	if s.outside != nil && s.collect(s.host.Life, fileID) != nil {
		return nil, false
	}
	key, ok := s.currentKey(fileID)
	if !ok || s.outside == nil {
		return s.store.Get(key)
	}
	content, err := s.outside.Get(s.host.Life, key)
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
	} else if err := s.outside.Put(s.host.Life, key, content); err != nil {
		s.misuse("practicetest: SetFileContent: the object store rejected the content: %v", err)
		return false
	}
	s.stored(key, int64(len(content)))
	return true
}

// newVersion registers an upload of a new version by the vendor's own
// application and returns its key in the object store.
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
