package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"sync"
)

// errSentOnce ends an attempt that net/http or a middleware was about to send a
// second time.
var errSentOnce = errors.New("the connection failed after the request was sent, and the request must not be sent twice")

// errAttemptOver refuses a copy of a request that a middleware sends after it
// has returned.
var errAttemptOver = errors.New("the attempt to which this request belongs has ended")

// delivery tracks one attempt of a write, to decide whether it is proven that
// nothing was sent, and whether another copy of the request may be sent.
// Middleware may return early, send several copies, or use another client, so
// the absence of an event proves nothing.
type delivery struct {
	outer  context.Context // context of the original request
	cancel context.CancelCauseFunc
	turn   chan struct{} // semaphore for the copies of a create; nil for other classes

	mu        sync.Mutex
	asked     bool  // the current copy requested a connection from a transport that reports its connections
	connected bool  // any copy got a connection
	wrote     bool  // the header of the latest copy was written
	answered  bool  // a response to the latest copy began
	interim   int   // number of 1xx responses
	repeats   int   // number of copies sent although an earlier one had been sent
	open      int   // number of copies in progress
	spent     bool  // a copy may have been executed
	proof     error // error of the innermost handler that proves that nothing was sent
	over      bool  // the attempt has returned, so nothing may be sent any more
}

type deliveryKey struct{}

func deliveryFrom(ctx context.Context) *delivery {
	d, _ := ctx.Value(deliveryKey{}).(*delivery)
	return d
}

// watch starts a delivery and returns the request that carries it. The caller
// must call seal.
func watch(req *http.Request, class Class) (*http.Request, *delivery) {
	d := &delivery{outer: req.Context()}
	if class == Create {
		d.turn = make(chan struct{}, 1)
	}
	ctx, cancel := context.WithCancelCause(req.Context())
	d.cancel = cancel
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:              func(string) { d.note(func() { d.asked = true }) },
		GotConn:              d.gotConn,
		WroteHeaders:         func() { d.note(func() { d.wrote = true }) },
		GotFirstResponseByte: func() { d.note(func() { d.answered = true }) },
		Got1xxResponse:       d.gotInterim,
	})
	return req.WithContext(context.WithValue(ctx, deliveryKey{}, d)), d
}

// maxInterim limits the number of 1xx responses to one attempt. net/http limits
// only the size of their headers, and with a Got1xxResponse hook, as here, only
// that of each response.
const maxInterim = 5

var errManyInterim = errors.New("the service sent too many 1xx responses")

// gotInterim records that the response that began was a 1xx.
func (d *delivery) gotInterim(int, textproto.MIMEHeader) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.answered = false
	d.interim++
	if d.interim > maxInterim {
		return errManyInterim
	}
	return nil
}

func (d *delivery) note(change func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change()
}

// gotConn is called before a copy of the request is written to a connection,
// also if net/http retries.
func (d *delivery) gotConn(info httptrace.GotConnInfo) {
	d.mu.Lock()
	d.connected = true
	again := d.wrote && !d.answered
	if again {
		d.repeats++
	}
	refused := d.over || again && (d.turn != nil || d.repeats > maxRepeats)
	if !refused {
		d.wrote, d.answered = false, false
	}
	d.mu.Unlock()
	if !refused {
		return
	}
	d.cancel(errSentOnce) // HTTP/2 checks the context before it writes
	if !speaksHTTP2(info.Conn) {
		_ = info.Conn.Close() // HTTP/1.1 does not; the connection belongs to this request
	}
}

func speaksHTTP2(conn net.Conn) bool {
	secure, ok := conn.(interface{ ConnectionState() tls.ConnectionState })
	return ok && secure.ConnectionState().NegotiatedProtocol == "h2"
}

// enter permits a copy of the request to be sent. Copies of a create are
// permitted one at a time, and only as long as no earlier one may have been
// executed.
func (d *delivery) enter(ctx context.Context) error {
	if d.turn != nil {
		select {
		case d.turn <- struct{}{}:
		case <-ctx.Done():
			return d.refuse(ctx, context.Cause(ctx))
		}
	}
	d.mu.Lock()
	var refused error
	switch {
	case ctx.Err() != nil:
		refused = context.Cause(ctx)
	case d.over:
		refused = errAttemptOver
	case d.turn != nil && (d.spent || d.wrote && !d.answered):
		refused = errSentOnce
	default:
		d.open++
		d.asked, d.proof = false, nil
	}
	d.mu.Unlock()
	if refused == nil {
		return nil
	}
	if d.turn != nil {
		<-d.turn
	}
	return d.refuse(ctx, refused)
}

// refuse returns the error of a copy that was not sent. It proves nothing about
// other copies.
func (d *delivery) refuse(ctx context.Context, err error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	failure := &unsentCopyError{contextCause(ctx, err)}
	d.proof = failure
	return failure
}

// unsentCopyError is the error of a copy that was certainly not sent. It is
// compared by identity.
type unsentCopyError struct{ err error }

func (e *unsentCopyError) Error() string { return e.err.Error() }
func (e *unsentCopyError) Unwrap() error { return e.err }

// failed ends a copy that got no response.
func (d *delivery) failed(err error, reporting bool) error {
	d.mu.Lock()
	defer d.leave()
	if !d.connected && (reporting && d.asked || neverConnected(err)) {
		failure := &unsentCopyError{err}
		d.proof = failure
		return failure
	}
	d.spent = true
	return err
}

// answer ends a copy that got a response. After a refusal or a redirect a
// middleware may send another one, for instance with other credentials.
func (d *delivery) answer(status int) {
	d.mu.Lock()
	defer d.leave()
	d.answered = true
	if !refuses(status) {
		d.spent = true
	}
}

// refuses reports whether a status shows that the request was not executed. A
// 303 leads to the result of one that was (RFC 9110, section 15.4.4).
func refuses(status int) bool {
	return status >= http.StatusMultipleChoices && status < http.StatusInternalServerError && status != http.StatusSeeOther
}

func (d *delivery) leave() {
	d.open--
	d.mu.Unlock()
	if d.turn != nil {
		<-d.turn
	}
}

// verdict is the result of a delivery.
type verdict struct {
	unsent  bool // it is proven that nothing was sent
	another bool // besides the refused copy, another one may have been executed
}

// seal ends the delivery with the error of the attempt, if any. Nothing can be
// sent afterwards. Only the error of the innermost handler proves anything: an
// error that a middleware created or joined may hide a copy that was sent in
// another way.
func (d *delivery) seal(err error) verdict {
	d.mu.Lock()
	v := verdict{
		unsent:  d.open == 0 && !d.connected && !d.spent && d.proof != nil && wraps(err, d.proof),
		another: d.open > 0 || d.repeats > 0 || d.spent,
	}
	d.over = true
	d.mu.Unlock()
	d.cancel(nil)
	return v
}

// wraps reports whether err is target, or wraps it alone.
func wraps(err, target error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if err == target { //nolint:errorlint // a tree of errors proves nothing
			return true
		}
	}
	return false
}
