package practice_test

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

func TestAnActivityCodeHasEveryFieldExactly(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().ActivityCodeID
		a, err := client.ActivityCodes.Get(t.Context(), id)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/activitycodes/"+id, "")
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/activitycodes/{id}", id)), map[string]any{
			"id": a.ID, "href": a.Href, "relation": a.Relation, "method": a.Method, "self": a.Self, "versionId": a.VersionID,
			"updatedByUserId": a.UpdatedByUserID, "type": a.Type, "description": a.Description, "code": a.Code, "isBillable": a.IsBillable,
			"rateType": a.RateType, "rate": a.Rate, "quantity": a.Quantity, "taxInclusive": a.TaxInclusive, "taxExempt": a.TaxExempt,
			"taxZeroRated": a.TaxZeroRated, "taxOutOfScope": a.TaxOutOfScope, "isDeleted": a.IsDeleted,
			"inputTaxRate": a.InputTaxRate, "outputTaxRate": a.OutputTaxRate,
		})
	})
}

func TestActivityCodesAreListedWithWhatHasChanged(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		all, err := practice.Collect(client.ActivityCodes.All(t.Context(), practice.ActivityCodeListOptions{ListOptions: practice.ListOptions{Limit: 3}}))
		require.NoError(t, err)
		assert.Greater(t, len(all), 3, "several pages")

		server.Clock().Advance(time.Second)
		since := server.Clock().Now()
		_, err = client.ActivityCodes.Delete(t.Context(), all[1].ID)
		require.NoError(t, err)
		server.Settle()
		page, err := client.ActivityCodes.List(t.Context(), practice.ActivityCodeListOptions{UpdatedSince: since})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		assert.Equal(t, all[1].ID, page.Items[0].ID)
		assert.True(t, page.Items[0].IsDeleted.Or(false), "deleted ones are listed")
	})
}

func TestAnActivityCodeIsCreatedAndReplaced(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		created, err := client.ActivityCodes.Create(t.Context(), models.ActivityCodeWrite{Code: "ADV", Description: "Advice", Rate: models.MustDecimal("385.50"), RateType: models.Some(models.ActivityRateTypeOverrideRateForAllStaff)})
		require.NoError(t, err)
		_, err = client.ActivityCodes.Get(t.Context(), created.ID)
		require.ErrorIs(t, err, practice.ErrNotFound, "the write takes effect later")
		server.Settle()
		_, err = client.ActivityCodes.Update(t.Context(), created.ID, models.ActivityCodeWrite{Code: "ADV2"})
		require.NoError(t, err)
		before, err := client.ActivityCodes.Get(t.Context(), created.ID)
		require.NoError(t, err)
		assert.Equal(t, "385.50", before.Rate.String())
		server.Settle()
		after, err := client.ActivityCodes.Get(t.Context(), created.ID)
		require.NoError(t, err)
		assert.Equal(t, "ADV2", after.Code)
		assert.Empty(t, after.Description, "a replacement clears what it leaves out")
		assert.NotEqual(t, before.VersionID, after.VersionID)
	})
}

func TestRefusalsOfActivityCodes(t *testing.T) {
	t.Parallel()
	testkit.AssertRefusals(t, "ActivityCodes.Create", testkit.Refusal{
		Rule: "two settings of tax that exclude each other", Want: practice.ErrBadRequest, Fields: []string{"taxOutOfScope: must not be combined with taxExempt"},
		Call: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
			return testkit.Discard(c.ActivityCodes.Create(ctx, models.ActivityCodeWrite{TaxExempt: models.Some(true), TaxOutOfScope: models.Some(true)}))
		},
	})
}
