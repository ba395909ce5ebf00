package practice_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// newCard is the body that adds a card.
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
		assertSent(t, server, "POST", "/subscriptions/paymentmethods", "")
		toPlan, err := client.Subscriptions.AddPaymentMethod(t.Context(), f.SubscriptionID, newCard(t))
		require.NoError(t, err)
		assertSent(t, server, "POST", "/subscriptions/"+f.SubscriptionID+"/paymentmethods", "")
		assert.JSONEq(t, `{"paymentSystemId":"PROCESSOR","paymentInformation":{"token":"card-4f1d0c"}}`, string(lastSent(t, server).Body), "the service gets the data")
		server.Settle()

		all, err := practice.Collect(client.Subscriptions.AllAccountPaymentMethods(t.Context(), practice.ListOptions{Limit: 2}))
		require.NoError(t, err)
		assert.ElementsMatch(t, []string{f.PaymentMethodID, f.SparePaymentMethodID, toAccount.ID, toPlan.ID}, methodIDs(all))
		for _, m := range all {
			assert.Equal(t, m.ID == toAccount.ID, m.IsDefault.Or(false), "one default of the account")
		}
		page, err := client.Subscriptions.ListAccountPaymentMethods(t.Context(), practice.ListOptions{Limit: 1})
		require.NoError(t, err)
		assert.Equal(t, 4, page.Size.Or(0))
		set, err := practice.Collect(client.Subscriptions.AllPaymentMethods(t.Context(), f.SubscriptionID, practice.ListOptions{}))
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
		assertSent(t, server, "PUT", "/subscriptions/"+f.SubscriptionID+"/paymentmethods", "")
		server.Settle()
		assert.True(t, isDefault(added))
		assert.False(t, isDefault(f.PaymentMethodID))

		_, err = client.Subscriptions.RemovePaymentMethod(t.Context(), f.SubscriptionID, added, models.PaymentMethodRemove{NewDefaultPaymentMethodID: f.PaymentMethodID})
		require.NoError(t, err)
		assertSent(t, server, "DELETE", "/subscriptions/"+f.SubscriptionID+"/paymentmethods/"+added, "")
		server.Settle()
		assert.True(t, isDefault(f.PaymentMethodID))
		page, err := client.Subscriptions.ListPaymentMethods(t.Context(), f.SubscriptionID, practice.ListOptions{})
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
