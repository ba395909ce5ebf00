package term

import "github.com/jedib0t/go-pretty/v6/list"

// Tree is a text with others below it.
type Tree struct {
	Text     string
	Children []*Tree
}

// Add appends a child and returns it.
func (t *Tree) Add(text string) *Tree {
	child := &Tree{Text: text}
	t.Children = append(t.Children, child)
	return child
}

// Tree prints a tree below its root.
func (p *Printer) Tree(t *Tree) {
	p.Line("%s", t.Text)
	if len(t.Children) == 0 {
		return
	}
	w := list.NewWriter()
	style := list.StyleConnectedLight
	style.CharItemTop, style.CharItemFirst = style.CharItemMiddle, style.CharItemMiddle
	w.SetStyle(style)
	t.appendChildren(w)
	p.block(w.Render())
}

func (t *Tree) appendChildren(w list.Writer) {
	for _, child := range t.Children {
		w.AppendItem(Clean(child.Text))
		if len(child.Children) > 0 {
			w.Indent()
			child.appendChildren(w)
			w.UnIndent()
		}
	}
}
