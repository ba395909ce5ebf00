package practice_test

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestBankAccountsHaveEveryFieldExactly(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, _ *practicetest.Server, client *practice.Client) {
		page, err := client.BankAccounts.List(t.Context(), practice.BankAccountListOptions{})
		require.NoError(t, err)
		wire := testkit.WireTree(t, testkit.WireText(t, client, "/bankaccounts")).(map[string]any)["value"].([]any)
		require.Len(t, page.Items, len(wire))
		seen := map[models.BankAccountType]int{}
		for i, account := range page.Items {
			seen[account.Type]++
			testkit.AssertRecord(t, wire[i], map[string]any{
				"id": account.ID, "href": account.Href, "relation": account.Relation, "method": account.Method, "self": account.Self,
				"type": account.Type, "status": account.Status, "matter": account.Matter,
				"accountType": account.AccountType, //nolint:staticcheck // deprecated, but read as long as the service sends it

				"accountName": account.AccountName, "accountNumber": account.AccountNumber, "bankName": account.BankName,
				"branchNumber": account.BranchNumber, "branchName": account.BranchName, "balance": account.Balance,
				"contactBalances": account.ContactBalances, "matterBalances": account.MatterBalances,
			})
			assert.Equal(t, account.Type == models.BankAccountTypeControlledMoney, account.Matter.ID != "", "controlled money has a matter")
			assertBalances(t, wire[i].(map[string]any), account)
		}
		assert.Len(t, seen, 4, "every type occurs")
		assert.True(t, page.Size.IsZero() && page.Offset.IsZero() && page.Limit.IsZero(), "the list is not paged")
		assert.NotEmpty(t, page.Href)
	})
}

// assertBalances compares the digits of every amount with those in the JSON of
// the service.
func assertBalances(t *testing.T, wire map[string]any, account models.BankAccount) {
	t.Helper()
	assert.Equal(t, wire["balance"].(json.Number).String(), account.Balance.String())
	contacts, _ := wire["contactBalances"].([]any)
	require.Len(t, account.ContactBalances, len(contacts))
	for i, balance := range account.ContactBalances {
		testkit.AssertRecord(t, contacts[i], map[string]any{
			"matter": balance.Matter, "contact": balance.Contact, "balance": balance.Balance, "protectedBalance": balance.ProtectedBalance,
			"availableBalance": balance.AvailableBalance, "lastUpdated": balance.LastUpdated,
		})
	}
	matters, _ := wire["matterBalances"].([]any)
	require.Len(t, account.MatterBalances, len(matters))
	for i, balance := range account.MatterBalances {
		testkit.AssertRecord(t, matters[i], map[string]any{
			"matter": balance.Matter, "balance": balance.Balance, "protectedBalance": balance.ProtectedBalance,
			"availableBalance": balance.AvailableBalance, "unpresentedChequesBalance": balance.UnpresentedChequesBalance,
			"lastUpdated": balance.LastUpdated,
		})
	}
}

func TestTheBalancesOfTheFirmAddUp(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, _ *practicetest.Server, client *practice.Client) {
		page, err := client.BankAccounts.List(t.Context(), practice.BankAccountListOptions{})
		require.NoError(t, err)
		for _, account := range page.Items {
			assert.Nil(t, account.Audit(), account.AccountName)
			if len(account.MatterBalances) == 0 {
				continue
			}
			sum := models.MustDecimal("0")
			for _, balance := range account.MatterBalances {
				sum, err = sum.Add(balance.Balance)
				require.NoError(t, err)
			}
			assert.True(t, sum.Equal(account.Balance), "%s: %s, not %s", account.AccountName, sum, account.Balance)
		}
	}, practicetest.WithMatters(12))
}

