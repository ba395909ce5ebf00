package pending

import (
	"context"
	"sync/atomic"
)

// Unproven counts the creates that were sent under a context and are not known
// to be refused: they were executed, or may have been.
type Unproven struct {
	creates atomic.Int64
	outer   *Unproven // of the context around; nil if there is none
}

type unprovenKey struct{}

// Watch returns a context, and an Unproven that counts the creates under it.
func Watch(ctx context.Context) (context.Context, *Unproven) {
	outer, _ := ctx.Value(unprovenKey{}).(*Unproven)
	u := &Unproven{outer: outer}
	return context.WithValue(ctx, unprovenKey{}, u), u
}

// Any reports whether there is such a create.
func (u *Unproven) Any() bool { return u.creates.Load() > 0 }

// Sending counts a create that is about to be sent under ctx. The create counts
// as executed until refused is called, even if its call never returns.
func Sending(ctx context.Context) (refused func()) {
	u, _ := ctx.Value(unprovenKey{}).(*Unproven)
	u.add(1)
	return func() { u.add(-1) }
}

func (u *Unproven) add(n int64) {
	for ; u != nil; u = u.outer {
		u.creates.Add(n)
	}
}
