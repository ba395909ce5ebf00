package practicetest

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/models"
)

// documents is the area of folders and files. The root folder of a matter has
// no record: a folder or file in it has an empty parent id.
type documents struct{ folders, files *resource }

func documentsArea() area {
	d := &documents{
		folders: &resource{
			path: "/matters/{matterId}/documents/folders/{folderId}", schema: "Folder", event: "files", owner: folderOf, payload: filesPayload, restores: undeletes,
			subject: "folder", change: changeFolder, check: checkFolder,
			derive: func(r *record) fields { return fields{"parentId": orNull(r.fields.str("in"))} }, remember: rememberChange,
		},
		files: &resource{
			path: "/matters/{matterId}/documents/files/{fileId}", relation: "Files", schema: "File", event: "files", subject: "file", owner: folderOf,
			payload: filesPayload, vanishes: true, derive: fileMembers, remember: rememberChange,
			filters: map[string]filter{"Search": hasText},
		},
	}
	return area{name: "Documents", resources: []*resource{d.folders, d.files}, below: d.seed, handlers: handlers{
		"getRootFolder":         d.list,
		"getFolder":             d.list,
		"getFolderPath":         d.folders.reading(d.path),
		"listFolderHistory":     history(d.folders, "Folder"),
		"updateFolder":          d.updateFolder,
		"listFiles":             d.listFiles,
		"createFile":            d.createFile,
		"createFiles":           d.createFiles,
		"patchFile":             d.patchFile,
		"updateFile":            d.updateFile,
		"listFileHistory":       history(d.files, "File"),
		"getFileUpload":         d.upload,
		"getFileDownload":       d.download,
		"createFilePreview":     d.requestPreview,
		"getFilePreview":        d.preview,
		"getFilePreviewVersion": d.preview,
	}}
}

// folderOf returns the id of the parent folder, or of the matter if it is the
// root folder.
func folderOf(r *record) string {
	if in := r.fields.str("in"); in != "" {
		return in
	}
	return r.above[0]
}

// filesPayload returns the payload of a files.updated event. Its cursor
// selects, in the list of the matter's files, the files of this change and of
// later ones.
func filesPayload(v view, r *record) []byte {
	return encode(struct {
		ID     string          `json:"id"`
		Matter json.RawMessage `json:"matter"`
		Cursor string          `json:"cursor"`
	}{r.above[0], v.shaped(encode(v.to(r.above[0], "Matters", "matters", r.above[0])), &value{kind: kindObject, object: linkObject}), cursorOf(keptOf(r).change)})
}

// entries returns the subfolders of a folder and then its files, and the number
// of subfolders. A deleted folder has no entries.
func (d *documents) entries(s *Server, matter string, folder *record) (all []*record, folders int) {
	owner := matter
	if folder != nil {
		if folder.deleted {
			return nil, 0
		}
		owner = folder.id
	}
	all = present(s.state.list(d.folders, owner).All())
	return append(all, s.state.list(d.files, owner).All()...), len(all)
}

// entries encodes the entries of a folder. A folder may hold many, so it copies
// the encoded records instead of encoding them again.
func (v view) entries(folders, files []*record) []byte {
	const head = `{"id":null,"href":null,"relation":null,"method":null,"self":null,"folders":`
	return slices.Concat([]byte(head), bareList(v.records(folders)), []byte(`,"files":`), bareList(v.records(files)), []byte("}"))
}

// wireListing is the response for a folder: a page of its entries, and members
// of the folder itself.
type wireListing struct {
	page
	ParentID  *string `json:"parentId"`
	Name      *string `json:"name"`
	IsDeleted bool    `json:"isDeleted"`
}

// list returns a page of a folder's entries. Without a folder id in the path,
// it lists the root folder.
func (d *documents) list(s *Server, c *call) (answer, error) {
	t, matter := s.tx(c), sameID(c.value("matterId"))
	if err := t.parents(d.folders, []string{matter}); err != nil {
		return nil, err
	}
	var folder *record
	w, at := wireListing{}, d.folders.listAt(matter)
	if id := c.value("folderId"); id != "" {
		found, err := t.read(d.folders, id, []string{matter})
		if err != nil {
			return nil, err
		}
		folder, at = found, d.folders.at(matter, found.id)
		w.ParentID, w.Name, w.IsDeleted = orNull(found.fields.str("in")), new(found.fields.str("name")), found.deleted
	}
	all, folders := d.entries(s, matter, folder)
	offset, limit := c.window()
	w.page = c.page(offset, limit, len(all), at...)
	some, v := slice(all, offset, limit), s.view(c.link)
	first := min(max(folders-offset, 0), len(some))
	return func() []byte {
		if w.IsDeleted {
			return withValue(w, nil)
		}
		return withValue(w, [][]byte{v.entries(some[:first], some[first:])})
	}, nil
}

