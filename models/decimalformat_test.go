package models_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/models"
)

func TestAnAmountForPeopleHasFixedDigitsAndGroups(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		amount         string
		digits         int
		fixed, grouped string
	}{
		{"1234567.5", 2, "1234567.50", "1,234,567.50"},
		{"-1234567.5", 2, "-1234567.50", "-1,234,567.50"},
		{"999", 2, "999.00", "999.00"},
		{"-999", 0, "-999", "-999"},
		{"1000", 0, "1000", "1,000"},
		{"100000", 1, "100000.0", "100,000.0"},
		{"0", 2, "0.00", "0.00"},
		{"0.005", 2, "0.00", "0.00"},
		{"0.015", 2, "0.02", "0.02"},
		{"-0.004", 2, "0.00", "0.00"},
		{"-0.05", 2, "-0.05", "-0.05"},
		{"999999.995", 2, "1000000.00", "1,000,000.00"},
		{"12.5", -1, "12", "12"},
		{"1e3", 2, "1000.00", "1,000.00"},
		{"1e70", 0, "1" + zeros(70), "10" + groups(23)},
		{"12345678901234567890.12345678901234567890", 4, "12345678901234567890.1235", "12,345,678,901,234,567,890.1235"},
		{"5e-324", 2, "0.00", "0.00"},
	} {
		amount := models.MustDecimal(test.amount)
		assert.Equal(t, test.fixed, amount.Fixed(test.digits), test.amount)
		assert.Equal(t, test.grouped, amount.Grouped(test.digits), test.amount)
	}
	assert.Len(t, models.MustDecimal("1").Fixed(1000), len("1.")+64, "as many digits as an amount has at most")
	assert.Empty(t, models.Decimal{}.Fixed(2), "absent is not 0")
	assert.Empty(t, models.Decimal{}.Grouped(2))
}

func zeros(n int) string {
	text := ""
	for range n {
		text += "0"
	}
	return text
}

func groups(n int) string {
	text := ""
	for range n {
		text += ",000"
	}
	return text
}
