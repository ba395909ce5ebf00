// Package early lets an exchange hear an answer that came before all of its body went out.
package early

import (
	"context"
	"net/http/httptrace"
	"time"

	"github.com/practicesdk/practice-go/internal/pause"
)

// A connection takes a short body at once. A write that fails was then to a connection that was dead, and there is no
// answer to wait for.
const short = 16 << 10

// wait is how long it may take to read an answer that has come.
const wait = time.Second

// Hear makes an exchange with a body of this size hear the answer of a server that does not read all of it: one that
// refuses a request may say so and end the connection. To net/http a write that fails is the outcome, if it hears of that
// first. So the writer keeps its failure back for a moment. The context has to end with the exchange, when the answer
// was read.
func Hear(ctx context.Context, size int64) context.Context {
	if 0 <= size && size <= short {
		return ctx
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(wrote httptrace.WroteRequestInfo) {
		if wrote.Err != nil {
			_ = pause.Sleep(ctx, wait)
		}
	}})
}
