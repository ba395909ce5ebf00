package practice_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestASubscriptionHasEveryFieldExactly(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().SubscriptionID
		s, err := client.Subscriptions.Get(t.Context(), id)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/subscriptions/"+id, "")
		wire := testkit.WireTree(t, testkit.WireText(t, client, "/subscriptions/{id}", id))
		testkit.AssertRecord(t, wire, map[string]any{
			"id": s.ID, "href": s.Href, "relation": s.Relation, "method": s.Method, "self": s.Self, "productSuite": s.ProductSuite,
			"tier": s.Tier, "trialingTier": s.TrialingTier, "addOns": s.AddOns, "discounts": s.Discounts, "status": s.Status,
			"interval": s.Interval, "quantity": s.Quantity, "createdDate": s.CreatedDate, "trialStatus": s.TrialStatus,
			"trialPeriodStartDate": s.TrialPeriodStartDate, "trialPeriodEndDate": s.TrialPeriodEndDate,
			"currentPeriodStartDate": s.CurrentPeriodStartDate, "currentPeriodEndDate": s.CurrentPeriodEndDate,
			"cancellationStatus": s.CancellationStatus, "cancellationType": s.CancellationType,
			"canceledAt": s.CanceledAt, "cancelAt": s.CancelAt, "type": s.Type, "usages": s.Usages,
		})
		assertTier(t, testkit.Member(t, wire, "tier"), s.Tier, nil)
		assertTier(t, testkit.Member(t, wire, "trialingTier"), tierOf(s.TrialingTier), map[string]any{
			"cancellationStatus": s.TrialingTier.CancellationStatus, "activationDate": s.TrialingTier.ActivationDate,
			"expirationDate": s.TrialingTier.ExpirationDate,
		})
		assertTier(t, testkit.Member(t, wire, "addOns").([]any)[0], s.AddOns[0], nil)
		discount := testkit.Member(t, wire, "discounts").([]any)[0]
		testkit.AssertRecord(t, discount, map[string]any{
			"promotion": s.Discounts[0].Promotion, "activationDate": s.Discounts[0].ActivationDate, "expirationDate": s.Discounts[0].ExpirationDate,
		})
		assert.Equal(t, models.SubscriptionStatusActive, s.Status)
		assert.Equal(t, "10900.0", s.Tier.Prices[0].Amount.String(), "the digits of the wire")
	})
}

// tierOf returns the members that a tier on trial shares with other tiers.
func tierOf(t models.TrialingTier) models.Tier {
	return models.Tier{
		Hypermedia: t.Hypermedia, ID: t.ID, VendorID: t.VendorID, ProductSuite: t.ProductSuite, Name: t.Name,
		Description: t.Description, TrialPeriodDays: t.TrialPeriodDays, Prices: t.Prices,
		CreatedDate: t.CreatedDate, UpdatedDate: t.UpdatedDate,
	}
}

func assertTier(t *testing.T, wire any, tier models.Tier, more map[string]any) {
	t.Helper()
	fields := map[string]any{
		"id": tier.ID, "href": tier.Href, "relation": tier.Relation, "method": tier.Method, "self": tier.Self,
		"vendorId": tier.VendorID, "productSuite": tier.ProductSuite, "name": tier.Name, "description": tier.Description,
		"trialPeriodDays": tier.TrialPeriodDays, "prices": tier.Prices, "createdDate": tier.CreatedDate, "updatedDate": tier.UpdatedDate,
	}
	for name, field := range more {
		fields[name] = field
	}
	testkit.AssertRecord(t, wire, fields)
	prices := testkit.Member(t, wire, "prices").([]any)
	require.Len(t, tier.Prices, len(prices))
	for i, price := range tier.Prices {
		testkit.AssertRecord(t, prices[i], map[string]any{
			"id": price.ID, "externalPriceId": price.ExternalPriceID, "default": price.Default, "active": price.Active,
			"type": price.Type, "name": price.Name, "amount": price.Amount, "interval": price.Interval,
		})
	}
}

