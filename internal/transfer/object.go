package transfer

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/internal/transport"
)

// Options set how an Object is read.
type Options struct {
	Ranges    int                     // maximum number of concurrent ranges; below 1 means 1
	RangeSize int64                   // minimum size in bytes of a part with its own connection
	Progress  func(done, total int64) // nil: not called; total is -1 while it is unknown
	Mode      fs.FileMode             // mode of a local file; 0 means readable by its owner only
	ModTime   time.Time               // time of a local file; zero means the present one
	// Replace is called before received content replaces a local file. If it
	// returns an error, the file is kept. Nil means no check.
	Replace func() error
	SHA256  bool // compute the SHA256 of the content of a local file
	// Check refuses content by its first bytes, up to 1,024. Nil means no check.
	Check func(head []byte) error
}

// generation identifies a version of a content, as far as it is known. It may
// become more precise but does not change to another version, because lengths
// are derived from it.
type generation struct {
	size int64  // in bytes; -1 while unknown
	etag string // empty while unknown
}

// unknown returns a generation that matches any version.
func unknown() generation { return generation{size: -1} }

// admits reports whether a later generation may be the same version, as far as
// both are known.
func (g generation) admits(later generation) bool {
	return (g.size < 0 || later.size < 0 || g.size == later.size) && (g.etag == "" || g.etag == later.etag)
}

// Object is the content of a file in the storage. The first response of the
// storage determines its version; all later ones must match it.
type Object struct {
	transfer Transfer
	options  Options
	read     atomic.Bool  // at least one byte was read
	requests atomic.Int64 // number of requests to the storage

	renewing chan struct{} // semaphore for the goroutine that requests a new URL

	mu    sync.Mutex
	place Place
	now   generation
	first storage.Part // the part whose response determined the version
}

// Object returns the content at a place.
func (t Transfer) Object(at Place, options Options) *Object {
	options.Ranges = max(options.Ranges, 1)
	return &Object{transfer: t, options: options, place: at, now: generation{size: at.Size}, renewing: make(chan struct{}, 1)}
}

// Options returns the options, which may be modified before the first use.
func (o *Object) Options() *Options { return &o.options }

// state returns the current place and generation, and the part whose response
// determined the version.
func (o *Object) state() (Place, generation, storage.Part) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.place, o.now, o.first
}

// generation returns the current generation.
func (o *Object) generation() generation {
	_, now, _ := o.state()
	return now
}

// forget drops a place whose URL was refused, or whose version is gone.
func (o *Object) forget(place Place) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.place == place {
		o.place = Place{}
	}
}

// restart switches to the current version.
func (o *Object) restart(ctx context.Context) error {
	o.mu.Lock()
	o.place, o.now = Place{}, unknown()
	o.mu.Unlock()
	o.read.Store(false)
	if _, err := o.locate(ctx); err != nil {
		return fail(err, nil)
	}
	return nil
}

// resume continues a partly received version.
func (o *Object) resume(of generation) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.now = of
	o.read.Store(true)
}

