package transfer

import (
	"slices"
	"sync/atomic"
)

const (
	smallWindow = 64 << 10
	largeWindow = 1 << 20
	windowsKept = 2 << 20 // total size of all windows in bytes
)

// window is a downloaded range of a content.
type window struct {
	from  int64
	data  []byte
	wrong error // error if the content ends at another offset than announced
}

func (w window) end() int64 { return w.from + int64(len(w.data)) }

// read copies the bytes at an offset. If they reach the end of the content at a
// wrong offset, it returns the error.
func (w window) read(p []byte, off int64) (int, error) {
	n := copy(p, w.data[off-w.from:])
	if off+int64(n) == w.end() {
		return n, w.wrong
	}
	return n, nil
}

// readAhead caches the latest ranges, newest first. Small reads are often close
// to each other: the directory of an archive, the header of a picture, a page
// of a PDF. Without the cache each would need a request.
type readAhead struct {
	windows atomic.Pointer[[]window] // copied on write
}

func (a *readAhead) all() []window {
	if kept := a.windows.Load(); kept != nil {
		return *kept
	}
	return nil
}

// read copies the cached bytes at an offset, and returns their number.
func (a *readAhead) read(p []byte, off int64) (int, error) {
	for _, w := range a.all() {
		if off >= w.from && off < w.end() {
			return w.read(p, off)
		}
	}
	return 0, nil
}

// before returns the window that ends at an offset, or an empty one.
func (a *readAhead) before(off int64) window {
	for _, w := range a.all() {
		if w.end() == off {
			return w
		}
	}
	return window{}
}

// next returns the range to download for an offset outside the windows. It
// grows with sequential reads, and at the end of the content it includes the
// bytes before the offset.
func (a *readAhead) next(off, size int64) (from, end int64) {
	length := min(max(smallWindow, 4*int64(len(a.before(off).data))), largeWindow)
	if length == smallWindow {
		off = min(off, max(0, size-smallWindow))
	}
	return off, min(off+length, size)
}

// keep adds a window and drops the oldest ones above the limit. If two windows
// are added concurrently, one may be lost and is downloaded again.
func (a *readAhead) keep(w window) {
	kept, sum := []window{w}, len(w.data)
	for _, old := range a.all() {
		if sum += len(old.data); sum > windowsKept {
			break
		}
		kept = append(kept, old)
	}
	kept = slices.Clip(kept)
	a.windows.Store(&kept)
}