func TestPromotionsHaveEveryFieldPagedAndBare(t *testing.T) {
	t.Parallel()
	for _, bare := range []bool{false, true} {
		t.Run(map[bool]string{false: "paged", true: "bare"}[bare], func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				page, err := client.Subscriptions.ListPromotions(t.Context(), practice.PromotionListOptions{})
				require.NoError(t, err)
				testkit.AssertSent(t, server, "GET", "/subscriptions/promotions", "")
				wire := testkit.WireTree(t, testkit.WireText(t, client, "/subscriptions/promotions"))
				list, isList := wire.([]any)
				require.Equal(t, bare, isList)
				if !bare {
					list = testkit.Member(t, wire, "value").([]any)
				}
				require.Len(t, page.Items, len(list))
				assert.Equal(t, server.Firm().PromotionID, page.Items[0].ID)
				for i, p := range page.Items {
					assertPromotion(t, list[i], p)
				}
				size, sized := page.Size.Get()
				assert.Equal(t, !bare, sized)
				assert.Equal(t, map[bool]int{false: 12, true: 0}[bare], size)

				second, err := client.Subscriptions.ListPromotions(t.Context(), practice.PromotionListOptions{ListOptions: practice.ListOptions{Offset: 10, Limit: 5}})
				require.NoError(t, err)
				testkit.AssertSent(t, server, "GET", "/subscriptions/promotions", "Limit=5&Offset=10")
				assert.Equal(t, page.Items[10:], second.Items)
			}, practicetest.WithBarePromotions(bare), practicetest.WithPromotions(12))
		})
	}
}

func assertPromotion(t *testing.T, wire any, p models.Promotion) {
	t.Helper()
	testkit.AssertRecord(t, wire, map[string]any{
		"id": p.ID, "href": p.Href, "relation": p.Relation, "method": p.Method, "self": p.Self, "productSuite": p.ProductSuite,
		"tiers": p.Tiers, "addOns": p.AddOns, "usage": p.Usage, "name": p.Name, "description": p.Description,
		"durationDays": p.DurationDays, "amountOff": p.AmountOff, "percentOff": p.PercentOff, "active": p.Active, "numUsed": p.NumUsed,
		"createdDate": p.CreatedDate, "expirationDate": p.ExpirationDate, "codes": p.Codes, "metadata": p.Metadata,
		"isPersistent": p.IsPersistent, "isFree": p.IsFree, "deleted": p.Deleted,
	})
	assert.NotEqual(t, p.AmountOff.IsPresent(), p.PercentOff.IsPresent(), "an amount or a share, never a zero for the other")
	codes := testkit.Member(t, wire, "codes").([]any)
	for i, c := range p.Codes {
		testkit.AssertRecord(t, codes[i], map[string]any{
			"id": c.ID, "name": c.Name, "description": c.Description, "code": c.Code, "active": c.Active, "minimumAmount": c.MinimumAmount,
			"firstTimeCustomersOnly": c.FirstTimeCustomersOnly, "limit": c.Limit, "createdDate": c.CreatedDate,
			"expiratonDate": c.ExpirationDate, "metadata": c.Metadata,
		})
		assert.False(t, c.ExpirationDate.IsZero(), "which the wire misspells")
	}
}

