package practicetest

import "sync"

// handlerCount lets Close wait for the handlers that are still running, which
// http.Server.Close does not.
type handlerCount struct {
	mu     sync.Mutex
	closed bool
	wg     sync.WaitGroup
}

func (h *handlerCount) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.wg.Add(1)
	return true
}

func (h *handlerCount) leave() { h.wg.Done() }

func (h *handlerCount) close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.wg.Wait()
}
