package practice

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/practicesdk/practice-go/internal/storage"
)

// uploading sends a source until it has arrived.
type uploading struct {
	*transfer
	source   *uploadSource
	address  storageAddress
	progress *progress
	patience patience
	exchange exchange
}

func (u *uploading) run(ctx context.Context) error {
	for {
		began := time.Now()
		sent, err := u.attempt(ctx)
		if err == nil {
			u.exchange.end(Attempt{BytesSent: sent, Reason: "success"})
			u.progress.finish(u.source.size)
			return nil
		}
		if isRefused(err) {
			u.address = storageAddress{}
		}
		again := u.patience.again(ctx, Attempt{Err: err, Duration: time.Since(began), BytesSent: sent})
		if again && u.source.once && sent > 0 {
			again, err = false, fmt.Errorf("%w: %w", ErrNotRewindable, err)
			u.patience.giveUp(ErrNotRewindable)
		}
		u.exchange.end(u.patience.last())
		if !again {
			return u.fail(err, u.patience.attempts)
		}
		if err := u.patience.sleep(ctx); err != nil {
			return u.fail(err, u.patience.attempts)
		}
	}
}

// attempt sends the content once and tells how much of it was read.
func (u *uploading) attempt(ctx context.Context) (int64, error) {
	if !u.address.good() {
		// A new address is used whatever its expiry says: there is no better one.
		_, renewed, err := uploadAddress(further(u.documents.getUploadURLCall(ctx, u.matterID, u.fileID, u.opts)))
		if err != nil {
			return 0, &renewalError{err}
		}
		u.address = renewed
	}
	reader, err := u.source.begin()
	if err != nil {
		return 0, &localError{"reading the body", err}
	}
	u.progress.restart(0, u.source.size)
	content := &sentContent{source: reader, origin: u.source, left: u.source.size, progress: u.progress}
	if content.left == 0 {
		content.end()
	}
	if content.failed == nil {
		target := u.target(u.address)
		ctx, target.Status = u.exchange.begin(ctx, http.MethodPut, u.address)
		err = u.documents.client.storage.Put(ctx, target, content, u.source.size)
	}
	sent := u.source.size - content.left
	switch {
	case content.failed != nil:
		return sent, &localError{"reading the body", content.failed}
	case err == nil && content.left > 0:
		return sent, storage.ErrAnswer // it cannot have stored what it did not wait for
	}
	return sent, err
}

// sentContent holds a source to its size while it is sent.
type sentContent struct {
	source   io.Reader
	origin   *uploadSource
	left     int64
	progress *progress
	failed   error // what is wrong with the source itself
}

func (c *sentContent) Read(p []byte) (int, error) {
	if c.failed != nil || c.left == 0 {
		return 0, c.failedOr(io.EOF)
	}
	n, err := c.source.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	switch {
	case c.left == 0:
		c.end()
	case errors.Is(err, io.EOF):
		c.failed = fmt.Errorf("%w: the body has shrunk", ErrSizeMismatch)
	case err != nil:
		c.failed = err
	}
	if c.failed != nil {
		return 0, c.failed
	}
	c.progress.add(n)
	return n, nil
}

// Ahead keeps the last bytes for Read, which looks whether they are the last.
// It makes a storage.InFile of the content.
func (c *sentContent) Ahead() (file *os.File, offset, n int64) {
	if c.origin.file == nil || c.failed != nil {
		return nil, 0, 0
	}
	return c.origin.file, c.origin.start + c.origin.size - c.left, c.left - readAnyway
}

// readAnyway is how much of the end of a file is read before it is sent.
const readAnyway = 4 << 10

// Sent goes on behind what was sent without being read.
func (c *sentContent) Sent(n int64) {
	if section, ok := c.source.(io.Seeker); ok { // what lies in a file can seek
		_, c.failed = section.Seek(n, io.SeekCurrent)
	}
	c.left -= n
	c.progress.add(int(n))
}

// end looks behind the last byte before that is sent: a source that has grown
// must not become a file that is cut off.
func (c *sentContent) end() {
	var one [1]byte
	switch n, err := io.ReadFull(c.source, one[:]); {
	case n > 0:
		c.failed = fmt.Errorf("%w: the body has grown", ErrSizeMismatch)
	case !errors.Is(err, io.EOF):
		c.failed = err
	}
}

func (c *sentContent) failedOr(err error) error {
	if c.failed != nil {
		return c.failed
	}
	return err
}
