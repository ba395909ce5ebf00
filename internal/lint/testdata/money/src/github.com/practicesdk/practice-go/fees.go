package practice

import "github.com/govalues/decimal"

type fee struct {
	Amount  float64   // want `Amount is an amount: use models.Money`
	Prices  []float32 // want `Prices is an amount`
	balance *float64  // want `balance is an amount`
	Rate    decimal.Decimal
	perHour int64
}

func limit(perSecond float64) float64 { return perSecond * 2 } // no amount

func total(d decimal.Decimal, trustBalance float64) float64 { // want `trustBalance is an amount`
	value, _ := d.Float64() // want `Float64 of a decimal number loses digits`
	_, _, _ = d.Int64(2)
	return value
}
