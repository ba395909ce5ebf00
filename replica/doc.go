// Package replica keeps a copy of the firm's records in a database, for reports
// and other programs.
//
//	copied, err := replica.Open(ctx, db, client, replica.Options{})
//	…
//	err = copied.Sync(ctx) // again and again; or Run, until ctx ends
//
// Each kind of record has a view such as fees without the deleted records, and
// a table such as fees_all with all of them: the id, the columns version,
// changed and deleted, a column for each member that is a text, a number, a
// time or a link, and the whole record as JSON. An amount is the text of the
// service, beside a whole number of ten-thousandths whose sums are exact
// (column_e4), or NULL where it is not exact. The view copy_status tells how
// far the copy is, and the table changes has the changes in the order of their
// transactions.
//
// A copy lags behind: it has what the lists showed when they were last asked.
// It never takes a record as deleted because a list does not have it: the
// record is read by its id, or missing from two walks in a row. Deleted records
// stay, marked.
package replica
