package transport

import "fmt"

// Format hides the credentials in the header of the call from anyone who prints
// its context, such as a tracer. The output looks like that of the contexts of
// the standard library.
func (c *limitedContext) Format(state fmt.State, _ rune) {
	_, _ = fmt.Fprintf(state, "%v.WithCall", c.Context)
}
