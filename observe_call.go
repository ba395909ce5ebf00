package practice

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/paging"
	"github.com/practicesdk/practice-go/internal/transport"
)

// openObserver reports something that has begun: a call or an aggregate.
type openObserver struct {
	to        *observers
	ctx       context.Context // context returned by the tracer
	started   time.Time
	aggregate *aggregateObserver // aggregate that it belongs to; nil: none
}

// begin reports the start.
func (w *openObserver) begin(ctx context.Context, to *observers, begun Observation) {
	w.to, w.started = to, time.Now()
	w.aggregate, _ = ctx.Value(aggregateKey{}).(*aggregateObserver)
	w.ctx = to.start(ctx, begun, nil)
}

// ended reports the end.
func (w *openObserver) ended(seen Observation) {
	w.to.tokens.report()
	w.aggregate.add(seen)
	w.to.callEnded(w.ctx, seen)
}

// callObserver reports one call and its attempts.
type callObserver struct {
	openObserver
	of       *call
	attempts []context.Context // contexts of the attempts, returned by the tracer
}

// Begin implements transport.Observer.
func (w *callObserver) Begin(a transport.Attempt, req *http.Request) *http.Request {
	w.to.tokens.report()
	if w.to.tracer == nil {
		return req
	}
	begun := w.of.observation()
	begun.Kind = begun.Kind.attempt()
	begun.Attempt, begun.Waits = a.Number, Waits(a.Waits)
	added := http.Header{}
	ctx := w.to.start(req.Context(), begun, added)
	w.attempts = append(w.attempts, ctx)
	addTraced(req.Header, added)
	return req.WithContext(ctx)
}

// addTraced adds the headers of a tracer to those of an attempt.
func addTraced(header, added http.Header) {
	for name, values := range added {
		if !validHeaderName(name) || reservedHeader(name) || len(header.Values(name)) > 0 {
			continue
		}
		for _, value := range values {
			if transport.ValidHeaderValue(value) {
				header.Add(name, value)
			}
		}
	}
}

// Attempt implements transport.Observer.
func (w *callObserver) Attempt(a transport.Attempt) {
	seen := w.of.observation()
	seen.Kind = seen.Kind.attempt()
	seen.Attempt, seen.Status, seen.Protocol, seen.Duration = a.Number, a.Status, a.Protocol, a.Duration
	seen.Waits = Waits(a.Waits)
	seen.BytesSent, seen.BytesReceived = a.BytesSent, a.BytesReceived
	seen.Err, seen.Reason = a.Err, a.Reason
	if a.Err != nil {
		seen.Err = w.of.maskAttempt(a.Err)
	}
	ctx := w.ctx
	if a.Number <= len(w.attempts) {
		ctx = w.attempts[a.Number-1]
	}
	w.to.attemptEnded(ctx, seen, a.Wait)
}

// ending returns the observation of the end of a call.
func (w *callObserver) ending(status int, err error) Observation {
	seen, sent, found := w.of.observation(), &w.of.sent, &w.of.found
	seen.Attempt, seen.Status, seen.Err, seen.Duration = len(sent.Attempts), status, err, time.Since(w.started)
	seen.Waits, seen.Reason = Waits(sent.Waits), reasonsOf(sent.Attempts)
	seen.Records, seen.Unreadable = found.records, found.faults
	for i := range sent.Attempts {
		seen.BytesSent += sent.Attempts[i].BytesSent
		seen.BytesReceived += sent.Attempts[i].BytesReceived
	}
	return seen
}

// reasonsOf joins the reasons for each retry and for the end of the call.
func reasonsOf(attempts []transport.Attempt) string {
	reasons := make([]string, len(attempts))
	for i := range attempts {
		reasons[i] = attempts[i].Reason
	}
	return strings.Join(slices.Compact(reasons), "; ")
}

// foundRecords counts the records in the response to a call.
type foundRecords struct {
	records, faults int
	first           error // first fault
}

func (f *foundRecords) unreadable(err error) {
	f.faults++
	if f.first == nil {
		f.first = err
	}
}

// isRecordError reports whether err concerns one record rather than the call.
func isRecordError(err error) bool {
	_, ok := errors.AsType[*RecordError](err)
	return ok
}

// aggregateObserver reports a method that makes several calls as one call. Its
// calls and transfers find it in their context. A nil aggregateObserver
// observes nothing.
type aggregateObserver struct {
	openObserver
	base Observation // members that the observations of its start and end share

	mu   sync.Mutex
	sum  Observation                   // sum over the parts
	held map[*callObserver]Observation // ends of pages that are not reported yet, see hold
}

type aggregateKey struct{}

// aggregate reports the start of a method that makes several calls. It returns
// the context of these calls, and an observer whose method end reports the end.
func (o *observers) aggregate(ctx context.Context, base Observation) (context.Context, *aggregateObserver) {
	if o == nil {
		return ctx, nil
	}
	if base.Kind == "" {
		base.Kind = ObservedWhole
	}
	w := &aggregateObserver{base: base}
	w.begin(ctx, o, base)
	w.ctx = context.WithValue(w.ctx, aggregateKey{}, w)
	return w.ctx, w
}

