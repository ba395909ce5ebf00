package operations

import (
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func documents(f Firm) rows {
	written := models.DateTimeOf(time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC))
	return rows{
		"getFolder":    {practice.FolderListOptions{ListOptions: practice.ListOptions{Limit: 5}}},
		"createFolder": {models.FolderWrite{Name: "Letters", ParentFolderID: f.FolderID}},
		// A folder that others lie in stays as it is.
		"patchFolder":  {f.MatterID, f.SubfolderID, models.FolderPatch{ParentFolderID: models.Some(f.FolderID), IsDeleted: models.Some(false)}},
		"updateFolder": {f.MatterID, f.SubfolderID, models.FolderWrite{Name: "2027", ParentFolderID: f.FolderID}},
		"deleteFolder": {f.MatterID, f.SubfolderID},
		// A path of two folders.
		"getFolderPath": {f.MatterID, f.SubfolderID, practice.FolderPathListOptions{}},
		// Beside the folders that are written.
		"listFolderHistory": {f.MatterID, f.SubfolderID, practice.FolderHistoryListOptions{}},
		"createFile":        {models.FileCreate{FileName: "Letter.docx", FolderID: f.FolderID, DateCreated: written}},
		"getFileDownload":   {practice.DownloadURLOptions{VersionID: f.VersionID}},
	}
}

// documentFiles returns the operations on records of files.
func documentFiles(f Firm) rows {
	written := models.DateTimeOf(time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC))
	data, _ := models.ParseObject(`{"source":"import"}`) // the text is a valid object
	return rows{
		"listFiles": {practice.FileListOptions{
			ListOptions: practice.ListOptions{Offset: 1, Limit: 3}, Sort: models.FileSortDateCreated, Search: []string{"letter"},
		}},
		"createFiles": {[]models.FileCreate{
			{
				FileName: "Lease.pdf", FolderID: f.FolderID, DateCreated: written, DateModified: written, UserID: f.OwnerUserID,
				FolderPath: "Leases/2026", FileAdditionalData: data,
			},
			{FileName: "Lease.docx"},
		}},
		"updateFile": {models.FileWrite{FileName: "Agenda.docx", FolderID: f.FolderID, IsFavorite: models.Some(true)}},
		"patchFile":  {models.FilePatch{FileName: models.Some("Agenda.docx")}},
	}
}
