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

// ErrStalled ends an exchange in which no byte moved for the idle limit.
var ErrStalled = errors.New("no byte moved for the idle time limit")

// maxRepeats bounds how often net/http may repeat one exchange by itself, on
// connections that were idle for too long. It would repeat without end and
// without a wait if a server resets every HTTP/2 stream.
const maxRepeats = 3

var errRepeated = errors.New("the connection failed again and again")

// watchdog ends an exchange that stalls, or that net/http repeats too often. It
// counts time only while the network is waited for, never while the caller's
// own source or sink takes its time.
type watchdog struct {
	limit time.Duration
	end   context.CancelCauseFunc
	began time.Time
	until atomic.Int64 // deadline in nanoseconds since the start; 0 while paused
	tries atomic.Int32 // connections of the exchange

	mu    sync.Mutex
	timer *time.Timer // nil without a limit, and once stopped
}

// startWatchdog starts the count. stop must be called to end the context.
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

// restart restarts the count. It leaves the timer alone, which checks the
// deadline when it fires: resetting it for every piece of a file would cost
// more than the piece.
func (w *watchdog) restart() { w.until.Store(int64(time.Since(w.began) + w.limit)) }

// pause stops counting.
func (w *watchdog) pause() { w.until.Store(0) }

// look cancels the exchange if its time is over. Otherwise it sets the timer to
// the deadline.
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

// failure returns the error of an exchange without the address, and with the
// reason why the watchdog ended its context.
func failure(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, ErrStalled) || errors.Is(cause, errRepeated) {
		return cause
	}
	return redact.Address(err)
}
