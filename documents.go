package practice

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"strings"

	"github.com/practicesdk/practice-go/internal/pending"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	documentsListRootFolder    = operation{"Documents.ListRootFolder", http.MethodGet, "/matters/{matterId}/documents/folders", transport.Read}
	documentsListFolder        = operation{"Documents.ListFolder", http.MethodGet, "/matters/{matterId}/documents/folders/{folderId}", transport.Read}
	documentsCreateFolder      = operation{"Documents.CreateFolder", http.MethodPost, "/matters/{matterId}/documents/folders", transport.Create}
	documentsPatchFolder       = operation{"Documents.PatchFolder", http.MethodPatch, "/matters/{matterId}/documents/folders/{folderId}", transport.IdempotentWrite}
	documentsUpdateFolder      = operation{"Documents.UpdateFolder", http.MethodPut, "/matters/{matterId}/documents/folders/{folderId}", transport.IdempotentWrite}
	documentsDeleteFolder      = operation{"Documents.DeleteFolder", http.MethodDelete, "/matters/{matterId}/documents/folders/{folderId}", transport.IdempotentWrite}
	documentsListFolderPath    = operation{"Documents.ListFolderPath", http.MethodGet, "/matters/{matterId}/documents/folders/{folderId}/path", transport.Read}
	documentsListFolderHistory = operation{"Documents.ListFolderHistory", http.MethodGet, "/matters/{matterId}/documents/folders/{folderId}/history", transport.Read}
	documentsCreateFile        = operation{"Documents.CreateFile", http.MethodPost, "/matters/{matterId}/documents/files", transport.Create}
	documentsGetUploadURL      = operation{"Documents.GetUploadURL", http.MethodGet, "/matters/{matterId}/documents/files/{fileId}/upload", transport.Read}
	documentsGetDownloadURL    = operation{"Documents.GetDownloadURL", http.MethodGet, "/matters/{matterId}/documents/files/{fileId}/download", transport.Read}
)

// DocumentsService manages folders and files of matters.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/documents.md
type DocumentsService service

// FolderPage is one page of a folder: its subfolders and files in Items, and
// the folder itself in ParentID, Name and IsDeleted.
type FolderPage struct {
	models.FolderListingPage
	// Response describes the HTTP response with this page.
	Response Response
}

// DownloadURLOptions choose the version of a file.
type DownloadURLOptions struct {
	VersionID string // version of the file; empty: the latest
}

// RootFolderListOptions is empty: the service has no options for this list.
type RootFolderListOptions struct{}

// ListRootFolder returns the first page of the root folder of a matter.
// AllEntries follows its pages.
//   - API: GET /matters/{matterId}/documents/folders
func (s *DocumentsService) ListRootFolder(ctx context.Context, matterID string, options RootFolderListOptions, opts ...CallOption) (*FolderPage, error) {
	return folderPage(s.client.call(ctx, documentsListRootFolder, opts).at(matterID), noOptions(options))
}

// FolderListOptions choose the page of a list of entries of a folder.
type FolderListOptions struct{ ListOptions }

// ListFolder returns one page of a folder. Offset and Limit count sub folders
// and files together, folders first. A deleted folder is returned with
// IsDeleted true and no entries.
//   - API: GET /matters/{matterId}/documents/folders/{folderId}
func (s *DocumentsService) ListFolder(ctx context.Context, matterID, folderID string, options FolderListOptions, opts ...CallOption) (*FolderPage, error) {
	c := s.client.call(ctx, documentsListFolder, opts).at(matterID, folderID)
	c.page(lowerNames, options.ListOptions)
	return folderPage(c, options)
}

// CreateFolder creates a folder. An existing name results in a second folder of
// that name; EnsureFolder looks first. Without ParentFolderID it lies at the
// top.
//   - API: POST /matters/{matterId}/documents/folders, asynchronous
func (s *DocumentsService) CreateFolder(ctx context.Context, matterID string, folder models.FolderWrite, opts ...CallOption) (*models.Link, error) {
	return s.createFolder(ctx, matterID, folder, opts)
}

// folderPlace returns the key for folders of a name below a parent.
func (s *DocumentsService) folderPlace(matterID, parentID, name string) pending.Key {
	return pending.Key{Place: strings.ToLower(s.client.base.String() + " " + matterID + " " + parentID), Name: name}
}

