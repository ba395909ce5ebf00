package decimal

type Decimal struct{}

func (Decimal) Float64() (float64, bool) { return 0, false }

func (Decimal) Int64(scale int) (whole, frac int64, ok bool) { return 0, 0, true }
