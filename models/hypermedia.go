package models

// Hypermedia holds the hypermedia members of records. It is embedded in the
// records.
type Hypermedia struct {
	// Href is the URL of the record. Empty when absent.
	Href string `json:"href"`
	// Relation is the kind of the record; the service also writes it as rel.
	// Empty when absent.
	Relation string `json:"relation"`
	// Method is the HTTP method for Href; empty means GET.
	Method string `json:"method"`
	// Self links to the record itself. The zero Link when absent.
	Self Link `json:"self"`
}
