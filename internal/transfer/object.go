package transfer

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/practicesdk/practice-go/internal/storage"
)

// Options choose how an Object is read.
type Options struct {
	Ranges    int                     // parts that are read at the same time at most; below 1 means 1
	RangeSize int64                   // smallest part in bytes that is worth a connection
	Progress  func(done, total int64) // may be nil; total is -1 while it is not known
}

// Object is the content of a file in the storage. The first answer of the
// storage decides which version it is; every later one must be of the same.
type Object struct {
	transfer Transfer
	options  Options
	read     atomic.Bool // at least one byte has been taken

	renewing chan struct{} // holds one token, for the one that asks for a new address

	mu    sync.Mutex
	place Place
	size  int64  // in bytes; -1 while it is not known
	etag  string // of the version; empty while it is not known
}

// Object is the content at a place.
func (t Transfer) Object(at Place, options Options) *Object {
	options.Ranges = max(options.Ranges, 1)
	return &Object{transfer: t, options: options, place: at, size: at.Size, renewing: make(chan struct{}, 1)}
}

// state is the place, the size and the version as they are now.
func (o *Object) state() (place Place, size int64, etag string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.place, o.size, o.etag
}

// forget drops a place that was refused, or where the version is gone.
func (o *Object) forget(place Place) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.place == place {
		o.place = Place{}
	}
}

// restart turns to the version that is the present one.
func (o *Object) restart(ctx context.Context) error {
	o.mu.Lock()
	o.place, o.size, o.etag = Place{}, -1, ""
	o.mu.Unlock()
	o.read.Store(false)
	if _, err := o.locate(ctx); err != nil {
		return fail(err, nil)
	}
	return nil
}

// resume takes up a version of which a part has been received already.
func (o *Object) resume(size int64, etag string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.size, o.etag = size, etag
	o.read.Store(true)
}

// locate is a place that is usable. Only one of all that need it asks for a new
// one.
func (o *Object) locate(ctx context.Context) (Place, error) {
	select {
	case o.renewing <- struct{}{}:
		defer func() { <-o.renewing }()
	case <-ctx.Done():
		return Place{}, ctx.Err()
	}
	place, _, etag := o.state()
	if place.usable() {
		return place, nil
	}
	place, err := o.transfer.locate(ctx)
	if err != nil {
		return Place{}, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.place = place
	if etag == "" { // otherwise the size is that of the version that is being read
		o.size = place.Size
	}
	return place, nil
}

// open begins to read a range. End is behind its last byte, or -1 for the end of
// the content.
func (o *Object) open(ctx context.Context, from, end int64, watched *exchange) (*storage.Object, error) {
	place, err := o.locate(ctx)
	if err != nil {
		return nil, err
	}
	_, size, etag := o.state()
	if etag == "" && o.read.Load() {
		return nil, ErrNotResumable
	}
	if end < 0 || end == size {
		end = 0 // wherever the content ends
	}
	ctx, target := watched.begin(ctx, &o.transfer, http.MethodGet, place)
	answer, err := o.transfer.Storage.Get(ctx, target, storage.Part{From: from, To: end, ETag: etag})
	if err != nil {
		return nil, o.refusal(place, etag, from, err)
	}
	if err := o.accept(answer); err != nil {
		_ = answer.Body.Close() // nothing of it is wanted
		o.forget(place)
		return nil, err
	}
	return answer, nil
}

// refusal reads what a failure to open says about the place and the version.
func (o *Object) refusal(place Place, etag string, from int64, err error) error {
	if isRefused(err) {
		o.forget(place)
	}
	switch status := statusOf(err); {
	case status == http.StatusPreconditionFailed && etag != "",
		status == http.StatusRequestedRangeNotSatisfiable && (etag != "" || from > 0):
		return fmt.Errorf("%w: %w", ErrVersionChanged, err)
	}
	return err
}

// accept compares an answer with the version that is being read, or takes its
// version as that.
func (o *Object) accept(answer *storage.Object) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.etag == "":
	case answer.ETag == "":
		return storage.ErrAnswer // a storage that named the version once does so again
	case answer.ETag != o.etag:
		return ErrVersionChanged
	}
	if answer.Size >= 0 && o.size >= 0 && answer.Size != o.size {
		return ErrSizeMismatch
	}
	if o.size < 0 {
		o.size = answer.Size
	}
	o.etag = answer.ETag
	return nil
}

// measure asks the storage for the size that the service did not announce. It
// may not know it either.
func (o *Object) measure(ctx context.Context) error {
	if _, size, _ := o.state(); size >= 0 {
		return nil
	}
	r := o.rangeReader(ctx, 0, -1)
	defer r.close()
	return r.ready()
}