// locate returns a usable place. If several goroutines need a new one, only one
// of them requests it.
func (o *Object) locate(ctx context.Context) (Place, error) {
	select {
	case o.renewing <- struct{}{}:
		defer func() { <-o.renewing }()
	case <-ctx.Done():
		return Place{}, backoff.Ended(ctx)
	}
	place, _, _ := o.state()
	if place.usable() {
		return place, nil
	}
	place, err := o.transfer.Locate(ctx)
	if err != nil {
		return Place{}, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.place = place
	if o.now.etag == "" { // otherwise the response of the storage shows the version
		o.now.size = place.Size
	}
	return place, nil
}

// open starts reading a range of a generation. end is the offset after its last
// byte, or -1 for the end of the content. If the range belongs to another
// generation, open returns ErrVersionChanged.
func (o *Object) open(ctx context.Context, of generation, from, end int64, watched *exchange) (*storage.Object, error) {
	place, err := o.locate(ctx)
	if err != nil {
		return nil, err
	}
	now := o.generation()
	switch {
	case !of.admits(now):
		return nil, ErrVersionChanged
	case now.etag == "" && o.read.Load():
		return nil, ErrNotResumable
	}
	if end < 0 || end == now.size {
		end = 0 // the length is unknown
	}
	return o.ask(ctx, place, of, storage.Part{From: from, To: end, ETag: now.etag}, watched)
}

// total requests a part, to check its version. It returns the length of the
// content, or -1 if the storage does not send it.
func (o *Object) total(ctx context.Context, of generation, part storage.Part, watched *exchange) (int64, error) {
	place, err := o.locate(ctx)
	if err != nil {
		return -1, err
	}
	answer, err := o.ask(ctx, place, of, part, watched)
	if err != nil {
		return -1, err
	}
	return o.generation().size, answer.Body.Close()
}

// unlike checks an ErrVersionChanged: if the part that determined the version
// still has its tag, the storage has a tag for each part.
func (o *Object) unlike(ctx context.Context, err error) error {
	_, now, first := o.state()
	if !errors.Is(err, ErrVersionChanged) || now.etag == "" {
		return err
	}
	var question exchange
	_, changed := o.total(ctx, now, first, &question)
	question.end(transport.Attempt{Err: changed, Reason: "a check of the version"})
	if changed != nil {
		return err
	}
	return fail(errOwnTags, nil)
}

// ask sends a request for a part of a generation.
func (o *Object) ask(ctx context.Context, place Place, of generation, part storage.Part, watched *exchange) (*storage.Object, error) {
	o.requests.Add(1)
	ctx, target := watched.begin(ctx, &o.transfer, http.MethodGet, place)
	answer, err := o.transfer.Storage.Get(ctx, target, part)
	if err != nil {
		return nil, o.refusal(place, part, err)
	}
	err = o.judge(place, part, answer)
	if err == nil {
		err = o.accept(of, part, answer)
	}
	if err != nil {
		_ = answer.Body.Close() // the body is not needed
		o.forget(place)
		return nil, err
	}
	return answer, nil
}

// headSize is the maximum number of bytes by which a content is judged.
const headSize = 1024

// judge refuses a content that begins as another one. If the service sent no
// size, an error document could be taken for the content.
func (o *Object) judge(place Place, part storage.Part, answer *storage.Object) error {
	if answer.Offset > 0 || part.To == 1 || place.Size >= 0 && o.options.Check == nil {
		return nil
	}
	body := bufio.NewReaderSize(answer.Body, headSize)
	head, _ := body.Peek(headSize) // Read reports the error again
	answer.Body = struct {
		io.Reader
		io.Closer
	}{body, answer.Body}
	if place.Size < 0 {
		if err := storage.ErrorDocument(http.StatusOK, head); err != nil {
			return err
		}
	}
	if o.options.Check == nil {
		return nil
	}
	return o.options.Check(head)
}

// refusal returns the error of a failed request, and drops the place or the
// version that it invalidates.
func (o *Object) refusal(place Place, part storage.Part, err error) error {
	if said(err).Refused() {
		o.forget(place)
	}
	if status := statusOf(err); status == http.StatusPreconditionFailed && part.ETag != "" ||
		status == http.StatusRequestedRangeNotSatisfiable && part != (storage.Part{}) {
		return fmt.Errorf("%w: %w", ErrVersionChanged, err)
	}
	return err
}

// accept compares a response with the version being read, or adopts its
// version.
func (o *Object) accept(of generation, part storage.Part, answer *storage.Object) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.now.etag == "":
	case answer.ETag == "":
		return storage.ErrAnswer // a storage that sent a version once must send it again
	case answer.ETag != o.now.etag:
		return ErrVersionChanged
	}
	if answer.Size >= 0 && o.now.size >= 0 && answer.Size != o.now.size {
		return ErrSizeMismatch
	}
	if answer.Coded && o.now.size < 0 { // the size cannot be checked
		return fmt.Errorf("%w: the response has a content encoding that was not requested", storage.ErrAnswer)
	}
	better := generation{max(o.now.size, answer.Size), answer.ETag}
	if !of.admits(better) {
		return ErrVersionChanged
	}
	if part.ETag == "" {
		o.first = part
	}
	o.now = better
	return nil
}

// measure requests the size from the storage if the service did not send it. It
// may remain unknown.
func (o *Object) measure(ctx context.Context) error {
	if o.generation().size >= 0 {
		return nil
	}
	return o.probe(ctx)
}

// probe opens the content, to check that the storage has it.
func (o *Object) probe(ctx context.Context) error {
	r := o.rangeReader(ctx, o.generation(), 0, -1)
	defer r.close()
	return r.ready()
}
