package transfer

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/intervals"
	"github.com/practicesdk/practice-go/internal/panics"
)

// parallel writes an object to a file, with several connections if that is
// faster.
type parallel struct {
	object   *Object
	to       io.WriterAt
	progress *progress
	save     func() error // records the missing spans on disk; nil if the file cannot be resumed

	of      generation // version of the content; its size is known once there is a queue
	queue   *intervals.Queue
	saving  sync.Mutex
	savedAt time.Time
	saved   int64 // number of bytes received at the last save
}

// Limits of the part of a download that is lost when its process dies: a time,
// and a number of bytes on fast connections.
const (
	saveInterval = 2 * time.Second
	saveBytes    = 64 << 20
)

// whole writes the file from its beginning.
func (f *parallel) whole(ctx context.Context) error {
	if err := f.object.measure(ctx); err != nil {
		return err
	}
	of := f.object.generation()
	if of.size <= 0 { // there are no parts
		return f.unshared(ctx)
	}
	return f.fill(ctx, of, []intervals.Interval{{From: 0, To: of.size}})
}

// unshared writes content of unknown or zero length.
func (f *parallel) unshared(ctx context.Context) error {
	f.queue = intervals.NewQueue(nil, 1)
	out := &countedWriter{w: io.NewOffsetWriter(f.to, 0), progress: f.progress}
	err := out.copy(ctx, f.object)
	f.of.size = out.n
	if err == nil {
		f.progress.finish(out.n)
	}
	return err
}

// prefix returns the number of bytes received before the first gap.
func (f *parallel) prefix() int64 {
	if f.queue == nil {
		return 0
	}
	if missing := f.queue.Missing(); len(missing) > 0 {
		return missing[0].From
	}
	return f.of.size
}

// arrived returns the number of bytes received.
func (f *parallel) arrived() int64 { return f.of.size - intervals.Total(f.queue.Missing()) }

// fill downloads the missing spans of a generation of known size.
func (f *parallel) fill(ctx context.Context, of generation, missing []intervals.Interval) error {
	f.of, f.savedAt = of, time.Now()
	f.queue = intervals.NewQueue(missing, f.object.options.RangeSize)
	f.saved = f.arrived()
	f.progress.restart(f.saved, of.size)
	ctx, cancel := context.WithCancel(ctx)
	var workers panics.Group
	defer func() { // also if a function of the caller panics
		cancel()
		workers.Wait()
	}()
	first, parts, err := f.share(ctx)
	if err != nil {
		return err
	}
	failures := make(chan error, len(parts))
	work := func(r *rangeReader, part *intervals.Part) {
		if err := f.work(ctx, r, part); err != nil {
			failures <- err
			cancel()
		}
	}
	for _, part := range parts[1:] {
		r := f.reader(ctx, part) // until another worker takes a part of the range
		workers.Go(func() { work(r, part) }, func(returned bool) {
			if !returned {
				cancel()
			}
		})
	}
	work(first, parts[0])
	workers.Wait()
	close(failures)
	if err := <-failures; err != nil { // the other failures are consequences of the first
		return err
	}
	f.progress.finish(of.size)
	return nil
}

// share assigns a part to every worker. The first worker checks whether the
// storage supports ranges of one version.
func (f *parallel) share(ctx context.Context) (first *rangeReader, parts []*intervals.Part, err error) {
	for len(parts) < f.object.options.Ranges {
		part := f.queue.Take()
		if part == nil {
			break
		}
		parts = append(parts, part)
	}
	first = f.reader(ctx, parts[0])
	if err := first.ready(); err != nil {
		return nil, nil, err
	}
	f.of = first.of
	ranged := first.answer.Offset == first.at && first.answer.Length == first.end-first.at
	if len(parts) == 1 || f.of.etag != "" && ranged {
		return first, parts, nil
	}
	first.close()
	f.queue = intervals.NewQueue(f.queue.Missing(), f.of.size)
	part := f.queue.Take()
	return f.reader(ctx, part), []*intervals.Part{part}, nil
}

func (f *parallel) reader(ctx context.Context, part *intervals.Part) *rangeReader {
	rest := f.queue.Rest(part)
	return f.object.rangeReader(ctx, f.of, rest.From, rest.To)
}

// work downloads parts until none is left.
func (f *parallel) work(ctx context.Context, r *rangeReader, part *intervals.Part) error {
	buf := make([]byte, bufferSize(r.end-r.at))
	for {
		if err := f.fetch(r, part, buf); err != nil {
			return err
		}
		if part = f.queue.Take(); part == nil {
			return nil
		}
		r = f.reader(ctx, part)
	}
}

func (f *parallel) fetch(r *rangeReader, part *intervals.Part, buf []byte) error {
	defer r.close() // also if a function of the caller panics
	for {
		n, err := gather(r, buf)
		at, n := f.queue.Claim(part, n)
		if n > 0 {
			if _, err := f.to.WriteAt(buf[:n], at); err != nil {
				return failLocally("writing the content", err)
			}
			f.progress.add(n)
		}
		if f.queue.Wrote(part) {
			return r.ended()
		}
		if err != nil {
			return err
		}
		if err := f.saveNow(); err != nil {
			return failLocally("writing the content", err)
		}
	}
}

// gather merges small pieces into large writes, unless they arrive slowly.
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

// saveNow records the missing spans if that is due.
func (f *parallel) saveNow() error {
	if f.save == nil || !f.saving.TryLock() {
		return nil
	}
	defer f.saving.Unlock()
	arrived := f.arrived()
	if time.Since(f.savedAt) < saveInterval && arrived-f.saved < saveBytes {
		return nil
	}
	f.savedAt, f.saved = time.Now(), arrived
	return f.save()
}
