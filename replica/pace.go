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
// rate. For a smaller share the copy also pauses, several times as long as its
// last request waited. Alone it loses nothing by that: the longer it pauses, the
// less it waits.
type pace struct {
	times  float64                   // pause for each wait
	asked  time.Time                 // when the request began to wait
	passed atomic.Pointer[time.Time] // when its first attempt was sent; nil: not yet
	pause  time.Duration             // between two requests
	next   time.Time                 // end of the pause
}

func newPace(share float64) *pace { return &pace{times: max(0, math.Ceil(1/share)-2)} }

// learn sets the pause after a request that was sent at the given time.
func (p *pace) learn(sent time.Time) {
	longest := p.times * float64(sent.Sub(p.asked))
	grown := float64(p.pause) + (longest-float64(p.pause))/(1+p.times) // alone, it ends where the rate is used up
	p.pause = time.Duration(min(longest, grown))
	p.next = sent.Add(p.pause)
}

// turn waits until the copy may send a request. Only one may at a time, until
// done is called.
func (c *Copy) turn(ctx context.Context) (*pace, error) {
	select {
	case p := <-c.pace:
		if err := backoff.Sleep(ctx, time.Until(p.next)); err != nil {
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
