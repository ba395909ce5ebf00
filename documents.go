package practice

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"

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

// DocumentsService manages the folders and files of matters.
type DocumentsService service

// FolderPage is one page of a folder: its sub folders and files in Items, and
// the folder itself in ParentID, Name and IsDeleted.
type FolderPage struct {
	models.FolderListingPage
	// Response tells how the request of this page went.
	Response Response
}

// DownloadURLOptions choose the version of a file.
type DownloadURLOptions struct {
	VersionID string // a version of the file; empty means the latest
}

// ListRootFolder returns the first page of the root folder of a matter.
// AllEntries follows its pages.
//
// API: GET /matters/{matterId}/documents/folders
func (s *DocumentsService) ListRootFolder(ctx context.Context, matterID string, opts ...CallOption) (*FolderPage, error) {
	c := s.client.call(ctx, documentsListRootFolder, opts)
	c.id("matterId", matterID)
	return folderPage(c)
}

// ListFolder returns one page of a folder. Offset and Limit count sub folders
// and files together, folders first. A deleted folder is returned with
// IsDeleted true and no entries.
//
// API: GET /matters/{matterId}/documents/folders/{folderId}
func (s *DocumentsService) ListFolder(ctx context.Context, matterID, folderID string, options ListOptions, opts ...CallOption) (*FolderPage, error) {
	c := s.client.call(ctx, documentsListFolder, opts)
	c.id("matterId", matterID)
	c.id("folderId", folderID)
	c.page(lowerNames, options)
	return folderPage(c)
}

// CreateFolder creates a folder. An existing name results in a second folder of
// that name; EnsureFolder looks first. Without ParentFolderID it lies at the
// top. The write is asynchronous.
//
// API: POST /matters/{matterId}/documents/folders
func (s *DocumentsService) CreateFolder(ctx context.Context, matterID string, folder models.FolderCreate, opts ...CallOption) (*models.Link, error) {
	c := s.client.call(ctx, documentsCreateFolder, opts)
	c.id("matterId", matterID)
	c.json(&folder)
	return send[models.Link](c)
}

// AmbiguityPolicy chooses one of several folders of one name, by its id. The
// path is that of the folder, with slashes, from where the call began. The ids
// are in the order of the listing. An empty id chooses none. FirstListed is
// one.
type AmbiguityPolicy func(path string, ids []string) (id string)

// FirstListed is an AmbiguityPolicy that chooses the folder that the service
// lists first.
func FirstListed(_ string, ids []string) (id string) { return ids[0] }

// chosen is the folder that the policy chooses, if it is one of those that
// there are.
func (p AmbiguityPolicy) chosen(path string, ids []string) (id string, ok bool) {
	if p == nil {
		return "", false
	}
	chosen := p(path, slices.Clone(ids))
	for _, id := range ids {
		if chosen != "" && folderKey(id) == folderKey(chosen) {
			return id, true
		}
	}
	return "", false
}

// EnsureFolderOptions configure EnsureFolder. The zero value is ready to use.
type EnsureFolderOptions struct {
	// Ambiguous chooses when there are several folders of the name. Nil, or an
	// id that none of them has, means that they are an *AmbiguousFolderError.
	Ambiguous AmbiguityPolicy
}

// EnsureFolder returns the id of the folder of that name below the same parent,
// and creates the folder when there is none. A deleted folder does not count.
// Two concurrent callers may still create two. It fails with an
// *AmbiguousFolderError when there are several already and options choose none,
// and with ErrNoID when the service does not say the id. It creates nothing
// unless it has seen every entry of the parent.
func (s *DocumentsService) EnsureFolder(
	ctx context.Context, matterID string, folder models.FolderCreate, options EnsureFolderOptions, opts ...CallOption,
) (id string, err error) {
	const operation = "Documents.EnsureFolder"
	ctx, observer := s.client.observers.aggregate(ctx, Observation{Operation: operation})
	defer observer.endOf(&err)
	if reason := badLength(folder.Name, 1, MaxFolderName); reason != "" {
		return "", &ArgumentError{Operation: operation, Argument: "name", Reason: reason}
	}
	var found []string
	for entry, err := range s.AllEntries(ctx, matterID, folder.ParentFolderID, opts...) {
		if err != nil {
			return "", err
		}
		if entry.Folder != nil && entry.Folder.Name == folder.Name && !entry.deleted() {
			found = append(found, entry.Folder.ID)
		}
	}
	if len(found) > 1 {
		if id, ok := options.Ambiguous.chosen(folder.Name, found); ok {
			found = []string{id}
		}
	}
	switch len(found) {
	case 0:
		return s.createdFolder(ctx, matterID, folder, opts)
	case 1:
		if badIdentifier(found[0]) != "" {
			return "", fmt.Errorf("practice: Documents.EnsureFolder: the folder is listed: %w", ErrNoID)
		}
		return found[0], nil
	}
	return "", &AmbiguousFolderError{Name: folder.Name, ParentID: folder.ParentFolderID, IDs: found}
}

