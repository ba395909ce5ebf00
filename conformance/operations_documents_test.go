package conformance_test

import (
	"context"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func documents() map[string]calls {
	return map[string]calls{
		"getRootFolder": {minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return discard(c.Documents.ListRootFolder(ctx, f.MatterID))
		}},
		"getFolder": {
			minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Documents.ListFolder(ctx, f.MatterID, f.FolderID, practice.FolderListOptions{}))
			},
			full: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Documents.ListFolder(ctx, f.MatterID, f.FolderID, practice.FolderListOptions{Offset: 1, Limit: practice.MaxPageSize}))
			},
		},
		"createFolder": {
			minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Documents.CreateFolder(ctx, f.MatterID, models.FolderCreate{Name: "L"}))
			},
			full: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Documents.CreateFolder(ctx, f.MatterID, models.FolderCreate{Name: "Letters", ParentFolderID: f.FolderID, UserID: f.UserID}))
			},
		},
		"patchFolder": {minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return discard(c.Documents.RestoreFolder(ctx, f.MatterID, f.FolderID))
		}},
		"createFile": {
			minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Documents.CreateFile(ctx, f.MatterID, models.FileCreate{FileName: "a"}))
			},
			full: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				more, err := models.ObjectOf(map[string]any{"source": "scanner", "pageCount": 3, "isSigned": true})
				if err != nil {
					return err
				}
				return discard(c.Documents.CreateFile(ctx, f.MatterID, models.FileCreate{
					FileName: "letter.docx", FolderID: f.FolderID, FolderPath: "Letters/2026", UserID: f.UserID,
					DateCreated: models.DateTimeOf(from), DateModified: models.DateTimeOf(to), FileAdditionalData: more,
				}))
			},
		},
		"getFileUpload": {minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return discard(c.Documents.GetUploadURL(ctx, f.MatterID, f.FileID))
		}},
		"getFileDownload": {
			minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Documents.GetDownloadURL(ctx, f.MatterID, f.FileID, practice.DownloadURLOptions{}))
			},
			full: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				version, err := versionOf(ctx, c, f)
				if err != nil {
					return err
				}
				return discard(c.Documents.GetDownloadURL(ctx, f.MatterID, f.FileID, practice.DownloadURLOptions{VersionID: version}))
			},
		},
	}
}

// versionOf is the version of the seeded file, as its folder lists it.
func versionOf(ctx context.Context, c *practice.Client, f practicetest.Firm) (string, error) {
	root, err := c.Documents.ListRootFolder(ctx, f.MatterID)
	if err != nil {
		return "", err
	}
	for _, listing := range root.Items {
		for _, file := range listing.Files {
			if file.ID == f.FileID {
				return file.VersionID, nil
			}
		}
	}
	return "", nil
}
