package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// renderTable writes the table of a record, and the method that gives shared
// code access to the record and its fields.
func (g *generator) renderTable(b *bytes.Buffer, r *record) {
	table := lower(r.name) + "Table"
	fmt.Fprintf(b, "\n// %s must not be modified.\nvar %s = table{\nnames: []string{\n", table, table)
	renderNames(b, r)
	fmt.Fprintf(b, "},\n")
	var always []string
	for i, f := range r.wire() {
		if f.always {
			always = append(always, strconv.Itoa(i))
		}
	}
	if len(always) > 0 {
		fmt.Fprintf(b, "always: []int{%s},\n", strings.Join(always, ", "))
	}
	if r.body {
		g.renderRules(b, r)
		fmt.Fprintf(b, "closed: true,\n")
	}
	if r.after() {
		fmt.Fprintf(b, "after: true,\n")
	}
	fmt.Fprintf(b, "}\n\nfunc (x *%s) field(number int) any {\nswitch number {\n", r.name)
	for i, f := range r.wire() {
		fmt.Fprintf(b, "case %d:\nreturn %s\n", i, f.pointer())
	}
	if !r.body {
		fmt.Fprintf(b, "case extraField:\nreturn &x.Extra\n")
	}
	fmt.Fprintf(b, "}\nreturn &%s\n}\n", table)
}

// pointer returns the expression through which shared code accesses the field.
func (f field) pointer() string {
	switch t := f.typ; {
	case t.shape == shapeAdapted:
		return fmt.Sprintf("(*%s)(&x.%s)", t.adapter, f.name)
	case t.shape == shapeEnum && t.enum.Number:
		return fmt.Sprintf("(*int)(&x.%s)", f.name)
	case t.shape == shapeEnum:
		return fmt.Sprintf("(*string)(&x.%s)", f.name)
	default:
		return "&x." + f.name
	}
}