// createdFolder creates a folder and returns its id.
func (s *DocumentsService) createdFolder(ctx context.Context, matterID string, folder models.FolderCreate, opts []CallOption) (string, error) {
	link, err := s.CreateFolder(ctx, matterID, folder, opts...)
	if err != nil {
		return "", err
	}
	id := link.TargetID()
	// An address without an id ends with what stands before the id, or leads to
	// the matter or the parent.
	for _, other := range []string{path.Base(documentsCreateFolder.path), matterID, folder.ParentFolderID} {
		if strings.EqualFold(id, other) {
			id = ""
		}
	}
	if badIdentifier(id) != "" {
		return "", fmt.Errorf("practice: %s: the folder was accepted: %w", documentsCreateFolder.name, ErrNoID)
	}
	return id, nil
}

// PatchFolder renames, moves or restores a folder: it changes the fields that
// the body sets. A ParentFolderID of null moves the folder to the root.
// IsDeleted false restores it; it is not deleted with true. The service
// probably leaves omitted fields unchanged; this is not documented. The write
// is asynchronous.
//
// API: PATCH /matters/{matterId}/documents/folders/{folderId}
func (s *DocumentsService) PatchFolder(ctx context.Context, matterID, folderID string, patch models.FolderPatch, opts ...CallOption) (*models.Link, error) {
	c := s.folderCall(ctx, documentsPatchFolder, matterID, folderID, opts)
	c.json(&patch)
	return send[models.Link](c)
}

// RestoreFolder restores a deleted folder: it is PatchFolder with IsDeleted
// false.
//
// API: PATCH /matters/{matterId}/documents/folders/{folderId}
func (s *DocumentsService) RestoreFolder(ctx context.Context, matterID, folderID string, opts ...CallOption) (*models.Link, error) {
	restore := documentsPatchFolder
	restore.name = "Documents.RestoreFolder"
	c := s.folderCall(ctx, restore, matterID, folderID, opts)
	c.json(&models.FolderPatch{IsDeleted: models.Some(false)})
	return send[models.Link](c)
}

// UpdateFolder renames and moves a folder. A folder whose ParentFolderID is
// null or left out probably moves to the root: ModifyFolder sends what the
// folder has. PatchFolder changes only one of the two. The write is
// asynchronous.
//
// API: PUT /matters/{matterId}/documents/folders/{folderId}
func (s *DocumentsService) UpdateFolder(ctx context.Context, matterID, folderID string, folder models.FolderCreate, opts ...CallOption) (*models.Link, error) {
	c := s.folderCall(ctx, documentsUpdateFolder, matterID, folderID, opts)
	c.json(&folder)
	return send[models.Link](c)
}

// ModifyFolder reads a folder, lets change edit the body that would keep it as
// it is, and replaces it with that. If it did not write, it returns a
// *ModifyError. UserID is an instruction and comes empty. PatchFolder sends
// only what changes. The write is asynchronous.
//
// API: PUT /matters/{matterId}/documents/folders/{folderId}
func (s *DocumentsService) ModifyFolder(ctx context.Context, matterID, folderID string, change func(*models.FolderCreate) error, opts ...CallOption) (*models.Link, error) {
	read := func(ctx context.Context, opts ...CallOption) (any, error) {
		page, err := s.ListFolder(ctx, matterID, folderID, ListOptions{Limit: 1}, opts...) // the page tells of the folder
		if err != nil {
			return nil, err
		}
		return &page.FolderListingPage, nil
	}
	return modify(ctx, modification[models.FolderCreate, models.Link]{
		s.client, "Documents.ModifyFolder", &folderCreateFrom, read, ontoTwoIDs(s.UpdateFolder, matterID, folderID), opts,
	}, change)
}

