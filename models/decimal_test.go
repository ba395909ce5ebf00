package models_test

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
)

func TestDecimalsKeepTheirDigits(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"0", "1", "-1", "1.10", "1050.96", "10900.0", "0.00", "-0.01", "0.0000000000000000001", "9999999999999999999",
		"-9999999999999999999", "9223372036854775808", "99999999999999999.99", "0.9999999999999999999", "1.000", "0.10",
		"9.0909090909090909090909090909", "1.00000000000000000000", "79228162514264337593543950335", "-79228162514264337593543950335",
		"0.0000000000000000000000000001", "0.0000000000000000000000000000", "7.9228162514264337593543950335", "1.0000000000000000000000000000",
		"12345678901234567.890000000000", "0.1000000000000000055511151231257827", "0.00000000000000005551115123125783",
		strings.Repeat("9", 64), "0." + strings.Repeat("0", 63) + "1", strings.Repeat("1", 32) + "." + strings.Repeat("0", 32),
		"1.7976931348623157e308", "2.2250738585072014e-308", "5e-324", "-1e300", "4.9406564584124654e-324", "1.10e100",
	} {
		d, err := models.ParseDecimal(text)
		require.NoError(t, err, text)
		assert.Equal(t, text, d.String())
		assert.True(t, d.IsPresent())
		assert.False(t, d.IsZero())

		var decoded models.Decimal
		require.NoError(t, json.Unmarshal([]byte(text), &decoded))
		assert.Equal(t, d, decoded)
		encoded, err := json.Marshal(decoded)
		require.NoError(t, err)
		assert.Equal(t, text, string(encoded))
	}
}

func TestExponentsAreWrittenOut(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"1e3": "1000", "1.50E+2": "150", "12e-1": "1.2", "1.10e0": "1.10", "1e-19": "0.0000000000000000001", "-2.5e1": "-25",
		"1e18": "1000000000000000000", "0e400": "0", "0e-4": "0.0000", "0e-400": "0." + strings.Repeat("0", 64),
		"5.551115123125783E-17": "0.00000000000000005551115123125783", "1e19": "10000000000000000000", "-1E+22": "-10000000000000000000000",
		"1e63": "1" + strings.Repeat("0", 63), "1e64": "1e64", "1.7976931348623157E+308": "1.7976931348623157e308", "1e-20": "0.00000000000000000001",
		"1e-64": "0." + strings.Repeat("0", 63) + "1", "1E-65": "1e-65", "-12e-70": "-1.2e-69", "-0": "0", "-0.00": "0.00", "1.5e1": "15",
	} {
		d, err := models.ParseDecimal(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, d.String(), text)
	}
}

func TestNumbersThatCannotBeHeldExactlyAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		strings.Repeat("9", 65), "1." + strings.Repeat("0", 64), "0." + strings.Repeat("1", 65), "-" + strings.Repeat("1", 40) + "." + strings.Repeat("1", 25),
		"1e400", "1e-400", "1e350", "1e-351", "1e99999999999999999999", "1e-99999999999999999999",
	} {
		_, err := models.ParseDecimal(text)
		require.ErrorIs(t, err, models.ErrDecimalRange, text)
		var d models.Decimal
		require.Error(t, json.Unmarshal([]byte(text), &d), text)
	}
}

func TestWhatIsNotANumberIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "-", "+1", "01", "-01", ".5", "1.", "1e", "1e+", "1,000", "1_000", "$1", "0x1", "NaN", "Infinity", " 1", "1 ", "1.2.3", "--1", "1e5.0",
	} {
		_, err := models.ParseDecimal(text)
		require.ErrorIs(t, err, models.ErrInvalidDecimal, text)
	}
	var d models.Decimal
	for _, text := range []string{`"1.10"`, `true`, `{}`, `[1]`} {
		require.Error(t, json.Unmarshal([]byte(text), &d), text)
	}
	assert.Panics(t, func() { models.MustDecimal("a lot") })
}

