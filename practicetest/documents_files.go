package practicetest

import (
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"path"
	"slices"
	"time"
)

// fileVersion is an uploaded version of a file; the last one is the current one. Its
// bytes lie in the object store.
type fileVersion struct {
	id   string
	key  string
	size int64
}

func versionsOf(r *record) []fileVersion {
	all, _ := r.data.([]fileVersion)
	return all
}

// current is the version of a file that is there to be read, or nil.
func current(r *record) *fileVersion {
	all := versionsOf(r)
	if len(all) == 0 {
		return nil
	}
	return &all[len(all)-1]
}

func versionOf(r *record, id string) *fileVersion {
	all := versionsOf(r)
	if i := slices.IndexFunc(all, func(v fileVersion) bool { return v.id == sameID(id) }); i >= 0 {
		return &all[i]
	}
	return nil
}

// place is an address that stands alone; it is empty in the root folder.
type place []string

// fileMembers are what follows from where a file lies and what was uploaded.
func fileMembers(r *record) fields {
	matter := r.above[0]
	f := fields{
		"versionId": nil, "sizeBytes": 0, "folder": place{}, "matter": place{"matters", matter},
		"downloadInfo": place(append(r.of.at(matter, r.id), "download")),
	}
	if in := r.fields.str("in"); in != "" {
		f["folder"] = place{"matters", matter, "documents", "folders", in}
	}
	if v := current(r); v != nil {
		f["versionId"], f["sizeBytes"], f["isUploaded"] = v.id, v.size, true
	}
	return f
}

type wireUpload struct {
	FileID    string `json:"fileId"`
	UploadURL string `json:"uploadUrl"`
	Expiry    string `json:"expiry"`
}

type wireDownload struct {
	FileID        string `json:"fileId"`
	DownloadURL   string `json:"downloadUrl"`
	Expiry        string `json:"expiry"`
	SizeBytes     int64  `json:"sizeBytes"`
	Name          string `json:"name"`
	FileExtension string `json:"fileExtension"`
}

// splitName takes the extension, with its dot, off a file name.
func splitName(fileName string) (name, extension string) {
	extension = path.Ext(fileName)
	if extension == fileName {
		return fileName, ""
	}
	return fileName[:len(fileName)-len(extension)], extension
}

// createFile is the first of the two steps of adding a file; the second is a PUT to
// the address it answers.
func (d *documents) createFile(s *Server, c *call) (answer, error) {
	matter, id := sameID(c.value("matterId")), s.state.idFor(c, d.files.path)
	s.state.reserve(d.files, id, c.account, []string{matter})
	way, folder, members := member[string](c, "folderPath"), sameID(member[string](c, "folderId")), newFile(c)
	w := &write{resource: "file", id: id, makes: []recordKey{{d.files, id}}}
	err := s.accept(c, w, func(t *tx) error {
		if err := t.parents(d.files, []string{matter}); err != nil {
			return err
		}
		in, err := d.target(t, matter, way, folder)
		if err != nil {
			return err
		}
		r := t.create(d.files, id, []string{matter})
		for name, value := range members {
			r.fields[name] = value
		}
		r.fields["in"] = in
		r.created = members["dateCreated"].(time.Time)
		if arrived := s.arrived[id]; !t.trial && arrived != nil {
			r.data = arrived
			delete(s.arrived, id)
		}
		t.put(r, created)
		return nil
	})
	if err != nil {
		return nil, err
	}
	to, err := s.uploadTo(c, id)
	return func() []byte { return encode(to) }, err
}

// newFile are the members of a file as the body that adds it names them.
func newFile(c *call) fields {
	name, extension := splitName(member[string](c, "fileName"))
	f := fields{
		"name": name, "fileExtension": extension, "ownerId": orNull(c.userID), "additionalData": json.RawMessage("{}"),
		"dateCreated": c.now, "dateModified": c.now,
	}
	if owner := member[string](c, "userId"); owner != "" {
		f["ownerId"] = owner
	}
	for _, name := range []string{"dateCreated", "dateModified"} {
		if t, given := dateTime(member[string](c, name)); given {
			f[name] = t
		}
	}
	if c.has("fileAdditionalData") && !c.isNull("fileAdditionalData") {
		f["additionalData"] = c.body["fileAdditionalData"]
	}
	return f
}

// uploadTo is a pre-signed address for a new version of a file.
func (s *Server) uploadTo(c *call, file string) (wireUpload, error) {
	version := s.state.newID("version of a file")
	key := c.account.id + "/" + file + "/" + version
	s.uploads[key] = upload{c.account, file, version, len(s.uploads)}
	address, expiry, err := s.address(c.now, http.MethodPut, key, "")
	return wireUpload{file, address, utc(expiry)}, err
}