func TestBankAccountsAreFilteredByTypeAndMatter(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		options func(practicetest.Firm) practice.BankAccountListOptions
		query   string // M is replaced by the id of the matter
		types   []models.BankAccountType
	}{
		{
			"nothing lists all", func(practicetest.Firm) practice.BankAccountListOptions { return practice.BankAccountListOptions{} }, "",
			[]models.BankAccountType{
				models.BankAccountTypeOperating, models.BankAccountTypeOperating, models.BankAccountTypeTrust, models.BankAccountTypeCredit,
				models.BankAccountTypeControlledMoney, models.BankAccountTypeControlledMoney,
			},
		},
		{
			"a type", func(practicetest.Firm) practice.BankAccountListOptions {
				return practice.BankAccountListOptions{Type: models.BankAccountTypeCredit}
			}, "type=Credit",
			[]models.BankAccountType{models.BankAccountTypeCredit},
		},
		{
			"a matter", func(f practicetest.Firm) practice.BankAccountListOptions {
				return practice.BankAccountListOptions{MatterID: f.MatterID}
			}, "matterId=M",
			[]models.BankAccountType{models.BankAccountTypeTrust, models.BankAccountTypeControlledMoney},
		},
		{
			"both", func(f practicetest.Firm) practice.BankAccountListOptions {
				return practice.BankAccountListOptions{Type: models.BankAccountTypeControlledMoney, MatterID: f.MatterID}
			}, "matterId=M&type=ControlledMoney",
			[]models.BankAccountType{models.BankAccountTypeControlledMoney},
		},
		{
			"a matter without money", func(practicetest.Firm) practice.BankAccountListOptions {
				return practice.BankAccountListOptions{MatterID: testkit.UnknownID}
			}, "matterId=" + testkit.UnknownID, nil,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				page, err := client.BankAccounts.List(t.Context(), test.options(server.Firm()))
				require.NoError(t, err)
				var types []models.BankAccountType
				for _, account := range page.Items {
					types = append(types, account.Type)
				}
				assert.ElementsMatch(t, test.types, types)
				testkit.AssertSent(t, server, "GET", "/bankaccounts", testkit.WithMatter(test.query, server.Firm()))
			})
		})
	}
}

func TestRefusalsOfBankAccounts(t *testing.T) {
	t.Parallel()
	testkit.AssertRefusals(t, "BankAccounts.List", testkit.Refusal{
		Rule: "a type that there is not", Want: practice.ErrBadRequest,
		Fields: []string{`type: must be one of Operating, Trust, Credit, ControlledMoney, not "Savings"`},
		Call: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
			return testkit.Discard(c.BankAccounts.List(ctx, practice.BankAccountListOptions{Type: "Savings"}))
		},
	})
}

// TestAmountsKeepTheirDigits checks that an amount that no float64 can
// represent keeps its digits, and that a missing amount is not zero.
func TestAmountsKeepTheirDigits(t *testing.T) {
	t.Parallel()
	for wire, want := range map[string]string{
		`{"balance":90071992547409.93}`:    "90071992547409.93",
		`{"balance":1.10}`:                 "1.10",
		`{"balance":0.1}`:                  "0.1",
		`{"balance":12345678901234567.89}`: "12345678901234567.89",
		`{"id":"a1","balance":null}`:       "",
		`{"id":"a1"}`:                      "",
	} {
		service := &testkit.Scripted{Pages: func(url.Values) string { return testkit.Page([]string{wire}) }}
		listed, err := testkit.ScriptedClient(t, service).BankAccounts.List(t.Context(), practice.BankAccountListOptions{})
		require.NoError(t, err)
		assert.Equal(t, want, listed.Items[0].Balance.String(), wire)
		assert.Equal(t, want != "", listed.Items[0].Balance.IsPresent(), wire)
	}
	service := &testkit.Scripted{Pages: func(url.Values) string {
		return testkit.Page([]string{`{"id":"a1","balance":1e400}`, `{"id":"a2","balance":1}`})
	}}
	listed, err := testkit.ScriptedClient(t, service).BankAccounts.List(t.Context(), practice.BankAccountListOptions{})
	require.Error(t, err, "an amount that cannot be held is never rounded")
	require.Len(t, listed.Items, 1)
	assert.Equal(t, "a2", listed.Items[0].ID)
}

