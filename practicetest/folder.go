package practicetest

import "slices"

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
