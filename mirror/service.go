package mirror

import (
	"context"
	"io"
	"strconv"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
	"github.com/practicesdk/practice-go/models"
)

// service is the matter that is mirrored.
type service interface {
	// Walk returns the folders and files below the mirrored folder, each folder
	// before its entries, and the errors of those that could not be read. It
	// skips items for which leaveOut returns true.
	Walk(ctx context.Context, concurrency int, leaveOut func(Item, plan.Key) bool) (*listing, error)
	// List returns the entries of a folder.
	List(ctx context.Context, folderID string) ([]record, error)
	// Get returns a file or folder anywhere in the matter. If it does not exist,
	// the error is ErrChanged.
	Get(ctx context.Context, key plan.Key) (*record, error)
	// Changed returns the files that have changed since a cursor. If a file
	// occurs twice, the last one is current.
	Changed(ctx context.Context, cursor string) ([]record, error)

	MakeFolder(ctx context.Context, parentID, name string) (id string, err error)
	// MakeFile creates the record of a file and returns its upload address.
	MakeFile(ctx context.Context, file models.FileCreate) (*models.UploadInfo, error)
	// MakeFiles creates many records. The responses do not identify their
	// files.
	MakeFiles(ctx context.Context, files []models.FileCreate) ([]models.UploadInfo, error)
	// Place renames and moves an item. An absent name or parent is not changed.
	Place(ctx context.Context, id string, dir bool, parentID, name models.Opt[string]) error
	Drop(ctx context.Context, id string, dir bool) error

	// Send uploads content to the address in upload. If there is none, it first
	// requests an address from the service.
	Send(ctx context.Context, fileID string, upload practice.Upload) (*practice.UploadedFile, error)
	// Read writes the content of a version to a writer.
	Read(ctx context.Context, fileID, versionID string, to io.Writer) error
	// Fetch writes the content of a version to a file.
	Fetch(ctx context.Context, fileID, path string, options practice.DownloadOptions) (*practice.DownloadedFile, error)
}

// record is a file or folder of the service.
type record struct {
	plan.Remote
	ID      string // in the service's spelling; empty if it is unusable
	Deleted bool
	Skip    bool // excluded, with all its contents
	File    *models.File
}

// outside is the Parent of a file in the matter's root folder if another folder
// is mirrored. It does not occur in ids of the service.
const outside = "/"

// listing is the result of a walk of the service.
type listing struct {
	records []record
	failed  map[plan.Key]*practice.FolderError // folders that could not be read
	skipped bool                               // some folders were excluded
}

// recordOf returns the record of a file.
func recordOf(file *models.File) record {
	return record{
		Remote: plan.Remote{
			Key: plan.File(file.ID), Parent: strings.ToLower(file.Folder.TargetID()), Name: file.Name + file.FileExtension,
			Version: versionOf(file), Size: file.SizeBytes.Or(-1), Stored: file.IsUploaded.Or(true),
		},
		ID: file.ID, Deleted: file.IsDeleted.Or(false), File: file,
	}
}

// versionOf returns an identifier of the version of a content: its id,
// otherwise its time and size. It returns "" if the service has neither.
func versionOf(file *models.File) string {
	switch {
	case file.VersionID != "":
		return file.VersionID
	case file.DateModified.IsZero():
		return ""
	}
	return file.DateModified.String() + " " + strconv.FormatInt(file.SizeBytes.Or(-1), 10)
}

func itemOf(e practice.WalkEntry) Item {
	item := Item{Path: e.Path(), IsDir: e.Folder != nil, File: e.File, Folder: e.Folder}
	if e.File != nil {
		item.Size = e.File.SizeBytes.Or(-1)
	}
	return item
}

func entryOf(e practice.Entry) record {
	if e.File != nil {
		return usable(recordOf(e.File))
	}
	return usable(record{
		Remote: plan.Remote{Key: plan.Folder(e.Folder.ID), Parent: strings.ToLower(e.Folder.ParentID), Name: e.Folder.Name},
		ID:     e.Folder.ID, Deleted: e.Folder.IsDeleted.Or(false),
	})
}

// usable clears an id that cannot be part of a path.
func usable(r record) record {
	if r.ID == "." || r.ID == ".." || strings.ContainsAny(r.ID, "/\\\x00\n\r\t") {
		r.ID = ""
	}
	return r
}
