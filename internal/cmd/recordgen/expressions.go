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
	call, k := "codec.Member", m.kind
	writer := k.writer
	switch {
	case k.shape == option:
		call, writer = "writeOpt", k.elem.writer
	case m.always:
	case k.shape == text || k.shape == integer || k.shape == boolean:
		call = "codec.BasicMember"
	case k.shape == value:
		call = "codec.ValueMember"
	case k.shape == list:
		call, writer = "codec.ListMember", k.elem.writer
	default:
		call = "codec.RecordMember"
	}
	return fmt.Sprintf("%s(w, %s, x.%s, %s)", call, "`\""+m.name+"\":`", m.field, writer())
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
	case list:
		return fmt.Sprintf("func(v %s, w *codec.Writer) error { return codec.WriteList(v, w, %s) }", k.name, k.elem.writer())
	default:
		return k.name + ".MarshalJSONTo"
	}
}
