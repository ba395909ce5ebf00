// Package variants derives further calls of an operation from its successful
// call and its description: calls that the client must refuse, calls with
// values at the limits, and the calls with the fewest and the most members.
//
// A string argument of a method is the next parameter of the path, a struct
// whose name ends in Options is the query, and any other struct or list is the
// body. Values that a Go type cannot hold, such as a string for a number, need
// no check. Nulls, patterns, ids and enumeration values in a body are checked
// only by the service, which refuses them without an effect.
package variants

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
)

// Changed is a successful call with one argument changed.
type Changed struct {
	Argument  string // name in the description, in the path, the query or the body
	Why       string // error in the value, or the limit that it reaches
	Arguments []any  // arguments for [operations.Operation.CallWith]
}

// Refused returns the calls that the client must refuse, each with an
// ArgumentError whose Argument begins with the changed one.
func Refused(op operations.Operation, as *description.Operation, all *description.Document, firm operations.Firm) []Changed {
	c := changer{operation: as, good: op.Arguments(firm)}
	c.eachArgument(argumentKinds{
		path: func(i int, parameter *description.Parameter) {
			for _, bad := range BadIdentifiers() {
				c.add(parameter.Name, "is no identifier", i, bad)
			}
			for _, taken := range all.Neighbours(as, parameter.Name) {
				c.add(parameter.Name, taken+" reaches another operation", i, taken)
				c.add(parameter.Name, "it reaches another operation in any case", i, strings.ToUpper(taken))
			}
		},
		query: func(i int, options reflect.Value) { c.wrongOptions(i, options) },
		body:  func(i int, schema *description.Schema) { c.members(i, schema, wrongTexts) },
		list: func(i int) {
			if _, texts := c.good[i].([]string); texts {
				c.add("", "has an empty text", i, []string{"VIP", ""})
			}
		},
	})
	return c.found
}

// Edges returns calls with values at the limits, which the client must send.
func Edges(op operations.Operation, as *description.Operation, firm operations.Firm) []Changed {
	c := changer{operation: as, good: op.Arguments(firm)}
	c.eachArgument(argumentKinds{
		query: func(i int, options reflect.Value) { c.edgeOptions(i, options) },
		body:  func(i int, schema *description.Schema) { c.members(i, schema, edgeTexts) },
	})
	return c.found
}

// BadIdentifiers returns ids that are refused for any path parameter, because
// they would lead to another path.
func BadIdentifiers() []string {
	return []string{"", ".", "..", "a/b", `a\b`, "a\x00b", "a\nb", "a\x7fb", "\xff"}
}

// changer collects the changed calls of one operation.
type changer struct {
	operation *description.Operation
	good      []any
	found     []Changed
}

// argumentKinds holds a function for each kind of argument; nil leaves
// arguments of the kind unchanged.
type argumentKinds struct {
	path  func(i int, parameter *description.Parameter)
	query func(i int, options reflect.Value)
	body  func(i int, schema *description.Schema)
	list  func(i int)
}

func (c *changer) eachArgument(do argumentKinds) {
	parameters := c.operation.PathParameters
	for i, argument := range c.good {
		value := reflect.ValueOf(argument)
		switch {
		case value.Kind() == reflect.String && len(parameters) > 0:
			if do.path != nil {
				do.path(i, parameters[0])
			}
			parameters = parameters[1:]
		case strings.HasSuffix(value.Type().Name(), "Options"):
			if do.query != nil {
				do.query(i, value)
			}
		case value.Kind() == reflect.Struct && c.operation.Body != nil && c.operation.Body.Type.Ref != nil:
			do.body(i, c.operation.Body.Type.Ref)
		case value.Kind() == reflect.Slice && do.list != nil:
			do.list(i)
		}
	}
}

// add adds the successful call with one argument replaced.
func (c *changer) add(argument, why string, i int, value any) {
	changed := slices.Clone(c.good)
	changed[i] = value
	c.found = append(c.found, Changed{argument, why, changed})
}

// afterAll returns a time after the last one that the API can express.
func afterAll() time.Time { return time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) }