// deposited returns the body of a deposit for the firm's matter.
func deposited(f practicetest.Firm, amount, reference string) models.TransactionCreate {
	return models.TransactionCreate{
		MatterID: f.MatterID, PayorID: f.ContactID, Amount: models.MustDecimal(amount), Reference: reference, EffectiveDate: models.DateTimeOf(testkit.SomeTime),
	}
}

func TestADepositArrivesAtItsMatter(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		before := testkit.RequireAddsUp(t, client, f.BankAccountID)
		link, err := client.BankAccounts.CreateTransaction(t.Context(), f.BankAccountID, deposited(f, "100.10", "D-1"))
		require.NoError(t, err)
		server.Settle()
		after := testkit.RequireAddsUp(t, client, f.BankAccountID)
		more, err := after.Balance.Sub(before.Balance)
		require.NoError(t, err)
		assert.Equal(t, "100.10", more.String())

		made, err := client.BankAccounts.GetTransaction(t.Context(), f.BankAccountID, link.TargetID())
		require.NoError(t, err)
		assert.Equal(t, models.TransactionTypeDeposit, made.Type)
		assert.Equal(t, []string{f.MatterID, f.ContactID, f.BankAccountID}, []string{made.Matter.TargetID(), made.Payor.TargetID(), made.BankAccount.TargetID()})
		page, err := client.BankAccounts.ListTransactions(t.Context(), f.BankAccountID, practice.TransactionListOptions{MatterID: f.MatterID})
		require.NoError(t, err)
		assert.Equal(t, made.ID, page.Items[len(page.Items)-1].ID)

		require.NotEmpty(t, server.ReverseTransaction(made.ID))
		reversed := testkit.RequireAddsUp(t, client, f.BankAccountID)
		assert.True(t, before.Balance.Equal(reversed.Balance), "a reversal is seen in the transactions")
	})
}

func TestADepositWhoseAnswerWasLostIsFound(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f, since := server.Firm(), server.Clock().Now()
		deposit := deposited(f, "100.10", "D-7")
		server.Inject(practicetest.Fault{Operation: "createTransaction", Kind: practicetest.FaultResetAfter})
		_, err := client.BankAccounts.CreateTransaction(t.Context(), f.BankAccountID, deposit)
		require.True(t, testkit.IsAmbiguous(err), "%v", err)
		server.Settle()
		found, err := client.BankAccounts.FindCreatedTransaction(t.Context(), f.BankAccountID, deposit, since)
		require.NoError(t, err)
		require.Len(t, found, 1, "it was recorded, once")
		deposit.Reference = "D-8"
		found, err = client.BankAccounts.FindCreatedTransaction(t.Context(), f.BankAccountID, deposit, since)
		require.NoError(t, err)
		assert.Empty(t, found)
	})
}

