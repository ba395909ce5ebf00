package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/internal/transport"
)

// rangeReader reads a range of an object. If a connection breaks, stalls or is
// refused, it continues after the last byte received.
type rangeReader struct {
	object *Object
	ctx    context.Context
	of     generation
	at     int64 // offset of the next byte
	end    int64 // offset after the last byte; -1 while unknown

	retry    retry
	answer   *storage.Object // response being read; nil if no connection is open
	opened   bool            // a connection has been opened
	unsure   bool            // the last response may have ended before the end of the content
	began    time.Time       // start of this attempt
	got      int64           // number of bytes received in this attempt
	exchange exchange        // exchange of this attempt
	broke    error           // error of this attempt, or nil
	failed   error           // final error
}

// rangeReader returns a reader of a generation between two offsets; end -1
// means the end of the content. The caller must close it.
func (o *Object) rangeReader(ctx context.Context, of generation, from, end int64) *rangeReader {
	return &rangeReader{object: o, ctx: ctx, of: of, at: from, end: end, retry: retry{limits: o.transfer.Retries, length: end - from}}
}

// Read reads the available bytes. The error is an *Error, or io.EOF at the end
// of the range.
func (r *rangeReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		if err := r.ready(); err != nil {
			return 0, err
		}
		if r.at == r.end {
			return 0, r.finish()
		}
		if r.end >= 0 {
			p = p[:min(int64(len(p)), r.end-r.at)]
		}
		n, err := r.answer.Body.Read(p)
		r.at += int64(n)
		r.got += int64(n)
		if n > 0 {
			r.object.read.Store(true)
		}
		switch {
		case errors.Is(err, io.EOF):
			r.answered()
		case err != nil && r.at != r.end:
			r.broke = err
		}
		if n > 0 {
			return n, nil
		}
	}
}

// answered handles the end of a response.
func (r *rangeReader) answered() {
	short := r.at < r.answer.Offset+r.answer.Length // false without a length
	switch {
	case r.at == r.end:
	case r.end < 0 && !short && r.answer.Unconfirmed:
		r.unsure = true
	case r.end < 0 && !short:
		r.end = r.at
	case r.answer.Length < 0:
		r.broke = fmt.Errorf("%w: the storage service sent too few bytes", ErrSizeMismatch)
	default:
		r.broke = io.ErrUnexpectedEOF
	}
}

// ready opens a connection if none is open, with as many attempts as the
// retries allow.
func (r *rangeReader) ready() error {
	if err := r.ctx.Err(); err != nil && r.failed == nil {
		r.failed = fail(err, r.retry.attempts)
	}
	for r.failed == nil {
		if r.broke == nil && r.answer != nil && !r.unsure || r.opened && r.at == r.end {
			return nil
		}
		switch {
		case r.broke != nil:
		case r.unsure:
			r.broke = r.confirm()
		default:
			r.broke = r.open()
		}
		if r.broke != nil {
			r.close()
			r.again()
		}
	}
	return r.failed
}

// confirm checks whether the content ends where the last response ended.
func (r *rangeReader) confirm() error {
	r.hangUp()
	question := exchange{number: r.exchange.number}
	size, err := r.object.total(r.ctx, r.of, storage.Part{To: 1, ETag: r.object.generation().etag}, &question)
	if r.at == 0 && statusOf(err) == http.StatusRequestedRangeNotSatisfiable {
		size, err = 0, nil // an empty content has no first byte
	}
	reason := "success"
	if err != nil {
		reason = "the transfer is incomplete"
	}
	question.end(transport.Attempt{Err: err, Reason: reason})
	r.exchange.number = question.number
	switch {
	case err != nil:
		return err
	case size < 0:
		return ErrSizeUnknown
	case size < r.at:
		return errLonger
	}
	r.of, r.end, r.unsure = r.object.generation(), size, false
	r.retry.length = size
	if r.at < size {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// again waits for the next attempt, or sets the final error.
func (r *rangeReader) again() {
	cause := r.broke
	again := r.retry.again(r.ctx, transport.Attempt{Err: cause, Duration: time.Since(r.began), BytesReceived: r.got})
	r.exchange.end(r.retry.last())
	r.broke, r.got = nil, 0
	attempts := r.retry.attempts
	if errors.Is(cause, ErrNotResumable) && len(attempts) > 1 {
		cause = fmt.Errorf("%w after: %w", cause, attempts[len(attempts)-2].Err)
	}
	if again {
		cause = r.retry.sleep(r.ctx)
	}
	if cause != nil {
		r.failed = fail(cause, attempts)
	}
}

func (r *rangeReader) open() error {
	r.began, r.got = time.Now(), 0
	answer, err := r.object.open(r.ctx, r.of, r.at, r.end, &r.exchange)
	if err != nil {
		return err
	}
	r.answer, r.opened = answer, true
	r.of = r.object.generation()
	if r.end < 0 {
		r.end = r.of.size
		r.retry.length = r.end - r.at
	}
	if skip := r.at - answer.Offset; skip > 0 { // the storage ignored the range
		if _, err := io.CopyN(io.Discard, answer.Body, skip); err != nil {
			return err
		}
	}
	return nil
}

// ended checks the end of a range whose bytes have been read. It does not check
// a range that was shortened, because another worker reads the rest.
func (r *rangeReader) ended() error {
	if r.at < r.end {
		return nil
	}
	if err := r.finish(); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// finish ends a range that has been read. If the storage sent no length, the
// response must end here.
func (r *rangeReader) finish() error {
	if r.answer != nil && r.answer.Length < 0 {
		var one [1]byte
		if n, _ := io.ReadFull(r.answer.Body, one[:]); n > 0 {
			r.failed = fail(errLonger, nil)
		}
	}
	r.close()
	if r.failed != nil {
		return r.failed
	}
	return io.EOF
}

// close releases the connection.
func (r *rangeReader) close() {
	r.hangUp()
	if r.broke == nil { // a failed exchange is ended elsewhere
		r.exchange.end(r.done())
	}
}

func (r *rangeReader) hangUp() {
	if r.answer != nil {
		_ = r.answer.Body.Close() // the needed part has been read
		r.answer = nil
	}
}

// done returns the record of a successful attempt.
func (r *rangeReader) done() transport.Attempt {
	a := transport.Attempt{BytesReceived: r.got, Err: r.failed, Reason: "success"}
	switch {
	case r.failed != nil:
		a.Reason = "a retry would not help"
	case r.at != r.end:
		a.Reason = "the rest of the content was not needed"
	}
	return a
}
