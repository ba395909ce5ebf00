package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
)

// commentWidth is the maximum length of a comment line without its indentation,
// which takes four of 80 columns for a field.
const commentWidth = 76

// comment writes a text as a comment. It keeps empty lines.
func comment(b *bytes.Buffer, doc string) {
	fmt.Fprintln(b, description.GoComment(doc, commentWidth))
}

// sentence joins a name and its predicate into a sentence.
func sentence(name, predicate string) string {
	return strings.TrimSpace(name + " " + ended(predicate))
}

// ended returns a text that ends with a full stop.
func ended(doc string) string {
	if doc == "" || strings.HasSuffix(doc, ".") {
		return doc
	}
	return doc + "."
}

// fieldDoc returns the comment of a field: its description, and its value if
// the member is absent.
func (g *generator) fieldDoc(s *description.Schema, m *description.Member, f field) string {
	doc := inGo(s, sentence(f.name, m.Doc))
	if s.Kind == description.BodySchema {
		doc = leftOut(doc, m, f)
	} else if !saysAbsence.MatchString(doc) {
		doc += " " + absence(f.typ)
	}
	if m.LiteralPrefix {
		doc += " The value is taken from Extra: from the only member with a matching name, or from the exact one after" +
			" ApplyVendorPrefix. It is absent if several match. Encoding writes Extra and ignores this field."
	}
	doc += onlyIn(m.Regions)
	if m.Deprecated {
		doc += "\n\nDeprecated: the service will remove it; " + instead(s, m)
	}
	return doc
}

// onlyIn returns a sentence on the countries to which a member or a record is
// restricted, or "".
func onlyIn(regions []string) string {
	if len(regions) == 0 {
		return ""
	}
	return " Used only in " + strings.Join(regions, " and ") + "."
}

// instead returns the replacement of a deprecated member: the first member that
// its description names.
func instead(s *description.Schema, m *description.Member) string {
	if name := quoted.FindStringSubmatch(m.Doc); name != nil && s.Member(name[1]) != nil {
		return "use " + s.Member(name[1]).GoName + "."
	}
	return "do not use it."
}

// saysAbsence matches comments that document the value of an absent member.
var saysAbsence = regexp.MustCompile(`(?i)\babsent\b|\bempty\b|\bzero link\b|\. zero |\bunless\b`)

// absence returns a sentence on the value of an absent member.
func absence(t goType) string {
	switch {
	case t.shape == shapeText, t.shape == shapeList, t.shape == shapeEnum, t.adapter != "" && t.adapter != "dayOrInstant":
		return "Empty when absent."
	case t.shape == shapeOption, t.name == "Decimal", t.name == "Cents":
		return "May be absent."
	case t.name == "Link":
		return "The zero Link when absent."
	default:
		return "Zero when absent."
	}
}

// saysLeftOut matches comments that document when a member of a body is
// omitted.
var saysLeftOut = regexp.MustCompile(`(?i)\bleft out\b|\b(empty|zero) means\b|\bomitted\b|\brequired\b|\balways sent\b`)

// saysNull matches comments that document the effect of null.
var saysNull = regexp.MustCompile(`(?i)\bnull\b`)

// leftOut returns a sentence on when a member of a body is omitted, and whether
// it may be null.
func leftOut(doc string, m *description.Member, f field) string {
	switch {
	case f.typ.shape == shapeOption && m.Nullable && !saysNull.MatchString(doc):
		return doc + " May be null."
	case saysLeftOut.MatchString(doc), f.typ.shape == shapeOption:
		return doc
	case m.Required:
		return doc + " Required."
	case f.always:
		return doc + " Always sent."
	case f.typ.shape == shapeText, f.typ.shape == shapeList, f.typ.shape == shapeEnum:
		return doc + " Left out when empty."
	case f.typ.name == "Decimal", f.typ.name == "Cents":
		return doc + " Left out when absent; 0 is sent."
	default:
		return doc + " Left out when zero."
	}
}

// quoted matches text between back quotes: names of members of the same schema.
var quoted = regexp.MustCompile("`([^`]*)`")

// inGo replaces the names of members by their Go names.
func inGo(s *description.Schema, doc string) string {
	return quoted.ReplaceAllStringFunc(doc, func(name string) string {
		name = strings.Trim(name, "`")
		if m := s.Member(name); m != nil {
			return m.GoName
		}
		return name
	})
}
