package practice

import (
	"context"
	"errors"
	"io"
	"os"
)

// Download writes the content of a file to w and returns how many bytes it
// wrote. What broke off is continued from the last byte received, with a new
// address where the old one has expired, as long as WithRetries allows. The
// content of two versions is never mixed: ErrVersionChanged. The size is
// checked against the one that the service announced. An error of the transfer
// is a *TransferError; w holds the first bytes of the content then, or after
// ErrSizeMismatch those of what the storage took for it.
//
// An *os.File whose end is where it stands is filled by several connections at
// once (see DownloadOptions), and from its beginning again when the file gets
// another version on the way. DownloadFile leaves nothing half done behind
// (Specification, Folders and files of a matter).
func (s *DocumentsService) Download(ctx context.Context, matterID, fileID string, w io.Writer, options DownloadOptions, opts ...CallOption) (n int64, err error) {
	const operation = "Documents.Download"
	if w == nil {
		return 0, &ArgumentError{Operation: operation, Argument: "w", Reason: "must not be nil"}
	}
	ctx, c, err := s.watchedContent(ctx, operation, matterID, fileID, options, opts)
	if err != nil {
		return 0, err
	}
	defer func() { c.watch.end(err) }()
	if file, start, ok := atItsEnd(w); ok {
		return c.extend(ctx, file, start)
	}
	return c.copyTo(ctx, w)
}

// copyTo writes the content to a writer that takes one byte after the other.
func (c *content) copyTo(ctx context.Context, w io.Writer) (int64, error) {
	out := &countedWriter{w: w, progress: newProgress(c.options.Progress, -1)}
	err := c.repeat(ctx, func() error { return out.copy(ctx, c) }, func() (bool, error) { return out.n == 0, nil })
	if err == nil {
		out.progress.finish(out.n)
	}
	return out.n, err
}

// copyBuffer is what moves at once.
const copyBuffer = 512 << 10

// countedWriter knows how much has gone out.
type countedWriter struct {
	w        io.Writer
	n        int64
	progress *progress
}

func (o *countedWriter) copy(ctx context.Context, c *content) error {
	_, size, _ := c.state()
	s := c.stretch(ctx, 0, size)
	defer s.close()
	o.progress.restart(0, size)
	buf := make([]byte, bufferSize(size))
	for {
		n, err := s.Read(buf)
		if n > 0 {
			if err := o.write(buf[:n]); err != nil {
				return c.fail(&localError{"writing the content", err}, nil)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

func (o *countedWriter) write(p []byte) error {
	n, err := o.w.Write(p)
	o.n += int64(n)
	o.progress.add(n)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return err
}

func bufferSize(size int64) int64 {
	if size < 0 || size > copyBuffer {
		return copyBuffer
	}
	return max(size, 1)
}

// repeat makes an attempt to read a whole content, and further ones from the
// beginning when it turns out that what is there cannot be continued, and
// rewind says that it can be thrown away.
func (c *content) repeat(ctx context.Context, attempt func() error, rewind func() (bool, error)) error {
	retries := c.retries()
	for restarts := 0; ; restarts++ {
		err := attempt()
		if err == nil || restarts == retries.Max || !startsOver(err) {
			return err
		}
		if ok, rewindErr := rewind(); rewindErr != nil {
			return c.fail(&localError{"starting again", rewindErr}, nil)
		} else if !ok {
			return err
		}
		pause := patience{wait: retries.Wait(restarts, "")}
		if pause.sleep(ctx) != nil {
			return err
		}
		if err := c.restart(ctx); err != nil {
			return err
		}
	}
}

func startsOver(err error) bool {
	return errors.Is(err, ErrVersionChanged) || errors.Is(err, ErrNotResumable) || errors.Is(err, errLonger)
}

// atItsEnd reports a file that ends where it stands: what is written there can
// be taken back.
func atItsEnd(w io.Writer) (file *os.File, start int64, ok bool) {
	file, ok = w.(*os.File)
	if !ok {
		return nil, 0, false
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, 0, false
	}
	start, err = file.Seek(0, io.SeekCurrent)
	if err != nil || start != info.Size() {
		return nil, 0, false
	}
	_, err = file.WriteAt(nil, start) // refused when it was opened for appending
	return file, start, err == nil
}

// extend fills a file from a position on, which is its end.
func (c *content) extend(ctx context.Context, file *os.File, start int64) (int64, error) {
	f := &filling{content: c, to: io.NewOffsetWriter(file, start), progress: newProgress(c.options.Progress, -1)}
	err := c.repeat(ctx, func() error { return f.whole(ctx) }, func() (bool, error) {
		f.queue = nil
		return true, file.Truncate(start)
	})
	n := f.prefix()
	var local error
	if err != nil { // what lies behind a gap is worth nothing
		local = file.Truncate(start + n)
	}
	if _, seekErr := file.Seek(start+n, io.SeekStart); local == nil {
		local = seekErr
	}
	if local != nil {
		err = errors.Join(err, c.fail(&localError{"writing the content", local}, nil))
	}
	return n, err
}
