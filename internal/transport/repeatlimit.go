package transport

import (
	"context"
	"errors"
	"net/http/httptrace"
	"net/textproto"
	"sync/atomic"
)

// maxRepeats limits how often net/http may repeat one attempt of a read or an
// idempotent write. It would repeat endlessly and without waiting if a server
// resets every HTTP/2 stream with PROTOCOL_ERROR.
const maxRepeats = 3

var errRepeated = errors.New("the connection failed repeatedly")

// repeatLimit ends an attempt of a read that net/http repeats too often.
type repeatLimit struct {
	trace   httptrace.ClientTrace
	tries   atomic.Int32
	before  atomic.Int32 // number of tries when the latest response began
	interim atomic.Int32 // number of 1xx responses
	attempt *limitedContext
}

// limitRepeats returns a context that counts the connections of an attempt, and
// the count. With a middleware or another transport, a read may be sent again
// after a response, so a response resets the count, except for a 1xx.
func limitRepeats(ctx *limitedContext, alone bool) (context.Context, *repeatLimit) {
	var limit *repeatLimit
	if ctx.call != nil && ctx == &ctx.call.attempt {
		limit = &ctx.call.repeats
	} else {
		limit = new(repeatLimit)
	}
	limit.attempt = ctx
	limit.trace.GotConn = limit.gotConn
	if !alone {
		limit.trace.GotFirstResponseByte = func() { limit.before.Store(limit.tries.Swap(0)) }
		limit.trace.Got1xxResponse = limit.gotInterim
	}
	return httptrace.WithClientTrace(ctx, &limit.trace), limit
}

func (l *repeatLimit) gotConn(httptrace.GotConnInfo) {
	if l.tries.Add(1) > 1+maxRepeats {
		l.attempt.finish()
	}
}

// gotInterim undoes the record that a response began. It limits the number of
// 1xx responses, because net/http limits only the size of their headers.
func (l *repeatLimit) gotInterim(int, textproto.MIMEHeader) error {
	l.tries.Store(l.before.Load())
	if l.interim.Add(1) > maxInterim {
		return errManyInterim
	}
	return nil
}

func (l *repeatLimit) passed() bool { return l != nil && l.tries.Load() > 1+maxRepeats }
