package term

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Table is rows below a header.
type Table struct {
	Columns []Column
	Rows    [][]string
}

// Column is the header of a column.
type Column struct {
	Name  string
	Right bool // aligned to the right, as numbers are
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Table prints a table. On a terminal that it does not fit, the cells of the widest
// columns are folded; where that is not enough, each row is a block of lines.
func (p *Printer) Table(t *Table) {
	room := p.room(indent)
	widest := make([]int, len(t.Columns))
	rendered := t.render(widest)
	for room > 0 && text.LongestLineLen(rendered) > room {
		if !t.narrow(widest, text.LongestLineLen(rendered)-room) {
			p.stack(t)
			return
		}
		rendered = t.render(widest)
	}
	p.block(rendered)
}

// narrow takes some columns from the widest column of texts, and reports whether there
// is one. A number stays whole: a part of it would be another one.
func (t *Table) narrow(widest []int, excess int) bool {
	const least = 10
	found, width := -1, least
	for i, column := range t.Columns {
		if full := t.width(i, widest); !column.Right && full > width {
			found, width = i, full
		}
	}
	if found < 0 {
		return false
	}
	widest[found] = max(least, width-excess)
	return true
}

// width is how wide a column is.
func (t *Table) width(column int, widest []int) int {
	if widest[column] > 0 {
		return widest[column]
	}
	full := text.StringWidth(t.Columns[column].Name)
	for _, cells := range t.Rows {
		full = max(full, text.StringWidth(Clean(cells[column])))
	}
	return full
}

// stack prints each row as lines that say which column they are of.
func (p *Printer) stack(t *Table) {
	for i, cells := range t.Rows {
		if i > 0 {
			p.Blank()
		}
		for column, cell := range cells {
			if cell != "" {
				p.Line("%s: %s", t.Columns[column].Name, cell)
			}
		}
	}
}

// render gives the lines of a table; 0 lets a column be as wide as its cells.
func (t *Table) render(widest []int) string {
	w := table.NewWriter()
	style := table.StyleLight
	style.Format.Header = text.FormatDefault
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	style.Options = table.Options{SeparateHeader: true}
	w.SetStyle(style)
	header := make(table.Row, len(t.Columns))
	configs := make([]table.ColumnConfig, len(t.Columns))
	for i, column := range t.Columns {
		header[i] = column.Name
		configs[i] = table.ColumnConfig{Number: i + 1, WidthMax: widest[i], WidthMaxEnforcer: text.WrapSoft}
		if column.Right {
			configs[i].Align, configs[i].AlignHeader = text.AlignRight, text.AlignRight
		}
	}
	w.AppendHeader(header)
	w.SetColumnConfigs(configs)
	for _, cells := range t.Rows {
		row := make(table.Row, len(cells))
		for i, cell := range cells {
			row[i] = Clean(cell)
		}
		w.AppendRow(row)
	}
	return w.Render()
}

// block prints the lines of a rendering.
func (p *Printer) block(rendered string) {
	for line := range strings.SplitSeq(rendered, "\n") {
		p.write(indent + strings.TrimRight(line, " ") + "\n")
	}
}