func TestADepositIsFoundByItsWrittenDayOrByItsDayInUTC(t *testing.T) {
	t.Parallel()
	const none = ""
	for _, test := range []struct {
		name, sent, kept string
		found            bool
	}{
		{"the same instant", "2026-07-01T09:00:00+10:00", "2026-07-01T09:00:00+10:00", true},
		{"the written day alone", "2026-07-01T09:00:00+10:00", "2026-07-01", true},
		{"its midnight, without a zone", "2026-07-01T09:00:00+10:00", "2026-07-01T00:00:00", true},
		{"its midnight in UTC", "2026-07-01T09:00:00+10:00", "2026-07-01T00:00:00Z", true},
		{"the day in UTC alone", "2026-07-01T09:00:00+10:00", "2026-06-30", true},
		{"the instant in UTC", "2026-07-01T09:00:00+10:00", "2026-06-30T23:00:00Z", true},
		{"a zone behind UTC", "2026-07-01T22:00:00-05:00", "2026-07-01", true},
		{"an instant for a day", "2026-07-01", "2026-07-01T09:00:00+10:00", true},
		{"no day that was asked for", none, "2026-07-01", true},
		{"no day that was kept", "2026-07-01", none, false},
		{"the day after", "2026-07-01T09:00:00+10:00", "2026-07-02", false},
		{"the day before that in UTC", "2026-07-01T09:00:00+10:00", "2026-06-29", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			money := func(day string) string {
				if day == none {
					return `{"amount":1.10,"reference":"D-7"}`
				}
				return `{"amount":1.10,"reference":"D-7","effectiveDate":"` + day + `"}`
			}
			var deposit models.TransactionCreate
			require.NoError(t, json.Unmarshal([]byte(money(test.sent)), &deposit))
			client := testkit.ScriptedClient(t, &testkit.Scripted{Pages: func(url.Values) string { return `{"size":1,"value":[` + money(test.kept) + `]}` }})
			found, err := client.BankAccounts.FindCreatedTransaction(t.Context(), testkit.UnknownID, deposit, testkit.SomeTime)
			require.NoError(t, err)
			assert.Len(t, found, map[bool]int{true: 1}[test.found])
		})
	}
}

func TestFundsAreProtectedAsAWholeAndOnce(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		balance := func() models.MatterBalance {
			t.Helper()
			server.Settle()
			testkit.RequireAddsUp(t, client, f.BankAccountID)
			page, err := client.BankAccounts.ListMatterBalances(t.Context(), f.BankAccountID, practice.MatterBalanceListOptions{MatterID: f.MatterID})
			require.NoError(t, err)
			require.Len(t, page.Items, 1)
			return page.Items[0]
		}
		before := balance()
		link, err := client.BankAccounts.ProtectFunds(t.Context(), f.BankAccountID, models.ProtectFunds{
			MatterID: f.MatterID, Amount: models.MustDecimal("10.25"), EffectiveDate: models.DateTimeOf(testkit.SomeTime), Reason: "Dispute",
		})
		require.NoError(t, err)
		after := balance()
		less, err := before.AvailableBalance.Sub(after.AvailableBalance)
		require.NoError(t, err)
		assert.Equal(t, "10.25", less.String())
		assert.True(t, before.Balance.Equal(after.Balance), "no money moves")

		protection, err := client.BankAccounts.GetProtectedBalance(t.Context(), f.BankAccountID, link.TargetID())
		require.NoError(t, err)
		assert.True(t, protection.IsProtected.Or(false))
		_, err = client.BankAccounts.UnprotectFunds(t.Context(), f.BankAccountID, protection.ID, models.UnprotectFunds{Amount: models.MustDecimal("5")})
		require.ErrorIs(t, err, practice.ErrBadRequest, "not in parts")
		require.NoError(t, testkit.Discard(client.BankAccounts.UnprotectFunds(t.Context(), f.BankAccountID, protection.ID, models.UnprotectFunds{})))
		assert.True(t, before.AvailableBalance.Equal(balance().AvailableBalance))
		_, err = client.BankAccounts.UnprotectFunds(t.Context(), f.BankAccountID, protection.ID, models.UnprotectFunds{})
		require.ErrorIs(t, err, practice.ErrBadRequest, "once")
	})
}

