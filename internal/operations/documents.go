package operations

import (
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func documents() []Operation {
	written := models.DateTimeOf(time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC))
	return []Operation{
		{"Documents.ListRootFolder", "getRootFolder", func(f Firm) []any {
			return []any{f.MatterID, practice.RootFolderListOptions{}}
		}},
		{"Documents.ListFolder", "getFolder", func(f Firm) []any {
			return []any{f.MatterID, f.FolderID, practice.FolderListOptions{ListOptions: practice.ListOptions{Limit: 5}}}
		}},
		{"Documents.CreateFolder", "createFolder", func(f Firm) []any {
			return []any{f.MatterID, models.FolderWrite{Name: "Letters", ParentFolderID: f.FolderID}}
		}},
		{"Documents.PatchFolder", "patchFolder", func(f Firm) []any {
			return []any{f.MatterID, f.SubfolderID, models.FolderPatch{ParentFolderID: models.Some(f.FolderID), IsDeleted: models.Some(false)}}
		}},
		{"Documents.UpdateFolder", "updateFolder", func(f Firm) []any {
			return []any{f.MatterID, f.SubfolderID, models.FolderWrite{Name: "2027", ParentFolderID: f.FolderID}}
		}},
		{"Documents.DeleteFolder", "deleteFolder", func(f Firm) []any {
			return []any{f.MatterID, f.SubfolderID}
		}},
		{"Documents.ListFolderPath", "getFolderPath", func(f Firm) []any {
			return []any{f.MatterID, f.SubfolderID, practice.FolderPathListOptions{}}
		}},
		{"Documents.ListFolderHistory", "listFolderHistory", func(f Firm) []any {
			return []any{f.MatterID, f.SubfolderID, practice.FolderHistoryListOptions{}}
		}},
		{"Documents.CreateFile", "createFile", func(f Firm) []any {
			return []any{f.MatterID, models.FileCreate{FileName: "Letter.docx", FolderID: f.FolderID, DateCreated: written}}
		}},
		{"Documents.GetUploadURL", "getFileUpload", func(f Firm) []any {
			return []any{f.MatterID, f.FileID}
		}},
		{"Documents.GetDownloadURL", "getFileDownload", func(f Firm) []any {
			return []any{f.MatterID, f.FileID, practice.DownloadURLOptions{VersionID: f.VersionID}}
		}},
	}
}

// documentFiles returns the operations on records of files.
func documentFiles() []Operation {
	written := models.DateTimeOf(time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC))
	data, _ := models.ParseObject(`{"source":"import"}`) // the text is a valid object
	return []Operation{
		{"Documents.ListFiles", "listFiles", func(f Firm) []any {
			return []any{f.MatterID, practice.FileListOptions{
				ListOptions: practice.ListOptions{Offset: 1, Limit: 3}, Sort: models.FileSortDateCreated, Search: []string{"letter"},
			}}
		}},
		{"Documents.GetFile", "getFile", func(f Firm) []any {
			return []any{f.MatterID, f.FileID}
		}},
		{"Documents.CreateFiles", "createFiles", func(f Firm) []any {
			return []any{f.MatterID, []models.FileCreate{
				{
					FileName: "Lease.pdf", FolderID: f.FolderID, DateCreated: written, DateModified: written, UserID: f.OwnerUserID,
					FolderPath: "Leases/2026", FileAdditionalData: data,
				},
				{FileName: "Lease.docx"},
			}}
		}},
		{"Documents.UpdateFile", "updateFile", func(f Firm) []any {
			return []any{f.MatterID, f.FileID, models.FileWrite{FileName: "Agenda.docx", FolderID: f.FolderID, IsFavorite: models.Some(true)}}
		}},
		{"Documents.PatchFile", "patchFile", func(f Firm) []any {
			return []any{f.MatterID, f.FileID, models.FilePatch{FileName: models.Some("Agenda.docx")}}
		}},
		{"Documents.DeleteFile", "deleteFile", func(f Firm) []any {
			return []any{f.MatterID, f.FileID}
		}},
		{"Documents.ListFileHistory", "listFileHistory", func(f Firm) []any {
			return []any{f.MatterID, f.FileID, practice.FileHistoryListOptions{}}
		}},
		{"Documents.RequestFilePreview", "createFilePreview", func(f Firm) []any {
			return []any{f.MatterID, f.FileID}
		}},
		{"Documents.GetFilePreview", "getFilePreview", func(f Firm) []any {
			return []any{f.MatterID, f.FileID}
		}},
		{"Documents.GetFileVersionPreview", "getFilePreviewVersion", func(f Firm) []any {
			return []any{f.MatterID, f.FileID, f.DocumentVersionID}
		}},
	}
}
