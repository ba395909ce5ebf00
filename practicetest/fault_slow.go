package practicetest

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/practicetest/internal/memnet"
)

// slow serves the request over a connection of limited bandwidth.
func (f Fault) slow(w http.ResponseWriter, r *http.Request, next http.Handler) {
	rate := cmp.Or(f.BytesPerSecond, defaultBytesPerSecond)
	slowed := r.WithContext(r.Context()) // a copy, because a handler must not modify the request
	slowed.Body = &slowBody{ReadCloser: r.Body, pace: pace{ctx: r.Context(), rate: rate}}
	next.ServeHTTP(&slowAnswer{ResponseWriter: w, pace: pace{ctx: r.Context(), rate: rate}}, slowed)
}

// pace limits the byte rate in one direction. Unused bandwidth is not saved up.
type pace struct {
	ctx  context.Context
	rate int64 // bytes per second
	free time.Time
}

// piece returns the number of bytes to transfer at once: a tenth of a second's
// worth.
func (p *pace) piece() int { return int(max(1, min(p.rate/10, memnet.BufferSize))) }

// pass waits for the time that n bytes take.
func (p *pace) pass(n int) error {
	now := time.Now()
	if p.free.Before(now) {
		p.free = now
	}
	p.free = p.free.Add(time.Duration(float64(n) / float64(p.rate) * float64(time.Second)))
	return backoff.Sleep(p.ctx, p.free.Sub(now))
}

// slowBody limits the rate at which a request body is read.
type slowBody struct {
	io.ReadCloser
	pace pace
}

func (b *slowBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p[:min(len(p), b.pace.piece())])
	if late := b.pace.pass(n); late != nil {
		return 0, late
	}
	return n, err
}

// slowAnswer limits the rate at which a response is written.
type slowAnswer struct {
	http.ResponseWriter
	pace pace
}

func (a *slowAnswer) Write(p []byte) (sent int, err error) {
	for len(p) > 0 {
		piece := p[:min(len(p), a.pace.piece())]
		if err := a.pace.pass(len(piece)); err != nil {
			return sent, err
		}
		n, err := a.ResponseWriter.Write(piece)
		sent += n
		if err == nil {
			err = http.NewResponseController(a.ResponseWriter).Flush()
		}
		if err != nil {
			return sent, err
		}
		p = p[n:]
	}
	return sent, nil
}
