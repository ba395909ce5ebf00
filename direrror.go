package practice

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrNotVisibleYet says that the service accepted a file or folder but did not list
// it in the time of UploadDirOptions.Settle. It may come later. When it never comes, an
// error event says why (Specification, Errors, 4).
var ErrNotVisibleYet = errors.New("the service accepted it but does not list it")

// DirError sums up what UploadDir or DownloadDir did not bring about. To call it
// again does the rest only. errors.Is and errors.As look into Err and into the
// error of each that failed.
type DirError struct {
	Operation string
	// Failed are the files, and the folders with everything in them, that could
	// not be transferred, sorted by path.
	Failed []DirResult
	Done   int // files that are in place now, those that were before included
	// Left counts the files that were not tried: they lie in a folder that failed,
	// or the context ended before.
	Left int
	Err  error // why it ended early; nil when everything was tried
}

// Error counts, and names the first that failed.
func (e *DirError) Error() string {
	const named = 3
	var b strings.Builder
	fmt.Fprintf(&b, "practice: %s: %d failed, %d left, %d done", e.Operation, len(e.Failed), e.Left, e.Done)
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	for _, failed := range e.Failed[:min(named, len(e.Failed))] {
		fmt.Fprintf(&b, "; %s: %s", oneLine(failed.Path), oneLine(failed.Err.Error()))
	}
	if more := len(e.Failed) - named; more > 0 {
		fmt.Fprintf(&b, "; and %d more", more)
	}
	return b.String()
}

// Unwrap gives all errors.
func (e *DirError) Unwrap() []error {
	var all []error
	if e.Err != nil {
		all = append(all, e.Err)
	}
	for _, failed := range e.Failed {
		all = append(all, failed.Err)
	}
	return all
}

func sortByPath(results []DirResult) {
	slices.SortFunc(results, func(a, b DirResult) int { return strings.Compare(a.Path, b.Path) })
}
