// Package csvfile reads the CSV files that people save from spreadsheets, and
// writes CSV files that spreadsheets open without executing a cell.
//
// A file that is read may be UTF-8 or UTF-16, with or without a byte order
// mark, with LF or CRLF, and separated by commas, semicolons or tabs. Nothing
// else is guessed: other bytes, a second possible separator, a missing column
// and a value that its parser rejects are errors that name the line.
package csvfile
