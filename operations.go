package practice

import (
	"slices"
	"strings"
)

// OperationClass states whether an operation may be executed twice.
type OperationClass string

// The classes of operations. A failed call of the first two is repeated, a
// create only when it was certainly not executed.
const (
	OperationRead            OperationClass = "read"
	OperationIdempotentWrite OperationClass = "idempotentWrite"
	OperationCreate          OperationClass = "create"
)

// ParameterPlace is where a request holds a parameter.
type ParameterPlace string

// The places of parameters.
const (
	InPath  ParameterPlace = "path"
	InQuery ParameterPlace = "query"
)

// ParameterKind is the type of a parameter. [Client.Call] says which Go values
// it takes for each.
type ParameterKind string

// The kinds of parameters.
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
	Name       string // as published
	In         ParameterPlace
	Kind       ParameterKind
	Doc        string   // one or more sentences
	Values     []string // the published values; nil when there are none
	Repeated   bool     // takes several values
	Required   bool
	Deprecated bool
}

// AnswerForm is the form of a successful answer.
type AnswerForm string

// The forms of answers. An operation whose answer is empty has none of them.
const (
	AnswerRecord AnswerForm = "record"
	AnswerList   AnswerForm = "list"  // one answer holds the whole list
	AnswerPages  AnswerForm = "pages" // a list by pages, for CallAll
)

// Operation describes an operation of the service, for programs that choose
// operations at run time.
type Operation struct {
	ID       string // operationId of the interface, such as "patchFee"
	GoMethod string // method of the client, such as "Fees.Patch"
	GoAll    string // method that yields the whole list, such as "Fees.All"; empty for others
	Method   string // HTTP method
	Path     string // template below the base address
	Doc      string // paragraphs, separated by empty lines
	Class    OperationClass
	Scope    string   // scope that a token needs, such as "fees/read"; empty when none is published
	Grant    string   // accepted kinds of token, in words; empty for any
	Events   []string // types of events that it probably causes
	Regions  []string // countries that its records are for; nil for any

	Async        bool // answers before the change is made
	Money        bool // changes what somebody pays or gets
	Replaces     bool // clears what the body leaves out
	Deprecated   bool
	TakesVersion bool // takes WithVersion

	Parameters   []Parameter
	Body         string // Go type of the body, such as "models.FeePatch"; empty without a body
	BodyRequired bool
	Sample       string // sample body in JSON; empty without a body
	Answer       string // Go type of the record in the answer; empty for none
	AnswerForm   AnswerForm
	Media        string // media type of an answer that is not JSON, such as "application/pdf"

	newBody, newAnswer func() any
}

// Area returns the name of the service of the client, such as "Fees".
func (o Operation) Area() string {
	area, _, _ := strings.Cut(o.GoMethod, ".")
	return area
}

// NewBody returns a pointer to an empty body, such as a *models.FeePatch, or
// nil for an operation without a body.
func (o Operation) NewBody() any { return made(o.newBody) }

// NewAnswer returns a pointer to an empty record of the answer, or nil for an
// operation whose answer has none. The record of a list is one of its elements.
func (o Operation) NewAnswer() any { return made(o.newAnswer) }

func made(constructor func() any) any {
	if constructor == nil {
		return nil
	}
	return constructor()
}

// Operations returns the operations that the client has methods for, by area.
func Operations() []Operation {
	all := slices.Clone(operationTable[:])
	for i := range all {
		all[i].Parameters = slices.Clone(all[i].Parameters)
		for j := range all[i].Parameters {
			all[i].Parameters[j].Values = slices.Clone(all[i].Parameters[j].Values)
		}
		all[i].Events, all[i].Regions = slices.Clone(all[i].Events), slices.Clone(all[i].Regions)
	}
	return all
}

// operationOf returns the operation with an operationId.
func operationOf(id string) (*Operation, bool) {
	i := slices.IndexFunc(operationTable[:], func(o Operation) bool { return o.ID == id })
	if i < 0 {
		return nil, false
	}
	return &operationTable[i], true
}
