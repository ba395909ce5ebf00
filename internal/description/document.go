// Package description reads the description of the API, api/*.yaml, into Go
// types. Everything that is generated derives from these types.
package description

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Document is the whole description.
type Document struct {
	Areas []*Area // by file name
	// Schemas holds every schema by its name in the API, Enums every
	// enumeration by its name.
	Schemas map[string]*Schema
	Enums   map[string]*Enum
	// Payloads lists the payloads of webhook notifications by type of event.
	Payloads []Payload
	// Kinds holds the kinds of record that a copy can have, parents first.
	Kinds []*CopiedKind
}

// Operations yields every operation, area by area.
func (d *Document) Operations() iter.Seq[*Operation] {
	return func(yield func(*Operation) bool) {
		for _, a := range d.Areas {
			for _, o := range a.Operations {
				if !yield(o) {
					return
				}
			}
		}
	}
}

// Operation returns the operation with an id, or nil.
func (d *Document) Operation(id string) *Operation {
	return d.find(func(o *Operation) bool { return o.ID == id })
}

// At returns the operation with a method and a path, or nil.
func (d *Document) At(httpMethod, path string) *Operation {
	return d.find(func(o *Operation) bool { return o.HTTPMethod == httpMethod && o.Path == path })
}

func (d *Document) find(is func(*Operation) bool) *Operation {
	for o := range d.Operations() {
		if is(o) {
			return o
		}
	}
	return nil
}

// Neighbours returns the literal segments of other paths at the position of a
// parameter, such as types in /webhooks/types for /webhooks/{id}: an id that is
// one of them reaches another operation.
func (d *Document) Neighbours(o *Operation, parameter string) (literals []string) {
	own := strings.Split(o.Path, "/")
	at := slices.Index(own, "{"+parameter+"}")
	for other := range d.Operations() {
		theirs := strings.Split(other.Path, "/")
		if len(theirs) != len(own) || isParameter(theirs[at]) {
			continue
		}
		literal := theirs[at]
		theirs[at] = own[at]
		if slices.EqualFunc(own, theirs, func(a, b string) bool { return a == b || isParameter(a) && isParameter(b) }) {
			literals = append(literals, literal)
		}
	}
	slices.Sort(literals)
	return slices.Compact(literals)
}

func isParameter(segment string) bool { return strings.HasPrefix(segment, "{") }

// Payload is the payload of the notifications of one type of event.
type Payload struct {
	Event  string
	Schema *Schema
}

// Area is the content of one file: the operations of one service of the client,
// with their schemas and enumerations. The area common has no operations.
type Area struct {
	Name       string // such as ActivityCodes
	File       string // such as activitycodes
	Doc        string // full sentences
	Operations []*Operation
	Schemas    []*Schema
	Enums      []*Enum
	Pos        Pos
}

// Operation is one operation of the API.
type Operation struct {
	ID         string // such as listActivityCodes
	Method     string // method of the client, such as List; empty if it has none
	HTTPMethod string // such as GET
	Path       string // such as /activitycodes
	Area       *Area
	Summary    string // first sentence of Doc
	// Doc is the comment of the method without its name: full sentences that
	// begin with a verb, in paragraphs separated by empty lines. WalkDoc and
	// ModifyDoc are sentences about the walk and about Modify that do not
	// follow from the description.
	Doc, WalkDoc, ModifyDoc string
	Class                   string // read, idempotentWrite, create
	// PathParameters are in the order of the path. Query holds the parameters
	// of the query, except those of paging and change filters, which are in
	// Paging.
	PathParameters, Query []*Parameter
	Body                  *Body
	Sample                string    // JSON text of a sample body; empty without a body
	Answer                *Type     // nil if the response is empty; Paging holds the shape of a list
	Identity              []*Member // members of the Answer of which one has the last id in the path; none if the response need not name it
	Alias                 string    // may stand in the path for an id that the caller need not know; empty: none
	Status                int       // status of a success
	OtherStatus           int       // second success status, which has the Answer while Status has no body; 0 if there is none
	Media                 string    // media type of the response if it is not JSON, such as application/pdf
	Paging                *Paging
	Scope                 string      // scope, such as activitycodes/read; empty if none is listed
	Grant                 *Grant      // tokens that the operation accepts; nil means all
	Events                []string    // types of webhook events that it probably causes, except error
	Errors                []Error     // errors that the API lists
	Callback              *Schema     // schema of the request that the service sends to the URL in the body
	Copied                *CopiedKind // what a copy of the firm's records makes of it; nil if it is not copied
	NotCopied             string      // why a list is not copied
	Assistants            string      // Allowed, or why an assistant may not call it; empty if nobody has decided

	Async      bool // the service responds before it makes the change
	Replaces   bool // omitted members of the body are cleared
	Money      bool // changes an amount that somebody pays or receives
	Late       bool // a missing record is reported by an error event and not by the response
	Unlisted   bool // may need a special agreement
	Deprecated bool
	// Headers are the flagged headers that it takes, such as Version, a number
	// without a published meaning.
	Headers []string
	// SystemAccount reports that the account of system subscriptions may call
	// it as well.
	SystemAccount bool
	Pos           Pos
}

