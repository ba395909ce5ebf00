package command

import (
	"slices"
	"strings"
)

//go:generate go test -count=1 -run ^(TestTheExamplesAreWritten|TestTheTableOfEndsIsInTheManual)$ . -update

// example is a command that succeeds on a new sandbox.
type example struct{ id, line string }

// exampleOf returns the example of an operation, or "".
func exampleOf(id string) string {
	i, found := slices.BinarySearchFunc(examples[:], id, func(e example, id string) int { return strings.Compare(e.id, id) })
	if !found {
		return ""
	}
	return examples[i].line
}
