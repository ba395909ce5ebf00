package practice

import (
	"bytes"
	"context"
	"io"
	"os"
)

// spoolLimit is how much of a plain reader is kept in memory.
const spoolLimit = 1 << 20

// spool reads a plain reader to its end, so that its length is known and it
// can be read again.
func (t *transfer) spool(ctx context.Context, body io.Reader, dir string) (source *uploadSource, err error) {
	body = &contextReader{ctx, body}
	head, err := io.ReadAll(io.LimitReader(body, spoolLimit+1))
	if err != nil {
		return nil, t.fail(&localError{"reading the body", err}, nil)
	}
	if len(head) <= spoolLimit {
		return readableAt(bytes.NewReader(head), 0, int64(len(head))), nil
	}
	file, err := os.CreateTemp(dir, "practice-upload-*")
	if err != nil {
		return nil, t.fail(&localError{"keeping the body", err}, nil)
	}
	clean := removeEarly(file)
	defer func() {
		if source == nil { // also when body panics
			clean()
		}
	}()
	rest, err := io.Copy(file, io.MultiReader(bytes.NewReader(head), body))
	if err != nil {
		return nil, t.fail(&localError{"keeping the body", err}, nil)
	}
	source = readableAt(file, 0, rest)
	source.file, source.clean = file, clean
	return source, nil
}

// removeEarly takes the name of a temporary file away at once where the system
// allows it, so that not even the end of the process leaves it behind.
func removeEarly(file *os.File) (clean func()) {
	removed := os.Remove(file.Name()) == nil
	return func() {
		_ = file.Close() // nobody needs what is in it
		if !removed {
			_ = os.Remove(file.Name())
		}
	}
}

// contextReader stops between two reads when the context has ended.
type contextReader struct {
	ctx    context.Context
	reader io.Reader
}

func (r *contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.reader.Read(p)
}
