package main

import (
	"fmt"

	"github.com/practicesdk/practice-go/benchmarks/internal/peers/plain"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
	"github.com/practicesdk/practice-go/models"
)

// decodeAccounts compares decoding a list of bank accounts. This library
// decodes amounts to exact decimals, all peers to float64.
func decodeAccounts(r run) (report.Table, error) {
	list := r.answers.Accounts
	all := decoders[models.Collection[models.BankAccount], plain.AccountList]()
	results, rows, err := compareDecoders(r, all, list)
	if err != nil {
		return report.Table{}, err
	}
	return report.Table{
		Title:   "500 bank accounts with balances",
		Intro:   fmt.Sprintf("One list of %s. Exact decimals here, float64 in all peers.", report.Mebibytes(float64(len(list)))),
		Header:  decodeHeader,
		Rows:    rows,
		Figures: aheadOf(results, 4, "goccy/go-json", "bytedance/sonic"),
	}, nil
}
