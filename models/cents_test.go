package models_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
)

func TestCentsAreDollarsByAHundred(t *testing.T) {
	t.Parallel()
	for cents, dollars := range map[string]string{
		"10900": "109.00", "10900.0": "109.000", "5": "0.05", "-1234": "-12.34", "10.9": "0.109", "0": "0.00",
		"12345678901234567890123456789": "123456789012345678901234567.89",
	} {
		assert.Equal(t, dollars, models.MustCents(cents).Dollars().String())
	}
	assert.False(t, models.Cents{}.Dollars().IsPresent(), "absent is not 0")
}

func TestCentsAreAddedToCentsOnly(t *testing.T) {
	t.Parallel()
	sum, err := models.MustCents("5900").Add(models.MustCents("10.9"))
	require.NoError(t, err)
	assert.Equal(t, "5910.9", sum.String())
	rest, err := sum.Sub(models.MustCents("6000"))
	require.NoError(t, err)
	assert.Equal(t, "-89.1 -1 -1", rest.String()+signs(rest.Sign(), rest.Cmp(sum)))
	assert.True(t, models.MustCents("1.0").Equal(models.MustCents("1")))
	_, err = sum.Add(models.Cents{})
	require.ErrorIs(t, err, models.ErrDecimalAbsent)
	_, err = models.ParseCents("$1")
	require.ErrorIs(t, err, models.ErrInvalidDecimal)

	cents, dollars := reflect.TypeFor[models.Cents](), reflect.TypeFor[models.Decimal]()
	for _, name := range []string{"Add", "Sub", "Cmp", "Equal"} {
		method, found := dollars.MethodByName(name)
		require.True(t, found)
		assert.False(t, cents.AssignableTo(method.Type.In(1)), "Decimal.%s takes no cents", name)
		assert.False(t, cents.ConvertibleTo(dollars), "and a conversion is no way around it")
		method, found = cents.MethodByName(name)
		require.True(t, found)
		assert.False(t, dollars.AssignableTo(method.Type.In(1)), "Cents.%s takes no dollars", name)
	}
}

func signs(all ...int) string {
	text := ""
	for _, sign := range all {
		text += map[int]string{-1: " -1", 0: " 0", 1: " 1"}[sign]
	}
	return text
}

func TestCentsKeepTheirDigits(t *testing.T) {
	t.Parallel()
	var read struct{ Amount, Tax, None models.Cents }
	require.NoError(t, json.Unmarshal([]byte(`{"Amount":10900.0,"Tax":10.9,"None":null}`), &read))
	assert.True(t, read.Amount.IsPresent())
	assert.True(t, read.None.IsZero())
	text, err := json.Marshal(read)
	require.NoError(t, err)
	assert.JSONEq(t, `{"Amount":10900.0,"Tax":10.9,"None":null}`, string(text))
	assert.Contains(t, string(text), `10900.0`)
	assert.Error(t, json.Unmarshal([]byte(`"10"`), &read.Amount))
}
