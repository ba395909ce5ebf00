package models

// Folder is a document folder of a matter. Specification, Folder.
type Folder struct {
	Hypermedia
	// ID identifies the folder, a UUID. Empty for the root folder of a matter. Specification, Folder.
	ID string `json:"id"`
	// ParentID identifies the folder this one is in. Empty directly under the root. Specification, Folder.
	ParentID string `json:"parentId"`
	// Name is the name of the folder, not unique among its siblings. Empty when absent. Specification, Folder.
	Name string `json:"name"`
	// IsDeleted tells whether the folder is deleted; a deleted folder can be restored with [FolderPatch].
	// May be absent. Specification, Folder.
	IsDeleted Opt[bool] `json:"isDeleted"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// FolderListing holds folders and files of one folder, the folders first. Specification, Folder listing.
type FolderListing struct {
	Hypermedia
	// ID identifies the listing; usually empty. Specification, Folder listing.
	ID string `json:"id"`
	// Folders holds the sub folders on this page. Empty when absent. Specification, Folder listing.
	Folders []Folder `json:"folders" codec:"isolate"`
	// Files holds the files on this page. Empty when absent. Specification, Folder listing.
	Files []File `json:"files" codec:"isolate"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// FolderListingPage is one page of the content of a folder. Its position counts folders and files together,
// not the elements of Items. A deleted folder has an empty listing. Specification, Folders and files of a matter.
type FolderListingPage struct {
	Hypermedia
	// ID identifies the collection; usually empty. Specification, Common shapes.
	ID string `json:"id"`
	// Items holds the listing, usually a single one. Empty when absent. Specification, Folder listing.
	Items []FolderListing `json:"value" codec:"isolate"`
	Paging
	// ParentID identifies the folder that holds the requested one. Empty for the root folder and directly under
	// it. Specification, Folders and files of a matter.
	ParentID string `json:"parentId"`
	// Name is the name of the requested folder. Empty for the root folder.
	// Specification, Folders and files of a matter.
	Name string `json:"name"`
	// IsDeleted tells whether the requested folder is deleted. May be absent.
	// Specification, Folders and files of a matter.
	IsDeleted Opt[bool] `json:"isDeleted"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// FolderCreate is the body that creates a folder. A name that is taken creates a second folder of that name.
// Specification, Folders and files of a matter.
//
//recordgen:body
type FolderCreate struct {
	// Name is the name of the folder, 1 to 256 characters. Required. Specification, Limits.
	Name string `json:"name"`
	// ParentFolderID is the UUID of the folder to create it in. Empty means the root of the matter.
	// Specification, Folders and files of a matter.
	ParentFolderID string `json:"parentFolderId,omitzero"`
	// UserID is the UUID of the user who creates it; only for server-to-server use. Empty means the authenticated
	// user. Specification, Folders and files of a matter, Authentication.
	UserID string `json:"userId,omitzero"`
}

// FolderPatch is the body that changes a folder; an omitted member stays as it is. The specification names the
// operation only for restoring a deleted folder. Specification, Folder.
//
//recordgen:body
type FolderPatch struct {
	// Name is the new name, 1 to 256 characters. Published interface, not in the specification.
	Name Opt[string] `json:"name,omitzero"`
	// ParentFolderID is the UUID of the folder to move it to. Published interface, not in the specification.
	ParentFolderID Opt[string] `json:"parentFolderId,omitzero"`
	// UserID is the UUID of the user who changes it; only for server-to-server use. Published interface, not in
	// the specification.
	UserID Opt[string] `json:"userId,omitzero"`
	// IsDeleted set to false restores a deleted folder. Specification, Folder.
	IsDeleted Opt[bool] `json:"isDeleted,omitzero"`
}
