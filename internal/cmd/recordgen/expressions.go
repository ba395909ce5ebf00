package main

import "fmt"

// read is the call that reads the member into its field.
func (m member) read() string {
	switch k := m.kind; k.shape {
	case text, integer, boolean, param:
		return fmt.Sprintf("%s(&x.%s, r)", k.reader(), m.field)
	case list:
		call := "List"
		if m.isolate {
			call = "Isolated"
		}
		return fmt.Sprintf("codec.%s(&x.%s, r, %s)", call, m.field, k.elem.reader())
	case option:
		return fmt.Sprintf("readOpt(&x.%s, r, %s)", m.field, k.elem.reader())
	default:
		return fmt.Sprintf("x.%s.UnmarshalJSONFrom(r)", m.field)
	}
}

// reader is the function that reads a value of the kind.
func (k kind) reader() string {
	switch k.shape {
	case text:
		return "codec.Text"
	case integer:
		return "codec.Int"
	case boolean:
		return "codec.Bool"
	case param:
		return "readAny"
	case list:
		return fmt.Sprintf("func(v *%s, r *codec.Reader) error { return codec.List(v, r, %s) }", k.name, k.elem.reader())
	default:
		return fmt.Sprintf("(*%s).UnmarshalJSONFrom", k.name)
	}
}

// write is the statement that writes the member from its field.
func (m member) write() string {
	k, field, name := m.kind, "x."+m.field, "`,\""+m.name+"\":`"
	if k.shape == option {
		return fmt.Sprintf("switch %s.state {\ncase optSome:\n%s\ncase optNull:\nw.NullMember(%s)\n}",
			field, k.elem.member(name, field+".value"), name)
	}
	switch {
	case m.always:
		return k.member(name, field)
	case k.shape == nested, k.shape == param:
		return fmt.Sprintf("codec.RecordMember(w, %s, %s, %s)", name, field, k.writer())
	}
	return fmt.Sprintf("if %s {\n%s\n}", k.present(field), k.member(name, field))
}

// present is the condition under which a value of the kind is written.
func (k kind) present(v string) string {
	switch k.shape {
	case text:
		return v + ` != ""`
	case integer:
		return v + " != 0"
	case boolean:
		return v
	case list:
		return v + " != nil"
	default:
		return "!" + v + ".IsZero()"
	}
}

// basic is the type that the writer takes values of the kind as, or empty when they write themselves.
func (k kind) basic() string {
	return map[shape]string{text: "string", integer: "int64", boolean: "bool"}[k.shape]
}

// member is the statement that writes a member whose value is of the kind.
func (k kind) member(name, v string) string {
	if basic := k.basic(); basic != "" && basic != k.name {
		v = basic + "(" + v + ")"
	}
	switch k.shape {
	case text:
		return fmt.Sprintf("w.TextMember(%s, %s)", name, v)
	case integer:
		return fmt.Sprintf("w.IntMember(%s, %s)", name, v)
	case boolean:
		return fmt.Sprintf("w.BoolMember(%s, %s)", name, v)
	default:
		return fmt.Sprintf("w.Name(%s)\n%s", name, k.write(v))
	}
}

// write is the statement that writes a value of the kind.
func (k kind) write(v string) string {
	switch k.shape {
	case list:
		return fmt.Sprintf("w.BeginList()\nfor i := range %s {\nw.Element()\n%s\n}\nw.EndList()", v, k.elem.write(v+"[i]"))
	case text, integer, boolean, param:
		return fmt.Sprintf("w.Check(%s(%s, w))", k.writer(), v)
	default:
		return fmt.Sprintf("w.Check(%s.MarshalJSONTo(w))", v)
	}
}

// writer is the function that writes a value of the kind.
func (k kind) writer() string {
	switch k.shape {
	case text:
		return "codec.WriteText"
	case integer:
		return "codec.WriteInt"
	case boolean:
		return "codec.WriteBool"
	case param:
		return "writeAny"
	default:
		return k.name + ".MarshalJSONTo"
	}
}
