package practice_test

import (
	"context"
	"encoding/json"
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
		page, err := client.Layouts.ListDesigns(t.Context(), practice.LayoutDesignListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/layouts", "Limit=2&Offset=1")
		require.Len(t, page.Items, 2)
		var raw []byte
		require.NoError(t, client.Do(t.Context(), practice.Request{Method: "GET", Path: "/layouts"}, &raw))
		d, wire := page.Items[0], testkit.WireTree(t, raw).(map[string]any)["value"].([]any)[1]
		testkit.AssertRecord(t, wire, map[string]any{
			"id": d.ID, "href": d.Href, "relation": d.Relation, "method": d.Method, "self": d.Self, "versionId": d.VersionID,
			"name": d.Name, "lastUpdated": d.LastUpdated,
		})
		all, err := practice.Collect(client.Layouts.AllDesigns(t.Context(), practice.LayoutDesignListOptions{ListOptions: practice.ListOptions{Limit: 3}}))
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
		testkit.AssertSent(t, server, "GET", "/layouts/"+id, "")
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/layouts/{id}", id)), map[string]any{
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
			testkit.AssertSent(t, server, "GET", "/layouts/"+f.LayoutDesignID, query)
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
		testkit.AssertSent(t, server, "GET", "/matters/"+f.MatterID+"/layouts/"+f.LayoutItemID, "")
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/matters/{matterId}/layouts/{itemId}", f.MatterID, f.LayoutItemID)), map[string]any{
			"id": i.ID, "href": i.Href, "relation": i.Relation, "method": i.Method, "self": i.Self, "name": i.Name,
			"description": i.Description, "itemId": i.ItemID, "parentId": i.ParentID, "index": i.Index, "parentIndex": i.ParentIndex,
			"layoutDesign": i.LayoutDesign, "values": i.Values, "events": i.Events,
		})
		assert.Equal(t, f.LayoutDesignID, i.LayoutDesign.ID)
		page, err := client.Layouts.List(t.Context(), f.MatterID, practice.LayoutItemListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/matters/"+f.MatterID+"/layouts", "")
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
		testkit.AssertSent(t, server, "POST", "/matters/"+f.MatterID+"/layouts", "")
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
		testkit.AssertSent(t, server, "PATCH", "/matters/"+f.MatterID+"/layouts/"+f.LayoutItemID, "")
		assert.JSONEq(t, `{"itemId":"`+f.LayoutItemID+`","values":[{"key":"Lots[0]/Use","value":"Farm"},{"key":"Settlement","value":"2026-12-01"}]}`, string(testkit.LastSent(t, server).Body))
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
		"a field that there is not": {"Lots[0]/Colour", "red", "values[0].key: must be a field of the layout"},
		"a choice that there is not": {
			"Title", "Allodial", "values[0].value: must be one of Freehold, Leasehold, Strata, Condominium",
		},
		"no number":             {"Lots[7]/Number", "twelve", "values[0].value: must be a number"},
		"no date":               {"Settlement", "soon", "values[0].value: must be a date"},
		"a text for a contact":  {"Agent", "Somebody", "values[0].value: must be set with the operation for contacts of layout items"},
		"a value without a key": {"", "red", "values[0].key: must be a field of the layout"},
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
				testkit.AssertSent(t, server, "POST", "/matters/"+f.MatterID+"/layouts", "skipFieldValidation=true")
				require.NoError(t, testkit.Discard(client.Layouts.Patch(ctx, f.MatterID, f.LayoutItemID, patch, migration)))
				testkit.AssertSent(t, server, "PATCH", "/matters/"+f.MatterID+"/layouts/"+f.LayoutItemID, "skipFieldValidation=true")
			})
		})
	}
}

