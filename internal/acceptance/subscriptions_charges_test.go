package acceptance_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAUsageChargeHasEveryFieldExactly(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		u, err := client.Subscriptions.GetCharge(t.Context(), f.SubscriptionID, f.ChargeID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/subscriptions/"+f.SubscriptionID+"/charges/"+f.ChargeID, "")
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/subscriptions/{subscriptionId}/charges/{id}", f.SubscriptionID, f.ChargeID)), map[string]any{
			"id": u.ID, "href": u.Href, "relation": u.Relation, "method": u.Method, "self": u.Self, "externalId": u.ExternalID,
			"externalAdjustmentId": u.ExternalAdjustmentID, "expenseId": u.ExpenseID, "subscriptionId": u.SubscriptionID,
			"accountId": u.AccountID, "userId": u.UserID, "productId": u.ProductID, "priceId": u.PriceID, "metadata": u.Metadata,
			"matterId": u.MatterID, "description": u.Description, "supplierTransactionId": u.SupplierTransactionID,
			"supplierTransactionAmount": u.SupplierTransactionAmount, "amount": u.Amount, "quantity": u.Quantity, "status": u.Status,
			"failureReason": u.FailureReason, "createdDate": u.CreatedDate, "updatedDate": u.UpdatedDate, "occurredDate": u.OccurredDate,
		})
		assert.Equal(t, f.SubscriptionID, u.SubscriptionID)
		assert.Equal(t, "4.50", u.Amount.Dollars().String())
	})
}

func TestAChargeIsMadeAndFoundByItsMetadata(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		body := models.UsageChargeCreate{MatterID: f.MatterID, Description: "Identity check of the buyer", Metadata: map[string]string{"our-key": "k-17"}}
		link, err := client.Subscriptions.CreateCharge(t.Context(), f.SubscriptionID, f.UsageID, body)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/subscriptions/"+f.SubscriptionID+"/usages/"+f.UsageID+"/charges", "")
		server.Settle()

		var found []string
		for charge, err := range client.Subscriptions.AllUsageCharges(t.Context(), f.SubscriptionID, f.UsageID, practice.UsageChargeListOptions{}) {
			require.NoError(t, err)
			if charge.Metadata["our-key"] == models.FreeText("k-17") {
				found = append(found, charge.ID)
				assert.Equal(t, models.UsageChargeStatusSucceeded, charge.Status)
				expense, known := server.Expense(charge.ExpenseID)
				require.True(t, known, "the settings make an expense of each charge")
				assert.Equal(t, charge.Amount.Dollars().String(), expense.Price.String(), "cents are dollars there")
			}
		}
		assert.Equal(t, []string{link.ID}, found)
		_, refused := client.Subscriptions.CreateCharge(t.Context(), f.SubscriptionID, f.NewUsageID, body)
		require.ErrorIs(t, refused, practice.ErrBadRequest, "the product is not subscribed to")
	})
}

func TestChargesAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		all, err := practice.Collect(client.Subscriptions.AllCharges(t.Context(), f.SubscriptionID, practice.UsageChargeListOptions{}))
		require.NoError(t, err)
		require.Len(t, all, 2)
		assert.True(t, all[0].CreatedDate.Time().After(all[1].CreatedDate.Time()))
		since := server.Clock().Now().Add(-2 * time.Hour)
		for name, test := range map[string]struct {
			options practice.UsageChargeListOptions
			want    int
		}{
			"from a time":        {practice.UsageChargeListOptions{From: since}, 1},
			"to a time":          {practice.UsageChargeListOptions{To: since}, 1},
			"of a matter":        {practice.UsageChargeListOptions{MatterID: f.MatterID}, 2},
			"of another matter":  {practice.UsageChargeListOptions{MatterID: f.MatterIDs[1]}, 0},
			"of a user":          {practice.UsageChargeListOptions{UserID: f.UserID}, 2},
			"of a product":       {practice.UsageChargeListOptions{ProductID: f.UsageID}, 2},
			"of another product": {practice.UsageChargeListOptions{ProductID: f.NewUsageID}, 0},
			"that failed":        {practice.UsageChargeListOptions{Status: models.UsageChargeStatusFailed}, 0},
		} {
			page, err := client.Subscriptions.ListCharges(t.Context(), f.SubscriptionID, test.options)
			require.NoError(t, err)
			assert.Len(t, page.Items, test.want, name)
		}
		page, err := client.Subscriptions.ListUsageCharges(t.Context(), f.SubscriptionID, f.UsageID, practice.UsageChargeListOptions{ProductID: f.NewUsageID})
		require.NoError(t, err)
		assert.Len(t, page.Items, 2, "the product of the path wins")
	})
}

