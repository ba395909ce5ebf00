package replica

import (
	"fmt"
	"slices"
	"strings"

	practice "github.com/practicesdk/practice-go"
)

// kind describes one kind of record by the operations that return it. The table
// of all kinds follows from the description of the API.
type kind struct {
	name  string // name of its view
	list  string // operation that lists the records, or reads the only one below its parent
	get   string // operation that reads one by its id; empty: there is none
	event string // first part of the types of its events; empty: there are none
	below string // kind of the parents, each of which has a list; empty: the firm has one list

	key       string         // member that identifies a record
	since     string         // parameter of the list for changed records; empty: there is none
	fields    string         // members that the list has only on request
	shared    bool           // whether two parents may have records with the same id
	off       bool           // whether it is copied only if named, since each parent costs a request
	arguments map[string]any // for lists that leave records out by default

	listing, reading practice.Operation
	columns          []column
	omitted          []string // members that are not stored
	impersonal       bool     // whether the copy has no personal data
}

// single reports whether a parent has one record instead of a list.
func (k *kind) single() bool { return k.listing.AnswerForm == practice.AnswerRecord }

// Kinds returns the names of all kinds that a copy can hold, parents first.
func Kinds() []string {
	var names []string
	for _, k := range table() {
		names = append(names, k.name)
	}
	return names
}

// chosen returns the named kinds with their parents, or by default all that are
// not off.
func chosen(names []string) ([]*kind, error) {
	all := table()
	wanted := map[string]bool{}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(k *kind) bool { return k.name == name }) {
			return nil, fmt.Errorf("replica: unknown kind of record %q; the kinds are %s", name, strings.Join(Kinds(), ", "))
		}
		wanted[name] = true
	}
	operations := map[string]practice.Operation{}
	for _, o := range practice.Operations() {
		operations[o.ID] = o
	}
	for _, k := range slices.Backward(all) { // parents stand before the kinds below them
		if wanted[k.name] = wanted[k.name] || names == nil && !k.off; wanted[k.name] && k.below != "" {
			wanted[k.below] = true
		}
	}
	all = slices.DeleteFunc(all, func(k *kind) bool { return !wanted[k.name] })
	for _, k := range all {
		k.listing, k.reading = operations[k.list], operations[k.get]
		k.columns, k.omitted = columnsOf(k), secretsOf(k)
	}
	return all, nil
}

// inPath returns the arguments of an operation for the ids in its path, in order.
func inPath(o practice.Operation, ids ...string) map[string]any {
	arguments := map[string]any{}
	for _, p := range o.Parameters {
		if p.In == practice.InPath && len(ids) > 0 {
			arguments[p.Name], ids = ids[0], ids[1:]
		}
	}
	return arguments
}

// parentColumn returns the name of the column with the id of the parent, such
// as matter_id.
func (k *kind) parentColumn() string { return strings.TrimSuffix(k.below, "s") + "_id" }
