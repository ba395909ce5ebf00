package practicetest

import (
	"slices"
	"strings"
	"time"
)

func documentHandlers() handlers {
	return handlers{
		"getRootFolder":   (*Server).getRootFolder,
		"createFolder":    (*Server).createFolder,
		"getFolder":       (*Server).getFolder,
		"patchFolder":     (*Server).patchFolder,
		"createFile":      (*Server).createFile,
		"getFileUpload":   (*Server).getFileUpload,
		"getFileDownload": (*Server).getFileDownload,
	}
}

// folder is a folder of a matter; the root has no name and no parent.
type folder struct {
	id      string
	matter  *matter
	parent  *folder
	name    string
	deleted bool
	hidden  bool // accepted, not visible yet
	folders []*folder
	files   []*file
}

type wireFolder struct {
	head
	ID        string  `json:"id"`
	ParentID  *string `json:"parentId"`
	Name      string  `json:"name"`
	IsDeleted bool    `json:"isDeleted"`
}

// wireListing is the answer for a folder: a page, and the folder itself.
type wireListing struct {
	page
	ParentID  *string `json:"parentId"`
	Name      *string `json:"name"`
	IsDeleted bool    `json:"isDeleted"`
}

type wireEntries struct {
	ID       *string      `json:"id"`
	Href     *string      `json:"href"`
	Relation *string      `json:"relation"`
	Method   *string      `json:"method"`
	Self     *link        `json:"self"`
	Folders  []wireFolder `json:"folders"`
	Files    []wireFile   `json:"files"`
}

func (f *folder) segments() []string {
	root := []string{"matters", f.matter.id, "documents", "folders"}
	if f.parent == nil {
		return root
	}
	return append(root, f.id)
}

// parentID is null below the root, whose id is null.
func (f *folder) parentID() *string {
	if f.parent == nil || f.parent.parent == nil {
		return nil
	}
	return &f.parent.id
}

func (f *folder) wire(l linker) wireFolder {
	return wireFolder{
		head: head{Href: l.href(f.segments()...), Method: "GET"},
		ID:   f.id, ParentID: f.parentID(), Name: f.name, IsDeleted: f.deleted,
	}
}

// entries are the visible folders and files, folders first; a deleted folder has none.
func (f *folder) entries() (folders []*folder, files []*file) {
	if f.deleted {
		return nil, nil
	}
	for _, sub := range f.folders {
		if !sub.deleted && !sub.hidden {
			folders = append(folders, sub)
		}
	}
	for _, one := range f.files {
		if !one.deleted && !one.hidden {
			files = append(files, one)
		}
	}
	return folders, files
}

func (st *state) addFolder(parent *folder, name string) *folder {
	f := &folder{id: st.ids.next(), matter: parent.matter, parent: parent, name: name}
	parent.folders = append(parent.folders, f)
	st.folders[f.id] = f
	return f
}

// inside tells whether the folder lies in another one, or is it.
func (f *folder) inside(other *folder) bool {
	for up := f; up != nil; up = up.parent {
		if up == other {
			return true
		}
	}
	return false
}

func (f *folder) moveTo(parent *folder) {
	if parent == f.parent {
		return
	}
	f.parent.folders = slices.DeleteFunc(f.parent.folders, func(sub *folder) bool { return sub == f })
	f.parent = parent
	parent.folders = append(parent.folders, f)
}

// ownFolder finds a folder of the path's matter; pending ones count as references.
func (s *Server) ownFolder(c *call, m *matter, id string) (*folder, error) {
	f, err := own(c, s.state.folders, id, "folder", func(f *folder) *account { return f.matter.account })
	if err == nil && f.matter != m {
		return nil, notFound("folder")
	}
	return f, err
}

// getRootFolder lists the root of a matter, whole.
func (s *Server) getRootFolder(c *call) ([]byte, error) {
	m, err := s.ownMatter(c)
	if err != nil {
		return nil, err
	}
	folders, files := m.root.entries()
	return listing(c, m.root, folders, files, c.page(0, max(maxPageSize, len(folders)+len(files)), len(folders)+len(files), m.root.segments()...)), nil
}

