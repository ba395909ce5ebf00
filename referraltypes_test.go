package practice_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestReferralTypesAreListedAtOnce(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		page, err := client.ReferralTypes.List(t.Context(), practice.ReferralTypeListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/referraltypes", "")
		_, paged := page.Size.Get()
		assert.False(t, paged)
		require.Len(t, page.Items, 5)
		last := page.Items[4]
		assert.Equal(t, "Phone book", last.Name)
		assert.True(t, last.IsDeleted.Or(false), "deleted ones are listed")
	})
}

func TestAReferralTypeHasAnIDAndAName(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		r, err := client.ReferralTypes.Get(t.Context(), server.Firm().ReferralTypeID)
		require.NoError(t, err)
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/referraltypes/{id}", r.ID)), map[string]any{
			"id": r.ID, "href": r.Href, "relation": r.Relation, "method": r.Method, "self": r.Self, "name": r.Name, "isDeleted": r.IsDeleted,
		})
		named, err := client.ReferralTypes.Get(t.Context(), "Friend or family")
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/referraltypes/Friend%20or%20family", "")
		assert.Equal(t, "Friend or family", named.Name)
		assert.NotEqual(t, r.ID, named.ID)
	})
}
