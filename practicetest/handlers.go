package practicetest

import (
	"net/http"
	"sync"
)

// handlerCount counts running handlers, so that Close can wait for them:
// http.Server.Close does not.
type handlerCount struct {
	mu     sync.Mutex
	closed bool
	wg     sync.WaitGroup
}

// track counts the calls of a handler. After close it aborts them.
func (h *handlerCount) track(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !h.enter() {
			panic(http.ErrAbortHandler)
		}
		defer h.wg.Done()
		next.ServeHTTP(w, r)
	})
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

func (h *handlerCount) close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.wg.Wait()
}
