package csvfile_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/csvfile"
)

func TestACellIsNotExecuted(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"=1+1": "'=1+1", "+1+1": "'+1+1", "-1-1": "'-1-1", "@SUM(A1)": "'@SUM(A1)", "＝1": "'＝1", "-": "'-",
		" =1": "' =1", "\t=1": "\"'\t=1\"", "\r\n=1": "\"'\n=1\"", "'=1": "''=1", "''=1": "'''=1", "=1,2": `"'=1,2"`,
		"-12.50": "-12.50", "+49": "+49", "-1e3": "-1e3", "-1,50": `"-1,50"`, "-1.234": "-1.234", "-.5": "-.5", "-1e": "'-1e", "-e1": "'-e1", "-5%": "'-5%",
		"plain": "plain", "": "", "'tis": "'tis", "a=b": "a=b", "a;b": `"a;b"`, "a\tb": "\"a\tb\"", `a "b"`: `"a ""b"""`, "a\rb": "\"a\nb\"", " a": `" a"`,
		"\ufeffa": "a",
	} {
		var out bytes.Buffer
		require.NoError(t, csvfile.NewWriter(&out, csvfile.Plain).Write([]string{"x", cell}))
		assert.Equal(t, "x,"+want+"\n", out.String(), "%q", cell)
	}
}

func TestStylesDifferByTheMark(t *testing.T) {
	t.Parallel()
	for style, begin := range map[csvfile.Style]string{csvfile.Plain: "", csvfile.Excel: "\ufeff"} {
		var out bytes.Buffer
		w := csvfile.NewWriter(&out, style)
		require.NoError(t, w.Write([]string{"id", "text"}))
		require.NoError(t, w.Write([]string{"1", "Öl"}))
		assert.Equal(t, begin+"id,text\n1,Öl\n", out.String())
	}
	for _, cell := range []string{"\xc4rger", "a\x00"} {
		var out bytes.Buffer
		require.ErrorIs(t, csvfile.NewWriter(&out, csvfile.Excel).Write([]string{"x", cell}), csvfile.ErrEncoding)
		assert.Empty(t, out.String())
	}
	broken := errors.New("the disk is full")
	require.ErrorIs(t, csvfile.NewWriter(failing{broken}, csvfile.Plain).Write([]string{"x"}), broken)
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// FuzzRoundTrip writes records and reads them back. Another reader of CSV sees
// as many cells, none of which a spreadsheet executes.
func FuzzRoundTrip(f *testing.F) {
	for _, cell := range []string{"", "=1", "'=1", "''", "-1", "- 1", "a,b;c\td", "\"", "\n", "\r\n", "\r", " ", "\ufeff", "sep=;", "id", "Öl", "'\u00a0＝1", "+", "'-\n1", "－1"} {
		f.Add(cell, "x", false)
		f.Add("x", cell, true)
	}
	f.Fuzz(func(t *testing.T, a, b string, marked bool) {
		style := csvfile.Plain
		if marked {
			style = csvfile.Excel
		}
		want := []string{a, b, "end"}
		var out bytes.Buffer
		w := csvfile.NewWriter(&out, style)
		require.NoError(t, w.Write(list))
		err := w.Write(want)
		if strings.Contains(a+b, "\x00") || !utf8.ValidString(a) || !utf8.ValidString(b) {
			require.ErrorIs(t, err, csvfile.ErrEncoding)
			return
		}
		require.NoError(t, err)
		for i := range want {
			want[i] = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\ufeff", "").Replace(want[i])
		}
		rows, err := csvfile.Read(bytes.NewReader(out.Bytes()), list, csvfile.ReadOptions{})
		require.NoError(t, err)
		assert.Equal(t, [][]string{want}, texts(t, rows))
		others, err := csv.NewReader(&out).ReadAll()
		require.NoError(t, err)
		require.Len(t, others, 2)
		require.Len(t, others[1], 3)
		for _, cell := range others[1] {
			cell = strings.TrimSpace(cell)
			executed := cell != "" && slices.Contains([]rune("=+-@＝＋－＠"), []rune(cell)[0]) && strings.Trim(cell[1:], "0123456789.,eE+-") != ""
			assert.False(t, executed, "%q", cell)
		}
	})
}

// FuzzRead reads foreign bytes: it ends with records or an *Error.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"id,rate,text\n1,2,3\n", "\xff\xfei\x00", "sep=\t\nid\trate\ttext", "\"", "id;rate;text\r1;2;\"3\r\""} {
		f.Add([]byte(text), true)
		f.Add([]byte(text), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, optional bool) {
		rows, err := csvfile.Read(bytes.NewReader(data), list, csvfile.ReadOptions{OptionalHeader: optional})
		if err != nil {
			_, typed := errors.AsType[*csvfile.Error](err)
			assert.True(t, typed, "%v", err)
			return
		}
		for _, cells := range texts(t, rows) {
			assert.True(t, utf8.ValidString(strings.Join(cells, "")))
		}
	})
}
