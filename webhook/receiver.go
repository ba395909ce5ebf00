package webhook

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/turns"
	"github.com/practicesdk/practice-go/internal/underway"
)

// Receiver is the [http.Handler] for the callback address of a webhook
// subscription. It verifies a delivery before it reads the body, decodes it,
// and calls the handlers of its type; the package documentation lists its
// answers. It is safe for concurrent use.
type Receiver struct {
	settings  settings
	verifier  *Verifier          // nil when the subscription has no key
	sightings *bounded[sighting] // nil when nobody listens to alarms
	handlers  handlers
	running   underway.Count
	turns     turns.Turns[string] // of WithSerialRecords, within requests
	owners    atomic.Uint64       // that were named so far
	places    chan struct{}       // of WithMaxDeliveries; nil without a limit
	count     counters
	name      string          // of this receiver among those that share a store
	worker    *worker         // of the queue
	stopping  context.Context // ends with Shutdown
	stop      context.CancelFunc
}

// NewReceiver returns a receiver for the subscription of this client id with
// these keys. An empty client id, an empty key set and an invalid option are a
// [ConfigError]. Add handlers with [On] and [OnAny].
func NewReceiver(clientID string, keys KeySet, options ...ReceiverOption) (*Receiver, error) {
	s := defaultSettings()
	for _, option := range options {
		if err := option.applyReceiver(&s); err != nil {
			return nil, err
		}
	}
	r := &Receiver{settings: s, name: rand.Text()}
	r.worker = newWorker(r)
	if s.maxDeliveries > 0 {
		r.places = make(chan struct{}, s.maxDeliveries)
	}
	r.stopping, r.stop = context.WithCancel(context.Background())
	var err error
	switch {
	case !keys.none:
		r.verifier, err = newVerifier(clientID, keys, s.verifier)
	case s.onAlarm != nil:
		err = &ConfigError{"WithAlarmHook", "must go with a key"}
	case s.refuseSecondBody:
		err = &ConfigError{"RefuseSecondBody", "must go with a key"}
	default:
		err = checkClientID(clientID)
	}
	if err != nil {
		return nil, err
	}
	if s.onAlarm != nil || s.refuseSecondBody {
		r.sightings = newBounded[sighting](maxSightings)
	}
	return r, nil
}

// ServeHTTP receives a delivery and answers it, whatever the path.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	ctx, cancel := context.WithTimeout(req.Context(), r.settings.deadline)
	defer cancel()
	d := &delivery{received: r.settings.verifier.now(), share: &share{whole: r.settings.deadline, begun: backoff.Start()}}
	err := r.accept(ctx, d, req)
	if err == nil {
		err = r.perform(ctx, d, w, req)
	}
	c := classify(err)
	if c.status == http.StatusOK {
		r.count.accepted.Add(1)
		r.report(ctx, d, 0, err) // a handler gave the event up for good
	} else {
		r.count.refusals[c.place].Add(1)
		r.report(ctx, d, c.status, err)
	}
	if req.ProtoMajor == 1 && c.reason == ErrBodyUnreadable { //nolint:errorlint // the sentinel itself
		w.Header().Set("Connection", "close") // or the server would wait for the rest of the body before it answers
	}
	answer(w, c.status, c.wait)
}

// accept makes all checks that come before the body.
func (r *Receiver) accept(ctx context.Context, d *delivery, req *http.Request) error {
	d.requestID = req.Header.Get(headerRequestID)
	if req.Method != http.MethodPost {
		return ErrMethod
	}
	if r.verifier != nil {
		var err error
		if d.verified, err = r.verify(ctx, d, req.Header); err != nil {
			return err
		}
	}
	if !d.enter(r.places) {
		return ErrBusy
	}
	return nil
}

