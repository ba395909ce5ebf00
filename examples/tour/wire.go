package main

import (
	"bytes"
	"io"
	"net/http"
	"sync"
)

// wire carries the exchanges of the client and remembers the latest ones. The
// library has no Response for transfers with the storage, so their status is
// seen here.
type wire struct {
	base *http.Transport

	mu   sync.Mutex
	seen seen
}

// seen holds the observations since the last take.
type seen struct {
	status    int    // of the latest answer; 0 when none came
	requestID string // the latest one; neither storage nor token endpoint gets one
	answer    []byte // to the latest request with an id
}

// largestAnswer bounds the answers that are read: no page of the interface is
// nearly so large.
const largestAnswer = 64 << 20

func newWire() *wire {
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.DisableCompression = true // the bytes of a file arrive as they are stored
	return &wire{base: base}
}

// RoundTrip sends a request.
func (w *wire) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := w.base.RoundTrip(request)
	id := request.Header.Get("RequestId")
	var answer []byte
	if err == nil && id != "" {
		answer, err = io.ReadAll(http.MaxBytesReader(nil, response.Body, largestAnswer))
		_ = response.Body.Close()
		response.Body = io.NopCloser(bytes.NewReader(answer))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen.status = 0
	if err == nil {
		w.seen.status = response.StatusCode
	}
	if id != "" {
		w.seen.requestID, w.seen.answer = id, answer
	}
	return response, err
}

// take returns the observations and resets them.
func (w *wire) take() seen {
	w.mu.Lock()
	defer w.mu.Unlock()
	taken := w.seen
	w.seen = seen{}
	return taken
}

// answer returns that of the interface to the latest request.
func (w *wire) answer() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seen.answer
}

func (w *wire) close() { w.base.CloseIdleConnections() }
