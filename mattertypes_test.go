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

func TestAMatterTypeHasItsItems(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().MatterTypeID
		m, err := client.MatterTypes.Get(t.Context(), id)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/mattertypes/"+id, "")
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/mattertypes/{id}", id)), map[string]any{
			"id": m.ID, "href": m.Href, "relation": m.Relation, "method": m.Method, "self": m.Self, "versionId": m.VersionID,
			"name": m.Name, "category": m.Category, "type": m.Type, "representativeOptions": m.RepresentativeOptions,
			"location": m.Location, "isDeleted": m.IsDeleted, "items": m.Items,
		})
		require.Len(t, m.Items, 3)
		assert.Equal(t, []string{"Seller", "Buyer"}, m.RepresentativeOptions)
		assert.Equal(t, []string{m.Items[0].ID, m.Items[1].ID}, m.RepresentativeOptions, "a role for each side")
		assert.Equal(t, "Solicitor", m.Items[0].SubItems[0].Name)
		assert.Equal(t, "layouts_provider", m.Items[2].ProviderID)
	})
}

func TestMatterTypesAreListedWithoutItems(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule    string
		options practice.MatterTypeListOptions
		query   string
		names   []string
	}{
		{"a part of the name, whatever its letters", practice.MatterTypeListOptions{Name: "home"}, "Name=home", []string{"Sale of a home", "Purchase of a home"}},
		{"a location", practice.MatterTypeListOptions{Location: "NSW"}, "Location=NSW", []string{"Deceased estate", "Property enquiry"}},
		{"a category, but nothing that is deleted", practice.MatterTypeListOptions{Category: "Litigation"}, "Category=Litigation", []string{"Debt recovery"}},
		{"leads", practice.MatterTypeListOptions{Type: models.Some(models.MatterTypeKindLeadType)}, "Type=1", []string{"Property enquiry"}},
		{
			"several conditions and a page", practice.MatterTypeListOptions{
				ListOptions: practice.ListOptions{Offset: 1, Limit: 1}, Category: "Property", Type: models.Some(models.MatterTypeKindMatterType),
			}, "Category=Property&Limit=1&Offset=1&Type=0", []string{"Purchase of a home"},
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				page, err := client.MatterTypes.List(t.Context(), test.options)
				require.NoError(t, err)
				testkit.AssertSent(t, server, "GET", "/mattertypes", test.query)
				var names []string
				for _, m := range page.Items {
					names = append(names, m.Name)
					assert.NotEmpty(t, m.ID)
					assert.NotEmpty(t, m.Href)
					assert.Empty(t, m.Extra, "no items")
				}
				assert.Equal(t, test.names, names)
			})
		})
	}
}

func TestAllMatterTypesAndTheirCategories(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		all, err := practice.Collect(client.MatterTypes.All(t.Context(), practice.MatterTypeListOptions{ListOptions: practice.ListOptions{Limit: 3}}))
		require.NoError(t, err)
		assert.Greater(t, len(all), 6, "several pages")
		categories, err := client.MatterTypes.ListCategories(t.Context(), practice.MatterTypeCategoryListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/mattertypes/categories", "")
		assert.Equal(t, []string{"Employment", "Family Law", "Litigation", "Property", "Wills and Estates"}, categories.Items)
		_, paged := categories.Size.Get()
		assert.False(t, paged)
		for _, m := range all {
			assert.Contains(t, categories.Items, m.Category)
		}
	})
}

func TestRefusalsOfMatterTypes(t *testing.T) {
	t.Parallel()
	get := func(id string) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
			return testkit.Discard(c.MatterTypes.Get(ctx, id))
		}
	}
	testkit.AssertRefusals(t, "MatterTypes.Get",
		testkit.Refusal{Rule: "what is no id of a matter type", Want: practice.ErrBadRequest, Fields: []string{"id: must be the id of a matter type"}, Call: get(testkit.UnknownID)},
	)
}

func TestTheCategoriesAreNoMatterType(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		_, err := client.MatterTypes.Get(t.Context(), "Categories")
		assert.True(t, testkit.IsArgumentError(err), "%v", err)
		assert.Empty(t, server.Requests())
	})
}
