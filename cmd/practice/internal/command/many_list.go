package command

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/cmd/practice/internal/rows"
	"github.com/practicesdk/practice-go/cmd/practice/internal/shape"
	"github.com/practicesdk/practice-go/csvfile"
	"github.com/practicesdk/practice-go/internal/members"
	"github.com/practicesdk/practice-go/internal/textfile"
	"github.com/practicesdk/practice-go/models"
)

// rowList is the list of a run. It is read several times, and never held.
type rowList struct {
	*many
	file  io.ReadSeeker
	goals map[string]goal // by column
}

// goal holds the use of a column: the key, a parameter or a member. A column
// with a zero goal is ignored.
type goal struct {
	key       bool
	parameter *practice.Parameter
	member    string
	kind      reflect.Type // of the member; nil: any
}

// spool makes a list readable twice: it copies a pipe to a file.
func (l *rowList) spool(in io.Reader) (closeList func(), err error) {
	closeList = func() {}
	if file, ok := in.(io.ReadSeeker); ok {
		if _, err := file.Seek(0, io.SeekStart); err == nil { // a pipe refuses it
			l.file = file
			return closeList, nil
		}
	}
	file, err := os.CreateTemp("", "practice-run-")
	if err != nil {
		return closeList, err
	}
	_ = os.Remove(file.Name()) // it has data of clients; some systems remove it below
	closeList = func() {
		_ = file.Close()
		_ = os.Remove(file.Name())
	}
	l.file = file
	_, err = io.Copy(file, in)
	return closeList, err
}

// columns returns the columns with their goals, for the description.
func (l *rowList) columns() (all []string) {
	for column, g := range l.goals {
		switch {
		case g.parameter != nil:
			all = append(all, column+"="+g.parameter.Name)
		case g.member != "":
			all = append(all, column+"="+g.member)
		}
	}
	return all
}

// cell is a value of a row: text of CSV, or JSON.
type cell struct {
	column, text string
	json         json.RawMessage
}

// plain returns the text of a cell in either format: CSV or JSON, in which null has
// none.
func (c cell) plain() string {
	if c.json == nil {
		return c.text
	}
	var text string
	if json.Unmarshal(c.json, &text) != nil { // a number, for example
		return string(c.json)
	}
	return text
}

// row is a row of the list as it was read.
type row struct {
	line  int
	cells []cell
}

// rows yields the rows. An error ends the iteration.
func (l *rowList) rows() iter.Seq2[row, error] {
	if _, err := l.file.Seek(0, io.SeekStart); err != nil {
		return func(yield func(row, error) bool) { yield(row{}, err) }
	}
	text := bufio.NewReader(textfile.NewReader(l.file))
	for {
		switch c, _, _ := text.ReadRune(); c {
		case ' ', '\t', '\r', '\n':
		case '{':
			return l.objects
		default:
			return l.records
		}
	}
}

// records yields the rows of CSV.
func (l *rowList) records(yield func(row, error) bool) {
	var options csvfile.ReadOptions
	switch l.separator {
	case "":
	case ",", ";":
		options.Separator = rune(l.separator[0])
	case "tab", "\t":
		options.Separator = '\t'
	default:
		yield(row{}, fmt.Errorf("--separator: %q is not one of , ; tab", l.separator))
		return
	}
	accept := func(columns []string) error {
		return l.resolve(slices.DeleteFunc(slices.Clone(columns), func(column string) bool { return column == "" }))
	}
	for record, err := range csvfile.Scan(l.file, accept, options) {
		if err != nil {
			yield(row{}, err)
			return
		}
		r := row{line: record.Line}
		for column, text := range record.Cells() {
			if text = strings.TrimSpace(text); text != "" {
				r.cells = append(r.cells, cell{column: column, text: text})
			}
			if column == "" && text != "" {
				err = &csvfile.Error{Line: record.Line, Err: errors.New("a cell is in a column that has no name")}
			}
		}
		if !yield(r, err) || err != nil {
			return
		}
	}
}