// add adds a finished part to the sum.
func (w *aggregateObserver) add(seen Observation) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sum.Waits.add(seen.Waits)
	if w.base.Kind == ObservedTransfer && seen.Kind != ObservedTransfer && seen.Kind != ObservedStorageAttempt { // a transfer counts its exchanges and not its calls for addresses
		return
	}
	w.sum.Attempt += seen.Attempt
	w.sum.BytesSent += seen.BytesSent
	w.sum.BytesReceived += seen.BytesReceived
	if seen.Status != 0 {
		w.sum.Status = seen.Status
	}
}

// leftOut records the unknown members that a Modify method left out.
func (w *aggregateObserver) leftOut(members []string) {
	if w != nil {
		w.base.LeftOut = strings.Join(members, ", ")
	}
}

// end reports the end of the method.
func (w *aggregateObserver) end(err error) { w.endWith("", err) }

// endOf reports the end of the method. It is deferred; *err is the error that
// the method returns. During a panic it reports ErrNoReturn.
func (w *aggregateObserver) endOf(err *error) {
	if value := recover(); value != nil {
		w.end(transport.ErrNoReturn)
		panic(value)
	}
	w.end(*err)
}

func (w *aggregateObserver) endWith(reason string, err error) {
	if w == nil {
		return
	}
	w.releaseAll()
	w.mu.Lock()
	seen := w.sum
	w.mu.Unlock()
	base := w.base
	base.Attempt, base.Status, base.Waits = seen.Attempt, seen.Status, seen.Waits
	base.BytesSent, base.BytesReceived = seen.BytesSent, seen.BytesReceived
	base.Records, base.Unreadable = seen.Records, seen.Unreadable
	base.Err, base.Reason, base.Duration = err, reason, time.Since(w.started)
	w.ended(base)
}

// walk runs a walk and reports it as one call. The walk passes nil to yield for
// each record.
func (o *observers) walk(ctx context.Context, operation string, yield func(error) bool, walk func(context.Context, func(error) bool)) {
	ctx, w := o.aggregate(ctx, Observation{Operation: operation, Kind: ObservedWalk})
	if w == nil {
		walk(ctx, yield)
		return
	}
	var ending walkEnding
	defer func() {
		if !ending.over && !ending.stopped {
			ending.yielded(transport.ErrNoReturn)
			ending.over = true
		}
		w.endWith(ending.reason(), ending.err)
	}()
	walk(ctx, func(err error) bool {
		w.yielded(err)
		ending.yielded(err)
		ending.stopped = true // stays true if yield panics
		ending.stopped = !yield(err)
		return !ending.stopped
	})
	ending.over = true
}

// yielded counts a record or an error of an iterator.
func (w *aggregateObserver) yielded(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case err == nil:
		w.sum.Records++
	case isRecordError(err):
		w.sum.Unreadable++
	}
}

// walkEnding records how an iterator ended.
type walkEnding struct {
	err           error // error for Observation.Err
	last          error // error yielded last
	over, stopped bool
}

func (e *walkEnding) yielded(err error) {
	e.last = err
	if err != nil && (e.err == nil || isRecordError(e.err) && !isRecordError(err)) {
		e.err = err
	}
}

func (e *walkEnding) reason() string {
	switch {
	case !e.over || e.stopped:
		return "the caller stopped the iteration"
	case e.last != nil && !isRecordError(e.last):
		return "the list ended with an error"
	}
	return "complete"
}

// hold returns the records of a page. The end of the page is reported when they
// are released.
func (w *aggregateObserver) hold(page *callObserver, seen Observation, records paging.Records) paging.Records {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held == nil {
		w.held = make(map[*callObserver]Observation)
	}
	w.held[page] = seen
	return heldRecords{records, page}
}

// release reports the end of a page.
func (w *aggregateObserver) release(page *callObserver) {
	w.mu.Lock()
	seen, ok := w.held[page]
	delete(w.held, page)
	w.mu.Unlock()
	if ok {
		found := &page.of.found
		seen.Records, seen.Unreadable, seen.Err = found.records, found.faults, found.first
		page.ended(seen)
	}
}

// releaseAll reports the ends of the pages whose records were not all read.
func (w *aggregateObserver) releaseAll() {
	w.mu.Lock()
	left := slices.Collect(maps.Keys(w.held))
	w.mu.Unlock()
	for _, page := range left {
		w.release(page)
	}
}

// heldRecords counts the records of a page while they are read.
type heldRecords struct {
	paging.Records
	page *callObserver
}

func (r heldRecords) Next(out any) (bool, []error, error) {
	read, faults, err := r.Records.Next(out)
	if read {
		r.page.of.found.records++
	}
	if err != nil {
		r.page.of.found.first = err
	}
	return read, faults, err
}

func (r heldRecords) Release() {
	r.Records.Release()
	r.page.aggregate.release(r.page)
}