// createFolder creates a folder. It records the create before it sends it, so
// that EnsureFolder considers it whatever the outcome.
func (s *DocumentsService) createFolder(ctx context.Context, matterID string, folder models.FolderWrite, opts []CallOption) (*models.Link, error) {
	c := s.client.call(ctx, documentsCreateFolder, opts).at(matterID).with(&folder)
	creates := s.client.folders
	create := creates.Begin(s.folderPlace(matterID, folder.ParentFolderID, folder.Name))
	link, err := send[models.Link](c)
	if err != nil && !maybeMade(err) {
		creates.Refused(create)
		return link, err
	}
	creates.Answered(create, folderIDOf(link, matterID, folder.ParentFolderID))
	return link, err
}

// createdFolder creates a folder on behalf of a method and returns its id.
func (s *DocumentsService) createdFolder(ctx context.Context, method, matterID string, folder models.FolderWrite, opts []CallOption) (string, error) {
	link, err := s.createFolder(ctx, matterID, folder, opts)
	if err != nil {
		return "", err
	}
	id := folderIDOf(link, matterID, folder.ParentFolderID)
	if id == "" {
		return "", fmt.Errorf("practice: %s: the service accepted the folder, but %w", method, ErrNoID)
	}
	return id, nil
}

// folderIDOf returns the id of the folder from the response to its create, or
// "". A link without an id may end before the id, or lead to the matter or the
// parent.
func folderIDOf(link *models.Link, matterID, parentID string) string {
	if link == nil {
		return ""
	}
	id := link.TargetID()
	for _, other := range []string{path.Base(documentsCreateFolder.path), matterID, parentID} {
		if strings.EqualFold(id, other) {
			return ""
		}
	}
	if badIdentifier(id) != "" {
		return ""
	}
	return id
}

// PatchFolder renames, moves or restores a folder: it changes the fields that
// the body sets. A ParentFolderID of null moves the folder to the root.
// IsDeleted false restores it; it is not deleted with true. The service
// probably leaves omitted fields unchanged; this is not documented.
//   - API: PATCH /matters/{matterId}/documents/folders/{folderId}, asynchronous
func (s *DocumentsService) PatchFolder(ctx context.Context, matterID, folderID string, patch models.FolderPatch, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, documentsPatchFolder, opts).at(matterID, folderID).with(&patch))
}

// RestoreFolder restores a deleted folder: it is PatchFolder with IsDeleted
// false.
//   - API: PATCH /matters/{matterId}/documents/folders/{folderId}, asynchronous
func (s *DocumentsService) RestoreFolder(ctx context.Context, matterID, folderID string, opts ...CallOption) (*models.Link, error) {
	restore := documentsPatchFolder
	restore.name = "Documents.RestoreFolder"
	return send[models.Link](s.client.call(ctx, restore, opts).at(matterID, folderID).with(&models.FolderPatch{IsDeleted: models.Some(false)}))
}

// UpdateFolder renames and moves a folder. A folder whose ParentFolderID is
// null or left out probably moves to the root: ModifyFolder sends what the
// folder has. PatchFolder changes only one of the two.
//   - API: PUT /matters/{matterId}/documents/folders/{folderId}, asynchronous
func (s *DocumentsService) UpdateFolder(ctx context.Context, matterID, folderID string, folder models.FolderWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, documentsUpdateFolder, opts).at(matterID, folderID).with(&folder))
}

