package assistant

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
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
	shown, more := 0, 0
	for _, o := range a.Policy.operations {
		first, _, _ := strings.Cut(o.Doc, ". ")
		line := fmt.Sprintf("%s (%s): %s", o.ID, a.Policy.use(o), strings.TrimSuffix(first, "."))
		if !hasAll(strings.ToLower(line+" "+o.Path+" "+o.GoMethod), strings.Fields(strings.ToLower(in.Text))) {
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
		fmt.Fprintf(&b, "%d more: add words.\n", more)
	}
	if shown == 0 {
		return "No operation has all these words.", nil
	}
	return b.String(), nil
}

func hasAll(text string, words []string) bool {
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// describeOperation is the tool that describes an operation, its arguments and
// its body.
func (a *Assistant) describeOperation(_ context.Context, in *input) (string, error) {
	o, known := a.Policy.named(in.Operation)
	if !known {
		return "", a.Policy.unknown(in.Operation)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s %s\nUse: %s\n%s\n", o.ID, o.Method, o.Path, a.Policy.use(o), o.Doc)
	for _, p := range o.Parameters {
		if name := strings.ToLower(p.Name); name == "offset" || name == "limit" {
			continue // cursor and limit of list
		}
		need := ""
		if p.Required {
			need = ", required"
		}
		fmt.Fprintf(&b, "Argument %s (%s%s): %s", p.Name, p.Kind, need, p.Doc)
		if p.Values != nil {
			b.WriteString(" Values: " + strings.Join(p.Values, ", ") + ".")
		}
		b.WriteByte('\n')
	}
	if o.Body == "" {
		return b.String(), nil
	}
	kind := reflect.TypeOf(o.NewBody()).Elem()
	for kind.Kind() == reflect.Slice {
		kind = kind.Elem()
	}
	for _, m := range members.Of(kind.Name()) {
		need := ""
		if m.Required {
			need = " (required)"
		}
		fmt.Fprintf(&b, "Body member %s%s: %s", m.Name, need, m.Doc)
		if m.Values != nil {
			b.WriteString(" Values: " + strings.Join(m.Values, ", ") + ".")
		}
		b.WriteByte('\n')
	}
	b.WriteString("Sample of a body: " + o.Sample + "\n")
	return b.String(), nil
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
