package practice_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestLayoutDesignsAreListedWithoutTheirFields(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		page, err := client.Layouts.ListDesigns(t.Context(), practice.ListOptions{Offset: 1, Limit: 2})
		require.NoError(t, err)
		assertSent(t, server, "GET", "/layouts", "Limit=2&Offset=1")
		require.Len(t, page.Items, 2)
		var raw []byte
		require.NoError(t, client.Do(t.Context(), practice.Request{Method: "GET", Path: "/layouts"}, &raw))
		d, wire := page.Items[0], wireTree(t, raw).(map[string]any)["value"].([]any)[1]
		assertRecord(t, wire, map[string]any{
			"id": d.ID, "href": d.Href, "relation": d.Relation, "method": d.Method, "self": d.Self, "versionId": d.VersionID,
			"name": d.Name, "lastUpdated": d.LastUpdated,
		})
		all, err := practice.Collect(client.Layouts.AllDesigns(t.Context(), practice.ListOptions{Limit: 3}))
		require.NoError(t, err)
		assert.Equal(t, models.Some(len(all)), page.Size)
	})
}

func TestALayoutDesignHasEveryField(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().LayoutDesignID
		d, err := client.Layouts.GetDesign(t.Context(), id, practice.LayoutDesignOptions{})
		require.NoError(t, err)
		assertSent(t, server, "GET", "/layouts/"+id, "")
		assertRecord(t, wireTree(t, wireText(t, client, "/layouts/{id}", id)), map[string]any{
			"id": d.ID, "href": d.Href, "relation": d.Relation, "method": d.Method, "self": d.Self, "versionId": d.VersionID,
			"name": d.Name, "lastUpdated": d.LastUpdated, "description": d.Description, "fields": d.Fields,
		})
		assert.Equal(t, models.LayoutDesignField{Name: "Lots[]/Number", Type: models.LayoutFieldTypeNumber}, d.Fields[0])
	})
}

func TestPossibleValuesAreThoseOfAState(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		for query, test := range map[string]struct {
			options practice.LayoutDesignOptions
			want    []string
		}{
			"":                               {practice.LayoutDesignOptions{}, []string{"Freehold", "Leasehold", "Strata", "Condominium"}},
			"state=NSW":                      {practice.LayoutDesignOptions{State: "NSW"}, []string{"Freehold", "Leasehold", "Strata"}},
			"matterTypeId=" + f.MatterTypeID: {practice.LayoutDesignOptions{MatterTypeID: f.MatterTypeID}, []string{"Freehold", "Leasehold", "Condominium"}},
		} {
			d, err := client.Layouts.GetDesign(t.Context(), f.LayoutDesignID, test.options)
			require.NoError(t, err)
			assertSent(t, server, "GET", "/layouts/"+f.LayoutDesignID, query)
			assert.Equal(t, test.want, d.Fields[2].PossibleValues, query)
		}
	})
}

func TestALayoutItemHasEveryField(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		i, err := client.Layouts.Get(t.Context(), f.MatterID, f.LayoutItemID)
		require.NoError(t, err)
		assertSent(t, server, "GET", "/matters/"+f.MatterID+"/layouts/"+f.LayoutItemID, "")
		assertRecord(t, wireTree(t, wireText(t, client, "/matters/{matterId}/layouts/{itemId}", f.MatterID, f.LayoutItemID)), map[string]any{
			"id": i.ID, "href": i.Href, "relation": i.Relation, "method": i.Method, "self": i.Self, "name": i.Name,
			"description": i.Description, "itemId": i.ItemID, "parentId": i.ParentID, "index": i.Index, "parentIndex": i.ParentIndex,
			"layoutDesign": i.LayoutDesign, "values": i.Values, "events": i.Events,
		})
		assert.Equal(t, f.LayoutDesignID, i.LayoutDesign.ID)
		page, err := client.Layouts.List(t.Context(), f.MatterID)
		require.NoError(t, err)
		assertSent(t, server, "GET", "/matters/"+f.MatterID+"/layouts", "")
		assert.Equal(t, []models.LayoutItem{*i}, page.Items)
		_, paged := page.Size.Get()
		assert.False(t, paged)
	})
}

