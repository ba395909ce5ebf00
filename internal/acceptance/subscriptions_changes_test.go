package acceptance_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// otherTier returns a tier that the firm does not have.
func otherTier(t *testing.T, client *practice.Client, has string) models.Tier {
	t.Helper()
	tiers, err := client.Subscriptions.ListTiers(t.Context(), practice.TierListOptions{})
	require.NoError(t, err)
	for _, tier := range tiers.Items {
		if tier.ID != has {
			return tier
		}
	}
	require.Fail(t, "there is one tier only")
	return models.Tier{}
}

func TestAPreviewTellsWhatTheChangeThenCosts(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		tier := otherTier(t, client, f.TierID)
		before, _ := server.Subscription(f.SubscriptionID)
		p, err := client.Subscriptions.Preview(t.Context(), f.SubscriptionID, models.SubscriptionPreviewRequest{TierID: tier.ID, PromotionIDs: []string{f.PromotionID}})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/subscriptions/"+f.SubscriptionID+"/preview", "")
		after, _ := server.Subscription(f.SubscriptionID)
		assert.Equal(t, before, after, "a preview changes nothing")
		seats, _ := before.Quantity.Get()
		assert.Equal(t, seats, p.Quantity.Or(0))
		require.Len(t, p.TaxRates, 1)
		assert.Equal(t, "10", p.TaxRates[0].Rate.String())

		now, next := p.ImmediateProrationPayment, p.NextBillingCyclePayment
		require.Len(t, now.PreviewLineItems, 4, "tier and add-on, before and after")
		require.Len(t, next.PreviewLineItems, 2)
		assert.Equal(t, tier.Name, next.PreviewLineItems[0].Product.Name)
		assert.NotEmpty(t, next.PreviewLineItems[0].Product.VendorID)
		kind, _ := next.PreviewLineItems[1].Product.VendorProductType.Get()
		assert.EqualValues(t, 1, kind, "an add-on")
		for name, invoice := range map[string]models.SubscriptionInvoicePreview{"now": now, "next": next} {
			var lines int64
			for _, l := range invoice.PreviewLineItems {
				lines += whole(t, l.Amount) - whole(t, l.PreTaxCredit) + whole(t, l.Tax)
			}
			assert.Equal(t, lines, whole(t, invoice.Total), name)
			assert.Equal(t, whole(t, invoice.Total), whole(t, invoice.SubTotal)-whole(t, invoice.PreTaxCredit)+whole(t, invoice.Tax), name)
		}

		require.NoError(t, testkit.Discard(client.Subscriptions.Patch(t.Context(), f.SubscriptionID, models.SubscriptionPatch{TierID: models.Some(tier.ID)})))
		server.Settle()
		page, err := client.Subscriptions.ListAccountInvoices(t.Context(), practice.SubscriptionInvoiceListOptions{ListOptions: practice.ListOptions{Limit: 1}})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		charged, err := client.Subscriptions.Preview(t.Context(), f.SubscriptionID, models.SubscriptionPreviewRequest{})
		require.NoError(t, err)
		assert.Empty(t, charged.ImmediateProrationPayment.PreviewLineItems, "nothing would change")
		assert.Positive(t, whole(t, page.Items[0].Total), "the rest of the period is billed")
		assert.Equal(t, models.SubscriptionInvoiceStatusOpen, page.Items[0].Status)
	})
}

// whole returns an amount in cents and fails if it has fractions of a cent.
func whole(t *testing.T, amount models.Cents) int64 {
	t.Helper()
	n, err := strconv.ParseInt(amount.String(), 10, 64)
	require.NoError(t, err)
	return n
}

