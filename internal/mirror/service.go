package mirror

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"time"

	"github.com/practicesdk/practice-go/internal/transfer"
	"github.com/practicesdk/practice-go/models"
)

// Service is what a mirror needs of the service: the folders and files of one
// matter.
type Service interface {
	// Walk yields the folders and files below the folder that is mirrored, a
	// folder before its entries. It yields an item that leaveOut names with
	// Skip, and does not read its entries. An error comes with the ID of the
	// folder that could not be read, and its path as Name.
	Walk(ctx context.Context, concurrency int, leaveOut func(Item) bool) iter.Seq2[Remote, error]
	// List gives what a folder holds. An empty id means the root folder of the
	// matter.
	List(ctx context.Context, folderID string) ([]Remote, error)
	// Has reports whether there is a file or folder, wherever it lies in the
	// matter.
	Has(ctx context.Context, id string, dir bool) (bool, error)
	// Changed gives the files of the matter that have changed since a cursor.
	// One that changed twice may come twice.
	Changed(ctx context.Context, cursor string) ([]Remote, error)

	CreateFolder(ctx context.Context, folder models.FolderCreate) (id string, err error)
	PatchFolder(ctx context.Context, folderID string, patch models.FolderPatch) error
	DeleteFolder(ctx context.Context, folderID string) error
	// CreateFiles makes records without content. It gives where their contents
	// go, by the Key of each record; nil means that none was made.
	CreateFiles(ctx context.Context, files []models.FileCreate) (map[string]transfer.Place, error)
	PatchFile(ctx context.Context, fileID string, patch models.FilePatch) error
	DeleteFile(ctx context.Context, fileID string) error

	// Open asks where the content of a file is.
	Open(ctx context.Context, fileID string, progress func(done, total int64)) (Content, error)
	// Read copies the content of a version of a file.
	Read(ctx context.Context, fileID, versionID string, to io.Writer) error
	// Send sends a content. The record of a new file is made in the context
	// making. The ID is known as soon as there is a record, also with an error.
	Send(ctx, making context.Context, upload Upload) (Sent, error)

	// Meaning tells what an error of the other methods says.
	Meaning(err error) Meaning
	// Observe begins what is done for one file; end is told how it went.
	Observe(ctx context.Context) (observed context.Context, end func(error))
}

// Content is a content of the service that can be read.
type Content interface {
	CopyTo(ctx context.Context, w io.Writer) (int64, error)
	// ToFile writes the content to a file, which gets the mode; 0 leaves it to
	// its owner. Once the content has arrived, replace is asked whether it may
	// take the place of a file of the name. Without replace, such a file is
	// fs.ErrExist.
	ToFile(ctx context.Context, dir *os.Root, name string, replace func() error, mode fs.FileMode) (transfer.File, error)
}

// Upload is a content that is sent.
type Upload struct {
	FileID      string          // empty makes a file of the Name in the folder
	Resumed     bool            // the file has no content yet
	Place       *transfer.Place // where the content goes; nil asks the service
	Name        string
	FolderID    string // empty means the root folder of the matter
	Body        io.ReadSeeker
	DateCreated time.Time
	Progress    func(done, total int64)   // may be nil
	Created     func(fileID string) error // told the id of a new file before its content is sent
}

// Sent is a content that was sent.
type Sent struct {
	ID       string // of the file; empty while there is none
	Size     int64  // in bytes
	ETag     string // with its quotes; empty when the storage names none
	Requests int    // to the storage
}

// Meaning is what an error of the service says.
type Meaning int

// Meanings. Failed is any other error.
const (
	Unclear   Meaning = iota + 1 // the call may have been executed
	NotFound                     // the call had no effect: what it names is not there
	IsDeleted                    // the folder is deleted
)

// Item is a file or folder that may be left out.
type Item struct {
	Path   string // local, or of the names of the service
	IsDir  bool
	Size   int64          // of the content in bytes; -1 when it is not known, 0 for a folder
	Local  fs.FileInfo    // nil for one of the service, and for what is gone
	File   *models.File   // nil for a folder, for a local one, and for what is gone
	Folder *models.Folder // nil for a file, for a local one, and for what is gone
}

// Action is what is to be done about a file, or was done.
type Action string

// Actions. As a verdict of a plan, Created to Updated say what is to be done.
const (
	Created  Action = "created"  // only one side has it
	Updated  Action = "updated"  // the side that is copied from has changed
	Resumed  Action = "resumed"  // the service has it without content
	Kept     Action = "kept"     // both are as they were
	Moved    Action = "moved"    // it lay in another place
	Waiting  Action = "waiting"  // only the side that is copied to has changed
	Conflict Action = "conflict" // both have changed
	Gone     Action = "gone"     // the side that is copied from does not have it any more
	Removed  Action = "removed"  // it was gone, and was removed from the other side
	Ignored  Action = "ignored"  // there is no content to transfer
	Failed   Action = "failed"
)

// inPlace reports an action after which the file is there.
func (a Action) inPlace() bool { return a != Ignored && a != Gone && a != Removed }

// Result is what became of a file, or of a folder that was moved, is gone or
// failed.
type Result struct {
	Path      string // local
	From      string // the path before, when it was moved
	Copy      string // of the local change after Conflict
	Action    Action
	ID        string
	Size      int64 // of the content in bytes
	ETag      string
	VersionID string
	Requests  int // to the storage
	IsDir     bool
	Err       error
}

// Choice says which change of a file holds when both sides have changed.
type Choice string

// Choices.
const (
	KeepsBoth   Choice = "both"
	KeepsLocal  Choice = "local"
	KeepsRemote Choice = "remote"
)

// ListedError reports what the service lists, and what no local file or folder
// can be joined with: several of one name, or one without an id that can be
// used.
type ListedError struct {
	Dir      bool
	Name     string
	FolderID string   // that holds it
	IDs      []string // of several; empty when there is no id
}

// Error says what happened.
func (e *ListedError) Error() string {
	if len(e.IDs) == 0 {
		return fmt.Sprintf("%q is listed without an id", e.Name)
	}
	return fmt.Sprintf("%d are named %q", len(e.IDs), e.Name)
}
