package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	practice "github.com/practicesdk/practice-go"
)

// outcome is the result of calling one operation.
type outcome string

const (
	asDescribed    outcome = "as described"
	notAsDescribed outcome = "not as described"
	refused        outcome = "refused"
	noRecord       outcome = "no record to read"
	noAnswer       outcome = "no answer"
)

// line is the output line of one operation.
type line struct {
	operation string
	status    int
	records   int
	outcome   outcome
}

// violation is a violated rule of the description, without values.
type violation struct{ operation, rule string }

// reading is a run over the operations.
type reading struct {
	client     *practice.Client
	shapes     *shapes
	ids        map[string]string // id of a record of each list, by the path of the list
	lines      []line
	violations []violation
}

// parameter matches a parameter in a path.
var parameter = regexp.MustCompile(`\{[^}]+\}`)

// listAt returns the path before a parameter, without the names of parameters,
// because lists and records name them differently.
func listAt(path string) string {
	return strings.TrimRight(parameter.ReplaceAllString(path, "{}"), "/")
}

// all calls the reading operations, lists before the operations that need their
// ids.
func (r *reading) all(ctx context.Context) {
	operations := slices.DeleteFunc(practice.Operations(), func(o practice.Operation) bool { return o.Method != http.MethodGet })
	slices.SortStableFunc(operations, func(a, b practice.Operation) int {
		return cmp.Or(cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")), cmp.Compare(a.Path, b.Path))
	})
	for _, o := range operations {
		if ctx.Err() != nil {
			return
		}
		arguments, known := r.arguments(o)
		if !known {
			r.lines = append(r.lines, line{operation: o.ID, outcome: noRecord})
			continue
		}
		r.lines = append(r.lines, r.call(ctx, o, arguments))
	}
}

// arguments returns ids for the path parameters. It returns false if the lists
// contained none.
func (r *reading) arguments(o practice.Operation) (map[string]any, bool) {
	arguments := map[string]any{}
	for _, p := range o.Parameters {
		before, _, inPath := strings.Cut(o.Path, "{"+p.Name+"}")
		if !inPath {
			if p.Required {
				return nil, false // needs a question from a person
			}
			continue
		}
		id := r.ids[listAt(before)]
		if id == "" {
			return nil, false
		}
		arguments[p.Name] = id
	}
	return arguments, true
}

// call calls an operation and checks its response. It does not keep the text of
// an error, which may contain data of the service.
func (r *reading) call(ctx context.Context, o practice.Operation, arguments map[string]any) line {
	var response practice.Response
	var text []byte
	err := r.client.Call(ctx, o.ID, arguments, nil, &text, practice.WithResponse(&response))
	l := line{operation: o.ID, status: response.StatusCode, outcome: asDescribed}
	if failed, answered := errors.AsType[*practice.Error](err); answered {
		l.status, l.outcome = failed.StatusCode, refused
		return l
	}
	if err != nil {
		l.outcome = noAnswer
		if response.StatusCode != 0 {
			r.report(&l, "the library cannot read the answer")
		}
		return l
	}
	if o.Media != "" || len(text) == 0 {
		return l
	}
	for _, rule := range r.shapes.judge(o.ID, response.StatusCode, text) {
		r.report(&l, rule)
	}
	if answer := o.NewAnswer(); answer != nil && o.AnswerForm == practice.AnswerRecord && json.Unmarshal(text, answer) != nil {
		r.report(&l, "the library cannot read the record")
	}
	l.records = r.keep(o.Path, text)
	return l
}

func (r *reading) report(l *line, rule string) {
	l.outcome = notAsDescribed
	r.violations = append(r.violations, violation{l.operation, rule})
}

// keep stores the id of a record of a list, and returns the number of records.
func (r *reading) keep(path string, text []byte) (records int) {
	var answer any
	if json.Unmarshal(text, &answer) != nil {
		return 0
	}
	object, isObject := answer.(map[string]any)
	list, isList := answer.([]any)
	for _, member := range slices.Sorted(maps.Keys(object)) {
		if inside, ok := object[member].([]any); ok && (member == "value" || !isList && object["id"] == nil) {
			list, isList = inside, true
		}
	}
	if !isList {
		if isObject {
			return 1
		}
		return 0
	}
	for _, one := range list {
		record, _ := one.(map[string]any)
		if id, ok := record["id"].(string); ok && id != "" {
			r.ids[listAt(path)] = id
			break
		}
	}
	return len(list)
}
