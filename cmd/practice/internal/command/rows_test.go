package command

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

// TestEveryReadIsShownInEveryFormat runs the example of each read as a table,
// CSV, JSON and JSON lines, one page and the whole list. All formats have the
// same records.
func TestEveryReadIsShownInEveryFormat(t *testing.T) {
	_, env := service(t)
	root := &app{}
	root.command()
	shown := 0
	for _, o := range root.operations {
		line := examples[o.ID]
		if o.Class != practice.OperationRead || line == "" || o.Media != "" {
			continue
		}
		words := append(split(line)[2:], "-q")
		ways := [][]string{words}
		if o.AnswerForm == practice.AnswerPages {
			ways = append(ways, append(slices.Clone(words), "--all"))
		}
		for _, way := range ways {
			counts := map[string]int{}
			for _, format := range []string{formatTable, formatCSV, formatJSON, formatLines} {
				got := execute(t, "", env, append(slices.Clone(way), "-o", format)...)
				require.Equal(t, exitDone, got.code, "%v %s: %s", way, format, got.err)
				counts[format] = records(t, format, got.out)
				shown++
			}
			assert.Equal(t, counts[formatLines], counts[formatJSON], way)
			assert.Contains(t, []int{counts[formatLines], counts[formatLines] + 1}, counts[formatCSV], "%v: with or without a header", way)
		}
	}
	assert.Greater(t, shown, 500)
}

// records returns the number of records of an output, with the header of CSV.
func records(t *testing.T, format, out string) int {
	t.Helper()
	switch format {
	case formatCSV:
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		require.NoError(t, err, out)
		return len(rows)
	case formatJSON:
		var all []json.RawMessage
		if json.Unmarshal([]byte(out), &all) != nil {
			require.True(t, json.Valid([]byte(out)), out)
			return 1
		}
		return len(all)
	}
	return strings.Count(out, "\n")
}

// show prints records of an unknown type, as of a filter or of practice api.
func show(t *testing.T, format string, columns []string, texts ...string) (out, said string, err error) {
	t.Helper()
	var o, s bytes.Buffer
	a := &app{Streams: Streams{Out: &o, Err: &s}, env: func(string) string { return "" }, format: format, columns: columns}
	p, err := a.printer()
	require.NoError(t, err)
	for _, text := range texts {
		if err := p.record(json.RawMessage(text)); err != nil {
			return o.String(), s.String(), p.end(err)
		}
	}
	err = p.end(nil)
	return o.String(), s.String(), err
}

func TestColumnsComeFromAllRecords(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name    string
		columns []string
		records []string
		want    string
	}{
		{"a member that is null first", nil, []string{`{"id":"1","note":null}`, `{"id":"2","note":"x"}`}, "id,note\n1,\n2,x\n"},
		{"a member that only the last has", nil, []string{`{"id":"1"}`, `{"id":"2","late":true}`}, "id,late\n1,\n2,true\n"},
		{"texts", nil, []string{`"a"`, `"b,c"`}, "a\n\"b,c\"\n"},
		{"texts and objects", nil, []string{`"a"`, `{"id":"1"}`}, "a\n\"{\"\"id\"\":\"\"1\"\"}\"\n"},
		{"null", nil, []string{`null`, `{"id":"1"}`}, "\"\"\n\"{\"\"id\"\":\"\"1\"\"}\"\n"},
		{"objects without a text", nil, []string{`{"a":{"b":1}}`}, "a\n\"{\"\"b\"\":1}\"\n"},
		{"empty objects", nil, []string{`{}`, `{}`}, "{}\n{}\n"},
		{"lists", nil, []string{`[1,2]`}, "\"[1,2]\"\n"},
		{"columns that are asked for", []string{"a.b"}, []string{`{"a":{"b":1}}`, `{}`}, "a.b\n1\n\"\"\n"},
	} {
		out, _, err := show(t, formatCSV, row.columns, row.records...)
		require.NoError(t, err, row.name)
		assert.Equal(t, row.want, out, row.name)
		_, _, err = show(t, formatTable, row.columns, row.records...)
		require.NoError(t, err, row.name)
	}
	_, _, err := show(t, formatCSV, []string{"colour"}, `{"id":"1"}`)
	require.EqualError(t, err, "--columns: no record has colour")
	_, _, err = show(t, formatCSV, []string{"colour"})
	require.NoError(t, err, "an empty list lacks no column")
}

func TestAListThatIsNotKnownToBeEmptyIsNotSaidToBe(t *testing.T) {
	t.Parallel()
	said := func(change func(*printer), failed error) (out, text string) {
		var o, s bytes.Buffer
		p, err := (&app{Streams: Streams{Out: &o, Err: &s}, env: func(string) string { return "" }, format: formatTable}).printer()
		require.NoError(t, err)
		change(p)
		assert.Equal(t, failed, p.end(failed))
		return o.String(), s.String()
	}
	for _, row := range []struct {
		change func(*printer)
		failed error
		want   string
	}{
		{func(*printer) {}, nil, "There are no records.\n"},
		{func(*printer) {}, errors.New("x"), ""},
		{func(p *printer) { p.partial = true }, nil, ""},
		{func(p *printer) { p.read = 3 }, nil, "The filter matched none of the 3 records.\n"},
	} {
		_, text := said(row.change, row.failed)
		assert.Equal(t, row.want, text)
		out, _ := said(func(p *printer) { row.change(p); p.format = formatJSON }, row.failed)
		assert.Equal(t, row.failed == nil, out == "[]\n", out)
	}
}

// TestAFilterOfOneRecordPrintsJSON prints one result alone, and others as a
// list.
func TestAFilterOfOneRecordPrintsJSON(t *testing.T) {
	_, env := service(t)
	for filter, want := range map[string]string{".size": "object", ".value[0].id,.value[0].id": "list", "empty": "list"} {
		got := execute(t, "", env, "api", "GET", "/matters?limit=1", "--jq", filter, "-o", "json", "-q")
		require.Equal(t, exitDone, got.code, got.err)
		require.True(t, json.Valid([]byte(got.out)), "%s: %s", filter, got.out)
		assert.Equal(t, want == "list", strings.HasPrefix(got.out, "["), got.out)
	}
}

func TestTicksAreShownAsTimes(t *testing.T) {
	_, env := service(t)
	for _, format := range []string{formatTable, formatCSV} {
		got := execute(t, "", env, "tasks", "list", "-o", format, "-q", "--columns", "id,lastUpdated")
		require.Equal(t, exitDone, got.code, got.err)
		assert.Regexp(t, `20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d`, got.out)
	}
	assert.NotRegexp(t, `"lastUpdated": "?20`, execute(t, "", env, "tasks", "list", "-o", "json", "-q").out, "JSON has the value as it is")
}

func TestIDsAreWholeInAPipe(t *testing.T) {
	t.Parallel()
	id := strings.Repeat("c00d6dd0-478f-4981-b7ec-eaf9d237d63f_", 3)
	out, _, err := show(t, formatTable, nil, `{"id":"`+id+`","title":"`+strings.Repeat("x", 1<<20)+`"}`, `{"id":"2","title":"b"}`)
	require.NoError(t, err)
	assert.Contains(t, out, id)
	assert.Less(t, len(out), 1<<20+400, "one long cell does not widen the others")
}