func TestAnAbsentAmountIsNotZero(t *testing.T) {
	t.Parallel()
	var absent models.Decimal
	zero := models.MustDecimal("0")
	assert.True(t, absent.IsAbsent() && absent.IsZero())
	assert.False(t, absent.IsPresent())
	assert.Empty(t, absent.String())
	assert.False(t, zero.IsAbsent() || zero.IsZero())
	assert.False(t, absent.Equal(zero))
	assert.Equal(t, -1, absent.Cmp(models.MustDecimal("-5")))
	assert.Equal(t, 1, zero.Cmp(absent))
	assert.True(t, absent.Equal(models.Decimal{}))
	assert.Equal(t, absent, absent.Neg())
	assert.Equal(t, absent, absent.Round(2))
	for _, op := range []func(models.Decimal, models.Decimal) (models.Decimal, error){
		models.Decimal.Add, models.Decimal.Sub, models.Decimal.Mul,
	} {
		_, err := op(absent, zero)
		require.ErrorIs(t, err, models.ErrDecimalAbsent)
		_, err = op(zero, absent)
		require.ErrorIs(t, err, models.ErrDecimalAbsent)
	}
	text, err := json.Marshal(absent)
	require.NoError(t, err)
	assert.Equal(t, "null", string(text))
	require.NoError(t, zero.UnmarshalJSON([]byte("null")))
	assert.True(t, zero.IsZero())
}

func TestArithmeticIsExact(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		op         func(models.Decimal, models.Decimal) (models.Decimal, error)
		a, b, want string
	}{
		{"add", models.Decimal.Add, "0.1", "0.2", "0.3"},
		{"add", models.Decimal.Add, "1.10", "2", "3.10"},
		{"add", models.Decimal.Add, "9999999999999999999", "-1", "9999999999999999998"},
		{"add", models.Decimal.Add, "9999999999999999999", "1", "10000000000000000000"},
		{"add", models.Decimal.Add, "999999999999999999.9", "0.01", "999999999999999999.91"},
		{"add", models.Decimal.Add, "79228162514264337593543950335", "0.0000000000000000000000000001", "79228162514264337593543950335.0000000000000000000000000001"},
		{"add", models.Decimal.Add, strings.Repeat("9", 64), "1", "1e64"},
		{"add", models.Decimal.Add, strings.Repeat("9", 64), "2", ""},
		{"add", models.Decimal.Add, "0", "1e64", "1e64"},
		{"add", models.Decimal.Add, "0.00", "-1e300", "-1e300"},
		{"add", models.Decimal.Add, "1e64", "1e64", "2e64"},
		{"add", models.Decimal.Add, "1e64", "1", ""},
		{"add", models.Decimal.Add, "1e64", "1e1", "1." + strings.Repeat("0", 62) + "1e64"},
		{"add", models.Decimal.Add, strings.Repeat("9", 63) + ".9", "0.1", "1" + strings.Repeat("0", 63)},
		{"add", models.Decimal.Add, strings.Repeat("9", 62) + ".99", "0.01", "1" + strings.Repeat("0", 62) + ".0"},
		{"sub", models.Decimal.Sub, "1e100", "0", "1e100"},
		{"sub", models.Decimal.Sub, "1e308", "-1e308", "2e308"},
		{"mul", models.Decimal.Mul, "1e63", "10", "1e64"},
		{"mul", models.Decimal.Mul, "1." + strings.Repeat("0", 40), "1." + strings.Repeat("0", 40), "1." + strings.Repeat("0", 63)},
		{"mul", models.Decimal.Mul, "1e200", "1e200", ""},
		{"add", models.Decimal.Add, "1e308", "0.01", ""},
		{"add", models.Decimal.Add, "1e308", "1e308", "2e308"},
		{"add", models.Decimal.Add, "10000000000000000000", "-9999999999999999999", "1"},
		{"add", models.Decimal.Add, "9.0909090909090909090909090909", "0.9090909090909090909090909091", "10.0000000000000000000000000000"},
		{"sub", models.Decimal.Sub, "1050.96", "95.54", "955.42"},
		{"sub", models.Decimal.Sub, "1.1", "1.10", "0.00"},
		{"sub", models.Decimal.Sub, "-9999999999999999999", "1", "-10000000000000000000"},
		{"sub", models.Decimal.Sub, "5e-324", "5e-324", "0." + strings.Repeat("0", 64)},
		{"sub", models.Decimal.Sub, "-" + strings.Repeat("9", 64), "2", ""},
		{"mul", models.Decimal.Mul, "350.32", "3.0", "1050.960"},
		{"mul", models.Decimal.Mul, "-1.5", "1.5", "-2.25"},
		{"mul", models.Decimal.Mul, "0.0000000001", "0.0000000001", "0.00000000000000000001"},
		{"mul", models.Decimal.Mul, "1000000000000", "10000000", "10000000000000000000"},
		{"mul", models.Decimal.Mul, "12345678.12345678", "1.1234", "13869134.803891346652"},
		{"mul", models.Decimal.Mul, "79228162514264337593543950335", "-79228162514264337593543950335", "-6277101735386680763835789423049210091073826769276946612225"},
		{"mul", models.Decimal.Mul, strings.Repeat("9", 33), strings.Repeat("9", 33), ""},
		{"mul", models.Decimal.Mul, "1e-200", "1e-200", ""},
		{"mul", models.Decimal.Mul, "1e200", "1e200", ""},
	} {
		got, err := c.op(models.MustDecimal(c.a), models.MustDecimal(c.b))
		if c.want == "" {
			require.ErrorIs(t, err, models.ErrDecimalRange, "%s %s %s", c.a, c.name, c.b)
			assert.True(t, got.IsZero())
			continue
		}
		require.NoError(t, err, "%s %s %s", c.a, c.name, c.b)
		assert.Equal(t, c.want, got.String())
	}
}

