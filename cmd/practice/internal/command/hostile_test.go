package command

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/cmd/practice/internal/shape"
	"github.com/practicesdk/practice-go/csvfile"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// hostileTexts contain sequences that a terminal or a spreadsheet would
// execute.
var hostileTexts = map[string]string{
	"escape sequences":          "a\x1b[2J\x1b]0;title\x07b",
	"a formula":                 "=HYPERLINK(\"http://example.test\",\"x\")",
	"a formula behind a space":  " =1+1",
	"a formula by plus":         "+1+cmd|' /C calc'!A0",
	"a formula by minus":        "-2+3",
	"a formula by at":           "@SUM(A1)",
	"a tab and a formula":       "\t=1+1",
	"a full-width formula":      "＝1+1",
	"a change of the direction": "invoice\u202etxt.exe",
	"isolates":                  "\u2066a\u2069",
	"a line of its own":         "a\nb\r\nc\rd",
	"line separators":           "a\u2028b\u2029c",
	"C1 controls":               "a\u0085\u009b31mb",
	"a null":                    "a\x00b",
	"a byte order mark":         "\ufeffa",
	"quotes and commas":         `a,"b",c;d`,
	"wide letters":              "日本語🙂é",
	"a line of a mebibyte":      strings.Repeat("x", 1<<20),
}

func TestHostileTextsAreHarmlessInEveryFormat(t *testing.T) {
	for name, text := range hostileTexts {
		for _, format := range []string{formatTable, formatJSON, formatLines, formatCSV} {
			for _, single := range []bool{true, false} {
				record := encodeRaw(t, map[string]any{"id": "1", "title": text, text: "name"})
				var out, said bytes.Buffer
				a := &app{Streams: Streams{Out: &out, Err: &said}, env: func(string) string { return "" }, format: format}
				p, err := a.printer()
				require.NoError(t, err)
				if single {
					require.NoError(t, p.single(record))
				} else {
					require.NoError(t, p.record(record))
				}
				require.NoError(t, p.end(nil))
				for line := range strings.SplitSeq(strings.ReplaceAll(out.String(), "\r\n", "\n"), "\n") {
					assert.False(t, strings.ContainsFunc(line, hidden), "%s as %s: %.200q", name, format, line)
				}
				keepsTheValue(t, format, text, out.String())
			}
		}
	}
}

// encodeRaw returns JSON without escapes.
func encodeRaw(t testing.TB, value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	require.NoError(t, encoder.Encode(value))
	return bytes.TrimSpace(b.Bytes())
}

// keepsTheValue decodes the JSON or CSV output.
func keepsTheValue(t *testing.T, format, text, out string) {
	t.Helper()
	switch format {
	case formatLines:
		var back map[string]string
		require.NoError(t, json.Unmarshal([]byte(out), &back), "%.200q", out)
		assert.Equal(t, text, back["title"])
	case formatCSV:
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		require.NoError(t, err, "%.200q", out)
		for _, row := range rows {
			for _, cell := range row {
				assert.False(t, executes(cell), "%.200q", cell)
			}
		}
	}
}

// executes reports whether a spreadsheet may treat a cell as a formula.
func executes(cell string) bool {
	cell = strings.TrimLeft(cell, " \t\r\n")
	return cell != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(cell)[0]) &&
		!regexp.MustCompile(`^[+-]?[0-9.,]+([eE][+-]?[0-9]+)?\s*$`).MatchString(cell)
}

func FuzzCellsOfCSV(f *testing.F) {
	for _, text := range hostileTexts {
		if len(text) < 100 {
			f.Add(text)
		}
	}
	f.Add("-10.50")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?")
		var out bytes.Buffer
		a := &app{Streams: Streams{Out: &out, Err: &out}, env: func(string) string { return "" }, format: formatCSV, columns: []string{"title", "id"}}
		p, err := a.printer()
		require.NoError(t, err)
		require.NoError(t, p.record(encodeRaw(t, map[string]any{"id": "1", "title": text})))
		require.NoError(t, p.end(nil))
		rows, err := csv.NewReader(&out).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 2)
		assert.False(t, executes(rows[1][0]), "%q", rows[1][0])
	})
}

func FuzzTimes(f *testing.F) {
	for _, seed := range []string{"3d", "2026-11-01", "09:30", "2026-11-01T09:30:15.5Z", "999999w", "0s", "soon"} {
		f.Add(seed, "Australia/Sydney")
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		var in zone
		if in.Set(name) != nil {
			return
		}
		at, err := parseTime(text, in)
		if err != nil {
			assert.True(t, at.IsZero(), "a time that is refused is none")
			return
		}
		assert.LessOrEqual(t, at.Year(), 9999)
		assert.GreaterOrEqual(t, at.Year(), 0)
	})
}

func TestTheColumnsOfTablesAreMembers(t *testing.T) {
	answers := map[string]reflect.Type{}
	for _, o := range practice.Operations() {
		if o.Answer != "" && o.Media == "" {
			answers[o.Answer] = reflect.TypeOf(o.NewAnswer()).Elem()
		}
	}
	for answer, columns := range columnsOf {
		require.Contains(t, answers, answer)
		for _, column := range columns {
			kind := answers[answer]
			for name := range strings.SplitSeq(column, ".") {
				kind = shape.Plain(kind)
				if kind == reflect.TypeFor[models.Link]() && name == "id" {
					break
				}
				var err error
				kind, err = memberType(kind, name, "")
				require.NoError(t, err, "%s: %s", answer, column)
				require.NotNil(t, kind, "%s: %s", answer, column)
			}
		}
	}
}

