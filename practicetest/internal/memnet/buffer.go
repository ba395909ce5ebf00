package memnet

// The buffer of a stream is a ring in a small piece of its own, or in a block
// borrowed while there is more than a piece holds: thousands of connections
// that rest cost little, and a connection that carries a large file is not
// slow.

// put copies in as much of p as fits.
func (s *stream) put(p []byte) int {
	s.grow(s.size + len(p))
	done := 0
	for done < len(p) && s.size < len(s.buf) {
		at := (s.start + s.size) % len(s.buf)
		room := min(len(s.buf)-at, len(s.buf)-s.size)
		n := copy(s.buf[at:at+room], p[done:])
		s.size += n
		done += n
	}
	return done
}

// take copies out the available bytes, up to the length of p.
func (s *stream) take(p []byte) int {
	done := 0
	for done < len(p) && s.size > 0 {
		n := copy(p[done:], s.buf[s.start:min(s.start+s.size, len(s.buf))])
		s.start = (s.start + n) % len(s.buf)
		s.size -= n
		done += n
	}
	if s.size == 0 {
		s.release()
	}
	return done
}

// grow grows the ring to hold at least size bytes.
func (s *stream) grow(size int) {
	if size <= len(s.buf) || s.block != nil {
		return
	}
	if size <= pieceSize {
		s.piece = make([]byte, pieceSize)
		s.buf = s.piece
		return
	}
	block := s.blocks.Get().(*[BufferSize]byte)
	held := s.size
	if held > 0 {
		s.take(block[:held])
	}
	s.block, s.buf, s.start, s.size = block, block[:], 0, held
}

// release returns the block to the pool and starts over in the piece.
func (s *stream) release() {
	if s.block != nil {
		s.blocks.Put(s.block)
		s.block = nil
	}
	s.buf, s.start = s.piece, 0
}
