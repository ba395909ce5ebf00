// Package renewals distinguishes the renewals of an access token that some
// calls cause themselves from all others.
package renewals

import (
	"context"
	"sync"
)

// Others is a channel that is closed at the next new token of others.
type Others struct {
	mu   sync.Mutex
	next <-chan struct{}
}

type key struct{}

// Than returns a context, and the renewals of others than its calls, from the
// given one on.
func Than(ctx context.Context, next <-chan struct{}) (context.Context, *Others) {
	o := &Others{next: next}
	return context.WithValue(ctx, key{}, o), o
}

// Next returns the channel.
func (o *Others) Next() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.next
}

// Own calls renew, which a call of ctx needs, and does not count what it renews:
// next returns the channel that is closed at the next new token. A renewal of
// others that came before counts.
func Own(ctx context.Context, next func() <-chan struct{}, renew func()) {
	o, watched := ctx.Value(key{}).(*Others)
	if !watched {
		renew()
		return
	}
	before := next()
	renew()
	after := next()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.next == before {
		o.next = after
	}
}
