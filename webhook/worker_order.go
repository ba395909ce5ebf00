package webhook

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Waits of a worker for an earlier event of a record.
const (
	headTime   = 2 * time.Second  // for one and the same event
	headForget = 10 * time.Second // during which the others then do not wait for it
	orderPause = 500 * time.Millisecond
	orderMax   = 10 * time.Second // the longest wait of a message that was given back, whose first is orderPause
)

// errBehind gives a message back to the queue. It is no attempt.
var errBehind = fmt.Errorf("%w: an earlier event of the record is not done", ErrInProgress)

// inOrder waits until no earlier message of the record is in the queue. The
// messages of a record come to the workers in order, so that a worker which
// waits is the next one soon. It does not wait for an event that makes no
// progress, because it is tried again later, or another process is long at it.
func (w *worker) inOrder(ctx context.Context, h *held) error {
	if !w.settings.serial || h.record == "" {
		return nil
	}
	head, tooLong := "", time.NewTimer(headTime)
	defer tooLong.Stop()
	for {
		end := w.ends.of(h.record) // first, or an end between the question and the wait would be missed
		ahead, err := ask(ctx, w.Receiver, "queue", h.task.limit, h.job.Ahead)
		switch {
		case err != nil || ahead == "":
			return err
		case ahead != head:
			head = ahead
			tooLong.Reset(headTime)
		}
		if _, long := w.stuck.get(head); long {
			return errBehind
		}
		select {
		case <-end:
		case <-time.After(turnPause):
		case <-tooLong.C:
			w.stuck.put(head, struct{}{})
			return errBehind
		case <-ctx.Done():
			return errBehind
		}
	}
}

// ends wakes those up who wait for the end of an event of a record.
type ends struct {
	mu   sync.Mutex
	next map[string]chan struct{}
}

// of is closed when the next event of the record ends here.
func (e *ends) of(record string) <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.next[record] == nil {
		e.next[record] = make(chan struct{})
	}
	return e.next[record]
}

func (e *ends) announce(record string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if next := e.next[record]; next != nil {
		close(next)
		delete(e.next, record)
	}
}
