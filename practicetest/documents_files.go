package practicetest

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/models"
)

// place is a link written as a bare address, given by its path segments. It is
// empty for the root folder.
type place []string

// fileMembers returns the members of a file that are computed from its folder
// and content.
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

// splitName splits a file name into the name and the extension with its dot. A
// name such as .profile has no extension.
func splitName(fileName string) (name, extension string) {
	extension = path.Ext(fileName)
	if extension == fileName {
		return fileName, ""
	}
	return fileName[:len(fileName)-len(extension)], extension
}

// announced is a file that a request creates.
type announced struct {
	id, way, folder string
	members         fields
}

// createFile handles the first step of adding a file and returns an upload
// address. The client then sends the content there by PUT.
func (d *documents) createFile(s *Server, c *call) (answer, error) {
	file := announce(c, s.state.idFor(c, d.files.path), c.members())
	if err := d.add(s, c, []announced{file}); err != nil {
		return nil, err
	}
	return s.upload(c, file.id)
}

// createFiles creates several files, or none if one of them is refused. The
// response is sorted by the new ids, because the service does not promise to
// keep the order of the request.
func (d *documents) createFiles(s *Server, c *call) (answer, error) {
	files := mapped(decoded[[]fields](c.rawBody), func(body fields) announced { return announce(c, s.state.newID(d.files.path), body) })
	if err := d.add(s, c, files); err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b announced) int { return strings.Compare(a.id, b.id) })
	addresses := make([]fields, len(files))
	for i, file := range files {
		var err error
		if addresses[i], err = s.uploadTo(c, file.id); err != nil {
			return nil, err
		}
	}
	return bytesOf(bareList(s.view(c.link).objects(c.route.answer, addresses))), nil
}

// add accepts the write that creates files.
func (d *documents) add(s *Server, c *call, files []announced) error {
	matter, w := []string{sameID(c.value("matterId"))}, &write{resource: "file"}
	for _, file := range files {
		s.state.reserve(d.files, file.id, c.account, matter)
		w.id, w.makes = file.id, append(w.makes, recordKeyOf(d.files, file.id))
	}
	return s.accept(c, w, func(t *tx) error {
		if err := t.parents(d.files, matter); err != nil {
			return err
		}
		for _, file := range files {
			if err := d.make(t, matter, file); err != nil {
				return err
			}
		}
		return nil
	})
}

// make creates a file in the transaction. Content that was uploaded before it
// became visible is attached.
func (d *documents) make(t *tx, matter []string, file announced) error {
	in, err := d.target(t, matter[0], file.way, file.folder)
	if err != nil {
		return err
	}
	r := t.create(d.files, file.id, matter)
	maps.Copy(r.fields, file.members)
	r.fields["in"] = in
	r.created = madeAt(r)
	if arrived := t.server.arrived[file.id]; !t.trial && arrived != nil {
		r.data = kept{versions: arrived}
		delete(t.server.arrived, file.id)
	}
	t.put(r, created)
	return nil
}

// announce converts the body of a create to the members of the file.
func announce(c *call, id string, body fields) announced {
	name, extension := splitName(body.str("fileName"))
	f := fields{
		"name": name, "fileExtension": extension, "ownerId": orNull(c.userID), "additionalData": json.RawMessage("{}"),
		"dateCreated": c.now, "dateModified": c.now,
	}
	if owner := body.str("userId"); owner != "" {
		f["ownerId"] = sameID(owner)
	}
	for _, name := range []string{"dateCreated", "dateModified"} {
		if t, given := dateTime(body.str(name)); given {
			f[name] = t
		}
	}
	if more := body.raw("fileAdditionalData"); string(more) != "null" {
		f["additionalData"] = more
	}
	return announced{id, body.str("folderPath"), sameID(body.str("folderId")), f}
}

// updateFile replaces the members of a file. Without a folderId it moves the
// file to the root folder.
func (d *documents) updateFile(s *Server, c *call) (answer, error) {
	body := c.members()
	for _, name := range []string{"folderId", "fileAdditionalData", "isFavorite"} {
		if _, given := body[name]; !given {
			body[name] = json.RawMessage("null")
		}
	}
	return d.changeFile(s, c, body)
}

func (d *documents) patchFile(s *Server, c *call) (answer, error) {
	return d.changeFile(s, c, c.members())
}

// changeFile changes the members of a file and returns an address for uploading
// a new version. The existing versions are kept.
func (d *documents) changeFile(s *Server, c *call, body fields) (answer, error) {
	id, matter := sameID(c.value("fileId")), []string{sameID(c.value("matterId"))}
	err := d.files.alter(s, c, &write{resource: "file", id: id}, id, matter, func(t *tx, r *record) error {
		r.fields["dateModified"] = t.now
		return d.describe(t, r, body)
	})
	if err != nil {
		return nil, err
	}
	return s.upload(c, id)
}

// describe sets the members of a file that the body contains.
func (d *documents) describe(t *tx, r *record, body fields) error {
	editedBy(r, body)
	if _, renamed := body["fileName"]; renamed {
		r.fields["name"], r.fields["fileExtension"] = splitName(body.str("fileName"))
	}
	if _, moved := body["folderId"]; moved {
		in, err := d.target(t, r.above[0], "", sameID(body.str("folderId")))
		if err != nil {
			return err
		}
		r.into(in)
	}
	if _, said := body["fileAdditionalData"]; said {
		r.fields["additionalData"] = json.RawMessage("{}")
		if more := body.raw("fileAdditionalData"); string(more) != "null" {
			r.fields["additionalData"] = more
		}
	}
	if _, marked := body["isFavorite"]; marked {
		r.fields["isFavorite"] = body.is("isFavorite")
	}
	return nil
}

// DeleteFile marks a file as deleted, as a user of the vendor's own application
// would. Its folder no longer lists it, and reading it fails with 404.
// DeleteFile returns false if there is no such file.
func (s *Server) DeleteFile(id string) bool {
	return s.inApplication(s.catalog.byTarget["files"], id, func(r *record) { r.deleted = true })
}

// AddFile adds a file without content to a matter and returns its id. Call
// SetFileContent to set the content: a mirror skips files without content.
func (s *Server) AddFile(matterID string, file models.FileCreate) string {
	return s.enter("createFile", &file, matterID)
}

// File returns the record of the file with the id and reports whether it
// exists.
func (s *Server) File(id string) (models.File, bool) {
	return recordOf[models.File](s, "/matters/{matterId}/documents/files/{fileId}", id)
}
