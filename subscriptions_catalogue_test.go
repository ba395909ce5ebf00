package practice_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestWhatCanBeSubscribedToIsListedAndRead(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		tiers, err := client.Subscriptions.ListTiers(t.Context())
		require.NoError(t, err)
		assertSent(t, server, "GET", "/subscriptions/tiers", "")
		require.Len(t, tiers.Items, 2)
		assert.Negative(t, tiers.Size.Or(-1), "a bare array has no pages")
		wire := wireTree(t, wireText(t, client, "/subscriptions/tiers")).([]any)
		for i, tier := range tiers.Items {
			assertTier(t, wire[i], tier, nil)
		}
		tier, err := client.Subscriptions.GetTier(t.Context(), tiers.Items[1].ID)
		require.NoError(t, err)
		assertSent(t, server, "GET", "/subscriptions/tiers/"+tiers.Items[1].ID, "")
		assert.Equal(t, tiers.Items[1], *tier)
		assert.Equal(t, "149.000", tier.Prices[0].Amount.Dollars().String())

		addOns, err := client.Subscriptions.ListAddOns(t.Context())
		require.NoError(t, err)
		assertSent(t, server, "GET", "/subscriptions/addons", "")
		require.Len(t, addOns.Items, 2)
		addOn, err := client.Subscriptions.GetAddOn(t.Context(), addOns.Items[0].ID)
		require.NoError(t, err)
		assertSent(t, server, "GET", "/subscriptions/addons/"+addOn.ID, "")
		assertTier(t, wireTree(t, wireText(t, client, "/subscriptions/addons/{id}", addOn.ID)), *addOn, nil)
		assert.Equal(t, addOns.Items[0], *addOn)
	})
}

func TestAnAddOnFitsSomeTiers(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		tiers, err := client.Subscriptions.ListTiers(t.Context())
		require.NoError(t, err)
		for i, want := range [][]string{{"Add-on"}, {"Add-on", "Add-on 2"}} {
			page, err := client.Subscriptions.ListTierAddOns(t.Context(), tiers.Items[i].ID)
			require.NoError(t, err)
			assertSent(t, server, "GET", "/subscriptions/tiers/"+tiers.Items[i].ID+"/addons", "")
			var names []string
			for _, addOn := range page.Items {
				names = append(names, addOn.Name)
			}
			assert.Equal(t, want, names)
		}
	})
}

func TestUsageProductsHaveEveryFieldExactly(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		page, err := client.Subscriptions.ListUsages(t.Context())
		require.NoError(t, err)
		assertSent(t, server, "GET", "/subscriptions/usages", "")
		require.Len(t, page.Items, 2)
		u, err := client.Subscriptions.GetUsage(t.Context(), page.Items[1].ID)
		require.NoError(t, err)
		assertSent(t, server, "GET", "/subscriptions/usages/"+u.ID, "")
		assert.Equal(t, page.Items[1], *u)
		assertRecord(t, wireTree(t, wireText(t, client, "/subscriptions/usages/{id}", u.ID)), map[string]any{
			"id": u.ID, "href": u.Href, "relation": u.Relation, "method": u.Method, "self": u.Self, "vendorId": u.VendorID,
			"productSuite": u.ProductSuite, "iconIdentifier": u.IconIdentifier, "name": u.Name, "description": u.Description,
			"trialPeriodDays": u.TrialPeriodDays, "prices": u.Prices, "createdDate": u.CreatedDate, "updatedDate": u.UpdatedDate,
		})
		assert.Equal(t, "12.50", u.Prices[0].Amount.Dollars().String(), "an amount in cents")
		assert.False(t, u.Prices[1].Active.Or(true), "an old price")
	})
}

func TestPaymentSystemsAreListed(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		page, err := client.Subscriptions.ListPaymentSystems(t.Context())
		require.NoError(t, err)
		assertSent(t, server, "GET", "/subscriptions/paymentsystems", "")
		require.Len(t, page.Items, 1)
		system := page.Items[0]
		assertRecord(t, member(t, wireTree(t, wireText(t, client, "/subscriptions/paymentsystems")), "value").([]any)[0], map[string]any{
			"id": system.ID, "supportedPaymentTypes": system.SupportedPaymentTypes,
		})
		assert.Equal(t, []string{"CreditCard"}, system.SupportedPaymentTypes)
	})
}

