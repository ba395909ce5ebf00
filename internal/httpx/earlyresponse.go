// Package httpx extends net/http: it reads responses that net/http drops, and
// closes idle connections even where it hangs.
package httpx

import (
	"context"
	"net/http/httptrace"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// shortBody is the size of the largest body that the socket buffers can take at
// once. If writing such a body fails, the connection was already closed and no
// response will arrive.
const shortBody = 16 << 10

// readTime is the time in which net/http reads a response that has arrived.
const readTime = time.Second

// ReadEarlyResponse returns a context with which net/http returns the response
// of a server that refuses a request before it has read the body, and closes
// the connection. Without it, net/http returns the write error if that occurs
// first, so the trace delays that error. The context must be canceled after the
// response was read.
func ReadEarlyResponse(ctx context.Context, size int64) context.Context {
	if 0 <= size && size <= shortBody {
		return ctx
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(wrote httptrace.WroteRequestInfo) {
		if wrote.Err != nil {
			_ = backoff.Sleep(ctx, readTime)
		}
	}})
}
