package models_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/models"
)

func TestMinutesAreHours(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		minutes, digits int
		want            string
	}{
		{90, 2, "1.50"}, {60, 0, "1"}, {50, 2, "0.83"}, {6, 1, "0.1"}, {0, 2, "0.00"}, {-90, 1, "-1.5"}, {30, 0, "0"}, {90, 0, "2"}, {3, 1, "0.0"}, {9, 1, "0.2"},
		{1, 19, "0.0166666666666666667"}, {1, 100, "0.0166666666666666667"}, {59, -3, "1"}, {math.MaxInt32, 2, "35791394.12"},
	} {
		assert.Equal(t, test.want, models.HoursOfMinutes(test.minutes, test.digits).String(), "%d minutes, %d digits", test.minutes, test.digits)
	}
}

func TestTheQuantityOfAnActivityCodeIsMinutesByAHundred(t *testing.T) {
	t.Parallel()
	for quantity, want := range map[string]int{"0.6": 60, "0.60": 60, "0.06": 6, "1": 100, "0": 0, "-0.15": -15, "2.5000": 250, "1e2": 10000} {
		minutes, whole := models.MinutesOfQuantity(models.MustDecimal(quantity))
		assert.True(t, whole, quantity)
		assert.Equal(t, want, minutes, quantity)
		assert.True(t, models.QuantityOfMinutes(minutes).Equal(models.MustDecimal(quantity)), quantity)
	}
	for _, quantity := range []string{"0.605", "0.001", "1e40", "1e300", "5e-324"} {
		minutes, whole := models.MinutesOfQuantity(models.MustDecimal(quantity))
		assert.False(t, whole, quantity)
		assert.Zero(t, minutes, quantity)
	}
	_, whole := models.MinutesOfQuantity(models.Decimal{})
	assert.False(t, whole, "absent is not 0")
	assert.Equal(t, "0.60", models.QuantityOfMinutes(60).String())
}
