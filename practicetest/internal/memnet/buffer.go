package memnet

import "bytes"

// A stream holds a buffer only while it contains bytes. Thousands of idle
// connections therefore need little memory, and a busy connection still has a
// large buffer.

// size returns the number of unread bytes.
func (s *stream) size() int {
	if s.buf == nil {
		return 0
	}
	return s.buf.Len()
}

// put copies as much of p into the buffer as fits, and returns the number of
// bytes.
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

// take moves up to len(p) unread bytes into p and returns their number.
func (s *stream) take(p []byte) int {
	if s.size() == 0 {
		return 0
	}
	n, _ := s.buf.Read(p) // never fails: the buffer is not empty
	if s.size() == 0 {
		s.release()
	}
	return n
}

// release gives the buffer back to the network. Unread bytes are lost.
func (s *stream) release() {
	if s.buf != nil {
		s.buf.Reset()
		s.network.mu.Lock()
		s.network.free = append(s.network.free, s.buf)
		s.network.mu.Unlock()
		s.buf = nil
	}
}

// buffer returns an unused buffer. It does not use a sync.Pool, which drops
// some buffers under the race detector and so would falsify a test that counts
// the allocations of a transfer.
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
