package csvfile_test

import (
	"encoding/binary"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/csvfile"
	"github.com/practicesdk/practice-go/models"
)

var list = []string{"id", "rate", "text"}

// utf16Of returns a text as a program on a system of that byte order saves it.
func utf16Of(text string, order binary.AppendByteOrder) string {
	var data []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		data = order.AppendUint16(data, unit)
	}
	return string(data)
}

// texts returns the cells of the columns of a list.
func texts(t *testing.T, rows []csvfile.Row) (all [][]string) {
	t.Helper()
	for _, row := range rows {
		var cells []string
		for _, column := range list {
			cell, known := row.Cell(column)
			require.True(t, known)
			cells = append(cells, cell)
		}
		all = append(all, cells)
	}
	return all
}

// One list, saved in each form that people save it in.
func TestAListIsTheSameInEachForm(t *testing.T) {
	t.Parallel()
	const plain = "id,rate,text\nA-1,385.50,\"Ärger; \"\"Öl\"\"\"\nA-2,-5,\"two\nlines\"\n"
	want := [][]string{{"A-1", "385.50", "Ärger; \"Öl\""}, {"A-2", "-5", "two\nlines"}}
	for name, text := range map[string]string{
		"UTF-8":                          plain,
		"with a mark":                    "\ufeff" + plain,
		"with two marks":                 "\ufeff\ufeff" + plain,
		"with CRLF":                      strings.ReplaceAll(plain, "\n", "\r\n"),
		"with a mark and CRLF":           "\ufeff" + strings.ReplaceAll(plain, "\n", "\r\n"),
		"with CR alone":                  strings.ReplaceAll(plain, "\n", "\r"),
		"without a last line end":        strings.TrimSuffix(plain, "\n"),
		"UTF-16 LE":                      utf16Of(plain, binary.LittleEndian),
		"UTF-16 LE with a mark":          utf16Of("\ufeff"+plain, binary.LittleEndian),
		"UTF-16 BE":                      utf16Of(plain, binary.BigEndian),
		"UTF-16 BE with a mark and CRLF": utf16Of("\ufeff"+strings.ReplaceAll(plain, "\n", "\r\n"), binary.BigEndian),
		"tabs, in UTF-16":                utf16Of("\ufeffid\trate\ttext\r\nA-1\t385.50\t\"Ärger; \"\"Öl\"\"\"\r\nA-2\t-5\t\"two\nlines\"\r\n", binary.LittleEndian),
		"semicolons":                     "id;rate;text\nA-1;385.50;\"Ärger; \"\"Öl\"\"\"\nA-2;-5;\"two\nlines\"\n",
		"a declared separator":           "sep=;\r\nid;rate;text\r\nA-1;385.50;\"Ärger; \"\"Öl\"\"\"\r\nA-2;-5;\"two\nlines\"\r\n",
		"columns in another order":       "Text,ID,Rate\n\"Ärger; \"\"Öl\"\"\",A-1,385.50\n\"two\nlines\",A-2,-5\n",
		"further columns":                "no;id;rate;text;\n1;A-1;385.50;\"Ärger; \"\"Öl\"\"\";\n2;A-2;-5;\"two\nlines\";\n",
		"empty rows":                     "\n,,\nid,rate,text\nA-1,385.50,\"Ärger; \"\"Öl\"\"\"\n, ,\n\nA-2,-5,\"two\nlines\"\n,,\n",
		"two lists, joined":              "\ufeffid,rate,text\nA-1,385.50,\"Ärger; \"\"Öl\"\"\"\n\ufeffA-2,-5,\"two\nlines\"\n",
		"no header":                      plain[len("id,rate,text\n"):],
		"no header, with a mark":         "\ufeff" + plain[len("id,rate,text\n"):],
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows, err := csvfile.Read(strings.NewReader(text), list, csvfile.ReadOptions{OptionalHeader: true})
			require.NoError(t, err)
			assert.Equal(t, want, texts(t, rows))
		})
	}
}

