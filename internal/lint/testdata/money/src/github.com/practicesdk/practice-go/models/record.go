package models

import "math/big"

type float32s = []string

type Record struct {
	Hours  float64   // want `float64: records must not use floating-point numbers`
	Days   big.Float // want `Float: records must not use floating-point numbers`
	Amount string
	Weight big.Rat
	Count  int64
}

func half(of int) int {
	return int(float32(of) / 2) // want `float32: records must not use floating-point numbers`
}
