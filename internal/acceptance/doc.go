// Package acceptance tests rules that hold for the whole client. Tests of one
// area are in the root, beside the code of the area.
package acceptance