func TestTheVendorIDHasItsLiteralName(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, member, prefix, want string
	}{
		{"the only member that ends so", "acmeId", "", "T001"},
		{"the member with the prefix", "acmeId", "acme", "T001"},
		{"another prefix finds nothing", "acmeId", "other", ""},
		{"a prefix of several words", "acmePracticeSuiteId", "acmePracticeSuite", "T001"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				if test.prefix != "" {
					client = server.Client(t, practice.WithVendorPrefix(test.prefix))
				}
				s, err := client.Subscriptions.Get(t.Context(), server.Firm().SubscriptionID)
				require.NoError(t, err)
				assert.Equal(t, test.want, s.Tier.VendorID)
				assert.Equal(t, test.want != "", s.TrialingTier.VendorID == "T002")
				assert.Equal(t, test.want != "", s.AddOns[0].VendorID == "T009")
				assert.Equal(t, test.want, s.Discounts[0].Promotion.Tiers[0].VendorID)
				raw, ok := s.Tier.Extra.Get(test.member)
				assert.True(t, ok, "it is kept by its own name as well")
				assert.Equal(t, `"T001"`, string(raw))

				page, err := client.Subscriptions.ListPromotions(t.Context(), practice.PromotionListOptions{ListOptions: practice.ListOptions{Limit: 1}})
				require.NoError(t, err)
				assert.Equal(t, test.want, page.Items[0].Tiers[0].VendorID)
				for p, err := range client.Subscriptions.AllPromotions(t.Context(), practice.PromotionListOptions{}) {
					require.NoError(t, err)
					assert.Equal(t, test.want, p.Tiers[0].VendorID)
				}
			}, practicetest.WithVendorMember(test.member))
		})
	}
}

func TestAPaymentMethodHasEveryField(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		p, err := client.Subscriptions.GetPaymentMethod(t.Context(), f.SubscriptionID, f.PaymentMethodID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/subscriptions/"+f.SubscriptionID+"/paymentmethods/"+f.PaymentMethodID, "")
		wire := testkit.WireTree(t, testkit.WireText(t, client, "/subscriptions/{subscriptionId}/paymentmethods/{id}", f.SubscriptionID, f.PaymentMethodID))
		testkit.AssertRecord(t, wire, map[string]any{
			"id": p.ID, "href": p.Href, "relation": p.Relation, "method": p.Method, "self": p.Self, "paymentSystem": p.PaymentSystem,
			"type": p.Type, "isDefault": p.IsDefault, "details": p.Details, "lastPaymentState": p.LastPaymentState, "createdDate": p.CreatedDate,
		})
		testkit.AssertRecord(t, testkit.Member(t, wire, "details"), map[string]any{
			"brand": p.Details.Brand, "lastFourDigits": p.Details.LastFourDigits, "expiry": p.Details.Expiry,
			"expiryMonth": p.Details.ExpiryMonth, "expiryYear": p.Details.ExpiryYear,
			"accountNumber": p.Details.AccountNumber, "bsb": p.Details.BSB,
		})
		assert.True(t, p.Details.AccountNumber.IsNull(), "null is not 0")
	})
}

