// Package readers finds operations: the one that reads what another one writes, the
// one that a request calls, and the one with an id.
package readers

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/spelling"
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

// Named returns the operation with an id. The error for an unknown id suggests the
// most similar one, or ends with hint if there is none.
func Named(all []practice.Operation, id, hint string) (practice.Operation, error) {
	var ids []string
	for _, o := range all {
		if ids = append(ids, o.ID); o.ID == id {
			return o, nil
		}
	}
	return practice.Operation{}, fmt.Errorf("unknown operation %q%s", id, cmp.Or(spelling.DidYouMean(id, ids), hint))
}

// Match returns the operation of a method and an escaped path with the values of
// its parameters, and reports whether it is the only one. If several match, it
// returns one with the most literal segments.
func Match(all []practice.Operation, method, path string) (found practice.Operation, values map[string]any, only bool) {
	most, segments := -1, strings.Split(path, "/")
	for i, segment := range segments {
		if text, err := url.PathUnescape(segment); err == nil {
			segments[i] = text
		}
	}
	for _, o := range all {
		template, of, literals := strings.Split(o.Path, "/"), map[string]any{}, 0
		same := o.Method == method && slices.EqualFunc(template, segments, func(name, value string) bool {
			if name, parameter := strings.CutPrefix(name, "{"); parameter {
				of[strings.TrimSuffix(name, "}")] = value
				return true
			}
			literals++
			return strings.EqualFold(name, value)
		})
		switch {
		case !same || literals < most:
		case literals == most:
			only = false
		default:
			found, values, most, only = o, of, literals, true
		}
	}
	return found, values, only
}
