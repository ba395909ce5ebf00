package practice

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// OperationClass states whether an operation may be executed twice.
type OperationClass string

// Classes of operations. A failed call of the first two is retried; a create is
// retried only if it was certainly not executed.
const (
	OperationRead            OperationClass = "read"
	OperationIdempotentWrite OperationClass = "idempotentWrite"
	OperationCreate          OperationClass = "create"
)

// ParameterPlace is the part of a request that contains a parameter.
type ParameterPlace string

// Places of parameters.
const (
	InPath  ParameterPlace = "path"
	InQuery ParameterPlace = "query"
)

// ParameterKind is the type of a parameter. [Client.Call] describes the Go
// values for each kind.
type ParameterKind string

// Kinds of parameters.
const (
	KindText      ParameterKind = "text"
	KindInteger   ParameterKind = "integer"
	KindBoolean   ParameterKind = "boolean"
	KindInstant   ParameterKind = "instant"   // sent in UTC, to 100 ns
	KindTicks     ParameterKind = "ticks"     // an instant, sent as a number of 100 ns since the year 1
	KindDate      ParameterKind = "date"      // a day
	KindLocalTime ParameterKind = "localTime" // sent in UTC, in whole seconds, without a zone
)

// Parameter describes a parameter in the path or the query of an operation.
type Parameter struct {
	Name       string // name in the API specification
	In         ParameterPlace
	Kind       ParameterKind
	Doc        string   // description of one or more sentences
	Values     []string // the documented values; nil: none
	Repeated   bool     // whether it takes several values
	Required   bool
	Deprecated bool
}

// AnswerForm is the form of a successful response.
type AnswerForm string

// Forms of responses. An operation without a response body has none.
const (
	AnswerRecord AnswerForm = "record"
	AnswerList   AnswerForm = "list"  // a list in one response, also for CallAll
	AnswerPages  AnswerForm = "pages" // a list in pages, for CallAll
)

// Operation describes an operation of the service, for programs that choose
// operations at run time.
type Operation struct {
	ID       string // operationId of the API, such as "patchFee"
	GoMethod string // method of the client, such as "Fees.Patch"
	GoAll    string // method that yields the whole list, such as "Fees.All"; empty if there is none
	Method   string // HTTP method
	Path     string // path template below the base address
	Doc      string // description; an empty line separates paragraphs
	Class    OperationClass
	Scope    string   // scope that a token needs, such as "fees/read"; empty if none is documented
	Grant    string   // accepted kinds of token, in words; empty: any
	Events   []string // types of events that it probably causes
	Regions  []string // countries that its records are for; nil: any

	Async        bool // whether the service responds before it executes the change
	Money        bool // whether it changes what somebody pays or receives
	Replaces     bool // whether it clears what the body leaves out
	Deprecated   bool
	TakesVersion bool // whether it accepts WithVersion

	Parameters   []Parameter
	Body         string // Go type of the body, such as "models.FeePatch"; empty: no body
	BodyRequired bool
	Sample       string // sample body in JSON; empty: no body
	Answer       string // Go type of the record in the response; empty: none
	AnswerForm   AnswerForm
	Identity     []string // members of the response that may have the last id in the path; nil: none
	Media        string   // media type of a response that is not JSON, such as "application/pdf"

	newBody, newAnswer func() any
	headers            []string   // flagged headers that it takes
	deletes            []deletion // members of the body that delete the record
}

// deletion is a member of a body with the value that deletes the record.
type deletion struct{ member, value string }

// Area returns the name of the service of the client, such as "Fees".
func (o Operation) Area() string {
	area, _, _ := strings.Cut(o.GoMethod, ".")
	return area
}

// NewBody returns a pointer to an empty body, such as a *models.FeePatch, or
// nil if the operation has no body.
func (o Operation) NewBody() any { return made(o.newBody) }

// NewAnswer returns a pointer to an empty record of the response, or nil if the
// response has none. For a list, it is a record of the list.
func (o Operation) NewAnswer() any { return made(o.newAnswer) }

// Deletes reports whether a call with this body, in JSON, deletes a record: by
// its method DELETE, or by a member such as the status Deleted of a matter.
// Names and values are compared without case. The body may be nil.
func (o Operation) Deletes(body []byte) bool {
	if o.Method == http.MethodDelete {
		return true
	}
	var sent map[string]any
	_ = json.Unmarshal(body, &sent) // a body that is no object sets no member
	for name, value := range sent {
		for _, d := range o.deletes {
			if strings.EqualFold(name, d.member) && strings.EqualFold(fmt.Sprint(value), d.value) {
				return true
			}
		}
	}
	return false
}

func made(constructor func() any) any {
	if constructor == nil {
		return nil
	}
	return constructor()
}

// Operations returns the operations with a method of the client, by area.
func Operations() []Operation {
	all := slices.Clone(operationTable[:])
	for i := range all {
		all[i].Parameters = slices.Clone(all[i].Parameters)
		for j := range all[i].Parameters {
			all[i].Parameters[j].Values = slices.Clone(all[i].Parameters[j].Values)
		}
		all[i].Events, all[i].Regions, all[i].Identity = slices.Clone(all[i].Events), slices.Clone(all[i].Regions), slices.Clone(all[i].Identity)
	}
	return all
}

// operationOf returns the operation with an operationId, and reports whether
// there is one.
func operationOf(id string) (*Operation, bool) {
	i := slices.IndexFunc(operationTable[:], func(o Operation) bool { return o.ID == id })
	if i < 0 {
		return nil, false
	}
	return &operationTable[i], true
}
