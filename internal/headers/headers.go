// Package headers holds the headers of the service that a call may carry. A
// header is a row of All and an option: sending, refusing, reserving, resetting
// and the description follow from the row.
package headers

// ID is the position of a header in All and in Values.
type ID int

// The headers of the service.
const (
	RequestID ID = iota
	UserID
	ResourceID
	ExternalID
	Version
	count
)

// Takes is the set of calls that take a header.
type Takes int

// Every call takes a header, each create, or each operation whose description
// has its flag.
const (
	Every Takes = iota
	Creates
	Flagged
)

// Header describes a header of the service.
type Header struct {
	Name   string // as the service writes it
	Key    string // its key in an http.Header
	Option string // option that sets it
	Takes  Takes
	Else   string // why a call that does not take it refuses the option
	Flag   string // flag of the operations in api/ that take it
	// PerRequest marks a header of a single request: a further request that a
	// call makes for itself goes without it.
	PerRequest bool
	// Type and Format are those of the schema of the description. A header
	// without a Type is not described: the service offers it to partners only.
	Type, Format string
}

// All holds every header, by ID. It must not be modified.
var All = [count]Header{
	RequestID:  {Name: "RequestId", Key: "Requestid", Option: "WithRequestID", PerRequest: true, Type: "string"},
	UserID:     {Name: "UserId", Key: "Userid", Option: "WithUserID", Type: "string", Format: "uuid"},
	ResourceID: {Name: "ResourceId", Key: "Resourceid", Option: "WithResourceID", Takes: Creates, Else: "applies only to creates", PerRequest: true},
	ExternalID: {Name: "ExternalId", Key: "Externalid", Option: "WithExternalID", Takes: Creates, Else: "applies only to creates", PerRequest: true},
	Version: {
		Name: "Version", Key: "Version", Option: "WithVersion", Takes: Flagged, Flag: "version",
		Else: "applies only to operations that accept the Version header", PerRequest: true, Type: "integer", Format: "int32",
	},
}

// Values holds the values of the headers of a call by ID; an empty one is not
// sent.
type Values [count]string

// Further returns the values for a further request that a call makes for
// itself.
func (v Values) Further() Values {
	for id, h := range All {
		if h.PerRequest {
			v[id] = ""
		}
	}
	return v
}
