package term

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Table holds a header and rows.
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

// Table prints a table. If it is too wide for the terminal, the widest columns
// of text are folded; if that is not enough, each row becomes a block of lines.
// Libraries do not choose the columns in this way: go-pretty cuts rows off, and
// lipgloss breaks numbers in two.
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

// narrow reduces the width of the widest column of text, and reports whether
// there is one. Numbers stay whole: a part would read as another number.
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

// width returns the width of a column.
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

// stack prints each row as lines of the form "column: cell".
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

// render returns the table with columns of at most the given widths; 0 means no
// limit.
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
