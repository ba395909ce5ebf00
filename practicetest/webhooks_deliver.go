package practicetest

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/practicetest/internal/clock"
)

// courier delivers webhooks. Each subscription with pending deliveries has a
// goroutine that sends them one at a time, in the order of the events unless
// chaos changes it. Subscriptions do not wait for each other.
type courier struct {
	// current returns the current state of a subscription, and false if it was
	// removed. It is called without the courier's lock.
	current func(was subscription) (subscription, bool)
	// written converts the body of a delivery to the rendering of the service.
	// It is called with the server's lock held.
	written func(notification []byte) []byte

	clock  *clock.Clock // the service's clock, for timestamps
	timer  *clock.Clock // clock for delays; follows time.Now
	client *http.Client
	chaos  chaos
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu     sync.Mutex
	lanes  map[string]*lane // delivery queues by subscription id
	stamp  int64            // latest Timestamp header
	open   int              // number of parcels not yet delivered or given up
	idle   chan struct{}    // closed when open becomes 0; nil while it is 0
	log    []Delivery
	closed bool
	silent bool // a state file is being replayed, so nothing is delivered
}

// parcel is an event to be delivered to a subscription.
type parcel struct {
	to        subscription
	event     Event
	body      []byte
	duplicate bool
	failed    int // number of failed attempts
}

func newCourier(shown *clock.Clock, client *http.Client, behaviour chaos, current func(subscription) (subscription, bool)) *courier {
	own := *client
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c := &courier{
		current: current, clock: shown, timer: clock.New(time.Time{}), client: &own, chaos: behaviour, lanes: make(map[string]*lane),
		written: func(notification []byte) []byte { return notification },
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// enqueue queues an event for a subscription. It does not wait for the
// delivery.
func (c *courier) enqueue(to subscription, e Event) {
	p := parcel{to: to, event: e, body: c.written(notification(to, e))}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.silent {
		return
	}
	l := c.lanes[to.id]
	if l == nil {
		l = newLane(c.chaos, to.id)
		c.lanes[to.id] = l
	}
	for _, added := range l.plan(p) {
		c.count(1)
		l.add(added)
	}
	if len(l.held) > 0 {
		l.cancelRelease()
		l.cancelRelease = c.timer.Schedule(c.timer.Now().Add(holdTime), func() { c.release(l) })
	}
	c.start(l)
}

// silence turns deliveries off or on. They are off while a state file is
// replayed.
func (c *courier) silence(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.silent = on
}

// deliveries returns a copy of the finished attempts, in the order in which
// they finished.
func (c *courier) deliveries() []Delivery {
	c.mu.Lock()
	defer c.mu.Unlock()
	made := slices.Clone(c.log)
	for i := range made {
		made[i].Header = made[i].Header.Clone()
		made[i].Body = slices.Clone(made[i].Body)
	}
	return made
}

// flush releases the parcels that are held back and waits until all parcels are
// delivered or given up.
func (c *courier) flush(ctx context.Context) error {
	c.mu.Lock()
	for _, l := range c.lanes {
		l.releaseAll()
		c.start(l)
	}
	idle := c.idle
	c.mu.Unlock()
	if idle == nil {
		return nil
	}
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close cancels running deliveries and waits for all goroutines.
func (c *courier) close() {
	c.mu.Lock()
	c.closed = true
	c.count(-c.open)
	c.mu.Unlock()
	c.timer.Close()
	c.cancel()
	c.wg.Wait()
}

func (c *courier) release(l *lane) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l.releaseAll()
	c.start(l)
}

// start starts the goroutine of a lane, if the lane has parcels and no
// goroutine yet.
func (c *courier) start(l *lane) {
	if c.closed || l.running || len(l.queue) == 0 {
		return
	}
	l.running = true
	c.wg.Go(func() { c.run(l) })
}

func (c *courier) run(l *lane) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.closed && len(l.queue) > 0 {
		p := l.next()
		c.stamp = max(ticks(c.clock.Now()), c.stamp+1)
		stamp := c.stamp
		c.mu.Unlock()
		d, sent := c.deliver(&p, stamp)
		c.mu.Lock()
		if c.forgot(l, p) {
			break
		}
		if sent {
			c.log = recorded(c.log, d)
		}
		c.finish(l, p, d, sent)
	}
	l.running = false
}

// deliver sends a parcel according to the current state of its subscription:
// changes of the subscription affect queued parcels. If the subscription was
// removed, it sends nothing and returns false.
func (c *courier) deliver(p *parcel, stamp int64) (d Delivery, sent bool) {
	to, there := c.current(p.to)
	if !there {
		return Delivery{}, false
	}
	p.to = to
	return c.attempt(*p, stamp), true
}

// finish marks a parcel as finished, or queues it again after a failed attempt.
func (c *courier) finish(l *lane, p parcel, d Delivery, sent bool) {
	if c.closed {
		return
	}
	if !sent || d.Status/100 == 2 || p.failed == c.chaos.redeliveries {
		c.count(-1)
		return
	}
	wait := time.Second << min(p.failed, 10)
	p.failed++
	c.timer.Schedule(c.timer.Now().Add(wait), func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.forgot(l, p) {
			return
		}
		l.queue = append(l.queue, p)
		c.start(l)
	})
}

// count changes the number of open parcels.
func (c *courier) count(by int) {
	before := c.open
	c.open += by
	switch {
	case before == 0 && c.open > 0:
		c.idle = make(chan struct{})
	case before > 0 && c.open == 0:
		close(c.idle)
		c.idle = nil
	}
}
