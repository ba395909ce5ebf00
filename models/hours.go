package models

import "math/big"

// HoursOfMinutes returns minutes, such as the duration of a fee, as hours with
// at most 19 digits after the decimal point, rounded half to even: 50 minutes
// with two digits are 0.83. Add minutes before converting them, because a sum
// of rounded hours is not exact.
func HoursOfMinutes(minutes, digits int) Decimal {
	digits = min(max(digits, 0), 19)
	parts := new(big.Int).Mul(big.NewInt(int64(minutes)), powerOfTen(digits))
	hours, _ := wide{halfEven(parts, big.NewInt(60)), digits}.decimal() // never fails: at most 38 digits
	return hours
}

// MinutesOfQuantity returns the minutes of a quantity of an activity code for
// time, which is minutes divided by 100: 0.6 is an hour. whole is false if the
// quantity is absent or not an integer number of minutes.
func MinutesOfQuantity(quantity Decimal) (minutes int, whole bool) {
	if quantity.IsZero() {
		return 0, false
	}
	w := quantity.wide()
	w.scale -= 2
	coef := w.at(0)
	exact, err := wide{coef, 0}.decimal()
	same, wideErr := w.decimal()
	n := int(coef.Int64())
	if err != nil || wideErr != nil || !exact.Equal(same) || !coef.IsInt64() || int64(n) != coef.Int64() {
		return 0, false
	}
	return n, true
}

// QuantityOfMinutes returns minutes as a quantity of an activity code for time:
// 60 minutes are 0.60.
func QuantityOfMinutes(minutes int) Decimal {
	quantity, _ := NewDecimal(int64(minutes), 2) // never fails: the scale is in range
	return quantity
}
