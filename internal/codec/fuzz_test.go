package codec_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
)

// addSeeds adds the JSON texts in testdata.
func addSeeds(f *testing.F) {
	f.Helper()
	paths, err := filepath.Glob("testdata/*.json")
	require.NoError(f, err)
	require.NotEmpty(f, paths)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(text)
	}
}

// FuzzAcceptance compares what the reader accepts and keeps with encoding/json,
// which also accepts duplicate names and deeper nesting.
func FuzzAcceptance(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		var got anyValue
		_, err := codec.Decode(text, &got, own{})
		want := json.Valid(text) && hasUniqueNames(text) && depth(text) <= codec.MaxDepth
		require.Equal(t, want, err == nil, "%q: %v", text, err)
		if err != nil {
			return
		}
		require.Equal(t, parse(t, text), parse(t, []byte(got.raw)), "%q", text)
		var again anyValue
		_, err = codec.Decode([]byte(got.raw), &again, own{})
		require.NoError(t, err)
		require.Equal(t, got.raw, again.raw, "compact text stays as it is")
	})
}

// FuzzRecord decodes any text as a record, and checks that the encoded record
// decodes to the same value.
func FuzzRecord(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		var x thing
		faults, err := codec.Decode(text, &x, own{})
		if err != nil {
			return
		}
		require.True(t, json.Valid(text), "%q", text)
		require.Equal(t, len(faults) == 0, codec.Unmarshal(text, &thing{}, own{}) == nil, "%q", text)
		for _, fault := range faults {
			require.True(t, json.Valid(fault.Raw), "%q", fault.Raw)
			require.True(t, bytes.Contains(text, fault.Raw))
		}
		written, err := codec.Marshal(x, own{})
		require.NoError(t, err, "%q", text)
		require.True(t, json.Valid(written), "%q", written)
		require.Equal(t, x, decodeThing(t, string(written)), "%q", text)
	})
}

func parse(t *testing.T, text []byte) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	require.NoError(t, dec.Decode(&v))
	return v
}

// hasUniqueNames reports whether no object of a valid text has a duplicate
// name.
func hasUniqueNames(text []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return uniqueNames(dec)
}

func uniqueNames(dec *json.Decoder) bool {
	token, err := dec.Token()
	if err != nil {
		return false
	}
	unique, seen := true, make(map[json.Token]bool)
	if token != json.Delim('{') && token != json.Delim('[') {
		return true
	}
	for dec.More() {
		if token == json.Delim('{') {
			name, err := dec.Token()
			if err != nil {
				return false
			}
			unique = unique && !seen[name]
			seen[name] = true
		}
		unique = uniqueNames(dec) && unique
	}
	_, err = dec.Token()
	return unique && err == nil
}

// depth returns the maximum nesting of a valid text.
func depth(text []byte) int {
	deepest, now, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case !quoted && (c == '{' || c == '['):
			now++
			deepest = max(deepest, now)
		case !quoted && (c == '}' || c == ']'):
			now--
		}
	}
	return deepest
}

// referenceInt returns the value of a JSON number, computed exactly. Numbers
// with large exponents are not computed; they are whole only if they are zero.
func referenceInt(text string) (int64, bool) {
	var n json.Number
	if json.Unmarshal([]byte(text), &n) != nil || n.String() != text || text == "" {
		return 0, false
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	value, ok := new(big.Rat).SetString(mantissa)
	if !ok {
		return 0, false
	}
	if value.Sign() == 0 {
		return 0, true
	}
	if len(strings.TrimLeft(exponent, "+-0")) > 4 {
		return 0, false
	}
	value, ok = new(big.Rat).SetString(text)
	if !ok || !value.IsInt() || !value.Num().IsInt64() {
		return 0, false
	}
	return value.Num().Int64(), true
}