// upload is a version that may arrive at the object store.
type upload struct {
	account *account
	file    string
	version string
	number  int // counts the addresses
}

// stored makes an uploaded object the current version of its file.
func (s *Server) stored(key string, size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep(key, size)
}

// keep is stored under the lock. Content of a file that is not visible yet waits
// for it; the file of a write that failed never takes it.
func (s *Server) keep(key string, size int64) {
	u, known := s.uploads[key]
	if !known {
		return
	}
	now := s.clock.Now().UTC()
	s.settleDue(now)
	place := s.state.slot(s.catalog.byTarget["files"], u.file)
	switch {
	case place == nil:
	case place.now == nil:
		s.arrived[u.file] = with(s.arrived[u.file], fileVersion{u.version, key, size})
	default:
		file := place.now
		owner := file.fields.str("ownerId")
		t := &tx{server: s, account: u.account, now: now, from: cause{accountID: u.account.id, userID: owner, link: s.linkerFor("")}}
		r := t.edit(file)
		r.data, r.fields["dateModified"] = with(versionsOf(file), fileVersion{u.version, key, size}), now
		t.put(r, updated)
		t.commit()
	}
}

// with adds a version, or puts it in the place of what came to its address before.
func with(all []fileVersion, one fileVersion) []fileVersion {
	all = slices.Clone(all)
	if i := slices.IndexFunc(all, func(v fileVersion) bool { return v.id == one.id }); i >= 0 {
		all[i] = one
		return all
	}
	return append(all, one)
}

// uploaded is the version that came to an address; nil before it comes.
func (s *Server) uploaded(u upload) *fileVersion {
	if place := s.state.slot(s.catalog.byTarget["files"], u.file); place != nil && place.now != nil {
		return versionOf(place.now, u.version)
	}
	if i := slices.IndexFunc(s.arrived[u.file], func(v fileVersion) bool { return v.id == u.version }); i >= 0 {
		return &s.arrived[u.file][i]
	}
	return nil
}

// upload answers an address for another version. A file that was accepted has one
// before it is visible.
func (d *documents) upload(s *Server, c *call) (answer, error) {
	id := sameID(c.value("fileId"))
	_, err := s.tx(c).find(d.files, id, []string{sameID(c.value("matterId"))})
	if pending := (*pendingError)(nil); err != nil && !errors.As(err, &pending) {
		return nil, err
	}
	to, err := s.uploadTo(c, id)
	return func() []byte { return encode(to) }, err
}

func (d *documents) download(s *Server, c *call) (answer, error) {
	f, err := s.tx(c).read(d.files, c.value("fileId"), []string{sameID(c.value("matterId"))})
	if err != nil {
		return nil, err
	}
	version := current(f)
	if id := c.query["versionId"]; id != "" {
		version = versionOf(f, id)
	}
	if version == nil {
		return nil, notFound("uploaded version of the file")
	}
	name, extension := f.fields.str("name"), f.fields.str("fileExtension")
	saveAs := mime.FormatMediaType("attachment", map[string]string{"filename": name + extension})
	address, expiry, err := s.address(c.now, http.MethodGet, version.key, saveAs)
	return func() []byte { return encode(wireDownload{f.id, address, utc(expiry), version.size, name, extension}) }, err
}

// DeleteFile marks a file as deleted: its folder does not list it and it is not found
// any more. DeleteFile returns false when there is no such file.
func (s *Server) DeleteFile(id string) bool {
	return s.inApplication(s.catalog.byTarget["files"], id, func(r *record) { r.deleted = true })
}

// FileContent returns the bytes of the current version of a file, and false when
// nothing was uploaded.
func (s *Server) FileContent(fileID string) ([]byte, bool) {
	if s.outside != nil && s.collect(s.host.life, fileID) != nil {
		return nil, false
	}
	key, ok := s.currentKey(fileID)
	if !ok || s.outside == nil {
		return s.store.get(key)
	}
	content, err := s.outside.get(s.host.life, key)
	return content, err == nil
}

func (s *Server) currentKey(fileID string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	place, all := s.state.lookUp(s.catalog.byTarget["files"], fileID), s.arrived[fileID]
	if place != nil && place.now != nil {
		all = versionsOf(place.now)
	}
	if len(all) == 0 {
		return "", false
	}
	return all[len(all)-1].key, true
}
