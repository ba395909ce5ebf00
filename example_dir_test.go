package practice_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// A directory goes into a folder of a matter, and comes back as a backup.
func ExampleDocumentsService_UploadDir() {
	server := startService(practicetest.WithWriteDelay(0))
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	matterID := server.Firm().MatterID
	scans, backup, remove := someScans()
	defer remove()
	folderID, err := client.Documents.EnsureFolder(ctx, matterID, models.FolderCreate{Name: "Scans"}, practice.EnsureFolderOptions{})
	if err != nil {
		log.Fatal(err)
	}

	err = client.Documents.UploadDir(ctx, matterID, os.DirFS(scans), practice.UploadDirOptions{
		FolderID: folderID,
		Result:   func(r practice.DirResult) { fmt.Println("sent", r.Path) },
	})
	if part, ok := errors.AsType[*practice.DirError](err); ok {
		log.Fatal(part, "; call it again for the rest") // nothing is made twice
	} else if err != nil {
		log.Fatal(err)
	}
	// The other way. The next time it gets only what has changed.
	err = client.Documents.DownloadDir(ctx, matterID, backup, practice.DownloadDirOptions{FolderID: folderID})
	if err != nil {
		log.Fatal(err)
	}
	// Or without any copy: the matter is an fs.FS.
	pages, err := fs.Glob(client.Documents.FS(ctx, matterID), "Scans/*/*.pdf")
	fmt.Println(pages, err)

	page, err := os.ReadFile(filepath.Join(backup, "2026", "Page 1.pdf"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", page)
	// Output:
	// sent 2026/Page 1.pdf
	// [Scans/2026/Page 1.pdf] <nil>
	// page one
}

// A mirror that follows the matter every night, also where documents were
// renamed or deleted, and that never loses what somebody wrote into the local
// folder.
func ExampleDocumentsService_DownloadDir_mirror() {
	server := startService(practicetest.WithWriteDelay(0))
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	_, mirror, remove := someScans()
	defer remove()

	options := practice.DownloadDirOptions{
		Delete: true, // what is gone from the service goes here as well
		Conflict: func(path string, remote *models.File) practice.ConflictChoice {
			switch filepath.Ext(path) {
			case ".tmp":
				return practice.KeepRemote(path, remote)
			case ".draft":
				return practice.KeepLocal(path, remote)
			}
			return practice.KeepBoth(path, remote) // as without a policy
		},
		Result: func(r practice.DirResult) {
			switch r.Action {
			case practice.DirMoved:
				fmt.Println(r.From, "is", r.Path, "now")
			case practice.DirConflict:
				fmt.Println(r.Path, "has changed on both sides; the local change is", r.Copy)
			case practice.DirRemoved, practice.DirGone:
				fmt.Println(r.Path, r.Action)
			case practice.DirWaiting:
				fmt.Println(r.Path, "has changed here; UploadDir sends it")
			}
		},
	}
	matterID := server.Firm().MatterID
	for range 2 {
		err := client.Documents.DownloadDir(ctx, matterID, mirror, options)
		switch {
		case errors.Is(err, practice.ErrMirrorBusy):
			log.Fatal("another process mirrors this folder just now")
		case errors.Is(err, practice.ErrMirrorMismatch), errors.Is(err, practice.ErrMirrorFormat):
			log.Fatal("not a mirror of this matter, or a newer one: ", err)
		case errors.Is(err, practice.ErrFolderDeleted):
			log.Fatal("the folder of the matter is deleted: ", err)
		case err != nil:
			log.Fatal(err)
		}
		name := models.FilePatch{FileName: models.Some("The agenda.docx")}
		if _, err = client.Documents.PatchFile(ctx, matterID, server.Firm().FileID, name); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// 1. Agenda.docx is The agenda.docx now
}

// A dry run tells which files an upload would send, without those that office
// programs keep beside documents.
func ExampleDirFilter() {
	server := startService(practicetest.WithWriteDelay(0))
	defer stopService(server)
	client, ctx := clientOf(server, practice.WithBandwidth(1<<20)), context.Background() // half of the office's line
	scans, _, remove := someScans()
	defer remove()
	if err := os.WriteFile(filepath.Join(scans, "~$Page 1.pdf"), []byte("locked by somebody"), 0o600); err != nil {
		log.Fatal(err)
	}
	var large practice.DirFilter = func(item practice.DirItem) bool { return item.Size > 1<<30 }
	err := client.Documents.UploadDir(ctx, server.Firm().MatterID, os.DirFS(scans), practice.UploadDirOptions{
		DryRun: true,
		Exclude: func(item practice.DirItem) bool {
			return practice.SystemFiles(item) || large(item)
		},
		Result: func(r practice.DirResult) { fmt.Println(r.Path, "would be", r.Action) },
	})
	fmt.Println(err)
	// Output:
	// 2026/Page 1.pdf would be created
	// <nil>
}

// someScans is a directory with a file in it, and an empty one.
func someScans() (scans, backup string, remove func()) {
	root, err := os.MkdirTemp("", "practice-example-")
	if err != nil {
		panic(err)
	}
	scans, backup = filepath.Join(root, "scans"), filepath.Join(root, "backup")
	err = errors.Join(
		os.MkdirAll(filepath.Join(scans, "2026"), 0o700), os.Mkdir(backup, 0o700),
		os.WriteFile(filepath.Join(scans, "2026", "Page 1.pdf"), []byte("page one"), 0o600),
	)
	if err != nil {
		panic(err)
	}
	return scans, backup, func() { _ = os.RemoveAll(root) }
}