// TestTheColumnsOfCSVAreThoseOfTheType prints a list whose first record lacks
// members of the others.
func TestTheColumnsOfCSVAreThoseOfTheType(t *testing.T) {
	var out bytes.Buffer
	a := &app{Streams: Streams{Out: &out, Err: &out}, env: func(string) string { return "" }, format: formatCSV}
	p, err := a.printer()
	require.NoError(t, err)
	p.kind = reflect.TypeFor[models.Matter]()
	require.NoError(t, p.record(json.RawMessage(`{"id":"1"}`)))
	require.NoError(t, p.record(json.RawMessage(`{"id":"2","title":"Sale","matterType":{"id":"t"},"closedDate":"2026-11-01"}`)))
	require.NoError(t, p.end(nil))
	rows, err := csv.NewReader(&out).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 3)
	second := map[string]string{}
	for i, name := range rows[0] {
		second[name] = rows[2][i]
	}
	assert.Equal(t, "Sale t 2026-11-01", second["title"]+" "+second["matterType.id"]+" "+second["closedDate"], "%v", rows[0])
}

// A create whose response is lost may have been executed, which the program
// cannot determine. It prints the command to check.
// TestAResponseThatIsNoJSONIsNotPrintedAsJSON reads a page of a proxy, and
// creates a record whose response has control characters.
func TestAResponseThatIsNoJSONIsNotPrintedAsJSON(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			w.WriteHeader(http.StatusAccepted)
		}
		_, _ = w.Write([]byte("a page \x1b[31m"))
	}))
	defer page.Close()
	env := map[string]string{"PRACTICE_BASE_URL": page.URL, "PRACTICE_API_KEY": "key", "PRACTICE_ACCESS_TOKEN": "token"}
	for _, flags := range [][]string{{"-o", "json"}, {"-o", "table"}, {"--jq", "."}} {
		got := execute(t, "", env, append([]string{"api", "GET", "/firm"}, flags...)...)
		assert.Equal(t, exitFailed, got.code, got.err)
		assert.Empty(t, got.out)
	}
	assert.Equal(t, "a page \x1b[31m", execute(t, "", env, "api", "GET", "/firm").out, "a file")
	made := execute(t, "", env, "memos", "create", "m", "--set", "title=a", "--set", "text=b")
	assert.Equal(t, exitAfterwards, made.code, made.err)
	assert.Equal(t, "a page \\u001b[31m\n", made.out)
}

func TestACreateWithoutAnAnswerNamesTheCommandThatLooks(t *testing.T) {
	server, env := service(t)
	for name, fault := range map[string]practicetest.Fault{
		"no answer":        {Operation: "createMemo", Kind: practicetest.FaultResetAfter, Times: -1},
		"a broken gateway": {Operation: "createMemo", Kind: practicetest.FaultHTML, Times: -1},
	} {
		t.Run(name, func(t *testing.T) {
			server.Inject(fault)
			defer server.ClearFaults()
			matter := server.Firm().MatterID
			got := execute(t, "", env, "memos", "create", matter, "--set", "title=a", "--set", "text=b")
			assert.Equal(t, exitUnknown, got.code, got.err)
			assert.Contains(t, got.err, "It is unknown whether the service executed the write. Before you repeat it, run practice memos list "+matter+" to check.")
			machine := execute(t, "", env, "memos", "create", matter, "--set", "title=a", "--set", "text=b", "-o", "json")
			assert.Contains(t, machine.err, `"exitCode":5`)
		})
	}
}

// TestTheStylesOfCSVDifferByTheMark prints a list for programs and for
// spreadsheets. The package of the library reads both.
func TestTheStylesOfCSVDifferByTheMark(t *testing.T) {
	for style, begin := range map[string]string{"": "", csvPlain: "", csvExcel: "\ufeff"} {
		var out bytes.Buffer
		a := &app{Streams: Streams{Out: &out, Err: &out}, env: func(string) string { return "" }, format: formatCSV, csv: style, columns: []string{"id", "title"}}
		p, err := a.printer()
		require.NoError(t, err)
		require.NoError(t, p.record(json.RawMessage(`{"id":"1","title":"=1+1; \"Öl\""}`)))
		require.NoError(t, p.end(nil))
		assert.Equal(t, begin+"id,title\n1,\"'=1+1; \"\"Öl\"\"\"\n", out.String())
		rows, err := csvfile.Read(&out, []string{"title"}, csvfile.ReadOptions{})
		require.NoError(t, err)
		title, _ := rows[0].Cell("title")
		assert.Equal(t, `=1+1; "Öl"`, title)
	}
	_, err := (&app{format: formatCSV, csv: "lotus"}).printer()
	require.EqualError(t, err, `--csv: "lotus" is not one of plain, excel`)
}

// TestAnotherAnswerIsNotPrinted reads a record of which the service answers
// another one, or none.
func TestAnotherAnswerIsNotPrinted(t *testing.T) {
	server, env := service(t)
	f := server.Firm()
	for name, body := range map[string]string{
		"another record": `{"id":"` + f.MatterID + `","lastName":"Quinn"}`, "no record": `{"error":"internal"}`, "nothing": `{}`, "a list": `{"value":[],"size":0}`,
	} {
		t.Run(name, func(t *testing.T) {
			server.Inject(practicetest.Fault{Operation: "getStaff", Status: 200, Body: body, Times: -1})
			defer server.ClearFaults()
			got := execute(t, "", env, "staff", "get", f.StaffID)
			assert.NotZero(t, got.code)
			assert.Empty(t, got.out)
			assert.Contains(t, got.err, "not the requested record")
		})
	}
}
