// Package assistant serves a firm's records to language models by the Model
// Context Protocol: it reads what is no secret, and writes what a person has
// named and seen.
package assistant

//go:generate go test -count=1 -vet=off -run ^TestTheDocumentationHasTheTable$ . -update

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/cmd/practice/internal/readers"
)

// Reasons for which an assistant may not call an operation, whatever a person
// allows. The other reasons are decisions in api/.
const (
	unknown      = "the operation's effect is unknown"
	sends        = "the operation sends messages to people"
	deletes      = "the operation deletes data"
	isSecret     = "the operation returns a URL that anyone can use"
	isFile       = "the operation returns a file"
	writingScope = "the operation requires a scope that also allows writes"
)

// Reasons that depend on the options.
const (
	notAllowed  = "the operation is not listed in --allow"
	otherMatter = "the assistant can access only one matter, and the operation cannot be limited to a matter"
)

// Allowable returns the ids of the writes that a person may allow.
func Allowable() (ids []string) {
	for _, o := range practice.Operations() {
		if o.Class != practice.OperationRead && decision(o.ID) == "" {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

// Policy decides which operations an assistant may call. It is safe for
// concurrent use.
type Policy struct {
	operations []practice.Operation
	allowed    []string // ids of the writes that a person has named
	matter     string   // the only matter; empty: all
}

// NewPolicy returns a policy that allows all reads that are no secrets, and the
// writes with these ids. Only operations and records of the matter are open if
// it is not empty. NewPolicy returns an error for an id that cannot be allowed.
func NewPolicy(allow []string, matter string) (*Policy, error) {
	p := &Policy{operations: practice.Operations(), allowed: allow, matter: matter}
	for _, id := range allow {
		o, err := p.named(id)
		switch reason := p.never(o); {
		case err != nil:
			return nil, err
		case o.Class == practice.OperationRead:
			return nil, fmt.Errorf("%s only reads data and does not require --allow", id)
		case reason != "":
			return nil, fmt.Errorf("%s cannot be allowed: %s", id, reason)
		case !p.concerns(o):
			return nil, fmt.Errorf("%s cannot be allowed: %s", id, otherMatter)
		}
	}
	return p, nil
}

// named returns the operation with an id.
func (p *Policy) named(id string) (practice.Operation, error) {
	return readers.Named(p.operations, id, "; call find_operations to list the operations")
}

// refusal returns why the assistant may not call an operation with a body, in
// JSON, or "".
func (p *Policy) refusal(o practice.Operation, body []byte) string {
	switch reason := p.never(o); {
	case reason != "":
		return reason
	case !p.concerns(o):
		return otherMatter
	case o.Class == practice.OperationRead:
		return ""
	case !slices.Contains(p.allowed, o.ID):
		return notAllowed
	}
	return refusedBody(o, body)
}

// never returns why an operation is refused whatever a person allows, or "". What
// its type shows is refused even if the decision in api/ allows it.
func (p *Policy) never(o practice.Operation) string {
	switch reason := decision(o.ID); {
	case o.Media != "":
		return isFile
	case isAddress(o.NewAnswer()):
		return isSecret
	case o.Class == practice.OperationRead:
		return cmp.Or(p.neverRead(o), reason)
	case o.Class != practice.OperationCreate && o.Class != practice.OperationIdempotentWrite:
		return unknown
	case reason != "":
		return reason
	case o.Deletes(nil):
		return deletes
	}
	return ""
}

// neverRead returns why a read is refused, or "".
func (p *Policy) neverRead(o practice.Operation) string {
	if o.Answer == "" {
		return unknown
	}
	writing := func(other practice.Operation) bool {
		return other.Scope == o.Scope && other.Class != practice.OperationRead
	}
	if o.Scope != "" && !strings.HasSuffix(o.Scope, "/read") && slices.ContainsFunc(p.operations, writing) {
		return writingScope
	}
	return ""
}

// isAddress reports whether a record is an address with which anyone can read or
// write: one of its own members is a secret address. The secret of another
// record is removed from it.
func isAddress(record any) bool {
	kind := reflect.TypeOf(record)
	if kind == nil || kind.Elem().Kind() != reflect.Struct {
		return false
	}
	for field := range kind.Elem().Fields() {
		name := strings.ToLower(field.Name)
		if isSecretKind(field.Type) && (strings.Contains(name, "url") || strings.Contains(name, "link")) {
			return true
		}
	}
	return false
}

// isSecretKind reports whether a member is a secret, whether it is optional or an
// object.
func isSecretKind(kind reflect.Type) bool { return strings.Contains(kind.String(), "models.Secret") }

// refusedBody returns why a body is refused, or "": for what deletes, at any
// depth, and for guests of an event, who may be invited.
func refusedBody(o practice.Operation, body []byte) string {
	if len(body) == 0 {
		return ""
	}
	var sent any
	if err := json.Unmarshal(body, &sent); err != nil {
		return "the body is not valid JSON"
	}
	if o.Deletes(body) {
		return deletes
	}
	return refusedValue(sent)
}

func refusedValue(value any) string {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			if reason := refusedValue(element); reason != "" {
				return reason
			}
		}
	case map[string]any:
		for name, member := range value {
			list, _ := member.([]any)
			switch name = strings.ToLower(name); {
			case (name == "isdeleted" || name == "isremoved") && member == true:
				return deletes
			case name == "externalattendees" && len(list) > 0:
				return sends
			}
			if reason := refusedValue(member); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// Scopes returns the scopes that a token of an assistant needs: those of all
// reads, and those of the allowed writes.
func (p *Policy) Scopes() (all []string) {
	for _, o := range p.operations {
		if p.refusal(o, nil) == "" && o.Scope != "" {
			all = append(all, strings.Fields(o.Scope)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
