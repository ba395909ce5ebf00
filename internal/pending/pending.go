// Package pending remembers the creates that a program sent a moment ago: the
// service may not show their records yet, and the answer to some was lost. It
// knows neither the service nor the records.
package pending

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/turns"
)

// Remembered is how many creates are remembered at most, the latest ones.
const Remembered = 1024

// Key identifies records that must not exist twice: those of one name in one
// place.
type Key struct{ Place, Name string }

// Creates holds the pending creates of one client. The zero value is empty and
// ready to use. It is safe for concurrent use.
type Creates struct {
	mu    sync.Mutex
	all   []*Create // oldest first
	turns turns.Turns[Key]
}

// Create is a create that was sent, and neither refused nor forgotten.
type Create struct {
	Key Key
	ID  string    // id of the record; empty while it is unknown
	At  time.Time // when it was sent, or its answer came
}

// Begin remembers a create that is about to be sent. It counts as executed
// until Refused is called, also when its outcome is never reported.
func (c *Creates) Begin(key Key) *Create {
	c.mu.Lock()
	defer c.mu.Unlock()
	create := &Create{Key: key, At: time.Now()}
	if len(c.all) >= Remembered {
		c.all = slices.Delete(c.all, 0, len(c.all)-Remembered+1)
	}
	c.all = append(c.all, create)
	return create
}

// Answered records that the answer to a create came, or will not. The id is
// empty when it is not known.
func (c *Creates) Answered(create *Create, id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	create.ID, create.At = id, time.Now()
}

// Refused forgets a create that was certainly not executed.
func (c *Creates) Refused(create *Create) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = slices.DeleteFunc(c.all, func(other *Create) bool { return other == create })
}

// Forget forgets the creates of a record.
func (c *Creates) Forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = slices.DeleteFunc(c.all, func(other *Create) bool { return other.made(id) })
}

// Of returns the creates of a key after a time, oldest first.
func (c *Creates) Of(key Key, after time.Time) (found []Create) {
	return c.that(after, func(create *Create) bool { return create.Key == key })
}

// Made returns the creates of a record after a time, oldest first.
func (c *Creates) Made(id string, after time.Time) (found []Create) {
	return c.that(after, func(create *Create) bool { return create.made(id) })
}

func (c *Creates) that(after time.Time, is func(*Create) bool) (found []Create) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, create := range c.all {
		if create.At.After(after) && is(create) {
			found = append(found, *create)
		}
	}
	return found
}

// made reports whether the create made a record. Services write ids in either
// case.
func (c *Create) made(id string) bool { return id != "" && strings.EqualFold(c.ID, id) }

// Turn waits until nobody else looks for records of a key and creates them. The
// caller must call leave.
func (c *Creates) Turn(ctx context.Context, key Key) (leave func(), err error) {
	return c.turns.Take(ctx, key)
}
