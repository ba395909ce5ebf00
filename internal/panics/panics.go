// Package panics carries a panic of a caller's function from a goroutine of the
// library to one of the caller, who can recover it.
package panics

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// Error is the value of a carried panic. It contains the stack of the original
// panic.
type Error struct {
	Value any
	Stack []byte
}

// Error returns the value and the stack of the goroutine that panicked.
func (e *Error) Error() string { return fmt.Sprintf("%v\n\n%s", e.Value, e.Stack) }

// Unwrap returns the value, if it is an error.
func (e *Error) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Caught is the panic or runtime.Goexit of a function.
type Caught struct{ panicked *Error } // nil after runtime.Goexit, as called by t.FailNow

// Throw repeats the panic or runtime.Goexit in this goroutine.
func (c *Caught) Throw() {
	if c.panicked == nil {
		runtime.Goexit()
	}
	panic(c.panicked)
}

var errExit = errors.New("a function passed by the caller called runtime.Goexit")

// Err returns an error for callers that do not repeat the panic.
func (c *Caught) Err() error {
	if c.panicked == nil {
		return errExit
	}
	return fmt.Errorf("a function passed by the caller panicked: %v", c.panicked.Value)
}

// Box keeps the first panic or runtime.Goexit of its functions. The zero value
// is ready for concurrent use.
type Box struct {
	mu     sync.Mutex
	caught *Caught
}

// Run calls f and keeps its panic. A runtime.Goexit is kept, and ends this
// goroutine as well.
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

// Apart calls f in a new goroutine and waits for it.
func (b *Box) Apart(f func()) {
	var one sync.WaitGroup
	one.Go(func() { b.Run(f) })
	one.Wait()
}

func (b *Box) keep(value any) {
	var caught Caught
	if carried, ok := value.(*Error); ok {
		caught.panicked = carried // it already has its original stack
	} else if value != nil {
		caught.panicked = &Error{value, debug.Stack()}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.caught == nil {
		b.caught = &caught
	}
}

// Take removes and returns the content of the box, or nil.
func (b *Box) Take() *Caught {
	b.mu.Lock()
	defer b.mu.Unlock()
	caught := b.caught
	b.caught = nil
	return caught
}

// Rethrow empties the box and repeats its panic, if any.
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

// Go calls f in a goroutine, and then calls after, passing whether f returned.
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

// Wait waits for all functions, and repeats the first panic.
func (g *Group) Wait() {
	g.running.Wait()
	g.Rethrow()
}
