// Package acceptance tests rules that hold for the whole client, whichever area
// a call belongs to. Tests of one area stand beside it in the root.
package acceptance
