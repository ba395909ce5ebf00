package operations

// AreaOf returns the area that has the row of each operation.
var AreaOf = areaOf
