package operations

// Rows returns the arguments that are written by hand, by operation id.
var Rows = rowsOf
