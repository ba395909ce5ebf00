package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"
	"golang.org/x/term"

	"github.com/practicesdk/practice-go/cmd/practice/internal/rows"
	"github.com/practicesdk/practice-go/cmd/practice/internal/shape"
	"github.com/practicesdk/practice-go/models"
)

const (
	tableColumns = 6
	allColumns   = 1 << 10
	tableRows    = 500 // number of rows that determine the column widths
	widestCell   = 40

	narrowestCell = 6 // minimum width of a column that was narrowed to fit the terminal
)

// preferred lists the members that a table shows first.
var preferred = []string{
	"id", "title", "name", "displayName", "fileName", "subject", "number", "firstName", "lastName", "code", "type", "status", "date", "feeDate",
	"dueDate", "startTime", "amount", "balance", "rate", "email",
}

// columnsOf holds the default columns for types whose first members are not the
// most useful ones.
var columnsOf = map[string][]string{
	"models.CalendarEvent": {"id", "startTime", "endTime", "subject", "location", "matter.id"},
	"models.Contact":       {"id", "person.firstName", "person.lastName", "company.name", "lastUpdated"},
	"models.Expense":       {"id", "expenseDate", "subject", "quantity", "price", "amount"},
	"models.Fee":           {"id", "feeDate", "subject", "duration", "rate", "amount"},
	"models.File":          {"id", "name", "fileExtension", "sizeBytes", "dateModified"},
	"models.Matter":        {"id", "number", "title", "status", "openedDate"},
	"models.Memo":          {"id", "title", "plainText", "lastUpdated"},
	"models.StaffMember":   {"id", "firstName", "lastName", "role", "email"},
	"models.Task":          {"id", "subject", "dueDate", "isCompleted"},
	"models.Transaction":   {"id", "effectiveDate", "type", "amount", "payorName", "reference"},
}

// chooseColumns chooses the columns and prints their header, once. It takes
// them from the type of the records, unless --columns names them. If the type
// is unknown, it uses the members of all records.
func (p *printer) chooseColumns() error {
	if p.header != nil {
		return nil
	}
	most := allColumns
	if p.format == formatTable {
		most = tableColumns
	}
	switch {
	case len(p.columns) > 0:
		p.header = p.columns
	case p.kind != nil:
		p.header = columnsOf[p.kind.String()]
		if p.header == nil || most != tableColumns {
			p.header = ranked(scalarMembers(p.kind), most)
		}
	default:
		if p.header = ranked(membersOf(p.held), most); len(p.header) == 0 {
			p.header = []string{""} // a column without a title
			return nil
		}
	}
	titles := slices.Clone(p.header)
	for i := range titles {
		if p.format == formatTable {
			titles[i] = strings.ToUpper(titles[i])
		}
	}
	return p.line(titles)
}

// membersOf returns the members that any record has: strings, numbers and
// booleans, or else all. It returns nil if a record is no object.
func membersOf(records []json.RawMessage) []string {
	scalar, named := map[string]bool{}, map[string]bool{}
	for _, record := range records {
		var members map[string]json.RawMessage
		if json.Unmarshal(record, &members) != nil || members == nil {
			return nil
		}
		for name, member := range members {
			named[name] = true
			if !ofLink(name) && !strings.ContainsAny(string(member[:1]), "[{n") {
				scalar[name] = true
			}
		}
	}
	if len(scalar) > 0 {
		named = scalar
	}
	return slices.Collect(maps.Keys(named))
}

// ranked returns at most the given number of names, preferred ones first.
func ranked(names []string, most int) []string {
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) })
	return names[:min(most, len(names))]
}

// scalarMembers returns the members of a type that are strings, numbers or
// booleans, and the ids of its links.
func scalarMembers(kind reflect.Type) (names []string) {
	for _, field := range reflect.VisibleFields(kind) {
		name, of := shape.NameOf(field), shape.Plain(field.Type)
		switch {
		case name == "" || ofLink(name):
		case of == reflect.TypeFor[models.Link]():
			names = append(names, name+".id")
		case of.Kind() != reflect.Slice && of.Kind() != reflect.Map && !isObject(of):
			names = append(names, name)
		}
	}
	return names
}

// isObject reports whether a type is encoded as a JSON object.
func isObject(kind reflect.Type) bool {
	return kind == reflect.TypeFor[models.Object]() || kind.Kind() == reflect.Struct &&
		slices.ContainsFunc(reflect.VisibleFields(kind), func(field reflect.StructField) bool { return shape.NameOf(field) != "" })
}

// ofLink reports whether a member is part of a link.
func ofLink(name string) bool {
	return slices.Contains([]string{"href", "relation", "method", "self"}, name)
}

func rank(name string) int {
	if i := slices.Index(preferred, name); i >= 0 {
		return i
	}
	return len(preferred)
}

// flushTable prints the buffered rows.
func (p *printer) flushTable() error {
	if len(p.rows) == 0 {
		return nil
	}
	widths := make([]int, len(p.header))
	for _, row := range p.rows {
		for i, cell := range row {
			row[i] = visible(cell, false)
			widths[i] = max(widths[i], min(widestCell, runewidth.StringWidth(row[i])))
		}
	}
	whole := p.wide || p.width() == 0
	if !whole {
		narrow(widths, p.width())
	}
	for _, row := range p.rows {
		var b strings.Builder
		for i, cell := range row {
			if !whole {
				cell = runewidth.Truncate(cell, widths[i], "…")
			}
			b.WriteString(runewidth.FillRight(cell, widths[i]) + "  ")
		}
		if _, err := fmt.Fprintln(p.w, strings.TrimRight(b.String(), " ")); err != nil {
			return err
		}
	}
	p.rows = nil
	return nil
}

// narrow reduces the widest columns until a row fits, down to narrowestCell.
func narrow(widths []int, width int) {
	sum := 2 * (len(widths) - 1)
	for _, w := range widths {
		sum += w
	}
	for ; sum > width; sum-- {
		widest := slices.Max(widths)
		if widest <= narrowestCell {
			return
		}
		widths[slices.Index(widths, widest)]--
	}
}

// width returns the number of columns of the terminal, or 0 if there is none.
func (a *app) width() int {
	file, ok := a.Out.(*os.File)
	if !ok {
		return 0
	}
	width, _, _ := term.GetSize(int(file.Fd())) // 0 after an error
	return width
}

// fields prints one record, with one member per line.
func (p *printer) fields(record []byte) error {
	value, err := rows.Decode(record)
	if err != nil {
		return err
	}
	members, ok := value.(map[string]any)
	if !ok {
		_, err := fmt.Fprintln(p.w, visible(textOf(value), false))
		return err
	}
	names := p.columns
	if len(names) == 0 {
		for name, member := range members {
			if member != nil && member != "" {
				names = append(names, name)
			}
		}
		names = ranked(names, allColumns)
	}
	width := 0
	for _, name := range names {
		width = max(width, min(widestCell, runewidth.StringWidth(visible(name, false))))
	}
	p.filled = make([]bool, len(names))
	for i, name := range names {
		member, found := memberAt(value, name)
		p.filled[i] = found
		if _, err := fmt.Fprintf(p.w, "%s  %s\n", runewidth.FillRight(visible(name, false), width), visible(p.cell(member, name), false)); err != nil {
			return err
		}
	}
	return nil
}