func TestAContactOfALayoutHasEveryField(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		page, err := client.Layouts.ListContacts(t.Context(), f.MatterID, f.LayoutItemID, practice.LayoutContactListOptions{})
		require.NoError(t, err)
		path := "/matters/" + f.MatterID + "/layouts/" + f.LayoutItemID + "/contacts"
		testkit.AssertSent(t, server, "GET", path, "")
		require.Len(t, page.Items, 2)
		wire := testkit.WireTree(t, testkit.WireText(t, client, "/matters/{matterId}/layouts/{itemId}/contacts", f.MatterID, f.LayoutItemID)).([]any)
		for i, c := range page.Items {
			testkit.AssertRecord(t, wire[i], map[string]any{
				"id": c.ID, "href": c.Href, "relation": c.Relation, "method": c.Method, "self": c.Self, "key": c.Key, "contact": c.Contact,
			})
			role, there := server.Role(c.ID)
			require.True(t, there)
			assert.Equal(t, []string{role.Name, role.Contact.ID}, []string{c.Key, c.Contact.ID}, "it is a role of the matter")
		}
	})
}

// TestAContactOfALayoutIsARoleOrARelationship adds contacts to items at the top
// level and below a role, and removes them through the layout and through the
// role.
func TestAContactOfALayoutIsARoleOrARelationship(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f, ctx := server.Firm(), t.Context()
		keys := func(item string) (keys []string) {
			page, err := client.Layouts.ListContacts(ctx, f.MatterID, item, practice.LayoutContactListOptions{})
			if err != nil {
				require.ErrorIs(t, err, practice.ErrNotFound)
				return nil
			}
			for _, c := range page.Items {
				assert.Equal(t, f.ContactID, c.Contact.ID)
				keys = append(keys, c.Key+" "+c.ID)
			}
			return keys
		}
		add := func(item string) {
			_, err := client.Layouts.AddContact(ctx, f.MatterID, item, models.LayoutContactWrite{Key: "Agent", ContactID: f.ContactID})
			require.NoError(t, err)
			testkit.AssertSent(t, server, "POST", "/matters/"+f.MatterID+"/layouts/"+item+"/contacts", "")
			server.Settle()
		}
		top := server.AddLayoutItem(f.MatterID, models.LayoutItemWrite{LayoutDesignID: f.LayoutDesignID})
		below := server.AddLayoutItem(f.MatterID, models.LayoutItemWrite{LayoutDesignID: f.LayoutDesignID, ParentItemID: f.RoleID})
		deeper := server.AddLayoutItem(f.MatterID, models.LayoutItemWrite{ParentItemID: below})
		assert.Empty(t, keys(top), "without contacts the service answers 404")

		before, _ := server.MatterRoles(f.MatterID)
		add(top)
		after, _ := server.MatterRoles(f.MatterID)
		assert.NotEqual(t, before.VersionID, after.VersionID)
		require.Len(t, after.Roles, len(before.Roles)+1)
		role := after.Roles[len(before.Roles)]
		assert.Equal(t, []string{"Agent", f.ContactID}, []string{role.Name, role.Contact.ID})
		assert.Equal(t, []string{"Agent " + role.ID}, keys(top))
		require.NoError(t, testkit.Discard(client.Roles.Delete(ctx, f.MatterID, role.ID)))
		server.Settle()
		assert.Empty(t, keys(top), "it went with the role")

		for _, item := range []string{below, deeper} {
			add(item)
			client, _ := server.Role(f.RoleID)
			tie := client.Relationships[len(client.Relationships)-1]
			assert.Equal(t, []string{"Agent " + tie.ID}, keys(item))
		}
		_, err := client.Layouts.RemoveContact(ctx, f.MatterID, below, "Agent")
		require.NoError(t, err)
		testkit.AssertSent(t, server, "DELETE", "/matters/"+f.MatterID+"/layouts/"+below+"/contacts", "key=Agent")
		server.Settle()
		assert.Empty(t, keys(below))
		assert.Len(t, keys(deeper), 1)
		last, _ := server.Role(f.RoleID)
		assert.Len(t, last.Relationships, len(before.Roles[0].Relationships)+1, "the relationship went with it")
	})
}