// objects yields the rows of JSON lines.
func (l *rowList) objects(yield func(row, error) bool) {
	if _, err := l.file.Seek(0, io.SeekStart); err != nil {
		yield(row{}, err)
		return
	}
	text := bufio.NewReader(textfile.NewReader(l.file))
	for number := 1; ; number++ {
		line, err := text.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			yield(row{}, err)
			return
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			r, failed := l.object(number, line)
			if !yield(r, failed) || failed != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (l *rowList) object(number int, line []byte) (row, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(line, &object); err != nil || object == nil {
		return row{}, fmt.Errorf("line %d: not a JSON object: %w", number, cmp.Or(err, errors.New("null")))
	}
	names := namesOf(line)
	if err := l.resolve(names); err != nil {
		return row{}, fmt.Errorf("line %d: %w", number, err)
	}
	r := row{line: number}
	for _, name := range names {
		r.cells = append(r.cells, cell{column: name, json: object[name]})
	}
	return r, nil
}

// namesOf returns the sorted names of the members of a valid JSON object, twice if
// a member is there twice.
func namesOf(object []byte) (names []string) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	_, _ = decoder.Token() // the brace
	for decoder.More() {
		name, _ := decoder.Token()
		names = append(names, name.(string))
		_ = decoder.Decode(new(json.RawMessage))
	}
	slices.Sort(names)
	return names
}

// resolve finds the goals of columns.
func (l *rowList) resolve(columns []string) error {
	goals := map[string]goal{}
	taken := map[string]string{}
	for _, column := range columns {
		g, err := l.goal(column)
		if err != nil {
			return fmt.Errorf("column %q: %w", column, err)
		}
		name := g.member
		if g.parameter != nil {
			name = g.parameter.Name
		}
		if _, twice := goals[column]; twice {
			return fmt.Errorf("column %q occurs twice", column)
		}
		if other, twice := taken[name]; twice && name != "" {
			return fmt.Errorf("columns %q and %q both map to %s", other, column, name)
		}
		goals[column], taken[name] = g, column
	}
	if err := l.complete(goals); err != nil {
		return err
	}
	if l.goals == nil {
		l.goals = map[string]goal{}
	}
	maps.Copy(l.goals, goals) // each line of JSON may have others
	return nil
}

// flagged returns an error for a column that --map and --ignore name twice, or
// that no row has. It is called after the rows were read.
func (l *rowList) flagged() error {
	named := map[string]bool{}
	check := func(flag, column string) error {
		if _, has := l.goals[column]; !has {
			return fmt.Errorf("%s: the list has no column %q", flag, column)
		}
		if named[column] {
			return fmt.Errorf("%s: the column %q is named more than once", flag, column)
		}
		named[column] = true
		return nil
	}
	var err error
	for _, mapped := range l.mapped {
		column, _, _ := cutLast(mapped, "=")
		err = cmp.Or(err, check("--map", column))
	}
	for _, column := range l.ignored {
		err = cmp.Or(err, check("--ignore", column))
	}
	return err
}

// complete refuses a list without the key or a parameter of the path.
func (l *rowList) complete(goals map[string]goal) error {
	for _, p := range l.operation.Parameters {
		has := slices.ContainsFunc(slices.Collect(maps.Values(goals)), func(g goal) bool { return g.parameter != nil && g.parameter.Name == p.Name })
		if p.In == practice.InPath && !has {
			return fmt.Errorf("the list has no column for %s", p.Name)
		}
	}
	if _, has := goals[l.key]; l.key != "" && !has {
		return fmt.Errorf("--key: the list has no column %q", l.key)
	}
	return nil
}

// goal returns the goal of a column: by --map or --ignore, or by its name.
func (l *rowList) goal(column string) (g goal, err error) {
	g.key = column == l.key
	name := column
	for _, mapped := range l.mapped {
		from, to, ok := cutLast(mapped, "=")
		if !ok || from == "" || to == "" {
			return g, fmt.Errorf("--map %s: the value must have the form column=member", mapped)
		}
		if from == column {
			name = to
		}
	}
	if slices.Contains(l.ignored, column) {
		return goal{key: g.key}, nil
	}
	for i := range l.operation.Parameters {
		if p := &l.operation.Parameters[i]; strings.EqualFold(p.Name, name) {
			g.parameter = p
			if slices.Contains(l.members(), p.Name) { // the body repeats an id of the path
				g.member, g.kind, err = l.memberOf(p.Name)
			}
			return g, err
		}
	}
	g.member, g.kind, err = l.memberOf(name)
	if err != nil && g.key {
		return goal{key: true}, nil // of the person's own system
	}
	return g, err
}

// cutLast cuts a text at its last separator: columns may have any name.
func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}

// indices matches the positions in a path, such as items[0].id.
var indices = regexp.MustCompile(`\[(\d{1,4})\]`)

// memberOf returns the path and the type of a member of the body. The case of a
// name without dots does not matter.
func (l *rowList) memberOf(name string) (string, reflect.Type, error) {
	kind := reflect.TypeOf(l.operation.NewBody())
	if kind == nil {
		return "", nil, fmt.Errorf("is not a parameter of %s; use --ignore to leave out the column, or --map to map it", l.operation.ID)
	}
	for _, member := range l.members() {
		if strings.EqualFold(member, name) {
			name = member
		}
	}
	path := strings.TrimPrefix(indices.ReplaceAllString(name, ".$1"), ".")
	of, err := along(kind.Elem(), path, "--skeleton")
	if err != nil {
		return "", nil, fmt.Errorf("%w; use --ignore to leave out the column, or --map to map it", err)
	}
	return name, of, nil
}

