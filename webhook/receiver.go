package webhook

import (
	"context"
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
	if keys.none {
		return newUnsigned(clientID, s)
	}
	verifier, err := newVerifier(clientID, keys, s.verifier)
	if err != nil {
		return nil, err
	}
	r := &Receiver{settings: s, verifier: verifier}
	if s.onAlarm != nil {
		r.memory = newMemory(maxRemembered)
	}
	return r, nil
}

func newUnsigned(clientID string, s settings) (*Receiver, error) {
	if err := checkClientID(clientID); err != nil {
		return nil, err
	}
	if s.onAlarm != nil {
		return nil, &ConfigError{"WithAlarmHook", "must go with a key"}
	}
	return &Receiver{settings: s}, nil
}

// ServeHTTP takes a delivery and answers it. It works at any path.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	ctx, cancel := context.WithTimeout(req.Context(), r.settings.deadline)
	defer cancel()
	d := &delivery{}
	todo, err := r.accept(ctx, d, req)
	if err == nil {
		err = r.perform(ctx, d, todo)
	}
	if err != nil {
		r.report(ctx, d, statusOf(err), err)
	}
	answer(w, statusOf(err))
}

// accept goes through everything that must be right before a handler may run.
func (r *Receiver) accept(ctx context.Context, d *delivery, req *http.Request) ([]work, error) {
	d.requestID = req.Header.Get(HeaderRequestID)
	if req.Method != http.MethodPost {
		return nil, ErrMethod
	}
	if r.verifier != nil {
		var err error
		if d.verified, err = r.verifier.Verify(req.Header); err != nil {
			return nil, err
		}
	}
	err := d.readBody(ctx, req.Body, r.settings.maxBody)
	if !errors.Is(err, ErrBodyUnreadable) {
		r.compare(ctx, d)
	}
	if err != nil {
		return nil, err
	}
	if err := d.decode(); err != nil {
		return nil, err
	}
	return r.handlers.bind(d)
}

// Shutdown waits for the handlers that are still at work after their deliveries were answered for them, because they
// do not heed their context. Call it after the Shutdown of the HTTP server. When ctx ends first, its error comes back.
func (r *Receiver) Shutdown(ctx context.Context) error {
	if err := r.running.wait(ctx); err != nil {
		return fmt.Errorf("webhook: handlers are still at work: %w", err)
	}
	return nil
}
