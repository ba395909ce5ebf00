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
	"github.com/practicesdk/practice-go/internal/underway"
)

// Receiver is the [http.Handler] for the callback URL of a webhook
// subscription. It verifies a delivery before it reads the body, decodes it,
// and calls the handlers of its type. The package documentation lists its
// responses. It is safe for concurrent use.
type Receiver struct {
	settings  settings
	verifier  *Verifier          // nil if the subscription has no key
	sightings *bounded[sighting] // nil if no option needs them
	handlers  handlers
	running   underway.Count
	owners    atomic.Uint64 // number of owner names assigned so far
	places    chan struct{} // semaphore of WithMaxDeliveries; nil without a limit
	count     counters
	name      string          // distinguishes this receiver from others that share a store
	worker    *worker         // handles the messages of the queue
	stopping  context.Context // cancelled by Shutdown
	stop      context.CancelFunc
}

// NewReceiver returns a receiver for the subscription of a client id with the
// given keys. It returns a [ConfigError] if the client id or the key set is
// empty, or an option is invalid. Add handlers with [On] and [OnAny].
func NewReceiver(clientID string, keys KeySet, options ...Option) (*Receiver, error) {
	s, err := settingsOf(ofReceiver, options)
	if err != nil {
		return nil, err
	}
	r := &Receiver{settings: s, name: rand.Text()}
	r.worker = newWorker(r)
	if s.maxDeliveries > 0 {
		r.places = make(chan struct{}, s.maxDeliveries)
	}
	r.stopping, r.stop = context.WithCancel(context.Background())
	switch {
	case !keys.none:
		r.verifier, err = newVerifier(clientID, keys, s)
	case s.onAlarm != nil:
		err = &ConfigError{"WithAlarmHook", "must be used together with a key"}
	default:
		err = checkClientID(clientID)
	}
	if s.serial && s.queue == nil {
		err = cmp.Or(err, error(&ConfigError{"WithSerialRecords", "must be used together with WithQueue"}))
	}
	if err != nil {
		return nil, err
	}
	if s.onAlarm != nil {
		r.sightings = newBounded[sighting](maxSightings)
	}
	return r, nil
}

// ServeHTTP receives a delivery and responds to it, whatever the path.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	ctx, cancel := context.WithTimeout(req.Context(), r.settings.deadline)
	defer cancel()
	d := &delivery{received: r.settings.now(), share: &share{whole: r.settings.deadline, begun: backoff.Start()}}
	err := r.accept(ctx, d, req)
	unread := err != nil
	if !unread {
		err = r.perform(ctx, d, w, req)
		unread = errors.Is(err, ErrBodyUnreadable) || errors.Is(err, ErrBodyTooLarge)
	}
	c := classify(err)
	if c.status == http.StatusOK {
		r.count.accepted.Add(1)
		r.report(ctx, d, 0, err) // a handler returned a Permanent error
	} else {
		r.count.refusals[c.place].Add(1)
		r.report(ctx, d, c.status, err)
	}
	if unread && req.ProtoMajor == 1 && req.ContentLength != 0 {
		w.Header().Set("Connection", "close") // otherwise the server reads the rest of the body before it responds
	}
	answer(w, c.status, c.wait)
}

// accept performs the checks that precede reading the body.
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

// verify checks the signature. A KeySource has the same time limit as a store.
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

// handleBody handles the delivery. err is the error of reading its body.
func (r *Receiver) handleBody(ctx context.Context, d *delivery, err error) error {
	if !errors.Is(err, ErrBodyUnreadable) && r.compare(ctx, d) && err == nil {
		return ErrSecondBody
	}
	if err != nil {
		return err
	}
	todo, err := r.admit(d)
	if err != nil || len(todo) == 0 && r.settings.idle() {
		return err
	}
	return r.take(ctx, d, todo)
}

// admit decodes the delivery and, without a queue, binds its handlers.
func (r *Receiver) admit(d *delivery) (todo []work, err error) {
	err = r.decode(d)
	if err == nil && r.settings.queue == nil {
		todo, err = bindAll(r.handlers.of(d.notification.kind), d)
	}
	if d.notification.kind != "" && !d.verified.VouchesFor(d.notification.accountID) {
		return nil, ErrWrongAccount
	}
	return todo, err
}

func (r *Receiver) decode(d *delivery) error {
	if err := d.decode(); err != nil {
		return err
	}
	if r.settings.identifies() {
		d.identify(r.settings.serial)
	}
	return nil
}

// take handles the delivery, or stores it in the queue.
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

// storeLimit returns the time limit for a call of a store within a request.
// Stores that are called before the handlers have less, see share.
func (r *Receiver) storeLimit() time.Duration {
	return min(r.settings.storeTimeout, r.settings.deadline/4)
}

// Shutdown ends [Receiver.Run] and waits for running handlers. If the queue
// does not survive the process (see [Queue]), it first handles the remaining
// messages, even without Run. Call it after the Shutdown of the HTTP server. If
// ctx ends first, Shutdown cancels the handlers of that queue and returns the
// error of ctx.
func (r *Receiver) Shutdown(ctx context.Context) error {
	r.stop()
	if r.settings.queue != nil && r.settings.queue.Drain() {
		r.running.Begin()
		go func() {
			defer r.running.End()
			r.worker.work(ctx, ctx)
		}()
	}
	if err := r.running.Wait(ctx); err != nil {
		return fmt.Errorf("webhook: handlers are still running: %w", err)
	}
	return nil
}
