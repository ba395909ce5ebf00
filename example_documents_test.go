package practice_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// A file gets a name and a folder, and its history shows that. With a Cursor
// from an event files.updated, a list contains only what has changed.
func ExampleDocumentsService_PatchFile() {
	server := startService()
	defer stopService(server)
	ctx, client, matterID := context.Background(), clientOf(server), server.Firm().MatterID

	folderID := server.AddFolder(matterID, models.FolderWrite{Name: "Leases"})
	id := server.AddFile(matterID, models.FileCreate{FileName: "Scan 17.pdf"})
	server.SetFileContent(id, []byte("the lease"))
	_, err := client.Documents.PatchFile(ctx, matterID, id, models.FilePatch{
		FileName: models.Some("Lease.pdf"), FolderID: models.Some(folderID),
	})
	if err != nil {
		log.Fatal(err)
	}
	server.Settle() // let the accepted change take effect

	for file, err := range client.Documents.AllFiles(ctx, matterID, practice.FileListOptions{
		Search: []string{"lease"}, Sort: models.FileSort("dateCreated"), // FileSortDateCreated is its only published value
	}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(file.Name+file.FileExtension, file.SizeBytes.Or(0), "bytes")
	}
	history, err := client.Documents.ListFileHistory(ctx, matterID, id, practice.FileHistoryListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, entry := range history.Items {
		fmt.Println(entry.ChangeType, entry.NewName)
	}
	file, _ := server.File(id)
	folder, _ := server.Folder(file.Folder.TargetID())
	fmt.Println("in", folder.Name)
	// Output:
	// Lease.pdf 9 bytes
	// Create Scan 17.pdf
	// Upload Scan 17.pdf
	// Move Lease.pdf
	// in Leases
}

// A web server relays an upload without a temporary file. If the program is
// killed meanwhile, it finds the id in its journal and continues with
// ResumeUpload.
func ExampleUpload() {
	server := startService()
	defer stopService(server)
	ctx, client, matterID := context.Background(), clientOf(server), server.Firm().MatterID

	relay := func(w http.ResponseWriter, r *http.Request) {
		file, err := client.Documents.Upload(ctx, matterID, practice.Upload{
			Name: "Scan 18.pdf", Body: r.Body, Size: r.ContentLength,
			Created: func(id string) error {
				fmt.Println("journal: scan 18 has an id:", id != "")
				return nil
			},
		})
		switch {
		case errors.Is(err, practice.ErrNotConfirmed): // possible only with CheckMD5
			fmt.Println("a proxy on the way kept the bytes")
		case errors.Is(err, practice.ErrBodyChanged): // possible only for a file
			fmt.Println("somebody writes to it; another time")
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
		default:
			fmt.Println(file.Size, "bytes in", file.Requests, "request; version known:", file.ETag != "")
		}
	}
	relay(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodPost, "/", strings.NewReader("the lease")))
	// Output:
	// journal: scan 18 has an id: true
	// 9 bytes in 1 request; version known: true
}

// A preview is requested, and then polled until it is ready.
func ExampleDocumentsService_RequestFilePreview() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()

	if _, err := client.Documents.RequestFilePreview(ctx, firm.MatterID, firm.FileID); err != nil {
		log.Fatal(err)
	}
	server.Settle()
	preview, err := practice.Await(ctx, func(ctx context.Context) (*models.FilePreview, error) {
		return client.Documents.GetFilePreview(ctx, firm.MatterID, firm.FileID)
	}, practice.When(func(p *models.FilePreview) bool { return !p.DownloadURL.IsZero() }))
	fmt.Println(preview.DownloadURL, err)
	// Output:
	// [redacted] <nil>
}

// A deleted folder is restored.
func ExampleDocumentsService_RestoreFolder() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()
	for _, write := range []func(context.Context, string, string, ...practice.CallOption) (*models.Link, error){
		client.Documents.DeleteFolder, client.Documents.RestoreFolder,
	} {
		if _, err := write(ctx, firm.MatterID, firm.FolderID); err != nil {
			log.Fatal(err)
		}
		server.Settle()
		folder, _ := server.Folder(firm.FolderID)
		fmt.Println(folder.Name, "deleted:", folder.IsDeleted.Or(false))
	}
	// Output:
	// Letters deleted: true
	// Letters deleted: false
}

// A folder gets another name and stays in its parent.
func ExampleDocumentsService_ModifyFolder() {
	server := startService()
	defer stopService(server)
	client, ctx, firm := clientOf(server), context.Background(), server.Firm()

	_, err := client.Documents.ModifyFolder(ctx, firm.MatterID, firm.SubfolderID, func(folder *models.FolderWrite) error {
		folder.Name = "Signed leases"
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	path, err := practice.Await(ctx, func(ctx context.Context) (*practice.Page[models.FolderPathSegment], error) {
		return client.Documents.ListFolderPath(ctx, firm.MatterID, firm.SubfolderID, practice.FolderPathListOptions{})
	}, practice.When(func(path *practice.Page[models.FolderPathSegment]) bool {
		return path.Items[len(path.Items)-1].Name == "Signed leases"
	}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(path.Items), "folders deep:", path.Items[len(path.Items)-1].Name)
	// Output: 2 folders deep: Signed leases
}
