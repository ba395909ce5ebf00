package main

import (
	"bytes"
	"fmt"
	"slices"
)

// renderHot writes the code that reads and writes a record without a table.
func (g *generator) renderHot(b *bytes.Buffer, r *record) {
	names := lower(r.name) + "Members"
	fmt.Fprintf(b, "\n// %s must not be modified.\nvar %s = []string{\n", names, names)
	renderNames(b, r)
	fmt.Fprintf(b, "}\n")
	g.renderRead(b, r, names)
	g.renderWrite(b, r, names)
	if !r.body && slices.ContainsFunc(r.fields, func(f field) bool { return f.json == "id" && f.typ.name == "string" }) {
		fmt.Fprintf(b, "\nfunc (x *%s) id() string { return x.ID }\n", r.name)
	}
}

func (g *generator) renderRead(b *bytes.Buffer, r *record, names string) {
	fmt.Fprintf(b, "\nfunc (x *%s) read(r *codec.Reader) error {\n", r.name)
	if r.page != nil { // a bare list is read as a page
		fmt.Fprintf(b, "if r.Kind() == codec.KindList {\nreturn %s\n}\n", g.read(*r.page))
	}
	fmt.Fprintf(b, "var err error\n")
	if r.relation() {
		fmt.Fprintf(b, "var rel string\n")
	}
	fmt.Fprintf(b, "m := r.Members(%s)\nfor err == nil && m.Next() {\nswitch m.Index {\n", names)
	for i, f := range r.wire() {
		fmt.Fprintf(b, "case %d:\nerr = %s\n", i, g.read(f))
	}
	if r.relation() {
		fmt.Fprintf(b, "case %d:\nerr = codec.Text(&rel, r)\n", len(r.wire()))
	}
	fmt.Fprintf(b, "}\n}\n")
	if r.relation() {
		fmt.Fprintf(b, "x.Relation = m.Alias(x.Relation, %q, rel)\n", "rel")
	}
	extra := "x.Extra.text"
	if r.body {
		extra = "_"
	}
	fmt.Fprintf(b, "%s, err = m.End(err)\n", extra)
	if r.after() {
		fmt.Fprintf(b, "if err == nil {\nx.afterUnmarshal()\n}\n")
	}
	fmt.Fprintf(b, "return err\n}\n")
}

func (g *generator) renderWrite(b *bytes.Buffer, r *record, names string) {
	fmt.Fprintf(b, "\nfunc (x *%s) write(b []byte, w *codec.Writer) []byte {\nobject := len(b)\n", r.name)
	for _, f := range r.wire() {
		fmt.Fprintf(b, "%s\n", g.write(f))
	}
	if !r.body {
		if r.relation() {
			names = fmt.Sprintf("%s[:%d]", names, len(r.wire()))
		}
		fmt.Fprintf(b, "b = w.Extra(b, x.Extra.text, %s)\n", names)
	}
	fmt.Fprintf(b, "return codec.EndObject(b, object)\n}\n")
}

// read returns the call that reads a member into its field.
func (g *generator) read(f field) string {
	switch t := f.typ; t.shape {
	case shapeText, shapeInteger, shapeBoolean, shapeEnum:
		return fmt.Sprintf("%s(&x.%s, r)", g.reader(t), f.name)
	case shapeList:
		call := "List"
		if f.isolated {
			call = "Isolated"
		}
		return fmt.Sprintf("codec.%s(&x.%s, r, %s)", call, f.name, g.reader(*t.elem))
	case shapeOption:
		return fmt.Sprintf("readOpt(&x.%s, r, %s)", f.name, g.reader(*t.elem))
	case shapeAdapted:
		return f.pointer() + ".read(r)"
	case shapeRecord:
		if !g.isHot(t) {
			return fmt.Sprintf("readTabled(&x.%s, r)", f.name)
		}
	}
	return fmt.Sprintf("x.%s.read(r)", f.name)
}

