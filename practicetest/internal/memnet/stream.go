package memnet

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// BufferSize is the number of bytes per direction that can be sent before a
// write blocks.
const BufferSize = 64 << 10

// stream is one direction of a connection.
type stream struct {
	mu      sync.Mutex
	changed sync.Cond
	network *Network
	buf     *bytes.Buffer // nil if there are no unread bytes

	writing  bool  // a write is in progress; others wait, so that writes do not interleave
	gone     bool  // the reader has closed its end
	end      error // error that the reader receives after the last byte
	writeErr error // error that the writer receives

	readBy, writeBy deadline
}

// deadline is the read or the write deadline of a stream.
type deadline struct {
	passed bool
	timer  *time.Timer
}

func newStream(network *Network) *stream {
	s := &stream{network: network}
	s.changed.L = &s.mu
	return s
}

func (s *stream) read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case s.gone:
			return 0, net.ErrClosed
		case s.readBy.passed:
			return 0, os.ErrDeadlineExceeded
		case len(p) == 0:
			return 0, nil
		case s.size() > 0:
			n := s.take(p)
			s.changed.Broadcast()
			return n, nil
		case s.end != nil:
			return 0, s.end
		}
		s.changed.Wait()
	}
}

func (s *stream) write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.writing && s.writable() == nil {
		s.changed.Wait()
	}
	if err := s.writable(); err != nil {
		return 0, err
	}
	s.writing = true
	defer func() { s.writing = false; s.changed.Broadcast() }()
	for sent := 0; ; s.changed.Wait() {
		if err := s.writable(); err != nil {
			return sent, err
		}
		if n := s.put(p[sent:]); n > 0 {
			sent += n
			s.changed.Broadcast()
		}
		if sent == len(p) {
			return sent, nil
		}
	}
}

func (s *stream) writable() error {
	if s.writeErr == nil && s.writeBy.passed {
		return os.ErrDeadlineExceeded
	}
	return s.writeErr
}

// finish closes the writer's end. The reader receives end after the remaining
// bytes; later writes fail with writeErr, or with the reset of the reader:
// net/http closes a connection that was reset, and returns either error.
func (s *stream) finish(end, writeErr error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end == nil || !errors.Is(end, io.EOF) {
		s.end = end
	}
	if !errors.Is(s.writeErr, errReset) {
		s.writeErr = writeErr
	}
	s.clear(&s.writeBy)
	s.changed.Broadcast()
}

// abandon closes the reader's end. Unread bytes are lost, and writes fail with
// writeErr.
func (s *stream) abandon(writeErr error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone = true
	if s.writeErr == nil {
		s.writeErr = writeErr
	}
	s.release()
	s.clear(&s.readBy)
	s.changed.Broadcast()
}

func (s *stream) setDeadline(d *deadline, t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear(d)
	over := d == &s.readBy && s.gone || d == &s.writeBy && s.writeErr != nil
	if t.IsZero() || over {
		return
	}
	wait := time.Until(t)
	if wait <= 0 {
		d.passed = true
		s.changed.Broadcast()
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(wait, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if d.timer == timer { // otherwise the deadline was changed after the timer had fired
			d.passed = true
			s.changed.Broadcast()
		}
	})
	d.timer = timer
}

func (s *stream) clear(d *deadline) {
	if d.timer != nil {
		d.timer.Stop()
	}
	*d = deadline{}
}