func TestALayoutItemIsMadeFromItsDesign(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		design := server.AddLayoutDesign(models.LayoutDesign{Name: "Vehicle", Description: "The car", Fields: []models.LayoutDesignField{{Name: "Plate", Type: models.LayoutFieldTypeText}}})
		link, err := client.Layouts.Create(t.Context(), f.MatterID, models.LayoutItemWrite{
			LayoutDesignID: design, Values: []models.LayoutValueWrite{{Key: models.Some("Plate"), Value: models.Some("AB 12")}},
		}, practice.LayoutWriteOptions{})
		require.NoError(t, err)
		assertSent(t, server, "POST", "/matters/"+f.MatterID+"/layouts", "")
		server.Settle()
		item, there := server.LayoutItem(link.ID)
		require.True(t, there)
		assert.Equal(t, []string{"Vehicle", "The car", design, design, "AB 12"}, []string{item.Name, item.Description, item.ItemID, item.LayoutDesign.ID, item.Values[0].Value})
		known, there := server.LayoutDesign(design)
		require.True(t, there)
		assert.Equal(t, "Plate", known.Fields[0].Name)
	})
}

func TestAPatchMergesValuesByTheirKeys(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		before, there := server.LayoutItem(f.LayoutItemID)
		require.True(t, there)
		require.NoError(t, testkit.Discard(client.Layouts.Patch(t.Context(), f.MatterID, f.LayoutItemID, models.LayoutItemPatch{
			Values: models.Some([]models.LayoutValueWrite{
				{Key: models.Some("Lots[0]/Use"), Value: models.Some("Farm")}, {Key: models.Some("Settlement"), Value: models.Some("2026-12-01")},
			}),
		}, practice.LayoutWriteOptions{})))
		assertSent(t, server, "PATCH", "/matters/"+f.MatterID+"/layouts/"+f.LayoutItemID, "")
		assert.JSONEq(t, `{"itemId":"`+f.LayoutItemID+`","values":[{"key":"Lots[0]/Use","value":"Farm"},{"key":"Settlement","value":"2026-12-01"}]}`, string(lastSent(t, server).Body))
		server.Settle()
		after, _ := server.LayoutItem(f.LayoutItemID)
		want := before
		want.Values = append([]models.LayoutValue{}, before.Values...)
		want.Values[1] = models.LayoutValue{Key: "Lots[0]/Use", Value: "Farm"}
		want.Values = append(want.Values, models.LayoutValue{Key: "Settlement", Value: "2026-12-01"})
		assert.Equal(t, want, after, "everything else stays")
	})
}

func TestADesignJudgesValuesUnlessTheyAreMigrated(t *testing.T) {
	t.Parallel()
	for rule, test := range map[string]struct{ key, value, fault string }{
		"a field that there is not": {"Lots[0]/Colour", "red", "values[0].key: the layout has no such field"},
		"a choice that there is not": {
			"Title", "Allodial", "values[0].value: must be one of Freehold, Leasehold, Strata, Condominium",
		},
		"no number":             {"Lots[7]/Number", "twelve", "values[0].value: must be a number"},
		"no date":               {"Settlement", "soon", "values[0].value: must be a date"},
		"a text for a contact":  {"Agent", "Somebody", "values[0].value: a contact goes into this field, by an operation of its own"},
		"a value without a key": {"", "red", "values[0].key: the layout has no such field"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				f, ctx := server.Firm(), t.Context()
				values := []models.LayoutValueWrite{{Key: models.Some(test.key), Value: models.Some(test.value)}}
				item := models.LayoutItemWrite{LayoutDesignID: f.LayoutDesignID, Values: values}
				patch := models.LayoutItemPatch{Values: models.Some(values)}
				for _, err := range []error{
					testkit.Discard(client.Layouts.Create(ctx, f.MatterID, item, practice.LayoutWriteOptions{})),
					testkit.Discard(client.Layouts.Patch(ctx, f.MatterID, f.LayoutItemID, patch, practice.LayoutWriteOptions{})),
				} {
					require.ErrorIs(t, err, practice.ErrBadRequest)
					assert.ErrorContains(t, err, test.fault)
				}
				migration := practice.LayoutWriteOptions{SkipFieldValidation: true}
				require.NoError(t, testkit.Discard(client.Layouts.Create(ctx, f.MatterID, item, migration)))
				assertSent(t, server, "POST", "/matters/"+f.MatterID+"/layouts", "skipFieldValidation=true")
				require.NoError(t, testkit.Discard(client.Layouts.Patch(ctx, f.MatterID, f.LayoutItemID, patch, migration)))
				assertSent(t, server, "PATCH", "/matters/"+f.MatterID+"/layouts/"+f.LayoutItemID, "skipFieldValidation=true")
			})
		})
	}
}
