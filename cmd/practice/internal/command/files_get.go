package command

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/filenames"
	"github.com/practicesdk/practice-go/internal/textfile"
	"github.com/practicesdk/practice-go/models"
)

// file returns the file at a path.
func (f *files) file(name string) (fs.FileInfo, *models.File, error) {
	info, err := f.at(name)
	if err != nil {
		return nil, nil, phaseSend.of(err)
	}
	if info.IsDir() {
		return nil, nil, phaseCheck.of(misuse{fmt.Errorf("%q is a folder: use practice files ls to list it, or practice files mirror pull to save it", name)})
	}
	return info, entryOf(info).File, nil
}

// output is stdout, whose errors are not those of the transfer.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (n int, err error) {
	n, err = o.Writer.Write(p)
	o.err = cmp.Or(o.err, err)
	return n, err
}

// cat prints the content of a file.
func (f *files) cat(ctx context.Context, args []string) error {
	if err := f.open(ctx, args[0], false); err != nil {
		return err
	}
	_, file, err := f.file(args[1])
	if err != nil {
		return err
	}
	if isTerminal(f.Out) {
		return f.page(ctx, file)
	}
	out, told := &output{Writer: f.Out}, f.progress()
	_, err = f.client.Documents.Download(ctx, f.matter, file.ID, out, practice.DownloadOptions{Progress: told.tell})
	told.end()
	if out.err != nil {
		return phaseShow.of(out.err)
	}
	return phaseSend.of(err)
}

// page prints a text to a terminal, which it must not control.
func (f *files) page(ctx context.Context, file *models.File) error {
	const looked = 64 << 10
	content, err := f.client.Documents.Open(ctx, f.matter, file.ID, practice.OpenOptions{})
	if err != nil {
		return phaseSend.of(err)
	}
	defer func() { _ = content.Close() }() // it is only read
	text := bufio.NewReaderSize(textfile.NewReader(content), looked)
	begin, err := text.Peek(looked)
	if has[*textfile.Error](err) || bytes.IndexByte(begin, 0) >= 0 {
		return phaseShow.of(errors.New("the file is not a text file: redirect the output with > FILE, or save the file with practice files get"))
	}
	for {
		line, err := text.ReadSlice('\n')
		if _, broken := io.WriteString(f.Out, visible(strings.ReplaceAll(string(line), "\r\n", "\n"), true)); broken != nil {
			return phaseShow.of(broken)
		}
		switch {
		case errors.Is(err, io.EOF) && !has[*practice.TransferError](err):
			return nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return phaseSend.of(err)
		}
	}
}

// savedFile is the output of practice files get.
type savedFile struct {
	Path    string `json:"path"`
	Size    int64  `json:"size"`
	Resumed int64  `json:"resumed,omitempty"` // bytes of an earlier command
}

// get saves a file. The old file is there until the new one is complete.
func (f *files) get(ctx context.Context, args []string) error {
	local := cmp.Or(strings.Join(args[2:], ""), ".")
	if local == "-" {
		return f.cat(ctx, args)
	}
	printer, err := f.printer()
	if err == nil {
		err = f.open(ctx, args[0], false)
	}
	if err != nil {
		return err
	}
	info, file, err := f.file(args[1])
	if err != nil {
		return err
	}
	folder, name := local, filenames.Local(file.FileName())
	if there, err := os.Stat(local); (err != nil || !there.IsDir()) && !os.IsPathSeparator(local[len(local)-1]) {
		folder, name = filepath.Dir(local), filepath.Base(local)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return phaseCheck.of(misuse{err})
	}
	defer func() { _ = root.Close() }() // it is only read
	into, told := &practice.DownloadTarget{Root: root, ModTime: info.ModTime()}, f.progress()
	if f.force {
		into.Replace = func() error { return nil }
	}
	saved, err := f.client.Documents.DownloadFile(ctx, f.matter, file.ID, name, practice.DownloadOptions{Into: into, Progress: told.tell})
	told.end()
	switch name = filepath.Join(folder, name); {
	case errors.Is(err, fs.ErrExist) && f.force:
		err = misuse{fmt.Errorf("%s already exists and is not a file", name)}
	case errors.Is(err, fs.ErrExist):
		err = misuse{fmt.Errorf("%s already exists: use --force to overwrite it, or specify a different LOCAL", name)}
	case err != nil && told.done > 0:
		err = unfinished{err}
	}
	if err != nil {
		return phaseSend.of(err)
	}
	return phaseShow.of(printer.single(encode(savedFile{name, saved.Size, saved.Resumed})))
}
