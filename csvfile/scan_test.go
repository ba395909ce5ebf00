package csvfile_test

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/csvfile"
)

var errNoColumn = errors.New("no such column")

// knows accepts columns that are all in the list, in any order.
func knows(columns []string) error {
	for _, column := range columns {
		if !slices.Contains(list, strings.ToLower(column)) {
			return fmt.Errorf("%w: %q", errNoColumn, column)
		}
	}
	return nil
}

// scanned returns the rows, and the error that ended them.
func scanned(rows iter.Seq2[csvfile.Row, error]) (all []csvfile.Row, err error) {
	for row, failed := range rows {
		if err = failed; err == nil {
			all = append(all, row)
		}
	}
	return all, err
}

func TestScanYieldsWhatReadReturns(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a plain list":         "id,rate,text\nA-1,385.50,\"Öl, kalt\"\nA-2,-5,\"two\nlines\"\n",
		"a declared separator": "\ufeffsep=;\r\nid;rate;text\r\nA-1;385.50;x\r\n\r\n;;\r\nA-2;'=5;y\r\n",
		"CR alone":             "id\trate\ttext\rA-1\t385.50\t\"two\rlines\"\r",
		"a header alone":       "id;rate;text\n",
		"two joined lists":     "id,rate,text\nA-1,1,x\n\ufeffA-2,2,\ufeffy\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, err := csvfile.Read(strings.NewReader(text), list, csvfile.ReadOptions{})
			require.NoError(t, err)
			got, err := scanned(csvfile.Scan(strings.NewReader(text), knows, csvfile.ReadOptions{}))
			require.NoError(t, err)
			require.Len(t, got, len(want))
			assert.Equal(t, texts(t, want), texts(t, got))
			for i := range want {
				assert.Equal(t, want[i].Line, got[i].Line)
			}
		})
	}
}

func TestScanRefusesWhatItWouldHaveToGuess(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		text, said string
		is         error
		rows       int
	}{
		"an unknown column":              {text: "id;colour\n1;2\n", is: errNoColumn, said: `line 1: no such column: "colour"`},
		"one column that is split":       {text: "text\nAdvice\nAdvice; by phone\n", is: csvfile.ErrSeparator, said: "line 1: "},
		"a later row that is too short":  {text: "id,rate\n1,2\n3\n", said: "line 3: ", rows: 1},
		"a later row in another charset": {text: "id,rate\n1,2\n3,\xc4\n", is: csvfile.ErrEncoding, said: "line 3, column 3: ", rows: 1},
		"a later quote":                  {text: "id,text\n1,2\n3,Ä \"x\"\n", said: "line 3, column 5: ", rows: 1},
		"nothing":                        {text: "", is: csvfile.ErrColumns, said: "line 1: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows, err := scanned(csvfile.Scan(strings.NewReader(of.text), knows, csvfile.ReadOptions{}))
			_, typed := errors.AsType[*csvfile.Error](err)
			assert.True(t, typed, err)
			require.ErrorContains(t, err, of.said)
			if of.is != nil {
				require.ErrorIs(t, err, of.is)
			}
			assert.Len(t, rows, of.rows)
		})
	}
}

// TestScanHoldsNoFile scans a long file whose bytes are made when they are read.
func TestScanHoldsNoFile(t *testing.T) {
	t.Parallel()
	const rows = 20_000
	file := &endless{row: "12,385.50,Advice by phone about the sale of a boat\n", rows: rows}
	n := 0
	for _, err := range csvfile.Scan(file, knows, csvfile.ReadOptions{}) {
		require.NoError(t, err)
		if n++; n == 10 {
			assert.Less(t, file.read, 200<<10, "of %d bytes", rows*len(file.row))
		}
	}
	assert.Equal(t, rows, n)
}

// endless is a file with a header and many equal rows.
type endless struct {
	row        string
	rows, read int
	rest       string
}

func (e *endless) Seek(int64, int) (int64, error) {
	e.read, e.rest = 0, "id,rate,text\n"
	return 0, nil
}

func (e *endless) Read(p []byte) (int, error) {
	if e.rest == "" {
		if e.read >= e.rows*len(e.row) {
			return 0, io.EOF
		}
		e.rest = e.row
		e.read += len(e.row)
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}
