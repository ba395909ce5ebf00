package main

import (
	"bytes"
	"fmt"
	"strings"
)

// renderPrefixed writes the methods that find the members with the vendor's
// prefix.
func (g *generator) renderPrefixed(b *bytes.Buffer, r *record) {
	fmt.Fprintln(b)
	comment(b, "ApplyVendorPrefix sets the fields whose JSON name contains the vendor's name from the members of Extra with"+
		" the exact names, also in nested records. A field without such a member becomes empty. An empty prefix changes"+
		" nothing.")
	fmt.Fprintf(b, "func (x *%s) ApplyVendorPrefix(prefix string) {\n", r.name)
	for _, f := range r.fields {
		switch {
		case f.prefix:
			head, tail := aroundPrefix(f.json)
			fmt.Fprintf(b, "takePrefixed(x.Extra, %q, prefix, %q, &x.%s)\n", head, tail, f.name)
		case !g.holdsPrefixed(f):
		case f.typ.shape == shapeList:
			fmt.Fprintf(b, "for i := range x.%s {\nx.%s[i].ApplyVendorPrefix(prefix)\n}\n", f.name, f.name)
		default:
			fmt.Fprintf(b, "x.%s.ApplyVendorPrefix(prefix)\n", f.name)
		}
	}
	fmt.Fprintf(b, "}\n")
	if !r.after() {
		return
	}
	fmt.Fprintf(b, "\nfunc (x *%s) afterUnmarshal() {\n", r.name)
	for _, f := range r.fields {
		if f.prefix {
			head, tail := aroundPrefix(f.json)
			fmt.Fprintf(b, "findPrefixed(x.Extra, %q, %q, &x.%s)\n", head, tail, f.name)
		}
	}
	fmt.Fprintf(b, "}\n")
}

// aroundPrefix returns the parts of a member's name before and after the
// vendor's prefix, which the description writes as vendor or Vendor. Without
// one it returns the name and "".
func aroundPrefix(name string) (head, tail string) {
	if rest, ok := strings.CutPrefix(name, "vendor"); ok {
		return "", rest
	}
	head, tail, _ = strings.Cut(name, "Vendor")
	return head, tail
}
