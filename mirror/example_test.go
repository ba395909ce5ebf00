package mirror_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// EnsurePath returns when all folders of a path exist, however often and from
// wherever it is called.
func ExampleDocumentsService_EnsurePath() {
	server := startService()
	defer stopService(server)
	client, ctx, matterID := clientOf(server), context.Background(), server.Firm().MatterID
	options := practice.EnsureFolderOptions{ListWait: 2 * practice.DefaultListWait} // time that the service may take to list a folder
	folderID, err := client.Documents.EnsurePath(ctx, matterID, "Letters/2026", options)
	if err != nil {
		log.Fatal(err)
	}
	again, err := client.Documents.EnsurePath(ctx, matterID, "Letters/2026", options)
	fmt.Println(again == folderID, err)
	// Output: true <nil>
}

// This pushes a directory to a folder of a matter, and pulls it again as a
// backup.
func ExamplePush() {
	server := startService(practicetest.WithWriteDelay(0))
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	matterID := server.Firm().MatterID
	scans, backup, remove := someScans()
	defer remove()
	folderID, err := client.Documents.EnsureFolder(ctx, matterID, models.FolderWrite{Name: "Scans"}, practice.EnsureFolderOptions{})
	if err != nil {
		log.Fatal(err)
	}

	err = mirror.Push(ctx, client, matterID, scans, mirror.Options{
		FolderID: folderID,
		Result: func(r mirror.Result) {
			switch r.Action {
			case mirror.Created, mirror.Updated:
				fmt.Println("sent", r.Path)
			case mirror.Resumed:
				fmt.Println("sent", r.Path, "whose upload had broken off")
			}
		},
	})
	if part, ok := errors.AsType[*mirror.Error](err); ok {
		log.Fatal(part, "; call it again for the rest") // nothing is created twice
	} else if err != nil {
		log.Fatal(err)
	}
	// The other direction. The next call downloads only changed files.
	err = mirror.Pull(ctx, client, matterID, backup, mirror.Options{FolderID: folderID})
	if err != nil {
		log.Fatal(err)
	}
	// Without a copy, a matter can be used as an fs.FS.
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

// This mirrors a matter every night, including renames and deletions of
// documents, and never loses local changes.
func ExamplePull() {
	server := startService(practicetest.WithWriteDelay(0))
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	_, dir, remove := someScans()
	defer remove()

	options := mirror.Options{
		Delete: true, // remove files locally that are gone from the service
		Conflict: func(path string, _ *models.File) mirror.Choice {
			switch filepath.Ext(path) {
			case ".tmp":
				return mirror.KeepRemote
			case ".draft":
				return mirror.KeepLocal
			}
			return mirror.KeepBoth // as without a policy
		},
		Result: func(r mirror.Result) {
			switch r.Action {
			case mirror.Moved:
				fmt.Println(r.From, "is", r.Path, "now")
			case mirror.Conflict:
				fmt.Println(r.Path, "has changed on both sides; the local change is", r.Copy)
			case mirror.Removed, mirror.Gone:
				fmt.Println(r.Path, r.Action)
			case mirror.Waiting:
				fmt.Println(r.Path, "has changed here; Push sends it")
			}
		},
	}
	matterID := server.Firm().MatterID
	for range 2 {
		err := mirror.Pull(ctx, client, matterID, dir, options)
		switch {
		case errors.Is(err, mirror.ErrDirInUse):
			log.Fatal("another process mirrors this folder just now")
		case errors.Is(err, mirror.ErrMismatch), errors.Is(err, mirror.ErrFormat):
			log.Fatal("not a mirror of this matter, or a newer one: ", err)
		case errors.Is(err, mirror.ErrTooManyDeletions):
			log.Fatal("is the disk there? ", err)
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

// A dry run lists the files that an upload would send, without files that
// office programs keep beside documents.
func ExampleSystemFiles() {
	server := startService(practicetest.WithWriteDelay(0))
	defer stopService(server)
	client, ctx := clientOf(server, practice.WithBandwidth(1<<20)), context.Background() // half of the office's line
	scans, _, remove := someScans()
	defer remove()
	if err := os.WriteFile(filepath.Join(scans, "~$Page 1.pdf"), []byte("locked by somebody"), 0o600); err != nil {
		log.Fatal(err)
	}
	large := func(item mirror.Item) bool { return item.Size > 1<<30 }
	err := mirror.Push(ctx, client, server.Firm().MatterID, scans, mirror.Options{
		DryRun: true,
		Exclude: func(item mirror.Item) bool {
			return mirror.SystemFiles(item) || large(item)
		},
		Result: func(r mirror.Result) { fmt.Println(r.Path, "would be", r.Action) },
	})
	fmt.Println(err)
	// Output:
	// 2026/Page 1.pdf would be created
	// <nil>
}

func startService(opts ...practicetest.Option) *practicetest.Server {
	server, err := practicetest.Start(opts...)
	if err != nil {
		panic(err)
	}
	return server
}

func clientOf(server *practicetest.Server, opts ...practice.ClientOption) *practice.Client {
	credentials := server.Credentials()
	opts = append([]practice.ClientOption{practice.WithAPIKey(credentials.APIKey), practice.WithAccessToken(credentials.AccessToken)}, opts...)
	client, err := practice.NewClient(server.BaseURL(), opts...)
	if err != nil {
		panic(err)
	}
	return client
}

func stopService(server *practicetest.Server) {
	if err := server.Close(); err != nil {
		panic(err)
	}
}

// someScans returns a directory with a file, and an empty directory.
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