// Grant restricts the access tokens that an operation accepts.
type Grant struct {
	Needs   string // ClientCredentials or ActingUser
	Refusal int    // status of the response to any other token
	// Parameter and Value restrict the Grant to calls with this value in the
	// path. If they are empty, it applies to all calls.
	Parameter, Value string
}

// Needed describes the tokens that an operation accepts.
func (g *Grant) Needed() string {
	words := map[string]string{
		ClientCredentials: "a token from the client credentials grant",
		ActingUser:        "a user, set by the access token or the `UserId` header",
	}[g.Needs]
	if g.Parameter != "" {
		words += fmt.Sprintf(" when `%s` is `%s`", g.Parameter, g.Value)
	}
	return words
}

// Values of Needs. ClientCredentials requires a token of the client itself,
// ActingUser a token of a user or a user in the header UserId.
const (
	ClientCredentials = "clientCredentials"
	ActingUser        = "user"
)

// Error is a status that the API lists for an operation.
type Error struct {
	Status int
	NoBody bool
}

// Body is the body of a request.
type Body struct {
	Type     *Type // type of one element if List is set
	Required bool
	List     bool
}

// Parameter is a parameter in the path or the query.
type Parameter struct {
	Name, Doc  string
	Type       *Type
	Required   bool
	Deprecated bool
	Target     string
	Pos        Pos
	Rules
}

// Paging describes how to read the records of a list.
type Paging struct {
	Style          string // one of offset, links, limit and none
	Offset, Limit  string // names of the two parameters; empty if there are none
	Cursor         string // name of the parameter for a cursor; empty if there is none
	LimitDefault   string
	OffsetDefault  string
	Shape          string // first of Shapes: page, collection, array or record
	Shapes         []string
	Since          []ChangeFilter
	SinceExclusive bool // a request may have only one of the change filters
}

// ChangeFilter is a query parameter that selects records changed since a time.
type ChangeFilter struct {
	Name       string
	Kind       string // one of ticks, time, and "ticks or time"
	Deprecated bool
}

// SchemaKind is the use of a schema.
type SchemaKind string

// Kinds of schemas. Responses contain only records and values, requests only
// bodies.
const (
	Record     SchemaKind = "record" // has the link members href, relation, method and self besides Members
	Value      SchemaKind = "value"  // part of a record, or a response without link members
	BodySchema SchemaKind = "body"   // the service accepts no other members
	Page       SchemaKind = "page"   // a page with members of its own besides the envelope
)

// Schema is an object of the API.
type Schema struct {
	Name    string // name in the API
	GoName  string
	Doc     string // predicate of a sentence whose subject is the name, and further sentences
	Area    *Area
	Kind    SchemaKind
	Like    *Schema // schema that provides the sentences of members that have none
	Regions []string
	Elem    *Schema // type of the elements of a Page
	Members []*Member
	Rules   []Rule // rules of a BodySchema
	Pos     Pos
}

// Member is a member of a schema.
type Member struct {
	Name   string // name in JSON
	GoName string
	Doc    string // predicate of a sentence whose subject is the name, and further sentences
	Type   *Type

	Required, Nullable, ReadOnly, Deprecated bool
	// Always marks what identifies a record: its id, its version, what it lies
	// below. The embedded service gives it a value in every rendering. It is not
	// Required, since a few recorded responses of the service lack it.
	Always        bool
	Secret        bool   // must not be logged; its type is models.Secret
	Clears        bool   // null clears the member of a body; omitting it does not
	Personal      bool   // personal data that must not be logged
	FreeText      bool   // text that people write, which may name anybody and must not be logged
	LiteralPrefix bool   // the name in the API has the vendor's prefix
	Unit          string // one of dollars, cents, percent, minutes, units, bytes, and digits (a number that names something, such as a bank account); empty if there is none
	Target        string // kind of the records to which it refers, such as contacts
	Deletes       string // value of the member of a body that deletes the record; "" if none does
	Regions       []string
	Fate          Fate   // for a member of a body, how a conversion treats it: Instruction or Unreadable; empty if it can be read back
	From          string // corresponding member of the record, if its name differs
	Pos           Pos
	Rules
}

// Rules restrict a value.
type Rules struct {
	MinLength, MaxLength, MaxItems *int
	Minimum, Maximum               *string
	Default                        string
	Pattern                        string
	Format                         string   // "uri" or empty
	Only                           []string // values of the enumeration that are allowed; empty means all
	Closed                         bool     // other values of the enumeration are refused; by rule in requests, unless it is open
	AnyZone                        bool     // an instant may lack a zone
}
