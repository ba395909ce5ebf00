package transport

import "fmt"

// Format keeps the credentials in the header of the call from whoever prints
// its context: a tracer, a middleware or a log of theirs. It looks like the
// contexts of the standard library.
func (c *limitedContext) Format(state fmt.State, _ rune) {
	_, _ = fmt.Fprintf(state, "%v.WithCall", c.Context)
}