// makeFolder creates a folder in the transaction.
func (t *tx) makeFolder(of *resource, id, matter, in, name string) *record {
	r := t.create(of, id, []string{matter})
	r.fields["name"], r.fields["in"] = name, in
	t.put(r, created)
	return r
}

// updateFolder replaces a folder. Without a parentFolderId it moves the folder
// to the root.
func (d *documents) updateFolder(s *Server, c *call) (answer, error) {
	if !c.has("parentFolderId") {
		c.body["parentFolderId"] = rawText("null")
	}
	return d.folders.replace(s, c)
}

// changeFolder sets the editor and the parent of a folder. Several folders may
// have the same name.
func changeFolder(_ *tx, r *record, body fields) {
	editedBy(r, body)
	if _, moved := body["parentFolderId"]; moved || r.revision == 0 {
		r.into(sameID(body.str("parentFolderId")))
	}
	for _, name := range []string{"parentFolderId", "userId", "isDeleted"} {
		delete(r.fields, name)
	}
}

// editedBy records the user named in the body, if any, as the editor.
func editedBy(r *record, body fields) {
	if user := body.str("userId"); user != "" {
		r.editor = user
	}
}

// checkFolder refuses to delete a folder by a PATCH, and to move one into a
// folder that does not exist, into itself or into one of its subfolders.
func checkFolder(t *tx, c *call, r *record) error {
	if c != nil && member[bool](c, "isDeleted") {
		return faulty("isDeleted", "must be false: a PATCH can restore a folder but cannot delete it")
	}
	in := r.fields.str("in")
	if old := t.server.state.latest(r); old != nil && old.fields.str("in") == in {
		return nil
	}
	for in != "" {
		other, err := t.find(r.of, in, r.above)
		if err != nil {
			return err
		}
		if other.id == r.id {
			return conflict("parentFolderId", "must not be the folder itself or a folder inside it")
		}
		in = other.fields.str("in")
	}
	return nil
}

// into sets the parent folder of a folder or file. Empty means the root.
func (r *record) into(folder string) {
	if folder != r.fields.str("in") {
		r.number = 0 // sort it last in its new folder
	}
	r.fields["in"] = folder
}

// target returns the id of the folder for a new file. A path takes precedence
// over an id; its missing folders are created. If the folder with the id is
// deleted, a new one with the same name replaces it.
func (d *documents) target(t *tx, matter, way, id string) (string, error) {
	in := ""
	if way = strings.Trim(way, "/"); way != "" {
		for name := range strings.SplitSeq(way, "/") {
			in = d.enter(t, matter, in, name)
		}
		return in, nil
	}
	if id == "" {
		return "", nil
	}
	named, err := t.known(d.folders, id, []string{matter})
	if err != nil {
		return "", err
	}
	if named.deleted {
		return d.enter(t, matter, named.fields.str("in"), named.fields.str("name")), nil
	}
	return named.id, nil
}

// enter returns the id of the folder with the name inside another one. It
// creates the folder if it is missing.
func (d *documents) enter(t *tx, matter, in, name string) string {
	owner := matter
	if in != "" {
		owner = in
	}
	all := t.server.state.list(d.folders, owner).All()
	for _, made := range t.changes { // folders that the transaction has already created for other files
		if r := made.record; r.of == d.folders && r.owner() == owner {
			all = append(all[:len(all):len(all)], r)
		}
	}
	for _, sub := range all {
		if sub.fields.str("name") == name && !sub.deleted {
			return sub.id
		}
	}
	return t.makeFolder(d.folders, t.newID(d.folders.path), matter, in, name).id
}

// DeleteFolder marks a folder as deleted, as a user of the vendor's own
// application would. Its parent then no longer lists it, and its own listing is
// empty until a PATCH restores the folder. DeleteFolder returns false if there
// is no such folder.
func (s *Server) DeleteFolder(id string) bool {
	return s.inApplication(s.catalog.byTarget["folders"], id, func(r *record) { r.deleted = true })
}

// AddFolder adds a folder to a matter and returns its id.
func (s *Server) AddFolder(matterID string, folder models.FolderWrite) string {
	return s.enter("createFolder", &folder, matterID)
}

// Folder returns the folder with the id and reports whether it exists.
func (s *Server) Folder(id string) (models.Folder, bool) {
	return recordOf[models.Folder](s, "/matters/{matterId}/documents/folders/{folderId}", id)
}
