package main

import (
	"context"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/setup"
)

// work changes a document and adds one, as people do between two backups.
func (b *backup) work(ctx context.Context) error {
	changed, err := b.anyFile(ctx)
	if err != nil {
		return err
	}
	_, err = b.Client.Documents.UploadVersion(ctx, b.MatterID, changed.ID(), practice.Upload{Body: strings.NewReader("The second version.\n")})
	if err != nil {
		return err
	}
	b.Line("A new version of %s", changed.Name())
	added, err := b.Client.Documents.Upload(ctx, b.MatterID, practice.Upload{Name: "Note for the file.txt", Body: strings.NewReader("A note.\n")})
	if err != nil {
		return err
	}
	b.Line("A new file, Note for the file.txt")
	// The service lists a new file a moment after it took it.
	return setup.Await(ctx, func() error {
		_, err := b.Client.Documents.GetDownloadURL(ctx, b.MatterID, added.ID, practice.DownloadURLOptions{})
		return err
	})
}

// anyFile returns the first file of the matter.
func (b *backup) anyFile(ctx context.Context) (practice.Entry, error) {
	for entry, err := range b.Client.Documents.Walk(ctx, b.MatterID, practice.WalkOptions{}) {
		if err != nil || entry.File != nil && entry.File.IsUploaded.Or(true) {
			return entry.Entry, err
		}
	}
	return practice.Entry{}, practice.ErrNotFound
}
