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
			return []any{f.MatterID}
		}},
		{"Documents.ListFolder", "getFolder", func(f Firm) []any {
			return []any{f.MatterID, f.FolderID, practice.ListOptions{Limit: 5}}
		}},
		{"Documents.CreateFolder", "createFolder", func(f Firm) []any {
			return []any{f.MatterID, models.FolderCreate{Name: "Letters", ParentFolderID: f.FolderID}}
		}},
		{"Documents.RestoreFolder", "patchFolder", func(f Firm) []any {
			return []any{f.MatterID, f.FolderID}
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