func TestARequisitionIsPaidOrWaits(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		ask := models.RequisitionCreate{MatterID: f.MatterID, PayeeID: f.ContactID, Amount: models.MustDecimal("1.10"), Source: models.RequisitionSourceCheck, Reference: "R-1"}
		before := testkit.RequireAddsUp(t, client, f.BankAccountID)
		paid, err := client.BankAccounts.CreateRequisition(t.Context(), f.BankAccountID, ask)
		require.NoError(t, err)
		assert.Equal(t, models.RequisitionStatusApproved, paid.Status, "the owner of the firm asks")
		assert.Empty(t, paid.ID, "nothing waits")
		server.Settle()
		after := testkit.RequireAddsUp(t, client, f.BankAccountID)
		less, err := before.Balance.Sub(after.Balance)
		require.NoError(t, err)
		assert.Equal(t, "1.10", less.String())

		system := testkit.ServerToServer(t, server)
		waits, err := system.BankAccounts.CreateRequisition(t.Context(), f.BankAccountID, ask, practice.WithUserID(f.UserID))
		require.NoError(t, err)
		assert.Equal(t, models.RequisitionStatusPending, waits.Status)
		assert.NotEmpty(t, waits.ID)
		server.Settle()
		held := testkit.RequireAddsUp(t, client, f.BankAccountID)
		assert.True(t, after.Balance.Equal(held.Balance), "nothing is paid yet")
		mistakes := server.Tolerate(func() {
			_, err = system.BankAccounts.CreateRequisition(t.Context(), f.BankAccountID, ask)
		})
		require.ErrorIs(t, err, practice.ErrForbidden, "a user has to ask")
		assert.Len(t, mistakes, 1)
	})
}

// TestARequisitionThatWaitsIsDecidedInTheFirm approves and rejects requisitions
// through the embedded service, since the API has no operation for it.
func TestARequisitionThatWaitsIsDecidedInTheFirm(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		decide func(*practicetest.Server, string) bool
		paid   string
	}{
		"approved": {(*practicetest.Server).ApproveRequisition, "1.10"},
		"rejected": {(*practicetest.Server).RejectRequisition, "0.00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				f, start := server.Firm(), time.Now()
				before := testkit.RequireAddsUp(t, client, f.BankAccountID)
				waits, err := testkit.ServerToServer(t, server).BankAccounts.CreateRequisition(t.Context(), f.BankAccountID, models.RequisitionCreate{
					MatterID: f.MatterID, PayeeID: f.ContactID, Amount: models.MustDecimal("1.10"), Source: models.RequisitionSourceCheck, Reference: "R-1",
				}, practice.WithUserID(f.UserID))
				require.NoError(t, err)
				assert.False(t, test.decide(server, waits.ID), "it is not there before it takes effect")
				server.Settle()
				require.ErrorIs(t, testkit.Discard(client.BankAccounts.GetTransaction(t.Context(), f.BankAccountID, waits.ID)), practice.ErrNotFound)

				assert.True(t, test.decide(server, waits.ID))
				assert.False(t, test.decide(server, waits.ID), "once")
				after := testkit.RequireAddsUp(t, client, f.BankAccountID)
				less, err := before.Balance.Sub(after.Balance)
				require.NoError(t, err)
				assert.Equal(t, test.paid, less.Fixed(2))
				assert.Equal(t, protectedIn(before, f.MatterID), protectedIn(after, f.MatterID), "nothing is held back any more")
				found, err := client.BankAccounts.FindCreatedTransaction(t.Context(), f.BankAccountID, models.TransactionCreate{
					MatterID: f.MatterID, Amount: models.MustDecimal("1.10"), Type: models.TransactionTypeVendorPayment, Reference: "R-1",
				}, start)
				require.NoError(t, err)
				assert.Len(t, found, map[string]int{"1.10": 1, "0.00": 0}[test.paid])
			})
		})
	}
}

// protectedIn returns the protected part of the balance of a matter.
func protectedIn(account *models.BankAccount, matterID string) string {
	i := slices.IndexFunc(account.MatterBalances, func(b models.MatterBalance) bool { return b.Matter.TargetID() == matterID })
	return account.MatterBalances[i].ProtectedBalance.Fixed(2)
}

// unpresented returns the cheques of a matter that are not presented yet.
func unpresented(t *testing.T, client *practice.Client, f practicetest.Firm, matterID string) string {
	t.Helper()
	page, err := client.BankAccounts.ListMatterBalances(t.Context(), f.BankAccountID, practice.MatterBalanceListOptions{MatterID: matterID})
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	return page.Items[0].UnpresentedChequesBalance.String()
}

