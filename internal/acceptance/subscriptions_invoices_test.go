package acceptance_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestInvoicesOfTheServiceAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		all, err := practice.Collect(client.Subscriptions.AllAccountInvoices(t.Context(), practice.SubscriptionInvoiceListOptions{ListOptions: practice.ListOptions{Limit: 1}}))
		require.NoError(t, err)
		require.Len(t, all, 3)
		assert.True(t, all[0].CreatedDate.Time().After(all[1].CreatedDate.Time()))
		assert.Equal(t, f.SubscriptionInvoiceID, all[1].ID)
		i := all[1]
		wire := testkit.Member(t, testkit.WireTree(t, testkit.WireText(t, client, "/subscriptions/invoices")), "value").([]any)
		testkit.AssertRecord(t, wire[1], map[string]any{
			"id": i.ID, "number": i.Number, "status": i.Status, "description": i.Description, "total": i.Total, "subTotal": i.SubTotal,
			"tax": i.Tax, "preTaxCredit": i.PreTaxCredit, "lineItems": i.LineItems, "createdDate": i.CreatedDate,
		})
		require.Len(t, i.LineItems, 2)
		assert.Equal(t, f.TierID, i.LineItems[0].Product.TargetID())

		from, to := all[1].CreatedDate.Time(), all[0].CreatedDate.Time().Add(-time.Second)
		for name, test := range map[string]struct {
			options practice.SubscriptionInvoiceListOptions
			want    int
		}{
			"from a time":             {practice.SubscriptionInvoiceListOptions{From: from}, 2},
			"between two times":       {practice.SubscriptionInvoiceListOptions{From: from, To: to}, 1},
			"of the subscription":     {practice.SubscriptionInvoiceListOptions{SubscriptionID: f.SubscriptionID}, 3},
			"of another subscription": {practice.SubscriptionInvoiceListOptions{SubscriptionID: testkit.UnknownID}, 0},
		} {
			page, err := client.Subscriptions.ListAccountInvoices(t.Context(), test.options)
			require.NoError(t, err)
			assert.Len(t, page.Items, test.want, name)
		}
		page, err := client.Subscriptions.ListAccountInvoices(t.Context(), practice.SubscriptionInvoiceListOptions{From: from, SubscriptionID: f.SubscriptionID})
		require.NoError(t, err)
		assert.Len(t, page.Items, 2)
		query := url.Values{"From": {from.UTC().Format("2006-01-02T15:04:05.0000000Z")}, "SubscriptionId": {f.SubscriptionID}}
		testkit.AssertSent(t, server, "GET", "/subscriptions/invoices", query.Encode())
	})
}

func TestTheDeprecatedListHasTenInvoicesUnlessMoreAreAskedFor(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().SubscriptionID
		for range 10 {
			server.AddSubscriptionInvoice(id, models.SubscriptionInvoice{Status: models.SubscriptionInvoiceStatusPaid})
		}
		for limit, want := range map[int]int{0: 10, 2: 2, 500: 13} {
			page, err := client.Subscriptions.ListInvoices(t.Context(), id, practice.RecentInvoiceListOptions{Limit: limit}) //nolint:staticcheck // a deprecated method works as before
			require.NoError(t, err)
			assert.Len(t, page.Items, want)
			assert.Negative(t, page.Size.Or(-1), "the list has no pages")
		}
		_, err := client.Subscriptions.ListInvoices(t.Context(), id, practice.RecentInvoiceListOptions{Limit: 2}) //nolint:staticcheck // a deprecated method works as before
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/subscriptions/"+id+"/invoices", "limit=2")
	})
}

func TestThePDFOfAnInvoiceOfTheServiceIsWrittenWhole(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().SubscriptionInvoiceID
		var got bytes.Buffer
		n, err := client.Subscriptions.DownloadInvoice(t.Context(), id, &got)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/subscriptions/invoices/"+id+"/download", "")
		assert.Contains(t, testkit.LastSent(t, server).Header.Get("Accept"), "application/pdf")
		assert.EqualValues(t, got.Len(), n)
		assert.True(t, bytes.HasPrefix(got.Bytes(), []byte("%PDF-")) && bytes.HasSuffix(got.Bytes(), []byte("%%EOF\n")))

		place, err := client.Subscriptions.GetInvoiceURL(t.Context(), id)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/subscriptions/invoices/"+id+"/url", "")
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, place.URL.Reveal(), http.NoBody)
		require.NoError(t, err)
		answer, err := server.HTTPClient().Do(request)
		require.NoError(t, err)
		defer func() { assert.NoError(t, answer.Body.Close()) }()
		read, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		assert.Equal(t, got.Bytes(), read)
	})
}

