package models

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