func TestAChargeIsRefundedWithin24Hours(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		age  time.Duration
		want error
	}{
		{"at once", 0, nil},
		{"after 24 hours", 24 * time.Hour, nil},
		{"later", 24*time.Hour + time.Second, practice.ErrBadRequest},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				f := server.Firm()
				id := server.AddCharge(f.SubscriptionID, f.UsageID, models.UsageChargeCreate{})
				server.Clock().Advance(test.age)
				_, err := client.Subscriptions.CancelCharge(t.Context(), f.SubscriptionID, id, models.UsageChargeCancel{Reason: "Wrong matter"})
				require.ErrorIs(t, err, test.want)
				testkit.AssertSent(t, server, "POST", "/subscriptions/"+f.SubscriptionID+"/charges/"+id+"/cancel", "")
				server.Settle()
				charge, _ := server.UsageCharge(id)
				assert.Equal(t, test.want == nil, charge.Status == models.UsageChargeStatusRefunded)
				assert.Equal(t, test.want == nil, charge.ExternalAdjustmentID != "")
				if test.want == nil {
					_, err = client.Subscriptions.CancelCharge(t.Context(), f.SubscriptionID, id, models.UsageChargeCancel{})
					require.ErrorIs(t, err, practice.ErrBadRequest, "once only")
				}
			}, practicetest.WithTokenLifetime(48*time.Hour))
		})
	}
}

func TestOnlySomeUsersMayCharge(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		_, err := client.Subscriptions.PatchSettings(t.Context(), models.SubscriptionSettingsPatch{
			UsageAccessPermission: models.Some("SelectedUsers"), UsageAccessSelectedUserIDs: models.Some([]string{f.ColleagueUserID}),
		})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "PATCH", "/subscriptions/settings", "")
		server.Settle()
		settings, err := client.Subscriptions.GetSettings(t.Context())
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/subscriptions/settings", "")
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/subscriptions/settings")), map[string]any{
			"id": settings.ID, "href": settings.Href, "relation": settings.Relation, "method": settings.Method, "self": settings.Self,
			"createExpensesFromUsageCharges": settings.CreateExpensesFromUsageCharges, "usageAccessPermission": settings.UsageAccessPermission,
			"usageAccessSelectedUserIds": settings.UsageAccessSelectedUserIDs, "updatedDate": settings.UpdatedDate, "updatedByUserId": settings.UpdatedByUserID,
		})
		assert.True(t, settings.CreateExpensesFromUsageCharges.Or(false), "it stays as it is")
		_, err = client.Subscriptions.CreateCharge(t.Context(), f.SubscriptionID, f.UsageID, models.UsageChargeCreate{})
		require.ErrorIs(t, err, practice.ErrForbidden)
	})
}

func TestUsageProductsAndPromotionsComeAndGo(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f, ctx := server.Firm(), t.Context()
		now := func() models.Subscription {
			server.Settle()
			s, known := server.Subscription(f.SubscriptionID)
			require.True(t, known)
			return s
		}
		steps := []struct {
			path   string
			call   func() (*models.Link, error)
			usages int
			promos int
		}{
			{"POST /usages/" + f.NewUsageID, func() (*models.Link, error) {
				return client.Subscriptions.SubscribeUsage(ctx, f.SubscriptionID, f.NewUsageID, models.UsageSubscribe{DefaultPaymentMethodID: f.PaymentMethodID})
			}, 2, 1},
			{"DELETE /usages/" + f.UsageID, func() (*models.Link, error) {
				return client.Subscriptions.UnsubscribeUsage(ctx, f.SubscriptionID, f.UsageID)
			}, 1, 1},
			{"DELETE /promotions/" + f.PromotionID, func() (*models.Link, error) {
				return client.Subscriptions.RemovePromotion(ctx, f.SubscriptionID, f.PromotionID)
			}, 1, 0},
			{"POST /promotions/" + f.PromotionID, func() (*models.Link, error) {
				return client.Subscriptions.ApplyPromotion(ctx, f.SubscriptionID, f.PromotionID)
			}, 1, 1},
		}
		for _, step := range steps {
			link, err := step.call()
			require.NoError(t, err, step.path)
			assert.Equal(t, f.SubscriptionID, link.ID)
			sent := testkit.LastSent(t, server)
			assert.Contains(t, sent.Method+" "+sent.Path[len(sent.Path)-len(step.path)+len(sent.Method)+1:], step.path)
			s := now()
			assert.Len(t, s.Usages, step.usages, step.path)
			assert.Len(t, s.Discounts, step.promos, step.path)
		}
	})
}

func TestRefusalsOfCharges(t *testing.T) {
	t.Parallel()
	testkit.AssertRefusals(t, "Subscriptions.CreateCharge", testkit.Refusal{
		Rule: "a price that is not in force", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"priceId: must be an active price of the product"},
		Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Subscriptions.CreateCharge(ctx, f.SubscriptionID, f.UsageID, models.UsageChargeCreate{PriceID: testkit.UnknownID}))
		},
	})
	testkit.AssertRefusals(t, "Subscriptions.SetDefaultPaymentMethod", testkit.Refusal{
		Rule: "a payment method that there is not", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"paymentMethodId: no such payment method"},
		Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Subscriptions.SetDefaultPaymentMethod(ctx, f.SubscriptionID, models.PaymentMethodDefault{PaymentMethodID: testkit.UnknownID}))
		},
	})
}