func (s *Server) getFolder(c *call) ([]byte, error) {
	m, err := s.ownMatter(c)
	if err != nil {
		return nil, err
	}
	f, err := s.ownFolder(c, m, c.value("folderId"))
	if err != nil {
		return nil, err
	}
	if f.hidden {
		return nil, notFound("folder")
	}
	offset, limit := c.window()
	folders, files := f.entries()
	p := c.page(offset, limit, len(folders)+len(files), f.segments()...)
	room := limit - len(slice(folders, offset, limit))
	return listing(c, f, slice(folders, offset, limit), slice(files, max(0, offset-len(folders)), room), p), nil
}

func listing(c *call, f *folder, folders []*folder, files []*file, p page) []byte {
	entries := wireEntries{Folders: []wireFolder{}, Files: []wireFile{}}
	for _, sub := range folders {
		entries.Folders = append(entries.Folders, sub.wire(c.link))
	}
	for _, one := range files {
		entries.Files = append(entries.Files, one.wire(c.link))
	}
	w := wireListing{page: p, ParentID: f.parentID(), IsDeleted: f.deleted}
	if f.parent != nil {
		w.Name = &f.name
	}
	if f.deleted {
		return withValue(w, nil)
	}
	return withValue(w, [][]byte{encode(entries)})
}

// createFolder makes a folder; a name that exists already is no error.
func (s *Server) createFolder(c *call) ([]byte, error) {
	m, err := s.ownMatter(c)
	if err != nil {
		return nil, err
	}
	parent := m.root
	if id := member[string](c, "parentFolderId"); id != "" {
		if parent, err = s.ownFolder(c, m, id); err != nil {
			return nil, err
		}
	}
	f := s.state.addFolder(parent, member[string](c, "name"))
	f.hidden = true
	s.accept(c, "folder", f.id, func(now time.Time, from cause) {
		f.hidden = false
		s.raiseFiles(now, from, m)
	})
	return encode(link{ID: &f.id, Href: c.link.href(f.segments()...), Method: "GET"}), nil
}

// patchFolder renames, moves or restores a folder.
func (s *Server) patchFolder(c *call) ([]byte, error) {
	m, err := s.ownMatter(c)
	if err != nil {
		return nil, err
	}
	f, err := s.ownFolder(c, m, c.value("folderId"))
	if err != nil {
		return nil, err
	}
	if member[bool](c, "isDeleted") {
		return nil, faulty("isDeleted", "a folder is restored with false; it is not deleted with true")
	}
	target, err := s.moveTarget(c, m, f)
	if err != nil {
		return nil, err
	}
	body := c.body
	s.accept(c, "folder", f.id, func(now time.Time, from cause) {
		if target != f.parent && target.inside(f) {
			s.raiseError(now, from, "The folder cannot lie inside itself", "folder", f.id)
			return
		}
		if raw, renamed := body["name"]; renamed {
			f.name, _ = asText(raw)
		}
		if _, restored := body["isDeleted"]; restored {
			f.deleted = false
		}
		f.moveTo(target)
		s.raiseFiles(now, from, m)
	})
	return encode(link{ID: &f.id, Href: c.link.href(f.segments()...), Method: "GET"}), nil
}

// moveTarget is the new parent of a folder, or the one it has.
func (s *Server) moveTarget(c *call, m *matter, f *folder) (*folder, error) {
	if !c.has("parentFolderId") {
		return f.parent, nil
	}
	if c.isNull("parentFolderId") {
		return m.root, nil
	}
	target, err := s.ownFolder(c, m, strings.ToLower(member[string](c, "parentFolderId")))
	if err != nil {
		return nil, err
	}
	if target.inside(f) {
		return nil, conflict("parentFolderId", "a folder cannot lie inside itself")
	}
	return target, nil
}

// DeleteFolder marks a folder as deleted, as a user of the vendor's own application
// would. Its parent does not list it any more, and its own listing is empty until a
// PATCH restores it. DeleteFolder returns false when there is no such folder.
func (s *Server) DeleteFolder(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.state.folders[id]
	if f == nil {
		return false
	}
	f.deleted = true
	s.raiseFiles(s.clock.Now().UTC(), s.ownCause(f.matter.account), f.matter)
	return true
}