func TestASubscriptionMayUseThePromotionsThatAreOffered(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		promotion, err := client.Subscriptions.GetPromotion(t.Context(), f.PromotionID)
		require.NoError(t, err)
		assertSent(t, server, "GET", "/subscriptions/promotions/"+f.PromotionID, "")
		assertPromotion(t, wireTree(t, wireText(t, client, "/subscriptions/promotions/{id}", f.PromotionID)), *promotion)

		all, err := practice.Collect(client.Subscriptions.AllAppliedPromotions(t.Context(), f.SubscriptionID, practice.ListOptions{Limit: 5}))
		require.NoError(t, err)
		require.Len(t, all, 12)
		assert.Equal(t, *promotion, all[0])
		page, err := client.Subscriptions.ListAppliedPromotions(t.Context(), f.SubscriptionID, practice.ListOptions{Offset: 10})
		require.NoError(t, err)
		assertSent(t, server, "GET", "/subscriptions/"+f.SubscriptionID+"/promotions", "Offset=10")
		assert.Equal(t, all[10:], page.Items)
	})
}

func TestTheSubscriptionsOfAnAccountAreListed(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		page, err := client.Subscriptions.List(t.Context())
		require.NoError(t, err)
		assertSent(t, server, "GET", "/subscriptions", "")
		one, err := client.Subscriptions.Get(t.Context(), server.Firm().SubscriptionID)
		require.NoError(t, err)
		assert.Equal(t, *one, page.Items[0])
	})
}

func TestRefusalsOfTheCatalogueOfSubscriptions(t *testing.T) {
	t.Parallel()
	unknown := func(call func(context.Context, *practice.Client, string) error) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
			return call(ctx, c, unknownID)
		}
	}
	for operation, call := range map[string]func(context.Context, *practice.Client, string) error{
		"Subscriptions.GetTier": func(ctx context.Context, c *practice.Client, id string) error {
			return testkit.Discard(c.Subscriptions.GetTier(ctx, id))
		},
		"Subscriptions.ListTierAddOns": func(ctx context.Context, c *practice.Client, id string) error {
			return testkit.Discard(c.Subscriptions.ListTierAddOns(ctx, id))
		},
		"Subscriptions.GetAddOn": func(ctx context.Context, c *practice.Client, id string) error {
			return testkit.Discard(c.Subscriptions.GetAddOn(ctx, id))
		},
		"Subscriptions.GetUsage": func(ctx context.Context, c *practice.Client, id string) error {
			return testkit.Discard(c.Subscriptions.GetUsage(ctx, id))
		},
		"Subscriptions.ListAppliedPromotions": func(ctx context.Context, c *practice.Client, id string) error {
			return testkit.Discard(c.Subscriptions.ListAppliedPromotions(ctx, id, practice.ListOptions{}))
		},
	} {
		testRefusals(t, operation, refusal{rule: operation + " of an unknown id", want: practice.ErrNotFound, call: unknown(call)})
	}
	testRefusals(t, "Subscriptions.GetPromotion", refusal{
		rule: "an unknown promotion is a bad request", want: practice.ErrBadRequest, conflict: true,
		fields: []string{"id: There is no such promotion, or it is not visible yet."},
		call: unknown(func(ctx context.Context, c *practice.Client, id string) error {
			return testkit.Discard(c.Subscriptions.GetPromotion(ctx, id))
		}),
	})
}

func TestAnIDOfASubscriptionIsNoNameOfAnotherOperation(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		for _, segment := range []string{"addons", "invoices", "paymentmethods", "paymentsystems", "promotions", "settings", "tiers", "usages", "Tiers"} {
			_, err := practice.Collect(client.Subscriptions.AllAppliedPromotions(t.Context(), segment, practice.ListOptions{}))
			require.ErrorContains(t, err, "id must not be the name of another operation", segment)
		}
		assert.Empty(t, server.Requests())
	})
}