func TestDecimalsCompareAsNumbers(t *testing.T) {
	t.Parallel()
	ordered := []string{
		"-10", "-1.5", "-0.01", "0", "5e-324", "0.0000000000000000001", "0.1", "1.10", "9", "10", "9999999999999999999", "10000000000000000000",
		"10000000000000000000.0000000000000000000000000001", "1e300",
	}
	for i, a := range ordered {
		for j, b := range ordered {
			assert.Equal(t, sign(i-j), models.MustDecimal(a).Cmp(models.MustDecimal(b)), "%s %s", a, b)
		}
		assert.Equal(t, sign(i-3), models.MustDecimal(a).Sign(), a)
		assert.Equal(t, sign(3-i), models.MustDecimal(a).Neg().Sign(), a)
	}
	assert.True(t, models.MustDecimal("1.10").Equal(models.MustDecimal("1.1")))
	assert.True(t, models.MustDecimal("1.1000000000000000000000000").Equal(models.MustDecimal("1.1")))
	for _, text := range []string{"1.10", "79228162514264337593543950335", "1e300"} {
		amounts := map[models.Decimal]bool{models.MustDecimal(text): true}
		assert.True(t, amounts[models.MustDecimal(text)], text)
		assert.False(t, amounts[models.MustDecimal(text).Neg()], text)
	}
	assert.NotEqual(t, models.MustDecimal("1.10"), models.MustDecimal("1.1"), "== compares the digits")
}

func TestRoundTakesTheEvenNeighbour(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		scale int
		want  string
	}{
		{"1.005", 2, "1.00"}, {"1.015", 2, "1.02"}, {"1.0151", 2, "1.02"}, {"-1.005", 2, "-1.00"}, {"2.5", 0, "2"}, {"3.5", 0, "4"},
		{"1.1", 2, "1.1"}, {"1.10", 2, "1.10"}, {"2.5", -3, "2"}, {"0.999", 1, "1.0"},
		{"9.0909090909090909090909090909", 2, "9.09"}, {"1.0050000000000000000000000000", 2, "1.00"}, {"1.0050000000000000000000000001", 2, "1.01"},
		{"-1.0150000000000000000000000000", 2, "-1.02"}, {"1.0000000000000000000000000000", 28, "1.0000000000000000000000000000"},
		{"79228162514264337593543950335.5", 0, "79228162514264337593543950336"}, {"5e-324", 2, "0.00"}, {"1e300", 2, "1e300"},
		{"0.00000000000000005551115123125783", 20, "0.00000000000000005551"},
	} {
		assert.Equal(t, c.want, models.MustDecimal(c.text).Round(c.scale).String(), c.text)
	}
}

