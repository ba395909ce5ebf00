// Package readers finds the operations that read what other operations write.
package readers

import (
	"net/http"
	"regexp"
	"strings"

	practice "github.com/practicesdk/practice-go"
)

// Readers holds the operations that read, by their paths without the names of
// parameters.
type Readers map[string]practice.Operation

// placeholders matches the parameters of a path template.
var placeholders = regexp.MustCompile(`\{[^}]*\}`)

// Of returns the readers among operations.
func Of(all []practice.Operation) Readers {
	r := Readers{}
	for _, o := range all {
		if o.Method == http.MethodGet {
			r[placeholders.ReplaceAllString(o.Path, "{}")] = o
		}
	}
	return r
}

// At returns the operation that reads a path, whatever its parameters are
// called.
func (r Readers) At(path string) (practice.Operation, bool) {
	o, found := r[placeholders.ReplaceAllString(path, "{}")]
	return o, found
}

// Near returns the operation that reads a path, or the longest part of it that
// can be read.
func (r Readers) Near(path string) (practice.Operation, bool) {
	for ; path != ""; path = path[:strings.LastIndexByte(path, '/')] {
		if o, found := r.At(path); found {
			return o, true
		}
	}
	return practice.Operation{}, false
}

// Parameters returns the names of the parameters of a path template.
func Parameters(path string) []string {
	names := placeholders.FindAllString(path, -1)
	for i, name := range names {
		names[i] = strings.Trim(name, "{}")
	}
	return names
}

// Arguments returns the arguments with which a reader reads what a call with
// arguments writes.
func Arguments(reader, write practice.Operation, arguments map[string]any) map[string]any {
	of, place := Parameters(write.Path), map[string]any{}
	for i, name := range Parameters(reader.Path) {
		if i < len(of) {
			place[name] = arguments[of[i]]
		}
	}
	return place
}
