// Package costs tests what calls, lists, records, deliveries and transfers
// allocate. costs.tsv holds a row for each class of them, so that a change that
// makes one dearer shows it in its diff.
package costs
