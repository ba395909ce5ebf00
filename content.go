package practice

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/models"
)

// content is the content of a file in the storage. The first answer of the
// storage decides which version it is; every later one must be of the same.
type content struct {
	transfer
	watch   *transferWatch // when it is a transfer of its own
	options DownloadOptions
	name    string      // as the service gives it; may be empty
	read    atomic.Bool // something of it has been taken

	renewing chan struct{} // holds one token, for who asks for a new address

	mu      sync.Mutex
	address storageAddress
	size    int64  // in bytes; -1 while it is not known
	etag    string // of the version; empty while it is not known
}

// content asks the service where the content of a file is.
func (s *DocumentsService) content(ctx context.Context, operation, matterID, fileID string, options DownloadOptions, opts []CallOption) (*content, error) {
	c, p, err := s.contentCall(ctx, operation, matterID, fileID, options, opts)
	if err != nil {
		return nil, err
	}
	return c, c.locate(p)
}

// watchedContent is content, as a transfer of its own that the caller has to end
// when there is no error.
func (s *DocumentsService) watchedContent(ctx context.Context, operation, matterID, fileID string, options DownloadOptions, opts []CallOption) (context.Context, *content, error) {
	c, p, err := s.contentCall(ctx, operation, matterID, fileID, options, opts)
	if err != nil {
		return ctx, nil, err
	}
	ctx, c.watch = s.client.watchTransfer(ctx, operation)
	p.ctx = ctx
	if err := c.locate(p); err != nil {
		c.watch.end(err)
		return ctx, nil, err
	}
	return ctx, c, nil
}

// contentCall prepares the question where the content of a file is.
func (s *DocumentsService) contentCall(ctx context.Context, operation, matterID, fileID string, options DownloadOptions, opts []CallOption) (*content, *call, error) {
	if argument, reason := checkRanges(options.Ranges, options.RangeSize); reason != "" {
		return nil, nil, &ArgumentError{Operation: operation, Argument: argument, Reason: reason}
	}
	c := &content{
		transfer: transfer{documents: s, operation: operation, matterID: matterID, fileID: fileID, opts: opts},
		options:  options.withDefaults(), size: -1, renewing: make(chan struct{}, 1),
	}
	p := c.addressCall(ctx)
	c.settings = p.settings
	return c, p, p.err
}

func (c *content) locate(p *call) error {
	info, address, err := downloadAddress(p)
	if err != nil {
		return err
	}
	c.address, c.size, c.name = address, sizeOf(info), info.Name+info.FileExtension
	return nil
}

func (c *content) addressCall(ctx context.Context) *call {
	return c.documents.getDownloadURLCall(ctx, c.matterID, c.fileID, DownloadURLOptions{VersionID: c.options.VersionID}, c.opts)
}

func sizeOf(info *models.DownloadInfo) int64 {
	if size := info.SizeBytes.Or(-1); size >= 0 {
		return size
	}
	return -1
}

// state is the address, the size and the version as they are now.
func (c *content) state() (address storageAddress, size int64, etag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.address, c.size, c.etag
}

// forget drops an address that was refused, or a version that is gone.
func (c *content) forget(address storageAddress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.address == address {
		c.address = storageAddress{}
	}
}

// restart turns to the version that is the present one.
func (c *content) restart(ctx context.Context) error {
	c.mu.Lock()
	c.address, c.size, c.etag = storageAddress{}, -1, ""
	c.mu.Unlock()
	c.read.Store(false)
	if _, err := c.current(ctx); err != nil {
		return c.fail(err, nil)
	}
	return nil
}

// resume takes up a version of which a part is there already.
func (c *content) resume(size int64, etag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.size, c.etag = size, etag
	c.read.Store(true)
}

// current is an address that is good. Only one of all who need it asks for a
// new one.
func (c *content) current(ctx context.Context) (storageAddress, error) {
	select {
	case c.renewing <- struct{}{}:
		defer func() { <-c.renewing }()
	case <-ctx.Done():
		return storageAddress{}, ctx.Err()
	}
	address, _, etag := c.state()
	if address.good() {
		return address, nil
	}
	info, address, err := downloadAddress(further(c.addressCall(ctx)))
	if err != nil {
		return storageAddress{}, &renewalError{err}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.address = address
	if etag == "" { // otherwise the size is that of the version that is being read
		c.size = sizeOf(info)
	}
	return address, nil
}

// open begins to read a stretch. End is behind its last byte, or -1 for the
// end of the content.
func (c *content) open(ctx context.Context, from, end int64, watched *exchange) (*storage.Object, error) {
	address, err := c.current(ctx)
	if err != nil {
		return nil, err
	}
	_, size, etag := c.state()
	if etag == "" && c.read.Load() {
		return nil, ErrNotResumable
	}
	if end < 0 || end == size {
		end = 0 // whatever is the end
	}
	target := c.target(address)
	ctx, target.Status = watched.begin(ctx, http.MethodGet, address)
	object, err := c.documents.client.storage.Get(ctx, target, storage.Part{From: from, To: end, ETag: etag})
	if err != nil {
		return nil, c.refusal(address, etag, from, err)
	}
	if err := c.accept(object); err != nil {
		_ = object.Body.Close() // nothing of it is wanted
		c.forget(address)
		return nil, err
	}
	return object, nil
}

// refusal reads what a failure to open says about the address and the version.
func (c *content) refusal(address storageAddress, etag string, from int64, err error) error {
	if isRefused(err) {
		c.forget(address)
	}
	switch status := statusOf(err); {
	case status == http.StatusPreconditionFailed && etag != "",
		status == http.StatusRequestedRangeNotSatisfiable && from > 0:
		return fmt.Errorf("%w: %w", ErrVersionChanged, err)
	}
	return err
}

// measure asks the storage for the size that the service did not announce. It
// may not know it either.
func (c *content) measure(ctx context.Context) error {
	if _, size, _ := c.state(); size >= 0 {
		return nil
	}
	s := c.stretch(ctx, 0, -1)
	defer s.close()
	return s.ready()
}

// accept compares an answer with the version that is being read, or takes its
// version as that.
func (c *content) accept(o *storage.Object) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.etag == "":
	case o.ETag == "":
		return storage.ErrAnswer // who named the version once does so again
	case o.ETag != c.etag:
		return ErrVersionChanged
	}
	if o.Size >= 0 && c.size >= 0 && o.Size != c.size {
		return ErrSizeMismatch
	}
	if c.size < 0 {
		c.size = o.Size
	}
	c.etag = o.ETag
	return nil
}