func TestALayoutItemTakesItsContactsAlong(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
		"Delete": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			_, err := c.Layouts.Delete(ctx, f.MatterID, f.LayoutItemID)
			return err
		},
		"IsRemoved": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Layouts.Patch(ctx, f.MatterID, f.LayoutItemID, models.LayoutItemPatch{IsRemoved: models.Some(true)}, practice.LayoutWriteOptions{}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				f := server.Firm()
				before, _ := server.MatterRoles(f.MatterID)
				require.NoError(t, remove(t.Context(), client, f))
				server.Settle()
				require.ErrorIs(t, testkit.Discard(client.Layouts.Get(t.Context(), f.MatterID, f.LayoutItemID)), practice.ErrNotFound)
				after, _ := server.MatterRoles(f.MatterID)
				assert.Len(t, after.Roles, len(before.Roles)-2)
				page, err := client.Layouts.List(t.Context(), f.MatterID, practice.LayoutItemListOptions{})
				require.NoError(t, err)
				assert.Empty(t, page.Items)
			})
		})
	}
}

func TestChangesOfLayoutsAreTold(t *testing.T) {
	t.Parallel()
	contact := func(f practicetest.Firm) models.LayoutContactWrite {
		return models.LayoutContactWrite{Key: "Agent", ContactID: f.ContactID}
	}
	for name, test := range map[string]struct {
		change func(*practicetest.Server, *practice.Client, practicetest.Firm) error
		want   []string
	}{
		"a new design": {func(s *practicetest.Server, _ *practice.Client, _ practicetest.Firm) error {
			s.AddLayoutDesign(models.LayoutDesign{Name: "Vehicle"})
			return nil
		}, []string{"layoutdesign.updated"}},
		"a new item": {func(s *practicetest.Server, _ *practice.Client, f practicetest.Firm) error {
			s.AddLayoutItem(f.MatterID, models.LayoutItemWrite{LayoutDesignID: f.LayoutDesignID})
			return nil
		}, []string{"layoutmatter.created", "matteritems.updated"}},
		"a patch": {func(_ *practicetest.Server, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Layouts.Patch(context.Background(), f.MatterID, f.LayoutItemID, models.LayoutItemPatch{Name: models.Some("Land")}, practice.LayoutWriteOptions{}))
		}, []string{"layoutmatter.updated"}},
		"a contact": {func(s *practicetest.Server, _ *practice.Client, f practicetest.Firm) error {
			s.AddLayoutContact(f.MatterID, f.LayoutItemID, contact(f))
			return nil
		}, []string{"layoutmatter.updated", "matteritems.updated", "roles.updated"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				f := server.Firm()
				subscription := testkit.SubscriptionOf(
					models.EventTypeLayoutDesignUpdated.Type(), models.EventTypeLayoutMatterCreated.Type(), models.EventTypeLayoutMatterUpdated.Type(),
					models.EventTypeRolesUpdated.Type(), models.EventTypeMatterItemsUpdated.Type(),
				)
				subscription.EventNotificationURL = testkit.Inbox(t, server)
				require.NoError(t, testkit.Discard(client.Webhooks.Create(t.Context(), subscription)))
				before, _ := server.MatterRoles(f.MatterID)
				require.NoError(t, test.change(server, client, f))
				server.Settle()
				require.NoError(t, server.Flush(t.Context()))
				var told []string
				for _, delivery := range server.Deliveries() {
					if delivery.URL != subscription.EventNotificationURL {
						continue // the subscription of the firm itself
					}
					told = append(told, delivery.Type)
					var notification models.Notification
					require.NoError(t, json.Unmarshal(delivery.Body, &notification))
					var payload struct {
						ID    string
						Items []models.LayoutItem
					}
					if delivery.Type == "layoutmatter.created" || delivery.Type == "layoutmatter.updated" {
						require.NoError(t, notification.Payload.Decode(&payload))
						assert.Equal(t, f.MatterID, payload.ID)
						assert.Len(t, payload.Items, 1)
					}
				}
				assert.ElementsMatch(t, test.want, told)
				after, _ := server.MatterRoles(f.MatterID)
				assert.Equal(t, name == "a new design", before.VersionID == after.VersionID, "one version covers roles and layouts")
			})
		})
	}
}

