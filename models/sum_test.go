package models_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
)

func TestASumIsExact(t *testing.T) {
	t.Parallel()
	var tenths []models.Decimal
	for range 1000 {
		tenths = append(tenths, models.MustDecimal("0.10"))
	}
	sum, err := models.Sum(slices.Values(tenths))
	require.NoError(t, err)
	assert.Equal(t, "100.00", sum.String())

	sum, err = models.Sum(slices.Values([]models.Decimal(nil)))
	require.NoError(t, err)
	assert.Equal(t, "0", sum.String(), "the sum of none")
	_, err = models.Sum(slices.Values([]models.Decimal{models.MustDecimal("1"), {}}))
	require.ErrorIs(t, err, models.ErrDecimalAbsent)
	huge := models.MustDecimal("1e300")
	_, err = models.Sum(slices.Values([]models.Decimal{huge, models.MustDecimal("0.01")}))
	require.ErrorIs(t, err, models.ErrDecimalRange)

	cents, err := models.Sum(slices.Values([]models.Cents{models.MustCents("10.9"), models.MustCents("5900")}))
	require.NoError(t, err)
	assert.Equal(t, "5910.9", cents.String())
	cents, err = models.Sum(slices.Values([]models.Cents(nil)))
	require.NoError(t, err)
	assert.True(t, cents.IsPresent())
}
