package codec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
)

func TestWholeNumbersAreReadExactly(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		`0`: 0, `-0`: 0, `7`: 7, `-7`: -7, `500`: 500,
		`637981232724209300`:   637981232724209300,
		`9007199254740993`:     9007199254740993,
		`9223372036854775807`:  9223372036854775807,
		`-9223372036854775808`: -9223372036854775808,
		`3.0`:                  3, `3.000`: 3, `-3.0`: -3, `0.0`: 0, `0e5`: 0, `0.0e-400`: 0,
		`1e2`: 100, `1E+2`: 100, `1.5e1`: 15, `100e-2`: 1, `12.50e2`: 1250,
		`6.379812327242093e17`:                 637981232724209300,
		`9.223372036854775807e18`:              9223372036854775807,
		`3.` + strings.Repeat("0", 100):        3,
		`10000000000000000000000e-20`:          100,
		`1` + strings.Repeat("0", 50) + `e-50`: 1,
	} {
		assert.Equal(t, want, decodeThing(t, `{"big":`+text+`}`).Big, text)
	}
}

func TestNumbersThatAreNotWholeOrDoNotFitAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`1.5`, `0.1`, `1e-1`, `-0.5`, `15e-1`, `9223372036854775808`, `-9223372036854775809`, `1e19`, `9.3e18`,
		`99999999999999999999`, `2000000000000000001e1`, `1e400`, `1e99999999999999999999`, `1e-99999999999999999999`,
		`10000000000000000000000`, `1234567890123456789012e-3`, `123456789012345678901e-2`,
	} {
		var value *codec.ValueError
		require.ErrorAs(t, decodeError(`{"big":`+text+`}`), &value, text)
	}
}

func TestIntegersOfTheTextAlone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{``, `-`, ` 1`, `1 `, `01`, `--1`, `1.`, `1e`, `0x1`, `1_0`, `+1`} {
		_, ok := codec.ParseInt([]byte(text))
		assert.False(t, ok, text)
	}
	n, ok := codec.ParseInt([]byte(`637558795239278688`))
	assert.True(t, ok)
	assert.Equal(t, int64(637558795239278688), n)
}

func TestNumbersAreTakenApartWithTheirZeros(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]codec.Number{
		`1.10`:                 {Coef: 11, Zeros: 1, Exp: -2},
		`-100`:                 {Coef: 1, Zeros: 2, Negative: true},
		`0.00`:                 {Zeros: 3, Exp: -2},
		`0.0010`:               {Coef: 1, Zeros: 1, Exp: -4},
		`1050e-3`:              {Coef: 105, Zeros: 1, Exp: -3},
		`9999999999999999999`:  {Coef: codec.MaxCoef},
		`99999999999999999990`: {Coef: codec.MaxCoef, Zeros: 1},
		`1e+2`:                 {Coef: 1, Exp: 2},
	} {
		n, ok := codec.ParseNumber([]byte(text))
		require.True(t, ok, text)
		assert.Equal(t, want, n, text)
	}
	n, ok := codec.ParseNumber([]byte(`12345678901234567891`))
	assert.True(t, ok)
	assert.True(t, n.Overflow)
}

func FuzzParseInt(f *testing.F) {
	for _, seed := range []string{`0`, `-1`, `3.0`, `1e2`, `9223372036854775807`, `-9223372036854775808`, `1.5`, `01`, `12e-1`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := codec.ParseInt([]byte(text))
		want, exact := referenceInt(text)
		require.Equal(t, exact, ok, text)
		if ok {
			require.Equal(t, want, decodeThing(t, `{"big":`+text+`}`).Big, text)
			require.Equal(t, want, got, text)
			again, ok := codec.ParseInt(fmt.Append(nil, got))
			require.True(t, ok)
			require.Equal(t, got, again)
		}
	})
}
