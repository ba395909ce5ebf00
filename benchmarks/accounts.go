package main

import (
	"bytes"
	"encoding/json"
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
	results, rows, err := compareDecoders(r, all, list,
		bytes.Replace(list, []byte(`"status":0`), []byte(`"status":"open"`), 1),
		bytes.Replace(list, []byte(`"status":0`), []byte(`"status":0,`+newMember), 1))
	if err != nil {
		return report.Table{}, err
	}
	for i := range rows {
		rows[i] = append(rows[i], moneyThrough(all[i]))
	}
	return report.Table{
		Title:   "500 bank accounts with balances",
		Intro:   fmt.Sprintf("One list of %s. Exact decimals here, float64 in all peers.", report.Mebibytes(float64(len(list)))),
		Header:  append(decodeHeader[:len(decodeHeader):len(decodeHeader)], "`"+money+"` comes back as"),
		Rows:    rows,
		Figures: aheadOf(results, 4, "goccy/go-json", "bytedance/sonic"),
	}, nil
}

const money = "90071992547409.93"

// moneyThrough decodes and encodes an amount that float64 cannot represent, and
// returns the result.
func moneyThrough(d decoder) string {
	text := []byte(`{"value":[{"id":null,"type":"Trust","status":0,"balance":` + money + `}]}`)
	value, _, err := d.decode(bytes.NewReader(text), len(text))
	if err != nil {
		return "refused"
	}
	written, err := json.Marshal(value)
	if err != nil {
		return "refused"
	}
	var back struct {
		Value []struct {
			Balance json.RawMessage `json:"balance"`
		} `json:"value"`
	}
	if err := json.Unmarshal(written, &back); err != nil || len(back.Value) != 1 {
		return "nothing"
	}
	return "`" + string(back.Value[0].Balance) + "`"
}
