package practicetest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestAnIntervalThatATierLacksIsRefused switches a subscription to a tier that
// has only a monthly price.
func TestAnIntervalThatATierLacksIsRefused(t *testing.T) {
	t.Parallel()
	s := controlled(t, practicetest.WithWriteDelay(0))
	tier := add(t, s, "/subscriptions/tiers", `{"name":"Small","prices":[`+
		`{"default":true,"active":true,"interval":"Monthly","amount":700,"id":"m"},{"active":false,"interval":"Yearly","id":"y"}]}`)
	client, id := s.Client(t), s.Firm().SubscriptionID
	change := func(interval models.PriceInterval) error {
		_, err := client.Subscriptions.Patch(t.Context(), id, models.SubscriptionPatch{
			TierID: models.Some(tier), AddOnIDs: models.Some([]string{}), Interval: models.Some(interval),
		})
		return err
	}
	err := change(models.PriceIntervalYearly)
	require.ErrorIs(t, err, practice.ErrBadRequest)
	require.ErrorContains(t, err, "interval: must be the interval of an active price of the tier")

	require.NoError(t, change(models.PriceIntervalMonthly))
	after, there := s.Subscription(id)
	require.True(t, there)
	assert.Equal(t, models.PriceIntervalMonthly, after.Interval)
	assert.Equal(t, "Small", after.Tier.Name)
}
