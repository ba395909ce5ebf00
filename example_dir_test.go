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
	folderID, err := client.Documents.EnsureFolder(ctx, matterID, models.FolderCreate{Name: "Scans"})
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
