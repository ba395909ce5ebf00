// Package replica keeps a copy of the firm's records in a database, for reports
// and other programs.
//
//	copied, err := replica.Open(ctx, db, client, replica.Options{})
//	…
//	err = copied.Sync(ctx) // repeat it, or call Run
//
// Each kind of record has a view, such as fees, without the deleted records,
// and a table, such as fees_all, with all records. The first columns are id,
// version, changed, deleted, and record with the whole record as JSON. Each
// string, number, time and link has a column. In PostgreSQL an amount is
// NUMERIC. In SQLite it is the text that the service sent, and in a second
// column (column_e4) a whole number of ten-thousandths, so that sums are exact;
// the second column is NULL where the number would not be exact. The view
// copy_status shows the copy's progress, and the table changes lists the changes
// in the order of their transactions.
//
// A copy lags behind: it contains what the lists showed when they were last
// requested. A record that is missing from a list does not count as deleted
// until a read by its id confirms the deletion, or the record is missing from
// the full list twice in a row. Deleted records remain in the copy and are
// marked as deleted.
package replica
