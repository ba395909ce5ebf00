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
// columns are folded.
func (p *Printer) Table(t *Table) {
	widest := make([]int, len(t.Columns))
	rendered := t.render(widest)
	for range t.Columns {
		excess := text.LongestLineLen(rendered) - p.room(indent)
		if p.room(indent) == 0 || excess <= 0 {
			break
		}
		t.narrow(widest, excess)
		rendered = t.render(widest)
	}
	p.block(rendered)
}

// narrow takes some columns from the widest one.
func (t *Table) narrow(widest []int, excess int) {
	const least = 12
	found, width := 0, 0
	for i, column := range t.Columns {
		full := text.StringWidth(column.Name)
		for _, cells := range t.Rows {
			full = max(full, text.StringWidth(Clean(cells[i])))
		}
		if widest[i] > 0 {
			full = widest[i]
		}
		if full > width {
			found, width = i, full
		}
	}
	widest[found] = max(least, width-excess)
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
