package webhook

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
)

// Receiver is the [http.Handler] for the callback address of a webhook subscription. It verifies a delivery before it
// reads the body, decodes it, and calls the handlers of its type. It answers 200 when all of them succeeded, and
// otherwise as the package documentation lists. It may be used by many goroutines at once. Specification, Events.
type Receiver struct {
	settings settings
	verifier *Verifier // nil when the subscription has no key
	memory   *memory   // nil when nobody listens to alarms
	handlers handlers
	running  running
	count    counters

	stopping context.Context // ends with Shutdown
	stop     context.CancelFunc
}

// NewReceiver gives the receiver of the client with this id, whose subscription has these keys. An empty client id, a
// set without keys, and an option that cannot be used are a [ConfigError]. Add handlers with [On] and [OnAny].
// Specification, Signature verification.
func NewReceiver(clientID string, keys KeySet, options ...ReceiverOption) (*Receiver, error) {
	s := defaultSettings()
	for _, option := range options {
		if err := option.applyReceiver(&s); err != nil {
			return nil, err
		}
	}
	r := &Receiver{settings: s}
	r.stopping, r.stop = context.WithCancel(context.Background())
	if keys.none {
		return r.withoutKey(clientID)
	}
	var err error
	if r.verifier, err = newVerifier(clientID, keys, s.verifier); err != nil {
		return nil, err
	}
	if s.onAlarm != nil {
		r.memory = newMemory(maxRemembered)
	}
	return r, nil
}

func (r *Receiver) withoutKey(clientID string) (*Receiver, error) {
	if err := checkClientID(clientID); err != nil {
		return nil, err
	}
	if r.settings.onAlarm != nil {
		return nil, &ConfigError{"WithAlarmHook", "must go with a key"}
	}
	return r, nil
}

// ServeHTTP takes a delivery and answers it. It works at any path.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	ctx, cancel := context.WithTimeout(req.Context(), r.settings.deadline)
	defer cancel()
	d := &delivery{received: r.settings.verifier.now()}
	todo, err := r.accept(ctx, d, req)
	if err == nil && (len(todo) > 0 || !r.settings.idle()) {
		err = r.perform(ctx, d, func(ctx context.Context) error { return r.take(ctx, d, todo) })
	}
	if err != nil {
		r.count.refusals.add(err)
		r.report(ctx, d, statusOf(err), err)
	} else {
		r.count.accepted.Add(1)
	}
	answer(w, statusOf(err))
}

// accept goes through everything that must be right before a handler may run.
func (r *Receiver) accept(ctx context.Context, d *delivery, req *http.Request) ([]work, error) {
	d.requestID = req.Header.Get(headerRequestID)
	if req.Method != http.MethodPost {
		return nil, ErrMethod
	}
	if r.verifier != nil {
		var err error
		if d.verified, err = r.verifier.Verify(req.Header); err != nil {
			return nil, err
		}
	}
	err := d.readBody(ctx, req, r.settings.maxBody)
	if !errors.Is(err, ErrBodyUnreadable) {
		r.compare(ctx, d)
	}
	if err != nil {
		return nil, err
	}
	return r.open(d)
}

// open decodes the delivery and finds its handlers.
func (r *Receiver) open(d *delivery) ([]work, error) {
	if err := d.decode(); err != nil {
		return nil, err
	}
	if r.settings.identifies() {
		d.identify()
	}
	return r.handlers.bind(d)
}

// take handles the delivery, or stores it to be handled later.
func (r *Receiver) take(ctx context.Context, d *delivery, todo []work) error {
	if r.settings.queue != nil {
		return r.enqueue(ctx, d)
	}
	t := task{lease: r.settings.deadline + settleLimit}
	if r.settings.deduplicator != nil {
		t.owner = rand.Text()
	}
	return r.process(ctx, d, todo, t)
}

// Shutdown waits for the handlers that are still at work, because they do not heed their context or because the queue
// gave them their events, and ends [Receiver.Run]. A queue that does not survive the process, see [Drainer], is worked
// off first, also when Run has ended. Call it after the Shutdown of the HTTP server. When ctx ends first, so does the
// context of what it works off, and its error comes back.
func (r *Receiver) Shutdown(ctx context.Context) error {
	r.stop()
	if queue, ok := r.settings.queue.(Drainer); ok {
		queue.Drain()
		r.running.begin()
		go func() {
			defer r.running.end()
			r.work(ctx, ctx)
		}()
	}
	if err := r.running.wait(ctx); err != nil {
		return fmt.Errorf("webhook: handlers are still at work: %w", err)
	}
	return nil
}
