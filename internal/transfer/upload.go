package transfer

import (
	"cmp"
	"context"
	"crypto/md5" //nolint:gosec // storages name the MD5 of a content
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/internal/transport"
)

// UploadOptions are the settings of an upload. The zero value is valid.
type UploadOptions struct {
	Progress func(done, total int64) // called as bytes are sent; nil: not called
	// CheckMD5 compares the entity tag of the storage with the MD5 of the sent
	// bytes.
	CheckMD5 bool
}

// Uploaded describes a completed upload.
type Uploaded struct {
	ETag     string // entity tag of the content with its quotes; empty if the storage did not send it
	Requests int    // number of requests to the storage
}

// Upload sends a source to a place, with retries. The error is an *Error.
func (t Transfer) Upload(ctx context.Context, to Place, source *Source, options UploadOptions) (Uploaded, error) {
	u := &upload{
		transfer: t, source: source, place: to, checked: options.CheckMD5,
		progress: newProgress(options.Progress, source.size), retry: retry{limits: t.Retries},
	}
	err := u.run(ctx)
	return Uploaded{ETag: u.etag, Requests: u.puts}, err
}

// upload holds the state of one Upload.
type upload struct {
	transfer Transfer
	source   *Source
	place    Place
	progress *progress
	retry    retry
	exchange exchange
	checked  bool   // the storage must return the MD5 of the stored content
	etag     string // returned by the storage
	puts     int
	breaks   int  // number of consecutive exchanges that broke within the body, without a response
	whole    bool // the whole content was sent once, so it may be stored
}

func (u *upload) run(ctx context.Context) error {
	for {
		began := time.Now()
		sent, err := u.attempt(ctx)
		if err == nil {
			u.exchange.end(transport.Attempt{BytesSent: sent, Reason: "success"})
			u.progress.finish(u.source.size)
			return nil
		}
		if u.spent(err, sent) {
			u.place = Place{}
		}
		again := u.retry.again(ctx, transport.Attempt{Err: err, Duration: time.Since(began), BytesSent: sent})
		if again && u.source.once && sent > 0 {
			again, err = false, fmt.Errorf("%w: %w", ErrNotRewindable, err)
			u.retry.giveUp(ErrNotRewindable)
		}
		u.exchange.end(u.retry.last())
		if !again {
			return fail(err, u.retry.attempts)
		}
		if err := u.retry.sleep(ctx); err != nil {
			return fail(err, u.retry.attempts)
		}
	}
}

// spent reports whether the next attempt needs another URL. A storage that
// refuses a URL may close the connection while the body is sent, which loses
// its response, so two consecutive breaks count as a refusal. If the content
// may already be stored, the URL is kept, because another one could create a
// second version.
func (u *upload) spent(err error, sent int64) bool {
	switch {
	case said(err).Refused():
		return true
	case sent == u.source.size:
		u.whole = true
	case sent == 0, u.exchange.status != 0:
		u.breaks = 0
	default:
		u.breaks++
	}
	if u.whole || u.breaks < 2 {
		return false
	}
	u.breaks = 0
	return true
}

