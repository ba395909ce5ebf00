package practice

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/spans"
)

// filling writes a content into a file, over several connections where that
// helps.
type filling struct {
	content  *content
	to       io.WriterAt
	progress *progress
	save     func([]spans.Span) error // notes on disk what is missing; nil when nobody will go on

	size    int64
	queue   *spans.Queue
	saving  sync.Mutex
	savedAt time.Time
}

// saveInterval is how much time of a download can be lost with its process.
const saveInterval = 10 * time.Second

// whole fills the file from its beginning.
func (f *filling) whole(ctx context.Context) error {
	if err := f.content.measure(ctx); err != nil {
		return err
	}
	_, size, _ := f.content.state()
	if size <= 0 { // nothing to share out
		return f.unshared(ctx)
	}
	return f.fill(ctx, size, []spans.Span{{From: 0, To: size}})
}

// unshared fills the file with content of unknown length, or none.
func (f *filling) unshared(ctx context.Context) error {
	f.queue = spans.NewQueue(nil, 1)
	out := &countedWriter{w: io.NewOffsetWriter(f.to, 0), progress: f.progress}
	err := out.copy(ctx, f.content)
	f.size = out.n
	if err == nil {
		f.progress.finish(out.n)
	}
	return err
}

// prefix is how much is there without a gap.
func (f *filling) prefix() int64 {
	if f.queue == nil {
		return 0
	}
	if missing := f.queue.Missing(); len(missing) > 0 {
		return missing[0].From
	}
	return f.size
}

// arrived is how much is there.
func (f *filling) arrived() int64 { return f.size - spans.Total(f.queue.Missing()) }

// fill fetches what is missing of a content of known size.
func (f *filling) fill(ctx context.Context, size int64, missing []spans.Span) error {
	f.size, f.savedAt = size, time.Now()
	f.queue = spans.NewQueue(missing, f.content.options.RangeSize)
	f.progress.restart(f.arrived(), size)
	ctx, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	defer func() { // also when a function of the caller's panics
		cancel()
		workers.Wait()
	}()
	first, parts, err := f.share(ctx)
	if err != nil {
		return err
	}
	failures := make(chan error, len(parts))
	work := func(s *stretch, part *spans.Part) {
		if err := f.work(ctx, s, part); err != nil {
			failures <- err
			cancel()
		}
	}
	for _, part := range parts[1:] {
		s := f.stretch(ctx, part) // as long as nobody takes anything away
		workers.Go(func() { work(s, part) })
	}
	work(first, parts[0])
	workers.Wait()
	close(failures)
	if err := <-failures; err != nil { // the first one; the others follow from it
		return err
	}
	f.progress.finish(size)
	return nil
}

// share gives every worker its part. The first one finds out whether the
// storage can be asked for parts of one version.
func (f *filling) share(ctx context.Context) (first *stretch, parts []*spans.Part, err error) {
	for len(parts) < f.content.options.Ranges {
		part := f.queue.Take()
		if part == nil {
			break
		}
		parts = append(parts, part)
	}
	first = f.stretch(ctx, parts[0])
	if err := first.ready(); err != nil {
		return nil, nil, err
	}
	_, _, etag := f.content.state()
	ranged := first.object.Offset == first.at && first.object.Length == first.end-first.at
	if len(parts) == 1 || etag != "" && ranged {
		return first, parts, nil
	}
	first.close()
	f.queue = spans.NewQueue(f.queue.Missing(), f.size)
	part := f.queue.Take()
	return f.stretch(ctx, part), []*spans.Part{part}, nil
}

func (f *filling) stretch(ctx context.Context, part *spans.Part) *stretch {
	rest := f.queue.Rest(part)
	return f.content.stretch(ctx, rest.From, rest.To)
}

// work fetches a part, and further ones until nothing is left.
func (f *filling) work(ctx context.Context, s *stretch, part *spans.Part) error {
	buf := make([]byte, bufferSize(s.end-s.at))
	for {
		err := f.fetch(s, part, buf)
		s.close()
		if err != nil {
			return err
		}
		if part = f.queue.Take(); part == nil {
			return nil
		}
		s = f.stretch(ctx, part)
	}
}

func (f *filling) fetch(s *stretch, part *spans.Part, buf []byte) error {
	for {
		n, err := gather(s, buf)
		at, n := f.queue.Claim(part, n)
		if n > 0 {
			if _, err := f.to.WriteAt(buf[:n], at); err != nil {
				return f.content.fail(&localError{"writing the content", err}, nil)
			}
			f.progress.add(n)
		}
		if f.queue.Wrote(part) {
			return s.ended()
		}
		if err != nil {
			return err
		}
		if err := f.saveNow(); err != nil {
			return f.content.fail(&localError{"writing the content", err}, nil)
		}
	}
}

// gather makes large writes of small pieces, unless they come slowly.
func gather(r io.Reader, p []byte) (n int, err error) {
	const slow = 100 * time.Millisecond
	began := time.Now()
	for n < len(p) && err == nil && (n == 0 || time.Since(began) < slow) {
		var m int
		m, err = r.Read(p[n:])
		n += m
	}
	if errors.Is(err, io.EOF) && n > 0 {
		err = nil
	}
	return n, err
}

// saveNow notes what is missing when it is time to.
func (f *filling) saveNow() error {
	if f.save == nil || !f.saving.TryLock() {
		return nil
	}
	defer f.saving.Unlock()
	if time.Since(f.savedAt) < saveInterval {
		return nil
	}
	f.savedAt = time.Now()
	return f.save(f.queue.Missing())
}
