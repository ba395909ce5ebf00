package memnet

import "bytes"

// A stream borrows its buffer while it holds bytes: thousands of connections
// that rest cost little, and a connection that carries a large file is not
// slow.

// size returns the number of bytes that wait for the reader.
func (s *stream) size() int {
	if s.buf == nil {
		return 0
	}
	return s.buf.Len()
}

// put copies in as much of p as fits.
func (s *stream) put(p []byte) int {
	p = p[:min(len(p), BufferSize-s.size())]
	if len(p) > 0 && s.buf == nil {
		s.buf = s.network.buffer()
	}
	if s.buf != nil {
		s.buf.Write(p)
	}
	return len(p)
}

// take copies out the available bytes, up to the length of p.
func (s *stream) take(p []byte) int {
	if s.size() == 0 {
		return 0
	}
	n, _ := s.buf.Read(p) // it is not empty
	if s.size() == 0 {
		s.release()
	}
	return n
}

// release returns the buffer, with the bytes that nobody has read.
func (s *stream) release() {
	if s.buf != nil {
		s.buf.Reset()
		s.network.mu.Lock()
		s.network.free = append(s.network.free, s.buf)
		s.network.mu.Unlock()
		s.buf = nil
	}
}

// buffer returns a buffer that no stream holds. A sync.Pool would drop some of
// them under the race detector, where a test counts what a transfer allocates.
func (n *Network) buffer() *bytes.Buffer {
	n.mu.Lock()
	defer n.mu.Unlock()
	if last := len(n.free) - 1; last >= 0 {
		free := n.free[last]
		n.free = n.free[:last]
		return free
	}
	return new(bytes.Buffer)
}