// attempt sends the content once and returns the number of bytes read.
func (u *upload) attempt(ctx context.Context) (int64, error) {
	if !u.place.usable() {
		// A new URL is used even if it seems to be expired, because there is no
		// better one.
		place, err := u.transfer.Locate(ctx)
		if err != nil {
			return 0, err
		}
		u.place = place
	}
	reader, err := u.source.begin()
	if err != nil {
		return 0, &localError{"reading the body", err}
	}
	u.progress.restart(0, u.source.size)
	body := &sentBody{reader: reader, source: u.source, left: u.source.size, progress: u.progress}
	if u.checked {
		body.sum = md5.New() //nolint:gosec // it tells a mistake, not an attack
	}
	body.before = u.source.stamp()
	if body.left == 0 {
		body.end()
	}
	if body.failed == nil {
		ctx, target := u.exchange.begin(ctx, &u.transfer, http.MethodPut, u.place)
		u.puts++
		u.etag, err = u.transfer.Storage.Put(ctx, target, body, u.source.size)
	}
	sent := u.source.size - body.left
	switch {
	case body.failed != nil:
		return sent, &localError{"reading the body", body.failed}
	case err == nil && body.left > 0:
		return sent, storage.ErrAnswer // the storage cannot have stored content that it did not receive
	case err == nil && body.ahead && u.source.stamp() != body.before: // the system may have sent the bytes after end
		return sent, &localError{"reading the body", ErrBodyChanged}
	case err == nil && u.checked && !strings.EqualFold(strings.Trim(u.etag, `"`), hex.EncodeToString(body.sum.Sum(nil))):
		return sent, ErrNotConfirmed
	}
	return sent, err
}

// stamp returns the modification time and the length of a source, or the zero
// value if they are unknown.
func (s *Source) stamp() stamp {
	if s.stat == nil {
		return stamp{}
	}
	info, err := s.stat()
	if err != nil {
		return stamp{}
	}
	return stamp{info.ModTime(), info.Size()}
}

type stamp struct {
	written time.Time
	size    int64
}

// sentBody ensures that a source keeps its size while it is sent.
type sentBody struct {
	reader   io.Reader
	source   *Source
	left     int64
	progress *progress
	before   stamp     // state of the source before reading
	sum      hash.Hash // hash of the bytes read; nil if not requested
	ahead    bool      // bytes were sent without being read
	failed   error     // error of the source
}

var _ storage.InFile = (*sentBody)(nil)

func (b *sentBody) Read(p []byte) (int, error) {
	if b.failed != nil || b.left == 0 {
		return 0, cmp.Or(b.failed, io.EOF)
	}
	n, err := b.reader.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if b.sum != nil {
		b.sum.Write(p[:n])
	}
	switch {
	case b.left == 0:
		b.end()
	case errors.Is(err, io.EOF):
		b.failed = fmt.Errorf("%w: the body became shorter", b.resized())
	case err != nil:
		b.failed = err
	}
	if b.failed != nil {
		return 0, b.failed
	}
	b.progress.add(n)
	return n, nil
}

// Ahead returns the file, offset and length of the bytes that can be sent
// without being read, or no file. It excludes the last bytes, so that Read can
// check that no more bytes follow.
func (b *sentBody) Ahead() (file *os.File, offset, n int64) {
	if b.source.file == nil || b.failed != nil || b.sum != nil {
		return nil, 0, 0
	}
	return b.source.file, b.source.start + b.source.size - b.left, b.left - readAnyway
}

// readAnyway is the number of bytes at the end of a file that are always read
// before sending.
const readAnyway = 4 << 10

// Sent skips bytes that were sent without being read.
func (b *sentBody) Sent(n int64) {
	if section, ok := b.reader.(io.Seeker); ok { // content of a file can seek
		_, b.failed = section.Seek(n, io.SeekCurrent)
	}
	b.left, b.ahead = b.left-n, true
	b.progress.add(int(n))
}

// end checks for more content before the last byte is sent, so that a source
// that has grown is not truncated, and versions of a modified source are not
// mixed.
func (b *sentBody) end() {
	var one [1]byte
	n, err := io.ReadFull(b.reader, one[:])
	switch now := b.source.stamp(); {
	case n > 0, now.size > b.before.size:
		b.failed = fmt.Errorf("%w: the body became longer", b.resized())
	case !errors.Is(err, io.EOF):
		b.failed = err
	case now != b.before:
		b.failed = ErrBodyChanged
	}
}

// resized returns the error for a body of another length. A file was also
// written to: whether that shows in its length or its time is chance.
func (b *sentBody) resized() error {
	if b.source.stat == nil {
		return ErrSizeMismatch
	}
	return errResized
}
