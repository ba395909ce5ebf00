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

// Table prints a table.
func (p *Printer) Table(t *Table) {
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
		configs[i] = table.ColumnConfig{Number: i + 1}
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
	p.block(w.Render())
}

// block prints the lines of a rendering.
func (p *Printer) block(rendered string) {
	for line := range strings.SplitSeq(rendered, "\n") {
		p.write(indent + strings.TrimRight(line, " ") + "\n")
	}
}
