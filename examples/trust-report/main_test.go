package main

import (
	"bytes"
	"encoding/csv"
	"flag"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestWithoutAnythingItReportsTheEmbeddedFirm(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, func(string) string { return "" }))
	assert.Contains(t, out.String(), "account,matter,title,clients,balance,protected,available\n")
	assert.Contains(t, out.String(), "\nTrust account,,Total,,387395.55,,\n")
}

func start(t *testing.T) (server *practicetest.Server, env func(string) string) {
	t.Helper()
	server, err := practicetest.Start(practicetest.WithStrict(true))
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.Empty(t, server.Violations())
		require.NoError(t, server.Close())
	})
	variables := map[string]string{
		"PRACTICE_BASE_URL": server.BaseURL(), "PRACTICE_API_KEY": server.Credentials().APIKey, "PRACTICE_ACCESS_TOKEN": server.Credentials().AccessToken,
	}
	return server, func(name string) string { return variables[name] }
}

// rows returns the lines of a report by account and matter; the total has no
// matter.
func rows(t *testing.T, out *bytes.Buffer) map[[2]string][]string {
	t.Helper()
	lines, err := csv.NewReader(out).ReadAll()
	require.NoError(t, err)
	all := map[[2]string][]string{}
	for _, line := range lines {
		all[[2]string{line[0], line[1]}] = line[2:]
	}
	return all
}

func TestADepositOfACentIsInTheMatterAndInTheTotal(t *testing.T) {
	t.Parallel()
	server, env := start(t)
	matter, there := server.Matter(server.Firm().MatterID)
	require.True(t, there)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, env))
	before := rows(t, &out)
	server.AddTransaction(server.Firm().BankAccountID, models.TransactionCreate{
		MatterID: matter.ID, Amount: models.MustDecimal("0.01"), EffectiveDate: models.DateTimeOf(time.Now()),
	})
	require.NoError(t, run(t.Context(), nil, &out, env))
	after := rows(t, &out)
	for _, key := range [][2]string{{"Trust account", matter.Number}, {"Trust account", ""}} {
		difference, err := models.MustDecimal(after[key][2]).Sub(models.MustDecimal(before[key][2]))
		require.NoError(t, err)
		assert.Equal(t, "0.01", difference.String())
	}
	assert.Equal(t, matter.Title, after[[2]string{"Trust account", matter.Number}][0])
	assert.Equal(t, "Avery Varga", after[[2]string{"Trust account", matter.Number}][1], "people want names")
	for _, request := range server.Requests() {
		assert.Equal(t, http.MethodGet, request.Method, "it writes nothing")
	}
}

// tell has the next answer about the trust account say something else.
func tell(t *testing.T, server *practicetest.Server, change func(*models.BankAccount)) {
	t.Helper()
	c := server.Credentials()
	client, err := practice.NewClient(server.BaseURL(), practice.WithAPIKey(c.APIKey), practice.WithAccessToken(c.AccessToken))
	require.NoError(t, err)
	defer client.CloseIdleConnections()
	account, err := client.BankAccounts.Get(t.Context(), server.Firm().BankAccountID)
	require.NoError(t, err)
	change(account)
	text, err := account.MarshalJSON()
	require.NoError(t, err)
	server.Inject(practicetest.Fault{Operation: "getBankAccount", Status: 200, Body: string(text), ContentType: "application/json"})
}

func TestBalancesThatDoNotAddUpAreAnErrorForAScript(t *testing.T) {
	t.Parallel()
	server, env := start(t)
	tell(t, server, func(account *models.BankAccount) { account.Balance = models.MustDecimal("387395.54") })
	var out bytes.Buffer
	err := run(t.Context(), nil, &out, env)
	require.ErrorIs(t, err, ErrFindings)
	require.EqualError(t, err, "the balances do not add up: Trust account has 387395.54, its matters have 387395.55")
	assert.NotEmpty(t, out.String(), "the report is there all the same")

	tell(t, server, func(account *models.BankAccount) {
		account.MatterBalances[0].AvailableBalance = models.MustDecimal("1")
	})
	require.ErrorIs(t, run(t.Context(), nil, &out, env), ErrFindings)
}

func TestAnAbsentBalanceIsNotZeroAndMakesNoReport(t *testing.T) {
	t.Parallel()
	server, env := start(t)
	tell(t, server, func(account *models.BankAccount) { account.MatterBalances[0].Balance = models.Decimal{} })
	var out bytes.Buffer
	require.ErrorIs(t, run(t.Context(), nil, &out, env), models.ErrDecimalAbsent)
	assert.Empty(t, out.String())
}

func TestHalfAReportIsNone(t *testing.T) {
	t.Parallel()
	server, env := start(t)
	server.Inject(practicetest.Fault{Operation: "getContact", Kind: practicetest.FaultStatus, Status: 404, Skip: 3})
	var out bytes.Buffer
	require.ErrorIs(t, run(t.Context(), nil, &out, env), practice.ErrNotFound)
	assert.Empty(t, out.String())
}

func TestATextIsNoFormula(t *testing.T) {
	t.Parallel()
	r := &report{}
	r.row("=1+1", "-2", "@x", "\x1b[2J", models.MustDecimal("-3"))
	assert.Equal(t, []string{"'=1+1", "'-2", "'@x", "[2J", "-3.00", "", ""}, r.rows[0])
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.ErrorIs(t, run(t.Context(), []string{"x"}, &out, func(string) string { return "" }), program.ErrUsage)
	require.ErrorIs(t, run(t.Context(), []string{"-h"}, &out, func(string) string { return "" }), flag.ErrHelp)
	assert.Empty(t, out.String())
}
