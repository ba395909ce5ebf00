package models_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

func TestVendorIDIsFoundBySuffixOrTakenByPrefix(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ text, found, prefixed string }{
		"the only text that ends in Id":      {`{"acmeId":"T1"}`, "T1", "T1"},
		"with other unknown members":         {`{"acmeId":"T1","color":"red","idle":"x"}`, "T1", "T1"},
		"escaped in the text":                {`{"acme\u0049d":"T\u0031"}`, "T1", "T1"},
		"a known member does not count":      {`{"id":"T0","name":"planId","acmeId":"T1"}`, "T1", "T1"},
		"a number is not a text":             {`{"acmeId":7}`, "", ""},
		"null is not a text":                 {`{"acmeId":null,"otherId":"T2"}`, "T2", ""},
		"two are ambiguous without a prefix": {`{"acmeId":"T1","otherId":"T2"}`, "", "T1"},
		"another member with the wrong name": {`{"otherId":"T2"}`, "T2", ""},
		"Id alone has no prefix":             {`{"Id":"T3"}`, "", ""},
		"ID is another suffix":               {`{"acmeID":"T4"}`, "", ""},
		"the name is matched with its case":  {`{"AcmeId":"T5"}`, "T5", ""},
		"no unknown member":                  {`{"name":"Tier"}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var tier models.Tier
			var trial models.TrialingTier
			require.NoError(t, codec.Unmarshal([]byte(tt.text), &tier, models.Wire))
			require.NoError(t, codec.Unmarshal([]byte(tt.text), &trial, models.Wire))
			assert.Equal(t, tt.found, tier.VendorID)
			assert.Equal(t, tt.found, trial.VendorID)
			tier.ApplyVendorPrefix("")
			assert.Equal(t, tt.found, tier.VendorID, "an empty prefix changes nothing")
			tier.ApplyVendorPrefix("acme")
			trial.ApplyVendorPrefix("acme")
			assert.Equal(t, tt.prefixed, tier.VendorID)
			assert.Equal(t, tt.prefixed, trial.VendorID)
		})
	}
}

func TestVendorPrefixReachesEveryTier(t *testing.T) {
	t.Parallel()
	const tier = `{"acmeId":"T1","otherId":"T2"}`
	var s models.Subscription
	require.NoError(t, codec.Unmarshal([]byte(`{"tier":`+tier+`,"trialingTier":`+tier+`,"addOns":[`+tier+`],
		"discounts":[{"promotion":{"tiers":[`+tier+`],"addOns":[`+tier+`]}}]}`), &s, models.Wire))
	ids := func() []string {
		promotion := s.Discounts[0].Promotion
		return []string{
			s.Tier.VendorID, s.TrialingTier.VendorID, s.AddOns[0].VendorID,
			promotion.Tiers[0].VendorID, promotion.AddOns[0].VendorID,
		}
	}
	assert.Equal(t, []string{"", "", "", "", ""}, ids())
	s.ApplyVendorPrefix("other")
	assert.Equal(t, []string{"T2", "T2", "T2", "T2", "T2"}, ids())
}

// TestVendorIDFollowsTheText checks that decoding into a used record does not
// keep the id of the first text.
func TestVendorIDFollowsTheText(t *testing.T) {
	t.Parallel()
	var tier models.Tier
	require.NoError(t, codec.Unmarshal([]byte(`{"acmeId":"T1"}`), &tier, models.Wire))
	require.NoError(t, codec.Unmarshal([]byte(`{"name":"x"}`), &tier, models.Wire))
	assert.Empty(t, tier.VendorID)
}
