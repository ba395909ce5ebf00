package practice

import (
	"io/fs"
	"path"
	"strings"

	"github.com/practicesdk/practice-go/internal/mirror"
	"github.com/practicesdk/practice-go/models"
)

// DirItem is a file or folder that UploadDir or DownloadDir may leave out.
type DirItem struct {
	// Path leads to it, with slashes, from the folder that is mirrored.
	// UploadDir gives the local path, DownloadDir the names of the service, as
	// WalkEntry.Path. A file or folder that is gone has the path that it had.
	Path   string
	IsDir  bool
	Size   int64          // of the content in bytes; -1 when it is not known, 0 for a folder
	Local  fs.FileInfo    // nil for DownloadDir, and for what is gone
	File   *models.File   // nil for a folder, for UploadDir, and for what is gone
	Folder *models.Folder // nil for a file, for UploadDir, and for what is gone
}

// DirFilter reports whether an item is left out, a folder with everything in
// it. Such an item is neither read nor transferred, deleted, counted or
// reported, on either side, also when the side that is copied from does not
// have it any more. While DownloadDir leaves folders out, it asks the service
// once for each file and folder that it did not meet: it may have been moved
// there. SystemFiles is one.
type DirFilter func(DirItem) bool

// SystemFiles is a DirFilter that leaves out what programs and systems keep
// beside documents: lock files of office programs, previews, settings of
// folders, bins and indexes.
func SystemFiles(item DirItem) bool {
	name := strings.ToLower(path.Base(item.Path))
	switch name {
	case ".ds_store", ".localized", "thumbs.db", "ehthumbs.db", "desktop.ini",
		".spotlight-v100", ".trashes", ".fseventsd", ".temporaryitems", "$recycle.bin", "system volume information":
		return true
	}
	return strings.HasPrefix(name, "~$") || strings.HasPrefix(name, "._") ||
		strings.HasPrefix(name, ".~lock.") && strings.HasSuffix(name, "#") ||
		strings.HasPrefix(name, ".trash-") || strings.HasPrefix(name, "~wrl") && strings.HasSuffix(name, ".tmp")
}

// engine is the filter as package mirror knows it.
func (f DirFilter) engine() func(mirror.Item) bool {
	if f == nil {
		return nil
	}
	return func(item mirror.Item) bool { return f(DirItem(item)) }
}

// remoteItem is an entry of the service as a filter sees it.
func remoteItem(e WalkEntry) mirror.Item {
	item := mirror.Item{Path: e.Path(), IsDir: e.Folder != nil, File: e.File, Folder: e.Folder}
	if e.File != nil {
		item.Size = e.File.SizeBytes.Or(-1)
	}
	return item
}