func TestWhatCanBeSubscribedToIsListedAndRead(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		tiers, err := client.Subscriptions.ListTiers(t.Context(), practice.TierListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/subscriptions/tiers", "")
		require.Len(t, tiers.Items, 2)
		assert.Negative(t, tiers.Size.Or(-1), "a bare array has no pages")
		wire := testkit.WireTree(t, testkit.WireText(t, client, "/subscriptions/tiers")).([]any)
		for i, tier := range tiers.Items {
			assertTier(t, wire[i], tier, nil)
		}
		tier, err := client.Subscriptions.GetTier(t.Context(), tiers.Items[1].ID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/subscriptions/tiers/"+tiers.Items[1].ID, "")
		assert.Equal(t, tiers.Items[1], *tier)
		assert.Equal(t, "149.000", tier.Prices[0].Amount.Dollars().String())

		addOns, err := client.Subscriptions.ListAddOns(t.Context(), practice.AddOnListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/subscriptions/addons", "")
		require.Len(t, addOns.Items, 2)
		addOn, err := client.Subscriptions.GetAddOn(t.Context(), addOns.Items[0].ID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/subscriptions/addons/"+addOn.ID, "")
		assertTier(t, testkit.WireTree(t, testkit.WireText(t, client, "/subscriptions/addons/{id}", addOn.ID)), *addOn, nil)
		assert.Equal(t, addOns.Items[0], *addOn)
	})
}

func TestAnAddOnFitsSomeTiers(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		tiers, err := client.Subscriptions.ListTiers(t.Context(), practice.TierListOptions{})
		require.NoError(t, err)
		for i, want := range [][]string{{"Add-on"}, {"Add-on", "Add-on 2"}} {
			page, err := client.Subscriptions.ListTierAddOns(t.Context(), tiers.Items[i].ID, practice.TierAddOnListOptions{})
			require.NoError(t, err)
			testkit.AssertSent(t, server, "GET", "/subscriptions/tiers/"+tiers.Items[i].ID+"/addons", "")
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
		page, err := client.Subscriptions.ListUsages(t.Context(), practice.UsageProductListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/subscriptions/usages", "")
		require.Len(t, page.Items, 2)
		u, err := client.Subscriptions.GetUsage(t.Context(), page.Items[1].ID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/subscriptions/usages/"+u.ID, "")
		assert.Equal(t, page.Items[1], *u)
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/subscriptions/usages/{id}", u.ID)), map[string]any{
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
		page, err := client.Subscriptions.ListPaymentSystems(t.Context(), practice.PaymentSystemListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/subscriptions/paymentsystems", "")
		require.Len(t, page.Items, 1)
		system := page.Items[0]
		testkit.AssertRecord(t, testkit.Member(t, testkit.WireTree(t, testkit.WireText(t, client, "/subscriptions/paymentsystems")), "value").([]any)[0], map[string]any{
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
		testkit.AssertSent(t, server, "GET", "/subscriptions/promotions/"+f.PromotionID, "")
		assertPromotion(t, testkit.WireTree(t, testkit.WireText(t, client, "/subscriptions/promotions/{id}", f.PromotionID)), *promotion)

		all, err := practice.Collect(client.Subscriptions.AllAvailablePromotions(t.Context(), f.SubscriptionID, practice.AvailablePromotionListOptions{ListOptions: practice.ListOptions{Limit: 5}}))
		require.NoError(t, err)
		require.Len(t, all, 12)
		assert.Equal(t, *promotion, all[0])
		page, err := client.Subscriptions.ListAvailablePromotions(t.Context(), f.SubscriptionID, practice.AvailablePromotionListOptions{ListOptions: practice.ListOptions{Offset: 10}})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/subscriptions/"+f.SubscriptionID+"/promotions", "Offset=10")
		assert.Equal(t, all[10:], page.Items)
	})
}

func TestTheSubscriptionsOfAnAccountAreListed(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		page, err := client.Subscriptions.List(t.Context(), practice.SubscriptionListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/subscriptions", "")
		one, err := client.Subscriptions.Get(t.Context(), server.Firm().SubscriptionID)
		require.NoError(t, err)
		assert.Equal(t, *one, page.Items[0])
	})
}

func TestRefusalsOfTheCatalogueOfSubscriptions(t *testing.T) {
	t.Parallel()
	testkit.AssertRefusals(t, "Subscriptions.GetPromotion", testkit.Refusal{
		Rule: "an unknown promotion is a bad request", Want: practice.ErrBadRequest, Conflict: true,
		Fields: []string{"id: The promotion does not exist or is not visible yet."},
		Call: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
			return testkit.Discard(c.Subscriptions.GetPromotion(ctx, testkit.UnknownID))
		},
	})
}

func TestAnIDOfASubscriptionIsNoNameOfAnotherOperation(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		for _, segment := range []string{"addons", "invoices", "paymentmethods", "paymentsystems", "promotions", "settings", "tiers", "usages", "Tiers"} {
			_, err := practice.Collect(client.Subscriptions.AllAvailablePromotions(t.Context(), segment, practice.AvailablePromotionListOptions{}))
			require.ErrorContains(t, err, "id must not be the name of another operation", segment)
		}
		assert.Empty(t, server.Requests())
	})
}
