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
// connections that were idle for too long. A server that resets every HTTP/2
// stream would otherwise be asked without end and without a pause.
const maxRepeats = 3

var errRepeated = errors.New("the connection failed again and again")

// watchdog ends an exchange that stalls, or that net/http repeats too often. It
// counts time only while the network is waited for, never while the caller's
// own source or sink takes its time.
type watchdog struct {
	limit time.Duration
	end   context.CancelCauseFunc
	began time.Time
	until atomic.Int64 // when it is over, in nanoseconds since it began; 0 while it does not count
	tries atomic.Int32 // connections that the exchange had

	mu    sync.Mutex
	timer *time.Timer // nil without a limit, and when it was stopped
}

// startWatchdog begins to count. The context must be ended by stop.
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

// restart counts anew from now. The timer stays as it is and finds out when it
// is there: to set it again for every piece of a file would keep the scheduler
// busier than the file does.
func (w *watchdog) restart() { w.until.Store(int64(time.Since(w.began) + w.limit)) }

// pause stops counting.
func (w *watchdog) pause() { w.until.Store(0) }

// look ends the exchange when its time is over, and otherwise comes back when
// it may be.
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

// failure returns what went wrong in an exchange: without the address, and with
// the reason why the watchdog ended its context.
func failure(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, ErrStalled) || errors.Is(cause, errRepeated) {
		return cause
	}
	return redact.Address(err)
}
