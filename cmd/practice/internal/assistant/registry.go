package assistant

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/members"
)

// use returns what an assistant can do with an operation.
func (p *Policy) use(o practice.Operation) string {
	switch reason := p.refusal(o, nil); {
	case reason != "":
		return "refused: " + reason
	case o.Class != practice.OperationRead:
		return "preview_write, then write"
	case lists(o):
		return "list"
	}
	return "read"
}

// findOperations is the tool that lists the operations whose description has all
// words of a text.
func (a *Assistant) findOperations(_ context.Context, in *input) (string, error) {
	var b strings.Builder
	shown, more, words := 0, 0, strings.Fields(strings.ToLower(in.Text))
	for _, o := range a.Policy.operations {
		first, _, _ := strings.Cut(o.Doc, ". ")
		line := fmt.Sprintf("%s (%s): %s", o.ID, a.Policy.use(o), strings.TrimSuffix(first, "."))
		text := strings.ToLower(line + " " + o.Path + " " + o.GoMethod)
		if slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) }) {
			continue
		}
		if shown == maxRecords {
			more++
			continue
		}
		shown++
		b.WriteString(line + "\n")
	}
	if more > 0 {
		fmt.Fprintf(&b, "%d more operations match. To narrow the search, add words.\n", more)
	}
	if shown == 0 {
		return "No operation matches all of these words.", nil
	}
	return b.String(), nil
}

// describeOperation is the tool that describes an operation, its arguments and
// its body.
func (a *Assistant) describeOperation(_ context.Context, in *input) (string, error) {
	o, err := a.Policy.named(in.Operation)
	if err != nil {
		return "", err
	}
	described := map[string]any{"use": a.Policy.use(o), "method": o.Method, "path": o.Path, "doc": o.Doc, "arguments": o.Parameters}
	if o.Body != "" {
		kind := reflect.TypeOf(o.NewBody()).Elem()
		for kind.Kind() == reflect.Slice {
			kind = kind.Elem()
		}
		described["body"], described["sample"] = members.Of(kind.Name()), json.RawMessage(o.Sample)
	}
	text, err := json.Marshal(described)
	return string(text), err
}

// schema returns the JSON schema of the input of a tool.
func schema(parameters []parameter) json.RawMessage {
	properties, required := map[string]any{}, []string{}
	for _, p := range parameters {
		properties[p.name] = map[string]any{"type": p.kind, "description": p.doc}
		if p.required {
			required = append(required, p.name)
		}
	}
	text, _ := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}) // texts
	return text
}