// members returns the names of the described members of the body.
func (m *many) members() (names []string) {
	if body := m.operation.NewBody(); body != nil {
		for _, member := range members.Of(reflect.TypeOf(body).Elem().Name()) {
			names = append(names, member.Name)
		}
	}
	return names
}

// thousands matches amounts that elsewhere are more than a thousand.
var thousands = regexp.MustCompile(`^-?[1-9]\d{0,2}\.\d{3}$`)

// ofToday matches times that depend on the day on which they are read.
var ofToday = regexp.MustCompile(`^(\d{1,6}[smhdw]|\d{1,2}:\d{2})$`)

// ambiguous returns an error for the text of a cell that does not always mean the
// same value of a type.
func ambiguous(kind reflect.Type, text string) error {
	switch kind = shape.Plain(kind); {
	case kind == reflect.TypeFor[models.Decimal]() && thousands.MatchString(text):
		return fmt.Errorf("%s is ambiguous, because the point may be a thousands separator: write the amount with two or four decimal places", text)
	case ofToday.MatchString(text) && isTime(kind):
		return fmt.Errorf("%s depends on the time at which the list is read: write the date", text)
	}
	return nil
}

func isTime(kind reflect.Type) bool {
	return slices.Contains([]reflect.Type{reflect.TypeFor[models.DateTime](), reflect.TypeFor[models.LocalDateTime](), reflect.TypeFor[models.Date]()}, kind)
}

// inZone returns a JSON value with its times read as those of CSV, which have the
// zone of --zone.
func (l *rowList) inZone(kind reflect.Type, value any) (_ any, err error) {
	kind = shape.Plain(kind)
	switch value := value.(type) {
	case string:
		if err = ambiguous(kind, value); err == nil && isTime(kind) {
			return valueOf(kind, value, false, l.zone)
		}
	case map[string]any:
		for name := range value {
			of, _ := memberType(kind, name, "") // the library refuses an unknown member
			if value[name], err = l.inZone(of, value[name]); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	case []any:
		for i := 0; i < len(value) && kind != nil && kind.Kind() == reflect.Slice && err == nil; i++ {
			value[i], err = l.inZone(kind.Elem(), value[i])
		}
	}
	return value, err
}

// values returns the key, the arguments and the body of a row.
func (l *rowList) values(r row) (key string, arguments map[string]any, body any, err error) {
	arguments = map[string]any{}
	kind := reflect.TypeOf(l.operation.NewBody())
	for _, c := range r.cells {
		g := l.goals[c.column]
		if g.key {
			key = strings.Clone(strings.TrimSpace(c.plain())) // the text of the cell holds the row
		}
		if g.parameter != nil {
			err = l.setArgument(arguments, *g.parameter, c)
		}
		switch {
		case err != nil:
		case g.member != "" && c.json != nil:
			value, _ := rows.Decode(c.json) // the line is valid
			if value, err = l.inZone(g.kind, value); err == nil {
				body, err = l.assign(body, kind.Elem(), g.member, string(encode(value)), true)
			}
		case g.member != "":
			if err = ambiguous(g.kind, c.text); err == nil {
				body, err = l.assign(body, kind.Elem(), g.member, c.text, false)
			}
		}
		if err != nil {
			return "", nil, nil, fmt.Errorf("column %q: %w", c.column, err)
		}
	}
	if l.key != "" && key == "" {
		return "", nil, nil, fmt.Errorf("column %q: the key is empty", l.key)
	}
	return key, arguments, body, nil
}

func (l *rowList) setArgument(arguments map[string]any, p practice.Parameter, c cell) error {
	if string(c.json) == "null" {
		return nil
	}
	text := c.plain()
	given := []string{text}
	if p.Repeated {
		given = strings.Split(text, ",")
	}
	value, err := l.argument(p, given)
	arguments[p.Name] = value
	return err
}

// printColumns prints the columns that a list may have.
func (m *many) printColumns() error {
	var columns []string
	for _, p := range m.operation.Parameters {
		columns = append(columns, p.Name)
	}
	for _, member := range m.members() {
		if !slices.Contains(columns, member) {
			columns = append(columns, member)
		}
	}
	w := csvfile.NewWriter(m.Out, csvStyles[m.csv])
	return w.Write(columns)
}
