package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand/v2"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/setup"
)

const scanSize = 24 << 20 // bytes

// roundTrip uploads a file, downloads it again and compares the content. The
// bytes go to the object storage directly, and no credential goes with them.
func roundTrip(ctx context.Context, s *show) error {
	content := make([]byte, scanSize)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(content) // never fails
	sent := sha256.Sum256(content)

	bar := s.Bar("upload  ", scanSize)
	file, err := s.Client.Documents.Upload(ctx, s.ID("MATTER_ID"), practice.Upload{
		Name: "Scanned bundle.pdf", FolderID: s.ID("FOLDER_ID"), Body: bytes.NewReader(content), Progress: bar.Set,
	})
	bar.End()
	if err != nil {
		return err
	}

	bar = s.Bar("download", scanSize)
	received := sha256.New()
	// The service lists a new file a moment after it took it.
	err = setup.Await(ctx, func() error {
		_, err := s.Client.Documents.Download(ctx, s.ID("MATTER_ID"), file.ID, io.MultiWriter(received, bar), practice.DownloadOptions{})
		return err
	})
	bar.End()
	if err != nil {
		return err
	}
	s.Blank()
	s.Line("SHA-256 sent      %x", sent)
	s.Line("SHA-256 received  %x", received.Sum(nil))
	if !bytes.Equal(sent[:], received.Sum(nil)) {
		return errors.New("the content came back changed")
	}
	s.Good("The content came back as it was sent.")
	return nil
}