// isHot reports whether a record has its own code. Records that are not in g
// are hand-written and have it.
func (g *generator) isHot(t goType) bool { return t.schema == nil || g.hot(t.schema) }

// reader returns the function that reads a value of the type.
func (g *generator) reader(t goType) string {
	switch t.shape {
	case shapeText:
		return "codec.Text"
	case shapeInteger:
		return "codec.Int"
	case shapeBoolean:
		return "codec.Bool"
	case shapeEnum:
		if t.enum.Number {
			return "codec.Int"
		}
		return "codec.Text"
	case shapeList:
		return fmt.Sprintf("func(v *%s, r *codec.Reader) error { return codec.List(v, r, %s) }", t.name, g.reader(*t.elem))
	case shapeRecord:
		if !g.isHot(t) {
			return fmt.Sprintf("func(v *%s, r *codec.Reader) error { return readTabled(v, r) }", t.name)
		}
	}
	return fmt.Sprintf("(*%s).read", t.name)
}

// write returns the statement that writes a member from its field.
func (g *generator) write(f field) string {
	t, place := f.typ, "x."+f.name
	if t.shape == shapeOption {
		return fmt.Sprintf("switch %s.state {\ncase optSome:\n%s\ncase optNull:\nb = append(b, `,%q:null`...)\n}",
			place, g.writeMember(*t.elem, f.json, place+".value"), f.json)
	}
	switch {
	case f.always:
		return g.writeMember(t, f.json, place)
	case t.shape == shapeRecord && g.isHot(t):
		return fmt.Sprintf("b = codec.RecordMember(b, w, `,%q:`, &%s, (*%s).write)", f.json, place, t.name)
	case t.shape == shapeRecord, t.shape == shapeAdapted:
		return fmt.Sprintf("b = writeField(%s, %q, false, b, w)", f.pointer(), f.json)
	}
	return fmt.Sprintf("if %s {\n%s\n}", present(t, place), g.writeMember(t, f.json, place))
}

// present returns the condition under which a value is written.
func present(t goType, v string) string {
	switch {
	case t.shape == shapeText, t.shape == shapeEnum && !t.enum.Number:
		return v + ` != ""`
	case t.shape == shapeInteger, t.shape == shapeEnum:
		return v + " != 0"
	case t.shape == shapeBoolean:
		return v
	case t.shape == shapeList:
		return v + " != nil"
	default:
		return "!" + v + ".IsZero()"
	}
}

// writeMember returns the statement that writes a member with a value of the
// type.
func (g *generator) writeMember(t goType, name, v string) string {
	name = fmt.Sprintf("append(b, `,%q:`...)", name)
	if t.shape == shapeList {
		return fmt.Sprintf("b = %s\nlist := len(b)\nfor i := range %s {\nb = %s\n}\nb = codec.EndList(b, list)",
			name, v, g.writeValue(*t.elem, "append(b, ',')", v+"[i]"))
	}
	return "b = " + g.writeValue(t, name, v)
}

// writeValue returns the call that appends a value to b.
func (g *generator) writeValue(t goType, b, v string) string {
	switch t.shape {
	case shapeText:
		return fmt.Sprintf("w.Text(%s, %s)", b, v)
	case shapeEnum:
		if t.enum.Number {
			return fmt.Sprintf("strconv.AppendInt(%s, int64(%s), 10)", b, v)
		}
		return fmt.Sprintf("w.Text(%s, string(%s))", b, v)
	case shapeInteger:
		if t.name == "int64" {
			return fmt.Sprintf("strconv.AppendInt(%s, %s, 10)", b, v)
		}
		return fmt.Sprintf("strconv.AppendInt(%s, int64(%s), 10)", b, v)
	case shapeBoolean:
		return fmt.Sprintf("strconv.AppendBool(%s, %s)", b, v)
	case shapeRecord:
		if !g.isHot(t) {
			return fmt.Sprintf("writeTabled(&%s, %s, w)", v, b)
		}
	}
	return fmt.Sprintf("%s.write(%s, w)", v, b)
}