func TestArgumentsOfLayoutsThatCannotBeMeant(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		other := models.LayoutItemPatch{ItemID: models.Some(testkit.UnknownID)}
		require.True(t, testkit.IsArgumentError(testkit.Discard(client.Layouts.Patch(t.Context(), f.MatterID, f.LayoutItemID, other, practice.LayoutWriteOptions{}))))
		_, err := client.Layouts.RemoveContact(t.Context(), f.MatterID, f.LayoutItemID, "")
		require.True(t, testkit.IsArgumentError(err))
		assert.Empty(t, server.Requests())
	})
}

func TestRefusalsOfLayouts(t *testing.T) {
	t.Parallel()
	create := func(change func(*practicetest.Firm, *models.LayoutItemWrite)) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			var item models.LayoutItemWrite
			change(&f, &item)
			return testkit.Discard(c.Layouts.Create(ctx, f.MatterID, item, practice.LayoutWriteOptions{}))
		}
	}
	testkit.AssertRefusals(t, "Layouts.Create",
		testkit.Refusal{
			Rule: "an unknown design", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"layoutDesignId: no such layout design"},
			Call: create(func(_ *practicetest.Firm, item *models.LayoutItemWrite) { item.LayoutDesignID = testkit.UnknownID }),
		},
		testkit.Refusal{
			Rule: "an unknown parent", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"parentItemId: no such item"},
			Call: create(func(_ *practicetest.Firm, item *models.LayoutItemWrite) { item.ParentItemID = testkit.UnknownID }),
		},
		testkit.Refusal{
			Rule: "a parent in another matter", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"parentItemId: no such item"},
			Call: create(func(f *practicetest.Firm, item *models.LayoutItemWrite) {
				item.ParentItemID, f.MatterID = f.LayoutItemID, f.MatterIDs[1]
			}),
		},
	)
	testkit.AssertRefusals(t, "Layouts.Patch", testkit.Refusal{
		Rule: "an item below itself", Want: practice.ErrBadRequest, Fields: []string{"parentItemId: must not be the layout item itself or an item below it"},
		Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Layouts.Patch(ctx, f.MatterID, f.LayoutItemID, models.LayoutItemPatch{ParentItemID: models.Some(f.LayoutItemID)}, practice.LayoutWriteOptions{}))
		},
	})
	add := func(change func(*practicetest.Firm, *models.LayoutContactWrite)) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			contact := models.LayoutContactWrite{Key: "Agent", ContactID: f.ContactID}
			change(&f, &contact)
			_, err := c.Layouts.AddContact(ctx, f.MatterID, f.LayoutItemID, contact)
			return err
		}
	}
	testkit.AssertRefusals(t, "Layouts.AddContact",
		testkit.Refusal{
			Rule: "a field for a text", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"key: must be a field for a contact"},
			Call: add(func(_ *practicetest.Firm, contact *models.LayoutContactWrite) { contact.Key = "Title" }),
		},
		testkit.Refusal{
			Rule: "a contact of another firm", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"contactId: no such contact"},
			Call: add(func(f *practicetest.Firm, contact *models.LayoutContactWrite) {
				contact.ContactID = f.OtherFirmContactID
			}),
		},
	)
	testkit.AssertRefusals(t, "Layouts.RemoveContact", testkit.Refusal{Rule: "a field without a contact", Want: practice.ErrNotFound, Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
		_, err := c.Layouts.RemoveContact(ctx, f.MatterID, f.LayoutItemID, "Surveyor")
		return err
	}})
	design := func(id func(practicetest.Firm) string, options practice.LayoutDesignOptions) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Layouts.GetDesign(ctx, id(f), options))
		}
	}
	testkit.AssertRefusals(t, "Layouts.GetDesign",
		testkit.Refusal{Rule: "an unknown matter type", Want: practice.ErrNotFound, Call: design(func(f practicetest.Firm) string { return f.LayoutDesignID }, practice.LayoutDesignOptions{MatterTypeID: testkit.UnknownID + "_IL"})},
	)
}
