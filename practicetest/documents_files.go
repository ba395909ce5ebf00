package practicetest

import (
	"encoding/json"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"
)

// file is a file of a matter. Its bytes lie in the object store, one object for
// each version.
type file struct {
	id        string
	folder    *folder
	name      string
	extension string
	owner     string
	to, from  *string
	created   time.Time
	modified  time.Time
	extra     json.RawMessage // additionalData
	favorite  bool
	duplicate bool
	deleted   bool
	hidden    bool // accepted, not visible yet
	versions  []fileVersion
}

// fileVersion is an uploaded version; the last one is the current one.
type fileVersion struct {
	id   string
	key  string
	size int64
}

type wireFile struct {
	head
	ID             string          `json:"id"`
	VersionID      *string         `json:"versionId"`
	Folder         bareLink        `json:"folder"`
	Matter         bareLink        `json:"matter"`
	Name           string          `json:"name"`
	FileExtension  string          `json:"fileExtension"`
	OwnerID        *string         `json:"ownerId"`
	To             *string         `json:"to"`
	From           *string         `json:"from"`
	DateCreated    string          `json:"dateCreated"`
	DateModified   string          `json:"dateModified"`
	SizeBytes      int64           `json:"sizeBytes"`
	DownloadInfo   bareLink        `json:"downloadInfo"`
	AdditionalData json.RawMessage `json:"additionalData"`
	IsFavorite     bool            `json:"isFavorite"`
	IsUploaded     bool            `json:"isUploaded"`
	IsCancelled    bool            `json:"isCancelled"`
	IsDuplicate    bool            `json:"isDuplicate"`
	IsDeleted      bool            `json:"isDeleted"`
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

func (f *file) current() *fileVersion {
	if len(f.versions) == 0 {
		return nil
	}
	return &f.versions[len(f.versions)-1]
}

func (f *file) version(id string) *fileVersion {
	for i := range f.versions {
		if f.versions[i].id == strings.ToLower(id) {
			return &f.versions[i]
		}
	}
	return nil
}

func (f *file) segments(more ...string) []string {
	return append([]string{"matters", f.folder.matter.id, "documents", "files", f.id}, more...)
}

// wire writes the file; in the listing of the root its folder is an empty object.
func (f *file) wire(l linker) wireFile {
	w := wireFile{
		head: l.head("Files", f.segments()...), ID: f.id,
		Matter: bareLink{Href: l.href("matters", f.folder.matter.id)},
		Name:   f.name, FileExtension: f.extension, OwnerID: orNull(f.owner), To: f.to, From: f.from,
		DateCreated: utc(f.created), DateModified: utc(f.modified),
		DownloadInfo: bareLink{Href: l.href(f.segments("download")...)}, AdditionalData: f.extra,
		IsFavorite: f.favorite, IsDuplicate: f.duplicate, IsDeleted: f.deleted,
	}
	if f.folder.parent != nil {
		w.Folder.Href = l.href(f.folder.segments()...)
	}
	if v := f.current(); v != nil {
		w.VersionID, w.SizeBytes, w.IsUploaded = &v.id, v.size, true
	}
	return w
}

// splitName takes the extension, with its dot, off a file name.
func splitName(fileName string) (name, extension string) {
	extension = path.Ext(fileName)
	if extension == fileName {
		return fileName, ""
	}
	return fileName[:len(fileName)-len(extension)], extension
}

// ownFile finds a file of the path's matter, be it visible or not.
func (s *Server) ownFile(c *call) (*file, error) {
	m, err := s.ownMatter(c)
	if err != nil {
		return nil, err
	}
	f, err := own(c, s.state.files, c.value("fileId"), "file", func(f *file) *account { return f.folder.matter.account })
	if err == nil && (f.folder.matter != m || f.deleted) {
		return nil, notFound("file")
	}
	return f, err
}

// createFile is the first of the two steps of adding a file; the second is a PUT to
// the address it answers.
func (s *Server) createFile(c *call) ([]byte, error) {
	m, err := s.ownMatter(c)
	if err != nil {
		return nil, err
	}
	target, made, err := s.targetFolder(c, m)
	if err != nil {
		return nil, err
	}
	f := s.newFile(c, target)
	to, err := s.uploadTo(c.now, f)
	if err != nil {
		return nil, err
	}
	s.accept(c, "file", f.id, func(now time.Time, from cause) {
		f.hidden = false
		for _, folder := range made {
			folder.hidden = false
		}
		s.raiseFiles(now, from, m)
	})
	return encode(to), nil
}

// targetFolder is where a new file goes, with the folders that had to be made for
// it. A path, which wins over an id, makes what is missing of it; a deleted folder
// makes way for a new one of its name.
func (s *Server) targetFolder(c *call, m *matter) (target *folder, made []*folder, err error) {
	target = m.root
	enter := func(name string) {
		for _, sub := range target.folders {
			if sub.name == name && !sub.deleted {
				target = sub
				return
			}
		}
		target = s.state.addFolder(target, name)
		target.hidden = true
		made = append(made, target)
	}
	if way := strings.Trim(member[string](c, "folderPath"), "/"); way != "" {
		for name := range strings.SplitSeq(way, "/") {
			enter(name)
		}
		return target, made, nil
	}
	id := member[string](c, "folderId")
	if id == "" {
		return target, nil, nil
	}
	named, err := s.ownFolder(c, m, id)
	if err != nil || !named.deleted {
		return named, nil, err
	}
	target = named.parent
	enter(named.name)
	return target, made, nil
}

func (s *Server) newFile(c *call, in *folder) *file {
	name, extension := splitName(member[string](c, "fileName"))
	f := &file{
		id: s.state.ids.next(), folder: in, name: name, extension: extension, hidden: true,
		owner: c.userID, created: c.now, modified: c.now, extra: json.RawMessage("{}"),
	}
	if owner := member[string](c, "userId"); owner != "" {
		f.owner = owner
	}
	if t, given := dateTime(member[string](c, "dateCreated")); given {
		f.created = t
	}
	if t, given := dateTime(member[string](c, "dateModified")); given {
		f.modified = t
	}
	if c.has("fileAdditionalData") && !c.isNull("fileAdditionalData") {
		f.extra = c.body["fileAdditionalData"]
	}
	in.files = append(in.files, f)
	s.state.files[f.id] = f
	return f
}

// uploadTo is a pre-signed address for a new version of a file.
func (s *Server) uploadTo(now time.Time, f *file) (wireUpload, error) {
	version := s.state.ids.next()
	key := f.folder.matter.account.id + "/" + f.id + "/" + version
	s.uploads[key] = upload{f, version, len(s.uploads)}
	address, expiry, err := s.address(now, http.MethodPut, key, "")
	return wireUpload{f.id, address, utc(expiry)}, err
}

// upload is a version that may arrive at the object store.
type upload struct {
	file    *file
	version string
	number  int // counts the addresses
}

// stored makes an uploaded object the current version of its file.
func (s *Server) stored(key string, size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep(key, size)
}

func (s *Server) keep(key string, size int64) {
	u, known := s.uploads[key]
	if !known {
		return
	}
	now := s.clock.Now().UTC()
	version := u.file.version(u.version)
	if version == nil {
		u.file.versions = append(u.file.versions, fileVersion{id: u.version, key: key})
		version = u.file.current()
	}
	version.size = size
	u.file.modified = now
	m := u.file.folder.matter
	s.raiseFiles(now, cause{accountID: m.account.id, userID: u.file.owner, link: s.linkerFor("")}, m)
}

func (s *Server) getFileUpload(c *call) ([]byte, error) {
	f, err := s.ownFile(c)
	if err != nil {
		return nil, err
	}
	to, err := s.uploadTo(c.now, f)
	return encode(to), err
}

func (s *Server) getFileDownload(c *call) ([]byte, error) {
	f, err := s.ownFile(c)
	if err != nil {
		return nil, err
	}
	version := f.current()
	if id := c.query["versionId"]; id != "" {
		version = f.version(id)
	}
	if f.hidden || version == nil {
		return nil, notFound("uploaded version of the file")
	}
	saveAs := mime.FormatMediaType("attachment", map[string]string{"filename": f.name + f.extension})
	address, expiry, err := s.address(c.now, http.MethodGet, version.key, saveAs)
	return encode(wireDownload{f.id, address, utc(expiry), version.size, f.name, f.extension}), err
}

// DeleteFile marks a file as deleted: its folder does not list it and it is not found
// any more. DeleteFile returns false when there is no such file.
func (s *Server) DeleteFile(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.state.files[id]
	if f == nil {
		return false
	}
	f.deleted = true
	s.raiseFiles(s.clock.Now().UTC(), s.ownCause(f.folder.matter.account), f.folder.matter)
	return true
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
	f := s.state.files[fileID]
	if f == nil || f.current() == nil {
		return "", false
	}
	return f.current().key, true
}
