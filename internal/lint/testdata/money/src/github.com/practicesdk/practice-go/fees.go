package practice

import (
	"math/big"

	"github.com/govalues/decimal"
)

type fee struct {
	Amount       float64            // want `Amount is an amount: use models.Decimal`
	Prices       []float32          // want `Prices is an amount`
	balance      *float64           // want `balance is an amount`
	Balances     map[string]float64 // want `Balances is an amount`
	AmountDue    float64            // want `AmountDue is an amount`
	totalTaxEUR  float64            // want `totalTaxEUR is an amount`
	unit_price   float64            // want `unit_price is an amount`
	Cost         *big.Float         // want `Cost is an amount`
	Fees         chan [2]float64    // want `Fees is an amount`
	byMoney      map[float64]int    // want `byMoney is an amount`
	Rate         decimal.Decimal
	ExpenseCount int
	Feedback     float64
	taxi         float64
	perHour      int64
}

type cents float64 // want `cents is an amount`

const FeeLimit = 1.5 // want `FeeLimit is an amount`

func limit(perSecond float64) float64 { return perSecond * 2 } // no amount

func (f fee) AmountOpen() float64 { return f.AmountDue } // want `AmountOpen is an amount`

func sum[N int | float64](amounts ...N) (total N) { return total } // want `amounts is an amount`

func count[N int | int64](amounts ...N) int { return len(amounts) }

func total(d decimal.Decimal, trustBalance float64) float64 { // want `trustBalance is an amount`
	value, _ := d.Float64() // want `Float64 of a decimal number loses precision`
	_, _, _ = d.Int64(2)
	lossy := d.Float64 // want `Float64 of a decimal number loses precision`
	_ = lossy
	return value
}
