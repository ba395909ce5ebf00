package term

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/list"
)

// Tree is a node of a tree.
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

// Tree prints t and all nodes below it.
func (p *Printer) Tree(t *Tree) {
	p.Line("%s", t.Text)
	if len(t.Children) == 0 {
		return
	}
	w := list.NewWriter()
	style := list.StyleConnectedLight
	style.CharItemTop, style.CharItemFirst = style.CharItemMiddle, style.CharItemMiddle
	w.SetStyle(style)
	t.appendChildren(w, p.room(indent))
	p.block(w.Render())
}

const lines = 3 // width of the lines that lead to a child

// appendChildren adds the nodes below t, folded to room columns.
func (t *Tree) appendChildren(w list.Writer, room int) {
	if room > 0 {
		room = max(narrowest, room-lines)
	}
	for _, child := range t.Children {
		w.AppendItem(strings.Join(fold(Clean(child.Text), room), "\n"))
		if len(child.Children) > 0 {
			w.Indent()
			child.appendChildren(w, room)
			w.UnIndent()
		}
	}
}
