package practice

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	documentsGetFile               = operation{"Documents.GetFile", http.MethodGet, "/matters/{matterId}/documents/files/{fileId}", transport.Read}
	documentsUpdateFile            = operation{"Documents.UpdateFile", http.MethodPut, "/matters/{matterId}/documents/files/{fileId}", transport.IdempotentWrite}
	documentsPatchFile             = operation{"Documents.PatchFile", http.MethodPatch, "/matters/{matterId}/documents/files/{fileId}", transport.IdempotentWrite}
	documentsDeleteFile            = operation{"Documents.DeleteFile", http.MethodDelete, "/matters/{matterId}/documents/files/{fileId}", transport.IdempotentWrite}
	documentsListFileHistory       = operation{"Documents.ListFileHistory", http.MethodGet, "/matters/{matterId}/documents/files/{fileId}/history", transport.Read}
	documentsCreateFiles           = operation{"Documents.CreateFiles", http.MethodPost, "/matters/{matterId}/documents/files/bulk", transport.Create}
	documentsGetFilePreview        = operation{"Documents.GetFilePreview", http.MethodGet, "/matters/{matterId}/documents/files/{fileId}/preview", transport.Read}
	documentsRequestFilePreview    = operation{"Documents.RequestFilePreview", http.MethodPost, "/matters/{matterId}/documents/files/{fileId}/preview", transport.IdempotentWrite}
	documentsGetFileVersionPreview = operation{"Documents.GetFileVersionPreview", http.MethodGet, "/matters/{matterId}/documents/files/{fileId}/preview/{documentVersionId}", transport.Read}
)

func documentsListFiles() *list[models.File] {
	return paged("Documents.ListFiles", "Documents.AllFiles", "/matters/{matterId}/documents/files", func(f *models.File) string { return f.ID })
}

// FileListOptions narrow a list of files. The zero value lists all.
type FileListOptions struct {
	ListOptions
	// Sort is the order of the list. Empty means the oldest file first.
	Sort models.FileSort
	// Search looks for texts in names and extensions. The syntax for
	// searching one field is not published.
	Search []string
	// Cursor lists the changes since a point in time; an event
	// files.updated contains it. It cannot be combined with Sort or Search.
	Cursor string
}

func (o FileListOptions) filter(c *call) {
	c.param("Sort", string(o.Sort))
	for _, text := range o.Search {
		c.addParam("Search", text)
	}
	c.param("Cursor", o.Cursor)
}

// ListFiles returns one page of the files of a matter, those of all folders.
// The oldest come first unless Sort changes that. A Cursor comes with the event
// files.updated; Sort and Search do not apply to it.
//   - API: GET /matters/{matterId}/documents/files
func (s *DocumentsService) ListFiles(ctx context.Context, matterID string, options FileListOptions, opts ...CallOption) (*Page[models.File], error) {
	return documentsListFiles().page(ctx, s.client, options, opts, matterID)
}

// AllFiles yields all the files of a matter, those of all folders. It reads
// Limit records per page from Offset. AllEntries yields one folder; Walk visits
// the whole tree.
//   - API: GET /matters/{matterId}/documents/files
func (s *DocumentsService) AllFiles(ctx context.Context, matterID string, options FileListOptions, opts ...CallOption) iter.Seq2[models.File, error] {
	return documentsListFiles().walk(ctx, s.client, options, opts, matterID)
}

// GetFile returns the record of a file, without its content.
//   - API: GET /matters/{matterId}/documents/files/{fileId}
func (s *DocumentsService) GetFile(ctx context.Context, matterID, fileID string, opts ...CallOption) (*models.File, error) {
	return send[models.File](s.client.call(ctx, documentsGetFile, opts).at(matterID, fileID))
}

// UpdateFile replaces the name, folder, additional data and mark of a file. It
// leaves the content as it is, and returns an address that takes a new version.
// A file whose FolderID is null, and probably one without, moves to the root
// folder; ModifyFile keeps it where it is.
//   - API: PUT /matters/{matterId}/documents/files/{fileId}, asynchronous
func (s *DocumentsService) UpdateFile(ctx context.Context, matterID, fileID string, file models.FileWrite, opts ...CallOption) (*models.UploadInfo, error) {
	return send[models.UploadInfo](s.client.call(ctx, documentsUpdateFile, opts).at(matterID, fileID).with(&file))
}

// PatchFile renames, moves or marks a file: it changes the fields that the body
// sets. A FolderID of null moves the file to the root folder. The service
// probably leaves omitted fields unchanged; this is not documented. PatchFile
// leaves the content as it is, and returns an address that takes a new version.
//   - API: PATCH /matters/{matterId}/documents/files/{fileId}, asynchronous
func (s *DocumentsService) PatchFile(ctx context.Context, matterID, fileID string, patch models.FilePatch, opts ...CallOption) (*models.UploadInfo, error) {
	return send[models.UploadInfo](s.client.call(ctx, documentsPatchFile, opts).at(matterID, fileID).with(&patch))
}

