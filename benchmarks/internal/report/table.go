// Package report writes tables of measurements as Markdown that is also
// readable in a terminal.
package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Table holds the results of one comparison.
type Table struct {
	Title   string
	Intro   string // description of the measurement in one or two sentences
	Header  []string
	Rows    [][]string
	Notes   []string // explanations of the rows
	Figures []Figure
}

// Figure is a requirement and its measured value.
type Figure struct {
	Name     string
	Required float64
	Measured float64
	AtMost   bool   // whether the requirement is an upper bound
	Unit     string // unit after both numbers
}

// AtLeast returns a figure with a lower bound.
func AtLeast(name string, required, measured float64, unit string) Figure {
	return Figure{Name: name, Required: required, Measured: measured, Unit: unit}
}

// AtMost returns a figure with an upper bound.
func AtMost(name string, required, measured float64, unit string) Figure {
	return Figure{Name: name, Required: required, Measured: measured, Unit: unit, AtMost: true}
}

// Met reports whether the measured value, as it is printed, meets the
// requirement. NaN does not.
func (f Figure) Met() bool {
	printed, err := strconv.ParseFloat(number(f.Measured), 64)
	if f.AtMost {
		return err == nil && printed <= f.Required
	}
	return err == nil && printed >= f.Required
}

// tolerance is the part of the requirement by which a single run may miss it.
const tolerance = 0.1

// MissedByFar reports whether the measured value misses the requirement by more
// than a tenth.
func (f Figure) MissedByFar() bool {
	if f.AtMost {
		return !(f.Measured <= f.Required*(1+tolerance))
	}
	return !(f.Measured >= f.Required*(1-tolerance))
}

func (f Figure) row() []string {
	bound, verdict := "at least ", "**not met**"
	if f.AtMost {
		bound = "at most "
	}
	if f.Met() {
		verdict = "met"
	}
	return []string{f.Name, bound + number(f.Required) + f.Unit, number(f.Measured) + f.Unit, verdict}
}

// Write writes the table with its figures.
func (t Table) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n%s\n\n", t.Title, t.Intro)
	grid(&b, t.Header, t.Rows)
	for _, note := range t.Notes {
		fmt.Fprintf(&b, "\n%s\n", note)
	}
	b.WriteByte('\n')
	if len(t.Figures) == 0 {
		b.WriteString("No figure is required here.\n\n")
	} else {
		rows := make([][]string, len(t.Figures))
		for i, figure := range t.Figures {
			rows[i] = figure.row()
		}
		grid(&b, []string{"figure", "required", "this run", ""}, rows)
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// grid writes a Markdown table with aligned columns: the first one to the left,
// the others to the right.
func grid(b *strings.Builder, header []string, rows [][]string) {
	widths := make([]int, len(header))
	for _, row := range append([][]string{header}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell), 3)
		}
	}
	line := func(cells []string) {
		for i, cell := range cells {
			gap := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				b.WriteString("| " + cell + gap)
			} else {
				b.WriteString(" | " + gap + cell)
			}
		}
		b.WriteString(" |\n")
	}
	line(header)
	rule := make([]string, len(header))
	for i, width := range widths {
		rule[i] = strings.Repeat("-", width-1) + ":"
	}
	rule[0] = strings.Repeat("-", widths[0])
	line(rule)
	for _, row := range rows {
		line(row)
	}
}