func TestNothingElseIsGuessed(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		text    string
		options csvfile.ReadOptions
		is      error
		said    string
	}{
		"the code page of a system":   {text: "id,rate,text\nA-1,1,\xc4rger\n", is: csvfile.ErrEncoding, said: "line 2, column 7: "},
		"a mark, and no UTF-8":        {text: "\ufeffid,rate,t\xe4xt\n", is: csvfile.ErrEncoding, said: "line 1, column 10: "},
		"a surrogate without a pair":  {text: utf16Of("id,rate,text\nA", binary.LittleEndian) + "\x00\xd8x\x00", is: csvfile.ErrEncoding, said: "line 2, column 2: "},
		"half a character at the end": {text: utf16Of("id,rate,text\nA", binary.BigEndian) + "\x00", is: csvfile.ErrEncoding, said: "line 2, column 2: "},
		"UTF-32":                      {text: "\xff\xfe\x00\x00i\x00\x00\x00", is: csvfile.ErrEncoding, said: "line 1, column 1: "},
		"a zero byte":                 {text: "id,rate,text\nA\x00,1,x\n", is: csvfile.ErrEncoding, said: "line 2, column 2: "},
		"a spreadsheet":               {text: "PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00\xff\xd8\n", is: csvfile.ErrEncoding, said: "save the file as UTF-8"},
		"nothing":                     {text: "", is: csvfile.ErrColumns, said: "line 1: "},
		"no header":                   {text: "A-1,1,x\n", is: csvfile.ErrColumns, said: "(id, rate, text)"},
		"a column is missing":         {text: "id,text\nA-1,x\n", options: csvfile.ReadOptions{OptionalHeader: true}, is: csvfile.ErrColumns, said: "line 1: "},
		"a column is there twice":     {text: "id,rate,text,ID\nA-1,1,x,y\n", is: csvfile.ErrColumns},
		"another separator":           {text: "id|rate|text\nA-1|1|x\n", is: csvfile.ErrColumns},
		"not the chosen separator":    {text: "id,rate,text\nA-1,1,x\n", options: csvfile.ReadOptions{Separator: ';'}, is: csvfile.ErrColumns},
		"two separators of a header":  {text: "id;id,rate;rate,text;text\n1;2,3;4,5;6\n", is: csvfile.ErrColumns},
		"two separators of a record":  {text: "a,b;c,d;e\n", options: csvfile.ReadOptions{OptionalHeader: true}, is: csvfile.ErrSeparator, said: "line 1: the file can be read with several separators: choose one: ',' and ';'"},
		"a record that is too short":  {text: "id,rate,text\nA-1,1,x\nA-2,1\n", said: "line 3: "},
		"a decimal comma, unquoted":   {text: "id,rate,text\nA-1,385,50,x\n", said: "line 2: "},
		"a quote within a cell":       {text: "id;rate;text\nA-1;1;the \"Öl\"\n", said: "line 2, column 11: "},
		"a quote without an end":      {text: "id,rate,text\nA-1,1,\"x\n", said: "line "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows, err := csvfile.Read(strings.NewReader(of.text), list, of.options)
			require.Error(t, err)
			assert.Nil(t, rows)
			_, typed := errors.AsType[*csvfile.Error](err)
			assert.True(t, typed)
			if of.is != nil {
				require.ErrorIs(t, err, of.is)
			}
			assert.Contains(t, err.Error(), of.said)
		})
	}
	_, err := csvfile.Read(iotest.ErrReader(io.ErrClosedPipe), list, csvfile.ReadOptions{})
	require.ErrorIs(t, err, io.ErrClosedPipe)
}

// With one column, no separator occurs in the header.
func TestAListOfOneColumnNeedsNoSeparator(t *testing.T) {
	t.Parallel()
	rows, err := csvfile.Read(strings.NewReader("text\nx\ny\n"), []string{"text"}, csvfile.ReadOptions{})
	require.NoError(t, err)
	assert.Len(t, rows, 2)
	_, err = csvfile.Read(strings.NewReader("text\nx;y\n"), []string{"text"}, csvfile.ReadOptions{})
	require.ErrorIs(t, err, csvfile.ErrSeparator)
	rows, err = csvfile.Read(strings.NewReader("text\nx;y\n"), []string{"text"}, csvfile.ReadOptions{Separator: '\t'})
	require.NoError(t, err)
	cell, _ := rows[0].Cell("text")
	assert.Equal(t, "x;y", cell)
}

// Amounts and days that mean something else elsewhere are refused.
func TestAValueIsRefusedWithItsPlace(t *testing.T) {
	t.Parallel()
	for _, amount := range []string{`"385,50"`, `"1,385.50"`, "1.385.50", "$385", "385 ", "", "1e400", "12 dollars"} {
		rows, err := csvfile.Read(strings.NewReader("id,rate,text\n\nA-1,"+amount+",x\n"), list, csvfile.ReadOptions{})
		require.NoError(t, err)
		_, err = csvfile.Parse(rows[0], "rate", models.ParseDecimal)
		if amount == "385 " { // the space around a cell is not its text
			require.NoError(t, err)
			continue
		}
		require.Error(t, err, amount)
		assert.Contains(t, err.Error(), "line 3, rate: ")
	}
	for _, day := range []string{"02.03.2026", "3/2/2026", "2026-3-2", "2026-02-30", "46083", ""} {
		rows, err := csvfile.Read(strings.NewReader("id,rate,text\nA-1,1,"+day+"\n"), list, csvfile.ReadOptions{})
		require.NoError(t, err)
		_, err = csvfile.Parse(rows[0], "text", models.ParseDate)
		require.ErrorIs(t, err, models.ErrInvalidDate, day)
	}
	rows, err := csvfile.Read(strings.NewReader("id,rate,text\n ,1.5,x\n"), list, csvfile.ReadOptions{})
	require.NoError(t, err)
	_, err = csvfile.Parse(rows[0], "id", csvfile.Text)
	require.EqualError(t, err, `line 2, id: " ": the text must not be empty`)
	_, err = csvfile.Parse(rows[0], "rate", strconv.Atoi)
	require.ErrorIs(t, err, strconv.ErrSyntax)
	_, err = csvfile.Parse(rows[0], "other", csvfile.Text)
	require.ErrorIs(t, err, csvfile.ErrColumns)
}
