package main

import (
	"bytes"
	"encoding/csv"
	"flag"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestWithoutAnythingItFindsTheMistakesThatItMakes(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, func(string) string { return "" }))
	text := out.String()
	assert.Contains(t, text, "Statement of "+time.Now().UTC().Format("2006-01"))
	assert.Equal(t, 2, strings.Count(text, "Conference with counsel  0.83 h   352.91"), "320.83 and the tax")
	assert.Regexp(t, `Conference with counsel of \S+ is billed twice, for 352.91 each: fees \S+ and \S+\n`, text)
	assert.Regexp(t, `Trust account: the balance is ([\d,]+\.\d\d), but the transactions come to [\d,]+\.\d\d\n`, text)
	assert.Contains(t, text, "1,500.00")
}

// firm returns a service with one matter of two entries in February.
func firm(t *testing.T) (server *practicetest.Server, env func(string) string) {
	t.Helper()
	server, err := practicetest.Start(practicetest.WithStrict(true))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	variables := map[string]string{
		"PRACTICE_BASE_URL": server.BaseURL(), "PRACTICE_API_KEY": server.Credentials().APIKey,
		"PRACTICE_ACCESS_TOKEN": server.Credentials().AccessToken, "PRACTICE_MATTER_ID": server.Firm().MatterID,
	}
	return server, func(name string) string { return variables[name] }
}

func TestTheTotalsOfAMonthAreExact(t *testing.T) {
	t.Parallel()
	server, env := firm(t)
	f, day := server.Firm(), models.DateOf(time.Date(2031, 2, 3, 0, 0, 0, 0, time.UTC))
	for _, rate := range []string{"0.10", "0.20", "1000.00"} {
		server.AddFee(f.MatterID, models.FeeWrite{Subject: "=1+1", FeeDate: day, Rate: models.MustDecimal(rate), IsBillable: models.Some(true)})
	}
	server.AddFee(f.MatterID, models.FeeWrite{Subject: "Pro bono", FeeDate: day, Rate: models.MustDecimal("900")})
	server.AddFee(f.MatterID, models.FeeWrite{Subject: "Later", FeeDate: day.AddDays(30), Rate: models.MustDecimal("900"), IsBillable: models.Some(true)})
	server.AddExpense(f.MatterID, models.ExpenseWrite{
		Subject: "Copies", ExpenseDate: day, Quantity: models.MustDecimal("30"), Price: models.MustDecimal("0.10"), IsBillable: models.Some(true),
	})
	before, there := server.BankAccount(f.BankAccountID)
	require.True(t, there)
	server.AddTransaction(f.BankAccountID, models.TransactionCreate{
		MatterID: f.MatterID, Amount: models.MustDecimal("12.34"), Reference: "D-1", EffectiveDate: models.DateTimeOf(time.Date(2031, 2, 28, 0, 0, 0, 0, time.UTC)),
	})

	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"-month", "2031-02", "-csv"}, &out, env))
	rows, err := csv.NewReader(&out).ReadAll()
	require.NoError(t, err)
	assert.Equal(t, []string{"Fees", "2031-02-03", "'=1+1", "fixed", "0.10"}, rows[1], "a spreadsheet reckons nothing")
	assert.Equal(t, []string{"Fees", "", "Total", "", "1000.30"}, rows[4])
	assert.Equal(t, []string{"Expenses", "", "Total", "", "3.00"}, rows[6])
	opening := before.MatterBalances[0].Balance
	closing, err := opening.Add(models.MustDecimal("12.34"))
	require.NoError(t, err)
	assert.Equal(t, [][]string{
		{"Trust account", "", "Balance before", "", opening.Fixed(2)}, {"Trust account", "2031-02-28", "Deposit", "D-1", "12.34"},
		{"Trust account", "", "Total", "", closing.Fixed(2)},
	}, rows[7:10])
	for _, r := range server.Requests() {
		assert.Equal(t, http.MethodGet, r.Method, "it writes nothing")
	}
}

func TestAFindingIsAnErrorForAScript(t *testing.T) {
	t.Parallel()
	server, env := firm(t)
	fee := models.FeeWrite{Subject: "Advice", FeeDate: models.DateOf(time.Date(2031, 2, 3, 0, 0, 0, 0, time.UTC)), Rate: models.MustDecimal("10"), IsBillable: models.Some(true)}
	server.AddFee(server.Firm().MatterID, fee)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"-month", "2031-02"}, &out, env))
	assert.Contains(t, out.String(), "Everything adds up.")
	server.AddFee(server.Firm().MatterID, fee)
	err := run(t.Context(), []string{"-month", "2031-02"}, &out, env)
	require.ErrorIs(t, err, ErrFindings)
	require.EqualError(t, err, "the statement is not in order: 1 finding")
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"-x"}, "flag provided but not defined: -x"},
		{[]string{"a"}, `unexpected argument "a"`},
		{[]string{"-month", "March"}, "cannot parse"},
	} {
		err := run(t.Context(), test.args, new(bytes.Buffer), func(string) string { return "" })
		require.ErrorIs(t, err, program.ErrUsage)
		assert.ErrorContains(t, err, test.says)
	}
	require.ErrorIs(t, run(t.Context(), []string{"-h"}, io.Discard, func(string) string { return "" }), flag.ErrHelp)
}
