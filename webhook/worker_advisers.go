package webhook

import (
	"context"
	"errors"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/models"
)

// trackWait limits the time that a delivery to a queue waits for the Tracker.
const trackWait = 50 * time.Millisecond

// mostNotes is the maximum number of messages whose notes wait for a Sequencer
// or Tracker.
const mostNotes = 1 << 10

// errNoteDropped reports a note that the Sequencer or Tracker did not record.
var errNoteDropped = errors.New("webhook: a note was dropped because its store does not answer")

// note is a call that records a message in a Sequencer or a Tracker.
type note func(context.Context) error

// trackFirst records a delivery in the tracker before it is queued.
func (r *Receiver) trackFirst(ctx context.Context, d *delivery) bool {
	err := r.track(ctx, d, min(trackWait, r.storeLimit()))
	r.report(ctx, d, 0, err)
	return err == nil && r.settings.tracker != nil
}

// trackTask records a message whose delivery was not recorded on receipt.
// Within a request it returns a failure to record an error event: nothing else
// can repeat it, and without the event a failed write would look successful.
func (r *Receiver) trackTask(ctx context.Context, d *delivery, t *task) error {
	if t.tracked {
		return nil
	}
	track := func(ctx context.Context) error { return r.track(ctx, d, t.limit) }
	err := track(ctx)
	if !t.patient && d.notification.kind == models.EventTypeError.Type() {
		return err
	}
	if err != nil && t.patient {
		t.again = append(t.again, track)
	}
	r.report(ctx, d, 0, err)
	return nil
}

// noteOrder advances the order past a handled event. Until the Sequencer has
// recorded the event, this receiver remembers it.
func (w *worker) noteOrder(ctx context.Context, d *delivery, t *task) {
	advance := func(ctx context.Context) error { return w.advance(ctx, d, t) }
	if err := advance(ctx); err != nil {
		w.report(ctx, d, 0, err)
		_ = w.unnoted.Advance(ctx, d.position) // does not fail: the store is in memory
		t.again = append(t.again, advance)
	}
}

// noteAgain retries the notes that failed, after the message has ended, until
// taking ends or the receiver stops.
func (w *worker) noteAgain(ctx, taking context.Context, h *held) {
	if h == nil || len(h.task.again) == 0 {
		return
	}
	ctx = context.WithoutCancel(ctx)
	select {
	case w.noting <- struct{}{}:
		defer func() { <-w.noting }()
	default:
		w.report(ctx, h.delivery, 0, storeError("note", errNoteDropped))
		return
	}
	for _, n := range h.task.again {
		w.repeat(ctx, taking, h, n)
	}
}

func (w *worker) repeat(ctx, taking context.Context, h *held, n note) {
	for times := 0; ; times++ {
		// Shutdown drains the queue after Run has ended, so no sleep then.
		last := w.stopping.Err() != nil || backoff.Sleep(taking, backoff.Exponential(storePause, storePauseMax, times)) != nil
		switch err := n(ctx); {
		case err == nil:
			return
		case last:
			w.report(ctx, h.delivery, 0, storeError("note", errors.Join(errNoteDropped, err)))
			return
		}
	}
}
