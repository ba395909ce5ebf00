package transport

import "fmt"

// Format hides the credentials in the header of the call when its context is
// printed, for example by a tracer. The output resembles that of the contexts
// of the standard library.
func (c *limitedContext) Format(state fmt.State, _ rune) {
	_, _ = fmt.Fprintf(state, "%v.WithCall", c.Context)
}
