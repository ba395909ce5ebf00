package transfer

import (
	"slices"
	"sync/atomic"
)

const (
	smallWindow = 64 << 10
	largeWindow = 1 << 20
	windowsKept = 2 << 20 // bytes of all windows together
)

// window is a range of a content that was fetched.
type window struct {
	from  int64
	data  []byte
	wrong error // of the end of the content, which is not where it should be
}

func (w window) end() int64 { return w.from + int64(len(w.data)) }

// read copies what is there of a place. Where that reaches a wrong end, it says
// so.
func (w window) read(p []byte, off int64) (int, error) {
	n := copy(p, w.data[off-w.from:])
	if off+int64(n) == w.end() {
		return n, w.wrong
	}
	return n, nil
}

// readAhead keeps the ranges that were fetched last, the latest first. Small
// reads come in crowds: the directory of an archive, the header of a picture, a
// page of a PDF. Each by itself would be a request.
type readAhead struct {
	windows atomic.Pointer[[]window] // never changed in place
}

func (a *readAhead) all() []window {
	if kept := a.windows.Load(); kept != nil {
		return *kept
	}
	return nil
}

// read copies what is there of a place, and tells how much that is.
func (a *readAhead) read(p []byte, off int64) (int, error) {
	for _, w := range a.all() {
		if off >= w.from && off < w.end() {
			return w.read(p, off)
		}
	}
	return 0, nil
}

// before returns the window that ends at a place; an empty one without any.
func (a *readAhead) before(off int64) window {
	for _, w := range a.all() {
		if w.end() == off {
			return w
		}
	}
	return window{}
}

// next returns the range to fetch for a place that no window holds. It grows
// while somebody reads on, and at the end of the content it takes what comes
// before as well.
func (a *readAhead) next(off, size int64) (from, end int64) {
	length := min(max(smallWindow, 4*int64(len(a.before(off).data))), largeWindow)
	if length == smallWindow {
		off = min(off, max(0, size-smallWindow))
	}
	return off, min(off+length, size)
}

// keep adds a window and drops the oldest ones that are too many. Of two
// windows that are added at once one may be lost: it is fetched again.
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
