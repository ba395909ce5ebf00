package replica

import (
	"context"
	"encoding/json"
	"iter"
	"math"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/backoff"
)

// pace spaces the requests of a copy. A limit serves the calls that wait for it
// in their order, so a copy that waits with one request gets at most half of the
// rate. For a smaller share the copy learns the interval at which the limit serves
// one request. It asks again shortly before that interval ends, which costs nothing
// while it is alone. If it then waits longer than the rest of the interval, another
// caller was served, and the copy pauses for several intervals.
type pace struct {
	times    float64                   // intervals to pause if other callers are served
	asked    time.Time                 // when the request began to wait
	passed   atomic.Pointer[time.Time] // when its first attempt was sent; nil: not yet
	sent     time.Time                 // when the last request was sent
	waited   bool                      // whether it had to wait
	interval time.Duration             // shortest time between two that had to wait; 0: not known
	pause    time.Duration             // after the last request
}

func newPace(share float64) *pace {
	if share >= 0.5 {
		return &pace{}
	}
	return &pace{times: math.Ceil(1/share) - 1}
}

// learn sets the pause after a request that was sent at the given time.
func (p *pace) learn(sent time.Time) {
	wait, since := sent.Sub(p.asked), sent.Sub(p.sent)
	waited := wait > max(time.Millisecond, since/16) // less is scheduling
	if waited && p.waited && (p.interval == 0 || since < p.interval) {
		p.interval = since
	}
	p.sent, p.waited = sent, waited
	rest, most := max(0, p.interval-p.pause), time.Duration(p.times*float64(p.interval))
	if wait > rest+p.interval/4 {
		p.pause = most
	} else {
		p.pause = min(most, p.interval/8*7)
	}
}

// turn waits until the copy may send a request. Only one may at a time, until
// done is called.
func (c *Copy) turn(ctx context.Context) (*pace, error) {
	select {
	case p := <-c.pace:
		if err := backoff.Sleep(ctx, time.Until(p.sent.Add(p.pause))); err != nil {
			c.pace <- p
			return nil, err
		}
		p.asked = time.Now()
		return p, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (c *Copy) done(p *pace) {
	if at := p.passed.Swap(nil); at != nil {
		p.learn(*at)
	}
	c.pace <- p
}

// call calls an operation when it is the copy's turn.
func (c *Copy) call(ctx context.Context, id string, arguments map[string]any, out any, opts ...practice.CallOption) error {
	p, err := c.turn(ctx)
	if err != nil {
		return err
	}
	defer c.done(p)
	return c.client.Call(p.watch(ctx), id, arguments, nil, out, opts...)
}

// callAll yields the records of a list, each page of which waits for a turn.
func (c *Copy) callAll(ctx context.Context, id string, arguments map[string]any) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		p, err := c.turn(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		held := true // a panic of the transport must not keep the turn
		defer func() {
			if held {
				c.done(p)
			}
		}()
		for text, err := range c.client.CallAll(p.watch(ctx), id, arguments, nil, practice.WithPrefetch(0)) {
			c.done(p)
			held = false
			if !yield(text, err) {
				return
			}
			if _, err := c.turn(ctx); err != nil {
				yield(nil, err)
				return
			}
			held = true
		}
	}
}

// watch returns a context with which a request reports when it passes the limit.
func (p *pace) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GetConn: func(string) {
		now := time.Now()
		p.passed.CompareAndSwap(nil, &now)
	}})
}