func TestAPatchChangesWhatItNamesAndTellsOfIt(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		link, err := client.Subscriptions.Patch(t.Context(), f.SubscriptionID, models.SubscriptionPatch{
			AddOnIDs: models.Some([]string{}), Interval: models.Some(models.PriceIntervalYearly), Reason: models.Some("Fewer people"),
		})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "PATCH", "/subscriptions/"+f.SubscriptionID, "")
		assert.Equal(t, f.SubscriptionID, link.ID)
		assert.Equal(t, 202, testkit.LastSent(t, server).Status)
		server.Settle()
		s, _ := server.Subscription(f.SubscriptionID)
		assert.Empty(t, s.AddOns, "the whole list was sent")
		assert.Equal(t, models.PriceIntervalYearly, s.Interval)
		assert.Equal(t, f.TierID, s.Tier.ID, "what is not named stays")
		assert.Equal(t, s.CurrentPeriodStartDate.Time().AddDate(1, 0, 0), s.CurrentPeriodEndDate.Time(), "another period begins")

		page, err := client.Subscriptions.ListChanges(t.Context(), f.SubscriptionID, practice.SubscriptionChangeListOptions{ListOptions: practice.ListOptions{Offset: 2, Limit: 5}})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/subscriptions/"+f.SubscriptionID+"/changes", "Limit=5&Offset=2")
		require.Len(t, page.Items, 2)
		a := page.Items[0]
		wire := testkit.Member(t, testkit.WireTree(t, testkit.WireText(t, client, "/subscriptions/{id}/changes", f.SubscriptionID)), "value").([]any)
		testkit.AssertRecord(t, wire[2], map[string]any{
			"type": a.Type, "accountId": a.AccountID, "subscriptionId": a.SubscriptionID, "name": a.Name, "value": a.Value, "timestamp": a.Timestamp,
		})
		assert.Equal(t, []string{"AddOnIds", "[]"}, []string{a.Name, a.Value})
		assert.Equal(t, []string{"Interval", "Yearly"}, []string{page.Items[1].Name, page.Items[1].Value})
		all, err := practice.Collect(client.Subscriptions.AllChanges(t.Context(), f.SubscriptionID, practice.SubscriptionChangeListOptions{ListOptions: practice.ListOptions{Limit: 1}}))
		require.NoError(t, err)
		assert.Len(t, all, 4, "changes have no id to be told apart by")
	})
}

func TestATierIsSwitchedWithAPromotion(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		tier := otherTier(t, client, f.TierID)
		promotion := server.AddPromotion(models.Promotion{Name: "Upgrade", Active: models.Some(true), AmountOff: models.MustCents("500")})
		_, err := client.Subscriptions.SwitchTier(t.Context(), f.SubscriptionID, tier.ID, models.TierSwitch{PromotionID: models.Some(promotion)})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "PATCH", "/subscriptions/"+f.SubscriptionID+"/tiers/"+tier.ID, "")
		server.Settle()
		s, _ := server.Subscription(f.SubscriptionID)
		assert.Equal(t, tier.ID, s.Tier.ID)
		require.Len(t, s.Discounts, 2)
		assert.Equal(t, promotion, s.Discounts[1].Promotion.ID)
	})
}

