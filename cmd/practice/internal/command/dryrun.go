package command

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// printedError ends a call of --dry-run, whose request was printed. It holds the
// error of the output.
type printedError struct{ output error }

func (printedError) Error() string { return "nothing was sent" }

// printed prints requests instead of sending them.
type printed struct{ io.Writer }

func (p printed) RoundTrip(r *http.Request) (*http.Response, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", r.Method, visible(r.URL.String(), false))
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		value := r.Header.Get(name)
		switch name {
		case "Authorization", "X-Api-Key":
			value = "[redacted]"
		case "Requestid", "User-Agent", "Accept":
			continue
		}
		fmt.Fprintf(&b, "%s: %s\n", name, visible(value, false))
	}
	if r.Body != nil {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		if len(text) > 0 {
			fmt.Fprintf(&b, "\n%s\n", indented(text, ""))
		}
	}
	_, err := io.WriteString(p, b.String())
	return nil, printedError{err}
}
