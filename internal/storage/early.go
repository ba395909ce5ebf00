package storage

import (
	"context"
	"net/http/httptrace"
	"time"

	"github.com/practicesdk/practice-go/internal/pause"
)

// earlyAnswer is how long it may take to read an answer that has come.
const earlyAnswer = time.Second

// hearEarlyAnswers makes an exchange hear what the storage said before it ended the connection without reading the
// whole body, as it may do when it refuses an address. To net/http a write that fails is the outcome, if it hears of that
// first. So the writer keeps it back for a moment, or until the exchange is over.
func hearEarlyAnswers(ctx context.Context) (traced context.Context, over context.CancelFunc) {
	waiting, over := context.WithCancel(ctx)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(wrote httptrace.WroteRequestInfo) {
		if wrote.Err != nil {
			_ = pause.Sleep(waiting, earlyAnswer)
		}
	}}), over
}
