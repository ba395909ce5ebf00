package models

// Paging holds the position of a page inside its collection. It is embedded in the collections. A collection
// without paging leaves all of it absent. Specification, Common shapes.
type Paging struct {
	// Offset is the position of the first item of the page, counted in items from 0. May be absent.
	// Specification, Common shapes.
	Offset Opt[int] `json:"offset"`
	// Limit is the page size that was asked for, in items; the page may hold fewer. May be absent.
	// Specification, Common shapes.
	Limit Opt[int] `json:"limit"`
	// Size is probably the number of items on all pages together; the specification leaves its meaning open.
	// May be absent. Specification, Common shapes.
	Size Opt[int] `json:"size"`
	// First links to the first page. The zero Link when absent. Specification, Common shapes.
	First Link `json:"first"`
	// Previous links to the page before this one. The zero Link on the first page, and often elsewhere.
	// Specification, Common shapes.
	Previous Link `json:"previous"`
	// Next links to the page after this one. The zero Link on the last page. Specification, Common shapes.
	Next Link `json:"next"`
	// Last links to the last page. The zero Link when absent. Specification, Common shapes.
	Last Link `json:"last"`
}

// Collection is the answer of a list operation: one page of records and its position. A bare array is read
// into Items. One undecodable record costs that record only; it is reported apart from the collection.
// Specification, Common shapes.
type Collection[T any] struct {
	Hypermedia
	// ID identifies the collection; usually empty. Specification, Common shapes.
	ID string `json:"id"`
	// Items holds the records of this page in the order of the service. Empty when absent.
	// Specification, Common shapes.
	Items []T `json:"value" codec:"isolate"`
	Paging
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}