// ModifyFolder reads a folder, calls change with a body that would leave it
// unchanged, and sends the changed body. It returns a *ModifyError if the write
// could lose data. UserID, the UUID of the user who creates or changes the
// folder, cannot be read back and so starts empty. PatchFolder sends only what
// changes.
//   - API: PUT /matters/{matterId}/documents/folders/{folderId}, asynchronous
func (s *DocumentsService) ModifyFolder(ctx context.Context, matterID, folderID string, change func(*models.FolderWrite) error, opts ...CallOption) (*models.Link, error) {
	read := func(ctx context.Context, opts ...CallOption) (any, error) {
		// The page also describes the folder itself.
		page, err := s.ListFolder(ctx, matterID, folderID, FolderListOptions{ListOptions: ListOptions{Limit: 1}}, opts...)
		if err == nil && page.Name == "" && page.ParentID == "" && page.IsDeleted.IsZero() { // another object, or another list
			err = &DecodeError{Operation: "Documents.ModifyFolder", StatusCode: page.Response.StatusCode, RequestID: page.Response.RequestID, Err: ErrOtherRecord}
		}
		if err != nil {
			return nil, err
		}
		return &page.FolderListingPage, nil
	}
	return modify(ctx, modification[models.FolderWrite, models.Link]{
		s.client, "Documents.ModifyFolder", "Documents.PatchFolder", read, ontoTwoIDs(s.UpdateFolder, matterID, folderID), opts,
	}, change)
}

// DeleteFolder deletes a folder, which RestoreFolder brings back. The service
// does not document whether it deletes the content of the folder.
//   - API: DELETE /matters/{matterId}/documents/folders/{folderId},
//     asynchronous
func (s *DocumentsService) DeleteFolder(ctx context.Context, matterID, folderID string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, documentsDeleteFolder, opts).at(matterID, folderID))
}

// FolderPathListOptions is empty: the service has no options for this list.
type FolderPathListOptions struct{}

// ListFolderPath returns the folders on the way to a folder, from the outermost
// one down to the folder itself. The root folder is not among them. The service
// does not page them.
//   - API: GET /matters/{matterId}/documents/folders/{folderId}/path
func (s *DocumentsService) ListFolderPath(ctx context.Context, matterID, folderID string, options FolderPathListOptions, opts ...CallOption) (*Page[models.FolderPathSegment], error) {
	return listUnpaged[models.FolderPathSegment](s.client.call(ctx, documentsListFolderPath, opts).at(matterID, folderID), noOptions(options))
}

// FolderHistoryListOptions is empty: the service has no options for this list.
type FolderHistoryListOptions struct{}

// ListFolderHistory returns what was done to a folder. The service does not
// page it.
//   - API: GET /matters/{matterId}/documents/folders/{folderId}/history
func (s *DocumentsService) ListFolderHistory(ctx context.Context, matterID, folderID string, options FolderHistoryListOptions, opts ...CallOption) (*Page[models.FileLogEntry], error) {
	return listUnpaged[models.FileLogEntry](s.client.call(ctx, documentsListFolderHistory, opts).at(matterID, folderID), noOptions(options))
}

// CreateFile creates the record of a file and returns the address for its
// content, which is valid until Expiry. Upload does both steps. A list may have
// the file before its content has arrived, with IsUploaded false.
//   - API: POST /matters/{matterId}/documents/files, asynchronous
func (s *DocumentsService) CreateFile(ctx context.Context, matterID string, file models.FileCreate, opts ...CallOption) (*models.UploadInfo, error) {
	return send[models.UploadInfo](s.client.call(ctx, documentsCreateFile, opts).at(matterID).with(&file))
}

// GetUploadURL returns the address for a new version of a file. UploadVersion
// does both steps.
//   - API: GET /matters/{matterId}/documents/files/{fileId}/upload
func (s *DocumentsService) GetUploadURL(ctx context.Context, matterID, fileID string, opts ...CallOption) (*models.UploadInfo, error) {
	return send[models.UploadInfo](s.client.call(ctx, documentsGetUploadURL, opts).at(matterID, fileID))
}

// GetDownloadURL returns an address of the content of a file, which is valid
// until Expiry. Download does both steps.
//   - API: GET /matters/{matterId}/documents/files/{fileId}/download
func (s *DocumentsService) GetDownloadURL(ctx context.Context, matterID, fileID string, options DownloadURLOptions, opts ...CallOption) (*models.DownloadInfo, error) {
	return send[models.DownloadInfo](s.getDownloadURLCall(ctx, matterID, fileID, options, opts))
}

func (s *DocumentsService) getDownloadURLCall(ctx context.Context, matterID, fileID string, options DownloadURLOptions, opts []CallOption) *call {
	c := s.client.call(ctx, documentsGetDownloadURL, opts).at(matterID, fileID)
	c.param("versionId", options.VersionID)
	return c
}
