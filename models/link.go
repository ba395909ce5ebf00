package models

// Link is the address of another record. Any of its members may be missing: a link may hold only an
// identifier, only an address, or nothing at all. Specification, Common shapes.
type Link struct {
	// ID identifies the target; not always a UUID (a contact may be MyFirm). Empty when absent.
	// Specification, Common shapes.
	ID string `json:"id"`
	// Href is the address of the target, absolute or relative to the base address. Empty when absent.
	// Specification, Common shapes.
	Href string `json:"href"`
	// Relation names what the target is, for example Matters; its case is not dependable. The service also
	// writes it as rel. Empty when absent. Specification, Common shapes.
	Relation string `json:"relation"`
	// Method is the HTTP method that reaches the target; GET is meant when it is empty.
	// Specification, Common shapes.
	Method string `json:"method"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// Hypermedia holds the hypermedia members that every record may carry. It is embedded in the records.
// Specification, Common shapes.
type Hypermedia struct {
	// Href is the address of the record. Empty when absent. Specification, Common shapes.
	Href string `json:"href"`
	// Relation names what the record is; the service also writes it as rel. Empty when absent.
	// Specification, Common shapes.
	Relation string `json:"relation"`
	// Method is the HTTP method that reaches the record; GET is meant when it is empty.
	// Specification, Common shapes.
	Method string `json:"method"`
	// Self links to the record itself. The zero Link when absent. Specification, Common shapes.
	Self Link `json:"self"`
}
