package practice

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/practicesdk/practice-go/internal/storage"
)

// errLonger: the storage sends more than was announced.
var errLonger = fmt.Errorf("%w: the storage sends more", ErrSizeMismatch)

// stretch reads a part of a content and goes on from the last byte received
// where a connection breaks, stalls or is refused.
type stretch struct {
	content *content
	ctx     context.Context
	at      int64 // next byte
	end     int64 // behind the last byte; -1 while the end is not known

	patience patience
	object   *storage.Object // nil when no connection is open
	opened   bool            // once at least
	began    time.Time       // of this attempt
	got      int64           // bytes of this attempt
	exchange exchange        // of this attempt
	broke    error           // what ended this attempt; nil when it goes on
	failed   error           // what ended the stretch
}

// stretch is the part from a byte to another; end -1 means the end of the
// content, whatever that is. It must be closed.
func (c *content) stretch(ctx context.Context, from, end int64) *stretch {
	return &stretch{content: c, ctx: ctx, at: from, end: end, patience: patience{retries: c.retries()}}
}

// Read reads what is there. The error is a *TransferError, or io.EOF when
// everything has been read.
func (s *stretch) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		if err := s.ready(); err != nil {
			return 0, err
		}
		if s.at == s.end {
			return 0, s.finish()
		}
		if s.end >= 0 {
			p = p[:min(int64(len(p)), s.end-s.at)]
		}
		n, err := s.object.Body.Read(p)
		s.at += int64(n)
		s.got += int64(n)
		if n > 0 {
			s.content.read.Store(true)
		}
		switch {
		case errors.Is(err, io.EOF) && s.end < 0:
			s.end = s.at
		case errors.Is(err, io.EOF) && s.at < s.end && s.object.Length < 0:
			s.broke = fmt.Errorf("%w: the storage sends less", ErrSizeMismatch)
		case errors.Is(err, io.EOF) && s.at < s.end:
			s.broke = io.ErrUnexpectedEOF
		case err != nil && s.at != s.end:
			s.broke = err
		}
		if n > 0 {
			return n, nil
		}
	}
}

// ready sees to it that a connection is open, as often as patience allows.
func (s *stretch) ready() error {
	if err := s.ctx.Err(); err != nil && s.failed == nil {
		s.failed = s.content.fail(err, s.patience.attempts)
	}
	for s.failed == nil {
		if s.broke == nil && s.object != nil || s.opened && s.at == s.end {
			return nil
		}
		if s.broke == nil {
			s.broke = s.open()
		}
		if s.broke == nil {
			return nil
		}
		s.close()
		s.retry()
	}
	return s.failed
}

// retry waits for the next attempt, or fails for good.
func (s *stretch) retry() {
	cause := s.broke
	again := s.patience.again(s.ctx, Attempt{Err: cause, Duration: time.Since(s.began), BytesReceived: s.got})
	s.exchange.end(s.patience.last())
	s.broke, s.got = nil, 0
	attempts := s.patience.attempts
	if errors.Is(cause, ErrNotResumable) && len(attempts) > 1 {
		cause = fmt.Errorf("%w after: %w", cause, attempts[len(attempts)-2].Err)
	}
	if again {
		cause = s.patience.sleep(s.ctx)
	}
	if cause != nil {
		s.failed = s.content.fail(cause, attempts)
	}
}

func (s *stretch) open() error {
	s.began, s.got = time.Now(), 0
	object, err := s.content.open(s.ctx, s.at, s.end, &s.exchange)
	if err != nil {
		return err
	}
	s.object, s.opened = object, true
	if _, size, _ := s.content.state(); s.end < 0 {
		s.end = size
	}
	if skip := s.at - object.Offset; skip > 0 { // the storage knows no ranges
		if _, err := io.CopyN(io.Discard, object.Body, skip); err != nil {
			return err
		}
	}
	return nil
}

// ended checks the end of a stretch whose bytes have been read. One that was
// cut short, because another worker has the rest, has none.
func (s *stretch) ended() error {
	if s.at < s.end {
		return nil
	}
	if err := s.finish(); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// finish ends a stretch that has been read. Where the storage did not say how
// long its answer is, it must end here.
func (s *stretch) finish() error {
	if s.object != nil && s.object.Length < 0 {
		var one [1]byte
		if n, _ := io.ReadFull(s.object.Body, one[:]); n > 0 {
			s.failed = s.content.fail(errLonger, nil)
		}
	}
	s.close()
	if s.failed != nil {
		return s.failed
	}
	return io.EOF
}

// close gives the connection back.
func (s *stretch) close() {
	if s.object != nil {
		_ = s.object.Body.Close() // what was wanted has been read
		s.object = nil
	}
	if s.broke == nil { // otherwise there is more to tell
		s.exchange.end(s.done())
	}
}

// done is the account of an attempt that nothing broke.
func (s *stretch) done() Attempt {
	a := Attempt{BytesReceived: s.got, Err: s.failed, Reason: "success"}
	switch {
	case s.failed != nil:
		a.Reason = "another attempt would not help"
	case s.at != s.end:
		a.Reason = "the rest was not wanted"
	}
	return a
}