func TestRoundHalfUpTakesTheNeighbourAwayFromZero(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		scale int
		want  string
	}{
		{"1.005", 2, "1.01"}, {"1.015", 2, "1.02"}, {"1.0049", 2, "1.00"}, {"-1.005", 2, "-1.01"}, {"-1.0049", 2, "-1.00"}, {"2.5", 0, "3"},
		{"0.5", 0, "1"}, {"-0.5", 0, "-1"}, {"1.1", 2, "1.1"}, {"1.10", 2, "1.10"}, {"2.5", -3, "3"}, {"0.999", 1, "1.0"}, {"9.995", 2, "10.00"},
		{"1.0050000000000000000000000000", 2, "1.01"}, {"1.0049999999999999999999999999", 2, "1.00"}, {"9999999999999999999.5", 0, "10000000000000000000"},
		{strings.Repeat("9", 63) + ".5", 0, "1" + strings.Repeat("0", 63)}, {"5e-324", 2, "0.00"}, {"1e300", 2, "1e300"},
	} {
		assert.Equal(t, c.want, models.MustDecimal(c.text).RoundHalfUp(c.scale).String(), c.text)
	}
	assert.Equal(t, models.Decimal{}, models.Decimal{}.RoundHalfUp(2))
	for coef := int64(-2500); coef <= 2500; coef++ {
		d, err := models.NewDecimal(coef, 3)
		require.NoError(t, err)
		want, err := models.NewDecimal((coef+5*int64(d.Sign()))/10, 2)
		require.NoError(t, err)
		require.Equal(t, want, d.RoundHalfUp(2), d.String())
	}
}

func TestNewDecimalPlacesThePoint(t *testing.T) {
	t.Parallel()
	for want, c := range map[string][2]int64{
		"12.50": {1250, 2}, "-0.05": {-5, 2}, "7": {7, 0}, "-9223372036854775808": {-1 << 63, 0}, "0.0000000000000000001": {1, 19},
	} {
		d, err := models.NewDecimal(c[0], int(c[1]))
		require.NoError(t, err)
		assert.Equal(t, want, d.String())
	}
	for _, scale := range []int{-1, 20} {
		_, err := models.NewDecimal(1, scale)
		require.ErrorIs(t, err, models.ErrDecimalRange)
	}
}

func TestLongNumbersAreRefusedWithoutTrouble(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("9", 1<<20), "0." + strings.Repeat("0", 1<<20) + "1", "1e" + strings.Repeat("9", 1<<20)} {
		_, err := models.ParseDecimal(text)
		require.ErrorIs(t, err, models.ErrDecimalRange)
	}
}

// TestDecimalsOfRandomNumbers checks that each number of the two types that the
// service calculates with is written as it was read, and compares every
// calculation with exact fractions.
func TestDecimalsOfRandomNumbers(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 29))
	dotnet := func() string {
		digits := []byte{byte('1' + random.IntN(9))}
		for range random.IntN(28) {
			digits = append(digits, byte('0'+random.IntN(10)))
		}
		text := string(digits)
		if places := random.IntN(29); places > 0 {
			text = strings.Repeat("0", max(0, places-len(text)+1)) + text
			text = text[:len(text)-places] + "." + text[len(text)-places:]
		}
		return map[bool]string{true: "-"}[random.IntN(2) == 0] + text
	}
	double := func() string {
		for {
			if f := math.Float64frombits(random.Uint64()); !math.IsNaN(f) && !math.IsInf(f, 0) {
				return strconv.FormatFloat(f, 'E', -1, 64)
			}
		}
	}
	for range 3_000 {
		text := dotnet()
		a := models.MustDecimal(text)
		require.Equal(t, text, a.String())
		shortest := double()
		f := models.MustDecimal(shortest)
		require.Zero(t, rat(t, shortest).Cmp(rat(t, f.String())), shortest)
		require.Equal(t, f, models.MustDecimal(f.String()))

		b := models.MustDecimal(dotnet())
		x, y := rat(t, a.String()), rat(t, b.String())
		require.Equal(t, x.Cmp(y), a.Cmp(b))
		for name, result := range map[string]struct {
			of   func(models.Decimal, models.Decimal) (models.Decimal, error)
			want *big.Rat
		}{
			"add": {models.Decimal.Add, new(big.Rat).Add(x, y)},
			"sub": {models.Decimal.Sub, new(big.Rat).Sub(x, y)},
			"mul": {models.Decimal.Mul, new(big.Rat).Mul(x, y)},
		} {
			got, err := result.of(a, b)
			require.NoError(t, err, "%s %s %s: 58 digits at most", a, name, b)
			require.Zero(t, result.want.Cmp(rat(t, got.String())), "%s %s %s is %s", a, name, b, got)
		}
	}
}

func rat(t *testing.T, text string) *big.Rat {
	t.Helper()
	number, ok := new(big.Rat).SetString(text)
	require.True(t, ok, text)
	return number
}
