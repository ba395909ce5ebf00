package storage

import (
	"context"
	"errors"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"time"

	"github.com/practicesdk/practice-go/internal/redact"
)

// ErrStalled reports that no byte was transferred within the idle limit.
var ErrStalled = errors.New("no data was transferred within the idle timeout")

// maxRepeats limits how often net/http may repeat an exchange on stale
// connections. It would repeat endlessly and without waiting if a server resets
// every HTTP/2 stream.
const maxRepeats = 3

var errRepeated = errors.New("the connection failed repeatedly")

// watchdog ends an exchange that stalls, or that net/http repeats too often. It
// measures only the time of waiting for the network, not that of the caller's
// source or sink.
type watchdog struct {
	limit time.Duration
	end   context.CancelCauseFunc
	began time.Time
	until atomic.Int64 // deadline in nanoseconds since the start; 0 while paused
	tries atomic.Int32 // number of connections used by the exchange

	mu    sync.Mutex
	timer *time.Timer // nil without a limit, and after stop
}

// startWatchdog starts a watchdog and returns the context of the exchange that
// it may end. The caller must call stop to release the context.
func startWatchdog(ctx context.Context, limit time.Duration) (context.Context, *watchdog) {
	ctx, end := context.WithCancelCause(ctx)
	w := &watchdog{limit: limit, end: end, began: time.Now()}
	if limit > 0 {
		w.restart()
		w.mu.Lock()
		defer w.mu.Unlock()
		w.timer = time.AfterFunc(limit, w.look)
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: w.connected}), w
}

func (w *watchdog) connected(httptrace.GotConnInfo) {
	if w.tries.Add(1) > 1+maxRepeats {
		w.end(errRepeated)
	}
}

// restart restarts the time limit. It does not reset the timer, which checks
// the deadline when it fires, because a reset for every piece of a file would
// cost more than the piece.
func (w *watchdog) restart() { w.until.Store(int64(time.Since(w.began) + w.limit)) }

// pause stops measuring time.
func (w *watchdog) pause() { w.until.Store(0) }

// look cancels the exchange if its deadline has passed. Otherwise it sets the
// timer to the deadline.
func (w *watchdog) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer == nil {
		return
	}
	left := w.limit
	if until := w.until.Load(); until > 0 {
		left = time.Duration(until) - time.Since(w.began)
	}
	if left <= 0 {
		w.end(ErrStalled)
		return
	}
	w.timer.Reset(left)
}

func (w *watchdog) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
	w.end(nil)
}

// failure returns the error of an exchange without the URL, and with the reason
// why the watchdog canceled it.
func failure(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, ErrStalled) || errors.Is(cause, errRepeated) {
		return cause
	}
	return redact.Address(err)
}