// DeleteFolder deletes a folder, which RestoreFolder brings back. The service
// does not document whether it deletes the content of the folder. The write is
// asynchronous.
//
// API: DELETE /matters/{matterId}/documents/folders/{folderId}
func (s *DocumentsService) DeleteFolder(ctx context.Context, matterID, folderID string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.folderCall(ctx, documentsDeleteFolder, matterID, folderID, opts))
}

// ListFolderPath returns the folders on the way to a folder, from the outermost
// one down to the folder itself. The root folder is not among them. The service
// does not page them.
//
// API: GET /matters/{matterId}/documents/folders/{folderId}/path
func (s *DocumentsService) ListFolderPath(ctx context.Context, matterID, folderID string, opts ...CallOption) (*Page[models.FolderPathSegment], error) {
	return listPage[models.FolderPathSegment](s.folderCall(ctx, documentsListFolderPath, matterID, folderID, opts))
}

// ListFolderHistory returns what was done to a folder. The service does not
// page it.
//
// API: GET /matters/{matterId}/documents/folders/{folderId}/history
func (s *DocumentsService) ListFolderHistory(ctx context.Context, matterID, folderID string, opts ...CallOption) (*Page[models.FileLogEntry], error) {
	return listPage[models.FileLogEntry](s.folderCall(ctx, documentsListFolderHistory, matterID, folderID, opts))
}

// folderCall is a call that is about a folder.
func (s *DocumentsService) folderCall(ctx context.Context, op operation, matterID, folderID string, opts []CallOption) *call {
	c := s.client.call(ctx, op, opts)
	c.id("matterId", matterID)
	c.id("folderId", folderID)
	return c
}

// CreateFile creates the record of a file and returns the address for its
// content, which is valid until Expiry. Upload does both steps. The file
// appears when the upload is complete. The write is asynchronous.
//
// API: POST /matters/{matterId}/documents/files
func (s *DocumentsService) CreateFile(ctx context.Context, matterID string, file models.FileCreate, opts ...CallOption) (*models.UploadInfo, error) {
	return send[models.UploadInfo](s.createFileCall(ctx, matterID, file, opts))
}

func (s *DocumentsService) createFileCall(ctx context.Context, matterID string, file models.FileCreate, opts []CallOption) *call {
	c := s.client.call(ctx, documentsCreateFile, opts)
	c.id("matterId", matterID)
	c.json(&file)
	return c
}

// GetUploadURL returns the address for a new version of a file. UploadVersion
// does both steps.
//
// API: GET /matters/{matterId}/documents/files/{fileId}/upload
func (s *DocumentsService) GetUploadURL(ctx context.Context, matterID, fileID string, opts ...CallOption) (*models.UploadInfo, error) {
	return send[models.UploadInfo](s.getUploadURLCall(ctx, matterID, fileID, opts))
}

func (s *DocumentsService) getUploadURLCall(ctx context.Context, matterID, fileID string, opts []CallOption) *call {
	c := s.client.call(ctx, documentsGetUploadURL, opts)
	c.id("matterId", matterID)
	c.id("fileId", fileID)
	return c
}

// GetDownloadURL returns an address of the content of a file, which is valid
// until Expiry. Download does both steps.
//
// API: GET /matters/{matterId}/documents/files/{fileId}/download
func (s *DocumentsService) GetDownloadURL(ctx context.Context, matterID, fileID string, options DownloadURLOptions, opts ...CallOption) (*models.DownloadInfo, error) {
	return send[models.DownloadInfo](s.getDownloadURLCall(ctx, matterID, fileID, options, opts))
}

func (s *DocumentsService) getDownloadURLCall(ctx context.Context, matterID, fileID string, options DownloadURLOptions, opts []CallOption) *call {
	c := s.client.call(ctx, documentsGetDownloadURL, opts)
	c.id("matterId", matterID)
	c.id("fileId", fileID)
	c.param("versionId", options.VersionID)
	return c
}

// AmbiguousFolderError reports several folders of one name below one parent,
// which the service allows.
type AmbiguousFolderError struct {
	Name     string
	ParentID string   // empty for the root folder
	IDs      []string // of the folders, in the order of the listing
}

// Error says what happened, without any secret.
func (e *AmbiguousFolderError) Error() string {
	return fmt.Sprintf("practice: %d folders are named %q", len(e.IDs), oneLine(e.Name))
}