func TestASubscriptionIsCancelledAndResumed(t *testing.T) {
	t.Parallel()
	type state struct {
		status       models.SubscriptionStatus
		cancellation models.CancellationStatus
		trial        models.CancellationStatus
	}
	atOnce := models.SubscriptionCancel{CancelSubscription: models.Some(true), CancellationType: models.Some(models.CancellationTypeImmediate)}
	on := func(days int) models.SubscriptionCancel {
		return models.SubscriptionCancel{
			CancelSubscription: models.Some(true), CancellationType: models.Some(models.CancellationTypeDate),
			CancelAt: models.Some(models.DateTimeOf(time.Now().UTC().AddDate(0, 0, days))),
		}
	}
	for name, test := range map[string]struct {
		cancel    func() models.SubscriptionCancel
		behaviour string
		cancelled state
		bills     int // bills after the subscription was resumed
	}{
		"must be PeriodEnd for a trial": {
			func() models.SubscriptionCancel { return models.SubscriptionCancel{} }, "Trial", state{"Active", "Pending", "Pending"}, 0,
		},
		"a preview changes nothing": {
			func() models.SubscriptionCancel { c := atOnce; c.Preview = models.Some(true); return c }, "Subscription", state{"Active", "Pending", "None"}, 0,
		},
		"at the end of the period": {
			func() models.SubscriptionCancel {
				return models.SubscriptionCancel{CancelSubscription: models.Some(true)}
			}, "Subscription", state{"Active", "Pending", "None"}, 0,
		},
		"on a date":      {func() models.SubscriptionCancel { return on(5) }, "Subscription", state{"Active", "Pending", "None"}, 0},
		"on a past date": {func() models.SubscriptionCancel { return on(-5) }, "Subscription", state{"Canceled", "Canceled", "None"}, 1},
		"at once":        {func() models.SubscriptionCancel { return atOnce }, "Subscription", state{"Canceled", "Canceled", "None"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				id := server.Firm().SubscriptionID
				now := func() (state, models.Subscription) {
					server.Settle()
					s, _ := server.Subscription(id)
					return state{s.Status, s.CancellationStatus, s.TrialingTier.CancellationStatus}, s
				}
				bills := func() int {
					all, err := practice.Collect(client.Subscriptions.AllAccountInvoices(t.Context(), practice.SubscriptionInvoiceListOptions{}))
					require.NoError(t, err)
					return len(all)
				}
				billed := bills()
				body := test.cancel()
				outcome, err := client.Subscriptions.Cancel(t.Context(), id, body)
				require.NoError(t, err)
				testkit.AssertSent(t, server, "PATCH", "/subscriptions/"+id+"/cancel", "")
				assert.Equal(t, test.behaviour, outcome.CancellationBehaviour)
				assert.Equal(t, body.Preview.Or(false), outcome.Preview.Or(true))
				assert.NotEmpty(t, outcome.Tier.ID)
				assert.False(t, outcome.CancelAt.IsZero())
				got, _ := now()
				assert.Equal(t, test.cancelled, got, "the change is made at once")

				_, err = client.Subscriptions.Resume(t.Context(), id, models.SubscriptionResume{})
				require.NoError(t, err)
				testkit.AssertSent(t, server, "PATCH", "/subscriptions/"+id+"/resume", "")
				assert.JSONEq(t, "{}", string(testkit.LastSent(t, server).Body))
				got, s := now()
				assert.Equal(t, state{"Active", "None", "None"}, got)
				assert.True(t, s.CancelAt.IsZero() && s.CanceledAt.IsZero())
				assert.Equal(t, billed+test.bills, bills(), "only a cancelled one is charged")
				_, err = client.Subscriptions.Resume(t.Context(), id, models.SubscriptionResume{})
				require.ErrorIs(t, err, practice.ErrBadRequest, "nothing is cancelled any more")
			})
		})
	}
}

// TestACancellationTakesEffectWhenItsTimeComes advances the clock of the
// service.
func TestACancellationTakesEffectWhenItsTimeComes(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]models.SubscriptionCancel{
		"on a date": {
			CancelSubscription: models.Some(true), CancellationType: models.Some(models.CancellationTypeDate),
			CancelAt: models.Some(models.DateTimeOf(time.Date(2000, 1, 11, 0, 0, 0, 0, time.UTC))), // the clock of a synctest bubble starts at 2000-01-01
		},
		"at the end of the period": {CancelSubscription: models.Some(true)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				id := server.Firm().SubscriptionID
				outcome, err := client.Subscriptions.Cancel(t.Context(), id, body)
				require.NoError(t, err)
				status := func() models.SubscriptionStatus {
					s, there := server.Subscription(id)
					require.True(t, there)
					return s.Status
				}
				server.Clock().Set(outcome.CancelAt.Time().Add(-time.Second))
				assert.Equal(t, models.SubscriptionStatusActive, status())
				server.Clock().Advance(time.Second)
				assert.Equal(t, models.SubscriptionStatusCanceled, status())
				s, _ := server.Subscription(id)
				assert.Equal(t, models.CancellationStatusCanceled, s.CancellationStatus)
			})
		})
	}
}

