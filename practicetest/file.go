package practicetest

import (
	"encoding/json"
	"path"
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

func (f *file) current() *fileVersion {
	if len(f.versions) == 0 {
		return nil
	}
	return &f.versions[len(f.versions)-1]
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
