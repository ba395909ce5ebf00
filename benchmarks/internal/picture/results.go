package picture

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// bar is the time of one contestant.
type bar struct {
	name string
	took time.Duration
	text string // time as printed in the results, and text after the bar
}

// section returns the part of the results whose title matches: the title and
// the text below it.
func section(results string, title *regexp.Regexp) (found, text string, err error) {
	for part := range strings.SplitSeq(results, "\n## ") {
		line, rest, _ := strings.Cut(part, "\n")
		if title.MatchString(line) {
			return line, rest, nil
		}
	}
	return "", "", fmt.Errorf("the results have no table %s", title)
}

// rows returns the rows of the first table of a section, as cells keyed by
// column name.
func rows(text string) []map[string]string {
	var header []string
	var all []map[string]string
	for line := range strings.Lines(text) {
		switch cells := cells(line); {
		case cells == nil && header != nil:
			return all
		case cells == nil, header != nil && strings.HasPrefix(cells[1], "--"):
		case header == nil:
			header = cells
		default:
			row := map[string]string{}
			for i, cell := range cells {
				row[header[i]] = cell
			}
			all = append(all, row)
		}
	}
	return all
}

// cells returns the cells of a line, or nil if the line is not part of a table.
func cells(line string) []string {
	line = strings.TrimSpace(line)
	parts := strings.Split(strings.Trim(line, "|"), "|")
	if !strings.HasPrefix(line, "|") || len(parts) < 2 {
		return nil
	}
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// bars returns a bar for each contestant. The first column, which has no name,
// names the contestant.
func bars(rows []map[string]string, column string, note func(map[string]string) string) ([]bar, error) {
	all := make([]bar, len(rows))
	for i, row := range rows {
		took, err := duration(row[column])
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", column, row[""], err)
		}
		all[i] = bar{name: row[""], took: took, text: row[column] + note(row)}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no row has %s", column)
	}
	return all, nil
}

// duration parses a number with a unit, in the form of package report.
func duration(text string) (time.Duration, error) {
	number, unit, _ := strings.Cut(text, " ")
	units := map[string]time.Duration{"ns": time.Nanosecond, "µs": time.Microsecond, "ms": time.Millisecond, "s": time.Second}
	value, err := strconv.ParseFloat(number, 64)
	if err != nil || units[unit] == 0 {
		return 0, fmt.Errorf("%q is no time", text)
	}
	return time.Duration(value * float64(units[unit])), nil
}

// values returns the distinct values of a column, in order.
func values(rows []map[string]string, column string) []string {
	var all []string
	for _, row := range rows {
		if !slices.Contains(all, row[column]) {
			all = append(all, row[column])
		}
	}
	return all
}

func where(rows []map[string]string, column, value string) []map[string]string {
	return slices.DeleteFunc(slices.Clone(rows), func(row map[string]string) bool { return row[column] != value })
}

// end returns the end of a panel's scale. A contestant that takes more than
// three times as long as all others does not shrink their bars; its bar is cut
// off.
func (p panel) end() float64 {
	times := make([]float64, len(p.bars))
	for i, one := range p.bars {
		times[i] = float64(one.took)
	}
	slices.Sort(times)
	last := len(times) - 1
	if last > 0 && times[last] > 3*times[last-1] {
		return times[last-1] * 1.15
	}
	return times[last]
}
