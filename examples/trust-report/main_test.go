package main

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// balances returns the balance of each matter, and that of the trust account
// under "".
func balances(t *testing.T, client *practice.Client) map[string]line {
	t.Helper()
	r, err := read(t.Context(), client)
	require.NoError(t, err)
	require.Empty(t, r.findings)
	all := map[string]line{}
	for _, l := range r.lines {
		if l.account == "Trust account" {
			all[l.number] = l
		}
	}
	return all
}

func TestADepositOfACentIsInTheMatterAndInTheTotal(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	matter, there := server.Matter(server.Firm().MatterID)
	require.True(t, there)
	before := balances(t, server.Client(t))
	server.AddTransaction(server.Firm().BankAccountID, models.TransactionCreate{
		MatterID: matter.ID, Amount: models.MustDecimal("0.01"), EffectiveDate: models.DateTimeOf(time.Now()),
	})
	after := balances(t, server.Client(t))
	for _, number := range []string{matter.Number, ""} {
		difference, err := after[number].balance.Sub(before[number].balance)
		require.NoError(t, err)
		assert.Equal(t, "0.01", difference.String())
	}
	assert.Equal(t, matter.Title, after[matter.Number].title)
	assert.Equal(t, "Avery Varga", after[matter.Number].clients, "people want names")
	for _, request := range server.Requests() {
		assert.Equal(t, http.MethodGet, request.Method, "it writes nothing")
	}
}

// tell changes the next response about the trust account.
func tell(t *testing.T, server *practicetest.Server, change func(*models.BankAccount)) {
	t.Helper()
	account, there := server.BankAccount(server.Firm().BankAccountID)
	require.True(t, there)
	change(&account)
	text, err := account.MarshalJSON()
	require.NoError(t, err)
	server.Inject(practicetest.Fault{Operation: "getBankAccount", Status: 200, Body: string(text), ContentType: "application/json"})
}

func TestBalancesThatDoNotAddUpAreFound(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	tell(t, server, func(account *models.BankAccount) { account.Balance = models.MustDecimal("387395.54") })
	r, err := read(t.Context(), server.Client(t))
	require.NoError(t, err)
	assert.Equal(t, "Trust account has 387395.54, its matters have 387395.55", r.findings[len(r.findings)-1])
	assert.NotEmpty(t, r.lines, "the report is there all the same")

	tell(t, server, func(account *models.BankAccount) {
		account.MatterBalances[0].AvailableBalance = models.MustDecimal("1")
	})
	r, err = read(t.Context(), server.Client(t))
	require.NoError(t, err)
	assert.NotEmpty(t, r.findings)
}

func TestAnAbsentBalanceIsNotZeroAndMakesNoReport(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	tell(t, server, func(account *models.BankAccount) { account.MatterBalances[0].Balance = models.Decimal{} })
	_, err := read(t.Context(), server.Client(t))
	require.ErrorIs(t, err, models.ErrDecimalAbsent)
}

func TestHalfAReportIsNone(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	server.Inject(practicetest.Fault{Operation: "getContact", Kind: practicetest.FaultStatus, Status: 404, Skip: 3})
	_, err := read(t.Context(), server.Client(t))
	require.ErrorIs(t, err, practice.ErrNotFound)
}

func TestATextOfTheServiceIsNoFormulaAndSteersNoTerminal(t *testing.T) {
	t.Parallel()
	r := &report{lines: []line{{"=1+1", "-2", "@x", "\x1b[2J\u202e", models.MustDecimal("-3"), models.Decimal{}, models.Decimal{}}}}
	file := filepath.Join(t.TempDir(), "report.csv")
	require.NoError(t, r.save(file))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "\ufeffaccount,matter,title,clients,balance,protected,available\n'=1+1,-2,'@x,[2J,-3.00,,\n", string(text))
}
