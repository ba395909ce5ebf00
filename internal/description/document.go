// Package description reads the description of the interface, api/*.yaml, into
// Go types. Everything that is generated derives from these types.
package description

// Document is the whole description.
type Document struct {
	Areas []*Area // by file name
	// Schemas holds every schema by its name in the interface, Enums every
	// enumeration by its name.
	Schemas map[string]*Schema
	Enums   map[string]*Enum
	// Payloads tells what the notifications of some types of events carry.
	Payloads []Payload
}

// Operation is the operation with that id, or nil.
func (d *Document) Operation(id string) *Operation {
	for _, a := range d.Areas {
		for _, o := range a.Operations {
			if o.ID == id {
				return o
			}
		}
	}
	return nil
}

// At is the operation with a method and a path, or nil.
func (d *Document) At(httpMethod, path string) *Operation {
	for _, a := range d.Areas {
		for _, o := range a.Operations {
			if o.HTTPMethod == httpMethod && o.Path == path {
				return o
			}
		}
	}
	return nil
}

// Payload is what notifications of one type of event carry.
type Payload struct {
	Event  string
	Schema *Schema
}

// Area is one file: the operations of one service of the client, and the
// schemas and enumerations that belong there. The area common has no
// operations.
type Area struct {
	Name       string // ActivityCodes
	File       string // activitycodes
	Doc        string // full sentences
	Operations []*Operation
	Schemas    []*Schema
	Enums      []*Enum
	Pos        Pos
}

// Operation is one operation of the interface.
type Operation struct {
	ID         string // listActivityCodes
	Method     string // of the client: List; empty when it offers none
	HTTPMethod string // GET
	Path       string // /activitycodes
	Area       *Area
	Summary    string // the first sentence of Doc
	// Doc is the comment of the method without its name: full sentences that
	// begin with a verb, in paragraphs that an empty line separates. WalkDoc
	// and ModifyDoc are what is said of the walk and of Modify besides what
	// follows from the description.
	Doc, WalkDoc, ModifyDoc string
	Class                   string // read, idempotentWrite, create
	// PathParameters stand in the order of the path. Query holds the parameters
	// that the file names; those of paging and change filters are in Paging.
	PathParameters, Query []*Parameter
	Body                  *Body
	Sample                string // of the body, JSON; empty without a body
	Answer                *Type  // nil: empty; a list has the shape that Paging tells
	Status                int    // of success
	OtherStatus           int    // of success too, with Answer, while Status then comes without a body; 0 for none
	Media                 string // of the answer when it is not JSON, for example application/pdf
	Paging                *Paging
	Scope                 string   // for example activitycodes/read; empty when none is listed
	Grant                 *Grant   // which tokens it takes; nil: all
	Events                []string // types of webhook events that it probably causes; error is not among them
	Errors                []Error  // that the interface lists
	Callback              *Schema  // of what the service sends to the address in the body

	Async      bool // answers before the change is made
	Replaces   bool // what the body leaves out is lost
	Money      bool // changes what somebody pays or gets
	Late       bool // a record that does not exist is told by an error event, not by the answer
	Unlisted   bool // may need a special agreement
	Deprecated bool
	Planned    bool // the client does not offer it yet
	Version    bool // takes the header Version, a number whose meaning is not published
	// SystemAccount tells that the account of system subscriptions may call it
	// too.
	SystemAccount bool
	Unusable      bool // its path has lost its prefix in the interface, so nothing can be made of it
	Pos           Pos
}

// Grant is what an operation demands of the grant that a token comes from.
type Grant struct {
	Needs   string // ClientCredentials or ActingUser
	Refusal int    // the status of the answer without it
	// Parameter and Value narrow it to calls with the value in their path;
	// empty for all.
	Parameter, Value string
}

// An operation may demand a token of the client itself, or a user, whose token
// it is or whom the header UserId names.
const (
	ClientCredentials = "clientCredentials"
	ActingUser        = "user"
)

// Error is a status that the interface lists for an operation.
type Error struct {
	Status int
	NoBody bool
}

// Body is the body of a request.
type Body struct {
	Type     *Type // of one element when List
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

// Paging tells how the records of a list are read.
type Paging struct {
	Style          string // offset, links, limit, none
	Offset, Limit  string // names of the two parameters; empty without
	Cursor         string // name of the parameter that goes on from a cursor; empty without
	LimitDefault   string
	OffsetDefault  string
	Shape          string // page, collection, array, record; the first of Shapes
	Shapes         []string
	Since          []ChangeFilter
	SinceExclusive bool // only one of the change filters at a time
}

// ChangeFilter is a query parameter that asks for what changed since then.
type ChangeFilter struct {
	Name       string
	Kind       string // ticks, time, "ticks or time"
	Deprecated bool
}

// SchemaKind says what a schema is for.
type SchemaKind string

// The kinds of schemas. Only records and values are read, only bodies are sent.
const (
	Record     SchemaKind = "record" // has the link members href, relation, method, self besides Members
	Value      SchemaKind = "value"  // part of a record, or an answer without link members
	BodySchema SchemaKind = "body"   // closed: nothing but its members is taken
	Page       SchemaKind = "page"   // a page with members of its own besides the envelope
)

// Schema is an object of the interface.
type Schema struct {
	Name    string // in the interface
	GoName  string
	Doc     string // the predicate of a sentence whose subject is the name, and further sentences
	Area    *Area
	Kind    SchemaKind
	Like    *Schema // whose sentences its members have unless they have their own
	Regions []string
	Elem    *Schema // of a Page
	Members []*Member
	Rules   []Rule // of a BodySchema
	Planned bool   // reached only by planned operations
	Pos     Pos
}

// Member is a member of a schema.
type Member struct {
	Name   string // in JSON
	GoName string
	Doc    string // the predicate of a sentence whose subject is the name, and further sentences
	Type   *Type

	Required, Nullable, ReadOnly, Deprecated bool
	Always                                   bool   // of a record: belongs to what identifies it, so that it always has a value
	Secret                                   bool   // must not be logged; models.Secret
	Clears                                   bool   // null in a body says something else than leaving it out: it clears
	Personal                                 bool   // personal data that must not be logged
	LiteralPrefix                            bool   // the literal name carries the vendor's prefix
	Unit                                     string // dollars, cents, percent, minutes, units, bytes; empty when none
	Target                                   string // which records it points to, for example contacts
	Regions                                  []string
	Fate                                     Fate   // of a body, when the record is converted: Instruction or Unreadable; empty when it can be read back
	From                                     string // the member of the record that it is, when the names differ
	Pos                                      Pos
	Rules
}

// Rules bound a value.
type Rules struct {
	MinLength, MaxLength, MaxItems *int
	Minimum, Maximum               *string
	Default                        string
	Pattern                        string
	Format                         string   // uri, or empty
	Only                           []string // the values of the enumeration that are allowed here; empty for all
	Closed                         bool     // other values of the enumeration are refused
	AnyZone                        bool     // an instant may come without a zone
}