func TestASubscriptionThatCannotBeChargedIsPastDue(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		require.NoError(t, testkit.Discard(client.Subscriptions.RemovePaymentMethod(t.Context(), f.SubscriptionID, f.PaymentMethodID, models.PaymentMethodRemove{})))
		server.Settle()
		_, err := client.Subscriptions.Cancel(t.Context(), f.SubscriptionID, models.SubscriptionCancel{
			CancelSubscription: models.Some(true), CancellationType: models.Some(models.CancellationTypeImmediate),
		})
		require.NoError(t, err)
		require.ErrorIs(t, testkit.Discard(client.Subscriptions.Patch(t.Context(), f.SubscriptionID, models.SubscriptionPatch{})), practice.ErrBadRequest, "a cancelled one is not changed")
		require.ErrorIs(t, testkit.Discard(client.Subscriptions.Cancel(t.Context(), f.SubscriptionID, models.SubscriptionCancel{})), practice.ErrBadRequest, "nor cancelled again")
		require.NoError(t, testkit.Discard(client.Subscriptions.Resume(t.Context(), f.SubscriptionID, models.SubscriptionResume{})))
		server.Settle()
		s, _ := server.Subscription(f.SubscriptionID)
		assert.Equal(t, models.SubscriptionStatusPastDue, s.Status)
	})
}

func TestRefusalsOfChanges(t *testing.T) {
	t.Parallel()
	patch := func(change func(f practicetest.Firm) models.SubscriptionPatch) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Subscriptions.Patch(ctx, f.SubscriptionID, change(f)))
		}
	}
	testkit.AssertRefusals(t, "Subscriptions.Patch",
		testkit.Refusal{
			Rule: "a tier that there is not", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"tierId: no such tier"},
			Call: patch(func(practicetest.Firm) models.SubscriptionPatch {
				return models.SubscriptionPatch{TierID: models.Some(testkit.UnknownID)}
			}),
		},
		testkit.Refusal{
			Rule: "an add-on that there is not", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"addOnIds: no such add-on"},
			Call: patch(func(f practicetest.Firm) models.SubscriptionPatch {
				return models.SubscriptionPatch{AddOnIDs: models.Some([]string{f.AddOnID, testkit.UnknownID})}
			}),
		},
	)
	testkit.AssertRefusals(t, "Subscriptions.Preview", testkit.Refusal{
		Rule: "a promotion that there is not", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"promotionIds: no such promotion"},
		Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Subscriptions.Preview(ctx, f.SubscriptionID, models.SubscriptionPreviewRequest{PromotionIDs: []string{testkit.UnknownID}}))
		},
	})
	testkit.AssertRefusals(t, "Subscriptions.SwitchTier", testkit.Refusal{
		Rule: "a switch with a promotion that there is not", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"promotionId: no such promotion"},
		Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Subscriptions.SwitchTier(ctx, f.SubscriptionID, f.TierID, models.TierSwitch{PromotionID: models.Some(testkit.UnknownID)}))
		},
	})
	cancel := func(body models.SubscriptionCancel) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Subscriptions.Cancel(ctx, f.SubscriptionID, body))
		}
	}
	testkit.AssertRefusals(t, "Subscriptions.Cancel",
		testkit.Refusal{
			Rule: "a trial that ends at once", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"cancellationType: must be PeriodEnd for a trial"},
			Call: cancel(models.SubscriptionCancel{CancellationType: models.Some(models.CancellationTypeImmediate)}),
		},
		testkit.Refusal{
			Rule: "a date that is not given", Want: practice.ErrBadRequest, Fields: []string{"cancelAt: is required if cancellationType is Date"},
			Call: cancel(models.SubscriptionCancel{CancelSubscription: models.Some(true), CancellationType: models.Some(models.CancellationTypeDate)}),
		},
	)
}
