package description

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Comment is the doc comment of a method of the client. Empty lines separate
// the paragraphs of its text. Call names the request, and the effects that come
// later.
type Comment struct{ Method, Text, Call string }

// Go returns the lines of the comment. It puts no empty line above a list item,
// to keep the documentation of many methods short.
func (c Comment) Go(width int) string {
	item := strings.Replace(GoComment("- API: "+c.Call, width-2), "//", "//  ", 1)
	return GoComment(c.Text, width) + "\n" + strings.ReplaceAll(item, "\n//", "\n//    ")
}

// Comments returns the comments of the methods that perform an operation: its
// own, that of the walk over a list, and that of the Modify of a record.
func (d *Document) Comments(o *Operation) []Comment {
	comments := []Comment{o.comment(o.Method, o.Doc)}
	if o.Walks() {
		comments = append(comments, o.comment(o.WalkMethod(), o.walkDoc()))
	}
	if c := d.conversionOf(o); c != nil {
		comments = append(comments, o.comment(o.ModifyMethod(), d.modifyDoc(c)))
	}
	return comments
}

// comment puts the name before the text, and adds a fact to the first
// paragraph.
func (o *Operation) comment(method, doc string) Comment {
	first, others, _ := strings.Cut(doc, "\n\n")
	first = method + " " + lowerFirst(first)
	if o.Answer == nil && o.HTTPMethod != http.MethodGet {
		first += " The link may be zero: whether the answer has one is not documented."
	}
	call := o.HTTPMethod + " " + o.Path
	if o.Async {
		call += ", asynchronous"
	}
	return Comment{method, strings.TrimSuffix(first+"\n\n"+others, "\n\n"), call}
}

// Walks reports whether the client has a method that yields all records of a
// list.
func (o *Operation) Walks() bool {
	p := o.Paging
	return p != nil && (p.Style == "offset" || p.Style == "links") && strings.HasPrefix(o.Method, "List") &&
		(o.Answer.Ref == nil || o.Answer.Ref.Kind != Page)
}

// WalkMethod returns the name of the method that yields all records: AllForms
// for ListForms.
func (o *Operation) WalkMethod() string { return "All" + strings.TrimPrefix(o.Method, "List") }

// ModifyMethod returns the name of the method that modifies the record:
// ModifyUser for UpdateUser.
func (o *Operation) ModifyMethod() string { return "Modify" + strings.TrimPrefix(o.Method, "Update") }

// Texts of lists with a walk begin with one of these. The first is for lists
// with Offset and Limit.
const (
	onePage   = "Returns one page of "
	firstPage = "Returns the first page of "
)

// listed returns the words for the content of a list, such as "the memos of a
// matter", or "" if the text of the list does not contain them.
func (o *Operation) listed() string {
	rest := strings.TrimPrefix(strings.TrimPrefix(o.Doc, onePage), firstPage)
	if rest == o.Doc {
		return ""
	}
	return rest[:strings.IndexAny(rest, ".;")]
}

func (o *Operation) walkDoc() string {
	doc := "Yields all " + o.listed() + "."
	if strings.HasPrefix(o.Doc, onePage) {
		doc += " It reads Limit records per page from Offset."
	}
	return strings.TrimSpace(doc + " " + o.WalkDoc)
}

// conversionOf returns the conversion of a record to the body of an operation,
// or nil if there is none.
func (d *Document) conversionOf(o *Operation) *Conversion {
	all, _ := d.Conversions()
	i := slices.IndexFunc(all, func(c *Conversion) bool { return c.Operation == o })
	if i < 0 {
		return nil
	}
	return all[i]
}

func (d *Document) modifyDoc(c *Conversion) string {
	o := c.Operation
	sentences := []string{
		"Reads " + d.recordInWords(o.Path) + ", calls change with a body that would leave it unchanged, and sends the changed body.",
		"It returns a *ModifyError if the write could lose data.",
		c.unreadable(),
		c.instructions(),
	}
	if patch := d.At("PATCH", o.Path); patch != nil {
		sentences = append(sentences, patch.Method+" sends only what changes.")
	}
	sentences = append(sentences, o.ModifyDoc)
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
}

// unreadable returns a sentence that names the members that cannot be read back
// and the options that allow their loss, or "" if there are none.
func (c *Conversion) unreadable() string {
	var names []string
	for _, m := range c.Members {
		if m.Fate == Unreadable {
			names = append(names, strconv.Quote(m.Name))
		}
	}
	loss := "loss by WithLoss(" + strings.Join(names, ", ") + ")."
	return said(c.unreadableNames(), "cannot be read back: set it, or allow its "+loss, "cannot be read back: set them, or allow their "+loss)
}

// instructions returns a sentence on each instruction of the body, or "" if
// there are none.
func (c *Conversion) instructions() string {
	var sentences []string
	for _, m := range c.Members {
		if m.Fate == Instruction {
			sentences = append(sentences, m.GoName+", "+m.purpose()+", cannot be read back"+m.start()+".")
		}
	}
	return strings.Join(sentences, " ")
}

// purpose returns the first part of the description of a member as an
// apposition, such as "the id of the user".
func (m *Member) purpose() string {
	words := m.Doc
	for _, end := range []string{";", "."} {
		words, _, _ = strings.Cut(words, end)
	}
	if noun, is := strings.CutPrefix(words, "is "); is {
		return noun
	}
	return "which " + words
}

// start returns the words for the value of an instruction that the caller has
// not set.
func (m *Member) start() string {
	switch {
	case m.Required:
		return ": set it"
	case m.Type.Kind == Boolean:
		return " and so starts false"
	default:
		return " and so starts empty"
	}
}

// unreadableNames returns the Go names of the members of the body that cannot
// be read back.
func (c *Conversion) unreadableNames() (names []string) {
	for _, m := range c.Members {
		if m.Fate == Unreadable {
			names = append(names, m.GoName)
		}
	}
	return names
}

// said returns a sentence that lists names, or "" if there are none.
func said(names []string, one, several string) string {
	switch last := len(names) - 1; last {
	case -1:
		return ""
	case 0:
		return names[0] + " " + one
	default:
		return strings.Join(names[:last], ", ") + " and " + names[last] + " " + several
	}
}

// recordInWords returns the words for the record that a GET of the path
// returns, such as "a memo".
func (d *Document) recordInWords(path string) string {
	words := strings.TrimPrefix(d.At("GET", path).Doc, "Returns ")
	words = strings.TrimPrefix(words, "one page of ")
	for _, end := range []string{".", ",", ":", " with "} {
		words, _, _ = strings.Cut(words, end)
	}
	return words
}

func lowerFirst(text string) string { return strings.ToLower(text[:1]) + text[1:] }

// GoComment breaks a text into the lines of a Go comment. An empty line
// separates paragraphs.
func GoComment(text string, width int) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			b.WriteString("//\n")
		}
		line := "//"
		for _, word := range strings.Fields(paragraph) {
			if line != "//" && len(line)+1+len(word) > width {
				b.WriteString(line + "\n")
				line = "//"
			}
			line += " " + word
		}
		b.WriteString(line + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
