package practicetest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestPromotions(t *testing.T) {
	t.Parallel()
	paged := practicetest.New(t, practicetest.WithPromotions(5), practicetest.WithVendorMember("acmeId"))
	a := call(t, paged).get("/subscriptions/promotions?Limit=2&Offset=3").want(200)
	assert.Len(t, a.list("value"), 2)
	assert.Equal(t, "T001", a.text("value", 0, "tiers", 0, "acmeId"))
	assert.NotContains(t, a.Body, "vendorId")
	assert.Equal(t, "T002", call(t, paged).get("/subscriptions/"+paged.Firm().SubscriptionID).text("trialingTier", "acmeId"))

	bare := practicetest.New(t, practicetest.WithPromotions(5), practicetest.WithBarePromotions(true))
	assert.Len(t, call(t, bare).get("/subscriptions/promotions").want(200).list(), 5)
	assert.Len(t, call(t, bare).get("/subscriptions/promotions?Limit=2&Offset=4").want(200).list(), 1)
	assert.Equal(t, "[]", call(t, bare).get("/subscriptions/promotions?Offset=5").want(200).Body)
}
