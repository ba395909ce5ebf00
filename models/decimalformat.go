package models

import (
	"math/big"
	"strings"
)

// Fixed returns the amount with exactly digits digits after the decimal point,
// 0 to 64, rounded half to even: 1234.5 with two digits is 1234.50. For half up,
// call [Decimal.RoundHalfUp] first. It returns "" if the amount is absent.
func (d Decimal) Fixed(digits int) string {
	if d.IsAbsent() {
		return ""
	}
	digits = min(max(digits, 0), mostDigits)
	coef, negative := d.wide().at(digits), ""
	if coef.Sign() < 0 {
		negative = "-"
	}
	return negative + writeOut(coef.Abs(coef).String(), digits)
}

// Grouped is like [Decimal.Fixed], with commas between thousands: 1234567.5
// with two digits is 1,234,567.50.
func (d Decimal) Grouped(digits int) string {
	whole, fraction, pointed := strings.Cut(d.Fixed(digits), ".")
	whole, negative := strings.CutPrefix(whole, "-")
	var b strings.Builder
	if negative {
		b.WriteByte('-')
	}
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	if pointed {
		b.WriteString("." + fraction)
	}
	return b.String()
}

// at returns the coefficient for another scale, rounded half to even.
func (w wide) at(scale int) *big.Int {
	if w.scale > scale {
		return halfEven(w.coef, powerOfTen(w.scale-scale))
	}
	return new(big.Int).Mul(w.coef, powerOfTen(scale-w.scale))
}