func TestAMatterIsNotClosedWhileItsChequesAreUnpresented(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*practice.Client, context.Context, string) error{
		"closed by a patch": func(c *practice.Client, ctx context.Context, id string) error {
			return testkit.Discard(c.Matters.Patch(ctx, id, models.MatterPatch{Status: models.Some(models.MatterStatusClosed)}))
		},
		"cancelled by a patch": func(c *practice.Client, ctx context.Context, id string) error {
			return testkit.Discard(c.Matters.Patch(ctx, id, models.MatterPatch{Status: models.Some(models.MatterStatusCancelled)}))
		},
		"closed by a replacement": func(c *practice.Client, ctx context.Context, id string) error {
			return testkit.Discard(c.Matters.Modify(ctx, id, func(m *models.MatterWrite) error { m.Status = models.MatterStatusClosed; return nil }, practice.WithLoss("clientRole", "otherSideRole")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				f := server.Firm()
				id := f.MatterIDs[1]
				server.AddTransaction(f.BankAccountID, models.TransactionCreate{MatterID: id, Amount: models.MustDecimal("90")})
				_, err := client.BankAccounts.CreateRequisition(t.Context(), f.BankAccountID, models.RequisitionCreate{
					MatterID: id, PayeeID: f.ContactID, Amount: models.MustDecimal("12.34"), Source: models.RequisitionSourceTrustCheck,
				})
				require.NoError(t, err)
				server.Settle()
				require.Equal(t, "12.34", unpresented(t, client, f, id))
				err = end(client, t.Context(), id)
				require.ErrorIs(t, err, practice.ErrBadRequest)
				require.ErrorContains(t, err, "status: the matter has unpresented cheques of 12.34 in Trust account")
				require.NoError(t, testkit.Discard(client.Matters.Patch(t.Context(), id, models.MatterPatch{Status: models.Some(models.MatterStatusPending)})), "nothing else is restricted")

				require.True(t, server.PresentCheques(id))
				assert.False(t, server.PresentCheques(id), "once")
				require.Equal(t, "0.00", unpresented(t, client, f, id))
				require.NoError(t, end(client, t.Context(), id))
				server.Settle()
				ended, _ := server.Matter(id)
				assert.NotEqual(t, models.MatterStatusPending, ended.Status)
			})
		})
	}
}

func TestAChequeThatIsReversedNeedsNotBePresented(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f, since := server.Firm(), server.Clock().Now()
		cheque := models.RequisitionCreate{MatterID: f.MatterID, PayeeID: f.ContactID, Amount: models.MustDecimal("1.10"), Source: models.RequisitionSourceCheck, Reference: "R-7"}
		before := unpresented(t, client, f, f.MatterID)
		require.NoError(t, testkit.Discard(client.BankAccounts.CreateRequisition(t.Context(), f.BankAccountID, cheque)))
		server.Settle()
		assert.NotEqual(t, before, unpresented(t, client, f, f.MatterID))
		paid, err := client.BankAccounts.FindCreatedTransaction(t.Context(), f.BankAccountID, models.TransactionCreate{
			MatterID: f.MatterID, Type: models.TransactionTypeVendorPayment, Amount: cheque.Amount, Reference: cheque.Reference,
		}, since)
		require.NoError(t, err)
		require.Len(t, paid, 1, "a payment is found by its reference")

		back := server.ReverseTransaction(paid[0].ID)
		require.NotEmpty(t, back)
		assert.Equal(t, before, unpresented(t, client, f, f.MatterID))
		assert.Empty(t, server.ReverseTransaction(back), "a reversal is not reversed")
		assert.Empty(t, server.ReverseTransaction(paid[0].ID), "nor anything twice")
	})
}
