package assistant

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/textfile"
)

// maxDocument is the size in bytes of the largest file that is read as text.
const maxDocument = 4 << 20

// textual holds the extensions of files that are read as text.
const textual = " txt text md markdown csv tsv json jsonl xml html htm yaml yml log eml ics vcf "

// readDocument is the tool that returns the text of a file, or the type and the
// size of a file that is no text.
func (a *Assistant) readDocument(ctx context.Context, in *input) (string, error) {
	o, err := a.reading("getFile")
	if err != nil {
		return "", err
	}
	ctx = permitted(ctx, &permit{own: []string{"getFileDownload"}}, maxRequests)
	record, err := a.record(ctx, o, map[string]any{"matterId": in.MatterID, "fileId": in.FileID}, nil)
	if err != nil {
		return "", err
	}
	var file struct {
		FileExtension string
		SizeBytes     *int64
	}
	_ = json.Unmarshal(record, &file) // the client has read it
	extension := strings.ToLower(strings.TrimPrefix(file.FileExtension, "."))
	switch {
	case !slices.Contains(strings.Fields(textual), extension):
		return "The file is not a text file.\n" + data(string(record)), nil
	case file.SizeBytes == nil || *file.SizeBytes > maxDocument:
		return "The file is too large, or its content is not available yet.\n" + data(string(record)), nil
	}
	var content limited
	if _, err := a.client.Documents.Download(ctx, in.MatterID, in.FileID, &content, practice.DownloadOptions{}); err != nil {
		return "", err
	}
	text, err := textfile.Decode(content.Bytes())
	if err != nil {
		return "The file is not a text file.\n" + data(string(record)), nil //nolint:nilerr // its type and size are the answer
	}
	return part([]rune(text), in.Offset)
}

// part returns the characters of a text from an offset.
func part(text []rune, offset int) (string, error) {
	if offset < 0 || offset > len(text) {
		return "", fmt.Errorf("offset must be between 0 and %d", len(text))
	}
	end := min(len(text), offset+maxText)
	note := ""
	if offset > 0 || end < len(text) {
		note = fmt.Sprintf("Characters %d to %d of %d", offset, end, len(text))
	}
	if end < len(text) {
		note += fmt.Sprintf("; to continue, pass offset %d", end)
	}
	if note != "" {
		note += ".\n"
	}
	return note + data(string(text[offset:end])), nil
}

// limited holds the content of a file that may be larger than announced.
type limited struct{ bytes.Buffer }

func (l *limited) Write(content []byte) (int, error) {
	if l.Len()+len(content) > maxDocument {
		return 0, errors.New("the file is larger than the service reported")
	}
	return l.Buffer.Write(content)
}
