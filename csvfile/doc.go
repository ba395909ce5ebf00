// Package csvfile reads the CSV files that people save from spreadsheets, and
// writes CSV files whose cells spreadsheets do not execute.
//
// The package reads files in UTF-8 or UTF-16, with or without a byte order
// mark, with LF or CRLF, and with commas, semicolons or tabs as separators. It
// does not guess anything else: other bytes, a second possible separator, a
// missing column, or a value that its parser rejects causes an error that names
// the line.
package csvfile