// verify checks the signature. A source of keys has the time of a store.
func (r *Receiver) verify(ctx context.Context, d *delivery, header http.Header) (Verified, error) {
	if r.verifier.ring.source == nil {
		return r.verifier.verify(ctx, header)
	}
	type verdict struct {
		verified Verified
		err      error
	}
	v, err := askFirst(ctx, r, d, "key source", r.storeLimit(), func(ctx context.Context) (v verdict, _ error) {
		v.verified, v.err = r.verifier.verify(ctx, header)
		return v, nil
	})
	return v.verified, cmp.Or(err, v.err)
}

// handleBody handles the delivery, whose body was read unless there is an err.
func (r *Receiver) handleBody(ctx context.Context, d *delivery, err error) error {
	if !errors.Is(err, ErrBodyUnreadable) && r.compare(ctx, d) && err == nil && r.settings.refuseSecondBody {
		return ErrSecondBody
	}
	if err != nil {
		return err
	}
	todo, err := r.admit(ctx, d)
	if err != nil || len(todo) == 0 && r.settings.idle() {
		return err
	}
	return r.take(ctx, d, todo)
}

// admit decodes the delivery, and without a queue binds its handlers.
func (r *Receiver) admit(ctx context.Context, d *delivery) (todo []work, err error) {
	err = r.decode(ctx, d)
	if err == nil && r.settings.queue == nil {
		todo, err = bindAll(r.handlers.of(d.notification.kind), d)
	}
	if d.notification.kind != "" && !d.verified.VouchesFor(d.notification.accountID) {
		return nil, ErrWrongAccount
	}
	return todo, err
}

func (r *Receiver) decode(ctx context.Context, d *delivery) error {
	if err := d.decode(); err != nil {
		return err
	}
	if r.settings.identifies() {
		d.identify(r.settings.orders())
		r.distrust(ctx, d)
	}
	return nil
}

// distrust takes the place in the order from an event that would have happened
// after it was sent: only the time of sending is signed, and one time of the
// far future would make every true event of its record stale.
func (r *Receiver) distrust(ctx context.Context, d *delivery) {
	sent := d.received
	if d.verified.Signed() {
		sent = d.verified.SentAt.Time()
	}
	if d.position == (Position{}) || d.position.Timestamp.Time().Sub(sent) <= r.settings.verifier.tolerance {
		return
	}
	d.position = Position{}
	if r.settings.sequencer != nil {
		r.report(ctx, d, 0, fmt.Errorf("%w: at %v, and sent at %v", ErrEventTime,
			d.notification.timestamp.Time().UTC().Format(time.RFC3339), sent.UTC().Format(time.RFC3339)))
	}
}

// take handles the delivery, or stores it to be handled later.
func (r *Receiver) take(ctx context.Context, d *delivery, todo []work) error {
	if r.settings.queue != nil {
		return r.enqueue(ctx, d)
	}
	t := &task{
		lease: r.settings.deadline + settleLimit, limit: r.storeLimit(), todo: todo,
		begin: func(context.Context) (func(), error) { return func() {}, nil },
	}
	if r.settings.deduplicator != nil {
		t.owner = r.name + "-" + strconv.FormatUint(r.owners.Add(1), 10)
	}
	return r.process(ctx, d, t)
}

// storeLimit is the most time for a store within a request. Those that are
// asked before the handlers share some of it.
func (r *Receiver) storeLimit() time.Duration {
	return min(r.settings.storeTimeout, r.settings.deadline/4)
}

// Shutdown ends [Receiver.Run] and waits for running handlers. It first works
// off a queue that does not survive the process (see [Drainer]), also without
// Run. Call it after the Shutdown of the HTTP server. When ctx ends first,
// Shutdown cancels the handlers of that queue and returns the error of ctx.
func (r *Receiver) Shutdown(ctx context.Context) error {
	r.stop()
	if queue, ok := r.settings.queue.(Drainer); ok {
		queue.Drain()
		r.running.Begin()
		go func() {
			defer r.running.End()
			r.worker.work(ctx, ctx)
		}()
	}
	if err := r.running.Wait(ctx); err != nil {
		return fmt.Errorf("webhook: handlers are still at work: %w", err)
	}
	return nil
}
