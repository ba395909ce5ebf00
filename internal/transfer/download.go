package transfer

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// CopyTo writes the content to w and returns the number of bytes written. If w
// is an *os.File positioned at its end, several connections write to it
// concurrently. The error is an *Error.
func (o *Object) CopyTo(ctx context.Context, w io.Writer) (int64, error) {
	if file, start, ok := atItsEnd(w); ok {
		return o.extend(ctx, file, start)
	}
	out := &countedWriter{w: w, progress: newProgress(o.options.Progress, -1)}
	err := o.repeat(ctx, func() error { return out.copy(ctx, o) }, func() (bool, error) { return out.n == 0, nil })
	if err == nil {
		out.progress.finish(out.n)
	}
	return out.n, o.unlike(ctx, err)
}

// copyBuffer is the size of a copy buffer in bytes.
const copyBuffer = 512 << 10

// countedWriter counts the bytes written.
type countedWriter struct {
	w        io.Writer
	n        int64
	progress *progress
}

func (c *countedWriter) copy(ctx context.Context, o *Object) error {
	of := o.generation()
	r := o.rangeReader(ctx, of, 0, of.size)
	defer r.close()
	c.progress.restart(0, of.size)
	buf := make([]byte, bufferSize(of.size))
	for {
		n, err := r.Read(buf)
		if n > 0 {
			if err := c.write(buf[:n]); err != nil {
				return failLocally("writing the content", err)
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

func (c *countedWriter) write(p []byte) error {
	n, err := c.w.Write(p)
	c.n += int64(n)
	c.progress.add(n)
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

// repeat repeats the attempt to read a whole object. If the received part
// cannot be continued and rewind can discard it, repeat starts again from the
// beginning, over one connection: storages exist whose ranges have tags of
// their own, which cannot be told from those of other versions.
func (o *Object) repeat(ctx context.Context, attempt func() error, rewind func() (bool, error)) error {
	for restarts := 0; ; restarts++ {
		err := attempt()
		if err == nil || restarts == o.transfer.Retries.Max || !startsOver(err) {
			return err
		}
		if ok, rewindErr := rewind(); rewindErr != nil {
			return failLocally("restarting the transfer", rewindErr)
		} else if !ok {
			return err
		}
		if backoff.Sleep(ctx, o.transfer.Retries.Wait(restarts, 0)) != nil {
			return err
		}
		if err := o.restart(ctx); err != nil {
			return err
		}
		o.options.Ranges = 1
	}
}

// atItsEnd reports whether a file is positioned at its end, where it can be
// truncated again.
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
	_, err = file.WriteAt(nil, start) // fails for a file opened for appending
	return file, start, err == nil
}

// extend appends to a file, whose end is at start.
func (o *Object) extend(ctx context.Context, file *os.File, start int64) (int64, error) {
	f := &parallel{object: o, to: io.NewOffsetWriter(file, start), progress: newProgress(o.options.Progress, -1)}
	err := o.repeat(ctx, func() error { return f.whole(ctx) }, func() (bool, error) {
		f.queue = nil
		return true, file.Truncate(start)
	})
	n := f.prefix()
	var local error
	if err != nil { // bytes after a gap are useless
		local = file.Truncate(start + n)
	}
	if _, seekErr := file.Seek(start+n, io.SeekStart); local == nil {
		local = seekErr
	}
	if local != nil {
		err = failAlso(err, &localError{"writing the content", local})
	}
	return n, err
}
