package practicetest

import (
	"encoding/json"
	"mime"
	"net/http"
	"strings"
	"time"
)

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

func fileCreate() *schema {
	return &schema{required: true, members: []field{
		{name: "fileName", required: true, check: textOf(1, 256)},
		{name: "folderId", nullable: true, check: uuidText},
		{name: "dateCreated", nullable: true, check: dateTimeText},
		{name: "userId", nullable: true, check: uuidText},
		{name: "folderPath", nullable: true, check: textOf(0, 0)},
		{name: "fileAdditionalData", nullable: true, check: anObject},
		{name: "dateModified", nullable: true, check: dateTimeText},
	}}
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
// the address it answers. Specification, Folders and files of a matter, rule 1.
func (s *Server) createFile(c *call) (reply, error) {
	m, err := s.ownMatter(c)
	if err != nil {
		return reply{}, err
	}
	target, made, err := s.targetFolder(c, m)
	if err != nil {
		return reply{}, err
	}
	f := s.newFile(c, target)
	to, err := s.uploadTo(c.now, f)
	if err != nil {
		return reply{}, err
	}
	s.accept(c, "file", f.id, func(now time.Time, from cause) {
		f.hidden = false
		for _, folder := range made {
			folder.hidden = false
		}
		s.raiseFiles(now, from, m)
	})
	return accepted(to), nil
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

func (s *Server) getFileUpload(c *call) (reply, error) {
	f, err := s.ownFile(c)
	if err != nil {
		return reply{}, err
	}
	to, err := s.uploadTo(c.now, f)
	return ok(to), err
}

func (s *Server) getFileDownload(c *call) (reply, error) {
	f, err := s.ownFile(c)
	if err != nil {
		return reply{}, err
	}
	version := f.current()
	if id := c.query["versionId"]; id != "" {
		version = f.version(id)
	}
	if f.hidden || version == nil {
		return reply{}, notFound("uploaded version of the file")
	}
	saveAs := mime.FormatMediaType("attachment", map[string]string{"filename": f.name + f.extension})
	address, expiry, err := s.address(c.now, http.MethodGet, version.key, saveAs)
	return ok(wireDownload{f.id, address, utc(expiry), version.size, f.name, f.extension}), err
}

func (f *file) version(id string) *fileVersion {
	for i := range f.versions {
		if f.versions[i].id == strings.ToLower(id) {
			return &f.versions[i]
		}
	}
	return nil
}
