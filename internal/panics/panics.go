// Package panics carries a panic of a function of the caller from a goroutine of the
// library into one of the caller, where it can be caught and is looked for.
package panics

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// Error is what a carried panic panics with. It has the stack, which would be lost
// otherwise.
type Error struct {
	Value any
	Stack []byte
}

// Error has the value, and the stack of the goroutine where it happened.
func (e *Error) Error() string { return fmt.Sprintf("%v\n\n%s", e.Value, e.Stack) }

// Unwrap returns the value, if it is an error.
func (e *Error) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Caught is how a function ended that did not return.
type Caught struct{ panicked *Error } // nil of one that ended its goroutine, as the methods of a test do

// Throw panics, or ends the goroutine, as the function did.
func (c *Caught) Throw() {
	if c.panicked == nil {
		runtime.Goexit()
	}
	panic(c.panicked)
}

var errExit = errors.New("a function of the caller ended its goroutine")

// Err is for those that it is not thrown at.
func (c *Caught) Err() error {
	if c.panicked == nil {
		return errExit
	}
	return fmt.Errorf("a function of the caller panicked: %v", c.panicked.Value)
}

// Box keeps how the first of the functions ended that did not return. The zero value is
// ready to use, by several goroutines.
type Box struct {
	mu     sync.Mutex
	caught *Caught
}

// Run calls f. A function that ends its goroutine ends this one, after that was noted.
func (b *Box) Run(f func()) {
	returned := false
	defer func() {
		if !returned {
			b.keep(recover())
		}
	}()
	f()
	returned = true
}

// Apart calls f in a goroutine of its own and waits for it.
func (b *Box) Apart(f func()) {
	var one sync.WaitGroup
	one.Go(func() { b.Run(f) })
	one.Wait()
}

func (b *Box) keep(value any) {
	var caught Caught
	if carried, ok := value.(*Error); ok {
		caught.panicked = carried // it knows where it came from
	} else if value != nil {
		caught.panicked = &Error{value, debug.Stack()}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.caught == nil {
		b.caught = &caught
	}
}

// Take empties the box; nil says that it was empty.
func (b *Box) Take() *Caught {
	b.mu.Lock()
	defer b.mu.Unlock()
	caught := b.caught
	b.caught = nil
	return caught
}

// Rethrow throws what is in the box, which is empty then.
func (b *Box) Rethrow() {
	if caught := b.Take(); caught != nil {
		caught.Throw()
	}
}

// Group runs functions in goroutines.
type Group struct {
	Box
	running sync.WaitGroup
}

// Go calls f in a goroutine, and after at its end, which tells whether f returned.
func (g *Group) Go(f func(), after func(returned bool)) {
	g.running.Go(func() {
		returned := false
		defer func() { after(returned) }()
		g.Run(func() {
			f()
			returned = true
		})
	})
}

// Wait waits until all functions have ended, and throws what was caught.
func (g *Group) Wait() {
	g.running.Wait()
	g.Rethrow()
}