// DeleteFile deletes a file.
//   - API: DELETE /matters/{matterId}/documents/files/{fileId}, asynchronous
func (s *DocumentsService) DeleteFile(ctx context.Context, matterID, fileID string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, documentsDeleteFile, opts).at(matterID, fileID))
}

// ModifyFile reads the record of a file, calls change with a body that would
// leave it unchanged, and sends the changed body. It returns a *ModifyError if
// the write could lose data. UserID, the id of the user who changes the file,
// cannot be read back and so starts empty. PatchFile sends only what changes.
//   - API: PUT /matters/{matterId}/documents/files/{fileId}, asynchronous
func (s *DocumentsService) ModifyFile(ctx context.Context, matterID, fileID string, change func(*models.FileWrite) error, opts ...CallOption) (*models.UploadInfo, error) {
	return modify(ctx, modification[models.FileWrite, models.UploadInfo]{
		s.client, "Documents.ModifyFile", "Documents.PatchFile", twoIDs(s.GetFile, matterID, fileID), ontoTwoIDs(s.UpdateFile, matterID, fileID), opts,
	}, change)
}

// FileHistoryListOptions is empty: the service has no options for this list.
type FileHistoryListOptions struct{}

// ListFileHistory returns what was done to a file. The service does not page
// it. A DocumentVersionID names a version for GetDownloadURL and
// GetFileVersionPreview.
//   - API: GET /matters/{matterId}/documents/files/{fileId}/history
func (s *DocumentsService) ListFileHistory(ctx context.Context, matterID, fileID string, options FileHistoryListOptions, opts ...CallOption) (*Page[models.FileLogEntry], error) {
	return listUnpaged[models.FileLogEntry](s.client.call(ctx, documentsListFileHistory, opts).at(matterID, fileID), noOptions(options))
}

// CreateFiles creates the records of many files in one call, and returns an
// upload address for each. The service promises no order and does not repeat
// the names: GetFile identifies the file of an address. There is no documented
// limit; 100 files a call work well. The client never repeats the call after a
// lost answer: list the files before the next attempt.
//   - API: POST /matters/{matterId}/documents/files/bulk, asynchronous
func (s *DocumentsService) CreateFiles(ctx context.Context, matterID string, files []models.FileCreate, opts ...CallOption) (*Page[models.UploadInfo], error) {
	return listPage[models.UploadInfo](s.client.call(ctx, documentsCreateFiles, opts).at(matterID).with(&files))
}

// FindCreatedFile returns the files of a matter that may be the one that
// CreateFile or Upload was to add: those with the same name and, if file has
// it, the same folder. They must be created since a time, unless file has a
// creation time. IsUploaded reports whether the content has arrived. See
// [ContactsService.FindCreated] for such methods.
func (s *DocumentsService) FindCreatedFile(ctx context.Context, matterID string, file models.FileCreate, since time.Time, opts ...CallOption) ([]models.File, error) {
	return findCreated(ctx, s.client, "Documents.FindCreatedFile", func(ctx context.Context) iter.Seq2[models.File, error] {
		return s.AllFiles(ctx, matterID, FileListOptions{}, wholeLists(opts)...)
	}, func(f *models.File) bool {
		return f.FileName() == file.FileName && (file.FolderPath != "" || sameIDIfGiven(file.FolderID, f.Folder.TargetID())) &&
			(!file.DateCreated.IsZero() || notBefore(f.DateCreated, since))
	})
}

// RequestFilePreview asks for a preview of the latest version of a file. It may
// be repeated. Read GetFilePreview until DownloadURL is there; Await does that.
//   - API: POST /matters/{matterId}/documents/files/{fileId}/preview,
//     asynchronous
func (s *DocumentsService) RequestFilePreview(ctx context.Context, matterID, fileID string, opts ...CallOption) (*models.FilePreview, error) {
	return send[models.FilePreview](s.client.call(ctx, documentsRequestFilePreview, opts).at(matterID, fileID))
}

// GetFilePreview returns the address of the preview of the latest version of a
// file. Without DownloadURL the preview is probably not ready. A file whose
// content has not arrived is not found.
//   - API: GET /matters/{matterId}/documents/files/{fileId}/preview
func (s *DocumentsService) GetFilePreview(ctx context.Context, matterID, fileID string, opts ...CallOption) (*models.FilePreview, error) {
	return send[models.FilePreview](s.client.call(ctx, documentsGetFilePreview, opts).at(matterID, fileID))
}

// GetFileVersionPreview returns the address of the preview of one version of a
// file. ListFileHistory has the ids of versions.
//   - API: GET
//     /matters/{matterId}/documents/files/{fileId}/preview/{documentVersionId}
func (s *DocumentsService) GetFileVersionPreview(ctx context.Context, matterID, fileID, documentVersionID string, opts ...CallOption) (*models.FilePreview, error) {
	return send[models.FilePreview](s.client.call(ctx, documentsGetFileVersionPreview, opts).at(matterID, fileID, documentVersionID))
}
