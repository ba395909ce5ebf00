// Package pending remembers recent creates of a program, because the service
// may not show their records yet, and some responses may have been lost. It
// does not depend on the service or the type of records.
package pending

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/turns"
)

// Remembered is the maximum number of creates remembered, which are the latest
// ones.
const Remembered = 1024

// Key identifies records that must not exist twice: those with the same name in
// the same place.
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
	At  time.Time // time of sending or, later, of the response
}

// Begin records a create that is about to be sent. It counts as executed until
// Refused is called, even if its result is never reported.
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

// Answered records the end of a create: its response arrived or was lost. The
// id is empty if it is unknown.
func (c *Creates) Answered(create *Create, id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	create.ID, create.At = id, time.Now()
}

// Refused removes a create that was certainly not executed.
func (c *Creates) Refused(create *Create) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = slices.DeleteFunc(c.all, func(other *Create) bool { return other == create })
}

// Forget removes the creates of a record.
func (c *Creates) Forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = slices.DeleteFunc(c.all, func(other *Create) bool { return other.made(id) })
}

// Of returns the creates of a key since a time, oldest first.
func (c *Creates) Of(key Key, after time.Time) (found []Create) {
	return c.that(after, func(create *Create) bool { return create.Key == key })
}

// Made returns the creates of a record since a time, oldest first.
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

// made reports whether the create created a record. The service varies the case
// of ids.
func (c *Create) made(id string) bool { return id != "" && strings.EqualFold(c.ID, id) }

// Turn waits until no other caller looks for and creates records of a key. The
// caller must call leave.
func (c *Creates) Turn(ctx context.Context, key Key) (leave func(), err error) {
	return c.turns.Take(ctx, key)
}