func TestAPDFThatBreaksOffIsAskedForAgainAndNothingIsWrittenTwice(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		server.Inject(practicetest.Fault{Operation: "downloadSubscriptionInvoice", Kind: practicetest.FaultTruncated, After: 40})
		var got bytes.Buffer
		var response practice.Response
		_, err := client.Subscriptions.DownloadInvoice(t.Context(), server.Firm().SubscriptionInvoiceID, &got, practice.WithResponse(&response))
		require.NoError(t, err)
		assert.Len(t, response.Attempts, 2)
		assert.Equal(t, 1, bytes.Count(got.Bytes(), []byte("%PDF-")))
		assert.Equal(t, "application/pdf", response.Header.Get("Content-Type"))
		assert.Contains(t, response.Header.Get("Content-Disposition"), "Invoice S-0002.pdf")
	})
}

func TestADraftHasNoPDF(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.AddSubscriptionInvoice(server.Firm().SubscriptionID, models.SubscriptionInvoice{Status: models.SubscriptionInvoiceStatusDraft})
		var got bytes.Buffer
		require.ErrorIs(t, testkit.Discard(client.Subscriptions.DownloadInvoice(t.Context(), id, &got)), practice.ErrNotFound)
		require.ErrorIs(t, testkit.Discard(client.Subscriptions.GetInvoiceURL(t.Context(), id)), practice.ErrNotFound)
		assert.Zero(t, got.Len())
	})
}

type fullDisk struct{ err error }

func (d fullDisk) Write([]byte) (int, error) { return 0, d.err }

func TestWhatIsNoPDFIsNotWritten(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id, full := server.Firm().SubscriptionInvoiceID, errors.New("the disk is full")
		for name, body := range map[string]string{"a page of a proxy": "<html>Sign in</html>", "nothing": "", "JSON": `{"url":"x"}`} {
			server.ClearFaults()
			server.Inject(practicetest.Fault{Operation: "downloadSubscriptionInvoice", Status: 200, Body: body})
			var got bytes.Buffer
			_, err := client.Subscriptions.DownloadInvoice(t.Context(), id, &got)
			require.ErrorIs(t, err, practice.ErrNotPDF, name)
			_, is := errors.AsType[*practice.DecodeError](err)
			assert.True(t, is, name)
			assert.Zero(t, got.Len(), name)
		}
		server.ClearFaults()
		_, err := client.Subscriptions.DownloadInvoice(t.Context(), id, nil)
		_, is := errors.AsType[*practice.ArgumentError](err)
		assert.True(t, is, "%v", err)
		_, err = client.Subscriptions.DownloadInvoice(t.Context(), id, fullDisk{full})
		require.ErrorIs(t, err, full)
	})
}

// newCard returns the body for adding a card.
func newCard(t *testing.T) models.PaymentMethodAdd {
	t.Helper()
	data, err := models.ParseObject(`{"token":"card-4f1d0c"}`)
	require.NoError(t, err)
	return models.PaymentMethodAdd{PaymentSystemID: "PROCESSOR", PaymentInformation: models.NewSecretObject(data)}
}

func methodIDs(methods []models.PaymentMethod) (ids []string) {
	for _, m := range methods {
		ids = append(ids, m.ID)
	}
	return ids
}

func TestAPaymentMethodIsAddedToASubscriptionOrToTheAccount(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		body := newCard(t)
		body.IsDefault = models.Some(true)
		toAccount, err := client.Subscriptions.AddAccountPaymentMethod(t.Context(), body)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/subscriptions/paymentmethods", "")
		toPlan, err := client.Subscriptions.AddPaymentMethod(t.Context(), f.SubscriptionID, newCard(t))
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/subscriptions/"+f.SubscriptionID+"/paymentmethods", "")
		assert.JSONEq(t, `{"paymentSystemId":"PROCESSOR","paymentInformation":{"token":"card-4f1d0c"}}`, string(testkit.LastSent(t, server).Body), "the service gets the data")
		server.Settle()

		all, err := practice.Collect(client.Subscriptions.AllAccountPaymentMethods(t.Context(), practice.AccountPaymentMethodListOptions{ListOptions: practice.ListOptions{Limit: 2}}))
		require.NoError(t, err)
		assert.ElementsMatch(t, []string{f.PaymentMethodID, f.SparePaymentMethodID, toAccount.ID, toPlan.ID}, methodIDs(all))
		for _, m := range all {
			assert.Equal(t, m.ID == toAccount.ID, m.IsDefault.Or(false), "one default of the account")
		}
		page, err := client.Subscriptions.ListAccountPaymentMethods(t.Context(), practice.AccountPaymentMethodListOptions{ListOptions: practice.ListOptions{Limit: 1}})
		require.NoError(t, err)
		assert.Equal(t, 4, page.Size.Or(0))
		set, err := practice.Collect(client.Subscriptions.AllPaymentMethods(t.Context(), f.SubscriptionID, practice.PaymentMethodListOptions{}))
		require.NoError(t, err)
		assert.ElementsMatch(t, []string{f.PaymentMethodID, f.SparePaymentMethodID, toPlan.ID}, methodIDs(set))
	})
}

func TestADefaultPaymentMethodIsThatOfOneSubscription(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		added := server.AddPaymentMethod(f.SubscriptionID, newCard(t))
		isDefault := func(id string) bool {
			m, err := client.Subscriptions.GetPaymentMethod(t.Context(), f.SubscriptionID, id)
			require.NoError(t, err)
			return m.IsDefault.Or(false)
		}
		assert.True(t, isDefault(f.PaymentMethodID))
		_, err := client.Subscriptions.SetDefaultPaymentMethod(t.Context(), f.SubscriptionID, models.PaymentMethodDefault{PaymentMethodID: added})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "PUT", "/subscriptions/"+f.SubscriptionID+"/paymentmethods", "")
		server.Settle()
		assert.True(t, isDefault(added))
		assert.False(t, isDefault(f.PaymentMethodID))

		_, err = client.Subscriptions.RemovePaymentMethod(t.Context(), f.SubscriptionID, added, models.PaymentMethodRemove{NewDefaultPaymentMethodID: f.PaymentMethodID})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "DELETE", "/subscriptions/"+f.SubscriptionID+"/paymentmethods/"+added, "")
		server.Settle()
		assert.True(t, isDefault(f.PaymentMethodID))
		page, err := client.Subscriptions.ListPaymentMethods(t.Context(), f.SubscriptionID, practice.PaymentMethodListOptions{})
		require.NoError(t, err)
		assert.Equal(t, []string{f.PaymentMethodID, f.SparePaymentMethodID}, methodIDs(page.Items))

		_, err = client.Subscriptions.SetDefaultPaymentMethod(t.Context(), f.SubscriptionID, models.PaymentMethodDefault{})
		require.NoError(t, err)
		server.Settle()
		assert.False(t, isDefault(f.PaymentMethodID), "nothing clears it")
		_, err = client.Subscriptions.RemovePaymentMethod(t.Context(), f.SubscriptionID, added, models.PaymentMethodRemove{})
		require.ErrorIs(t, err, practice.ErrNotFound, "it is not set any more")
	})
}

func TestTheDataOfACardAreNeverShown(t *testing.T) {
	t.Parallel()
	const secret = "card-4f1d0c"
	body := newCard(t)
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v %s %q", body, body, body, body.PaymentInformation, body.PaymentInformation), secret)
	var lines bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug}))
	logger.Info("add", "body", body, "data", body.PaymentInformation)
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		client := server.Client(t, practice.WithLogger(logger))
		_, err := client.Subscriptions.AddAccountPaymentMethod(t.Context(), body)
		require.NoError(t, err)
		body.PaymentSystemID = "nobody"
		_, err = client.Subscriptions.AddAccountPaymentMethod(t.Context(), body)
		require.ErrorIs(t, err, practice.ErrBadRequest)
		assert.NotContains(t, err.Error(), secret)
		assert.NotContains(t, fmt.Sprintf("%+v", err), secret)
	})
	assert.NotContains(t, lines.String(), secret)
	assert.Contains(t, lines.String(), "[redacted]")
}
