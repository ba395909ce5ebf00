package acceptance_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// graphOf holds a matter as four reads return it: roles, layouts and items by
// id, and the version of the matter.
type graphOf struct {
	roles, layouts, items []string
	version               string
}

func readGraph(t *testing.T, client *practice.Client, matterID string) graphOf {
	t.Helper()
	roles, err := client.Roles.GetForMatter(t.Context(), matterID)
	require.NoError(t, err)
	layouts, err := client.Layouts.List(t.Context(), matterID, practice.LayoutItemListOptions{})
	require.NoError(t, err)
	items, err := client.Matters.GetItems(t.Context(), matterID)
	require.NoError(t, err)
	assert.Equal(t, roles.VersionID, items.VersionID, "one version covers roles, relationships, layouts and items")
	g := graphOf{version: items.VersionID}
	for _, role := range roles.Roles {
		g.roles = append(g.roles, role.ID)
		for _, relationship := range role.Relationships {
			g.roles = append(g.roles, relationship.ID)
		}
	}
	for _, layout := range layouts.Items {
		g.layouts = append(g.layouts, layout.ID)
	}
	var collect func([]models.MatterItem)
	collect = func(all []models.MatterItem) {
		for _, item := range all {
			g.items = append(g.items, item.ID)
			collect(item.SubItems)
		}
	}
	collect(items.Items)
	return g
}

// TestRolesLayoutsAndItemsOfAMatterAreOneGraph checks that a write through one
// of the three services is visible through the other two.
func TestRolesLayoutsAndItemsOfAMatterAreOneGraph(t *testing.T) {
	t.Parallel()
	item := func(kind string, patch models.MatterItemPatch) models.MatterPatch {
		return models.MatterPatch{Items: map[string][]models.MatterItemPatch{kind: {patch}}}
	}
	for name, write := range map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
		"a role is added": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Roles.Create(ctx, f.MatterID, models.RoleWrite{Name: "Surveyor", ContactID: f.ContactID}))
		},
		"a role is removed": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Roles.Delete(ctx, f.MatterID, f.RoleID))
		},
		"a relationship is added": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Roles.AddRelationship(ctx, f.MatterID, f.RoleID, models.RelationshipWrite{Name: "Guarantor", ContactID: f.ContactID}))
		},
		"a layout is added": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Layouts.Create(ctx, f.MatterID, models.LayoutItemWrite{LayoutDesignID: f.LayoutDesignID}, practice.LayoutWriteOptions{}))
		},
		"a layout is added below a role": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Layouts.Create(ctx, f.MatterID, models.LayoutItemWrite{LayoutDesignID: f.LayoutDesignID, ParentItemID: f.RoleID}, practice.LayoutWriteOptions{}))
		},
		"a layout is removed, with its contacts": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			_, err := c.Layouts.Delete(ctx, f.MatterID, f.LayoutItemID)
			return err
		},
		"a contact is put into a layout": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			_, err := c.Layouts.AddContact(ctx, f.MatterID, f.LayoutItemID, models.LayoutContactWrite{Key: "Agent", ContactID: f.ContactID})
			return err
		},
		"an item is added": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Matters.Patch(ctx, f.MatterID, item("Surveyor", models.MatterItemPatch{ContactID: models.Some(f.ContactID)})))
		},
		"an item is changed, and gets one below it": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Matters.Patch(ctx, f.MatterID, item("Client", models.MatterItemPatch{
				ID: models.Some(f.RoleID), SubItems: map[string][]models.MatterItemPatch{"Witness": {{ContactID: models.Some(f.ContactID)}}},
			})))
		},
		"a layout is described as an item": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Matters.Patch(ctx, f.MatterID, item("Layouts", models.MatterItemPatch{ID: models.Some(f.LayoutItemID), Description: models.Some("The land")})))
		},
		"the items of a kind are emptied": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Matters.Patch(ctx, f.MatterID, models.MatterPatch{Items: map[string][]models.MatterItemPatch{"OtherSide": {}}}))
		},
		"other clients are named": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Matters.Patch(ctx, f.MatterID, models.MatterPatch{ClientIDs: models.Some([]string{f.RelatedContactID})}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				f := server.Firm()
				before := readGraph(t, client, f.MatterID)
				assert.ElementsMatch(t, slices.Concat(before.roles, before.layouts), before.items)
				require.NoError(t, write(t.Context(), client, f))
				server.Settle()
				after := readGraph(t, client, f.MatterID)
				assert.ElementsMatch(t, slices.Concat(after.roles, after.layouts), after.items)
				assert.NotEqual(t, before.version, after.version)
			})
		})
	}
}

func TestItemsOfAMatterAreItsRoles(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f, ctx := server.Firm(), t.Context()
		_, err := client.Matters.Patch(ctx, f.MatterID, models.MatterPatch{Items: map[string][]models.MatterItemPatch{"Witness": {{
			Contact: models.Some(models.MatterItemContact{ID: models.Some(f.ContactID)}), RoleDescription: models.Some("First witness"), Description: models.Some("Saw it"),
			SubItems: map[string][]models.MatterItemPatch{"Interpreter": {{ContactID: models.Some(f.RelatedContactID)}}},
		}}}})
		require.NoError(t, err)
		server.Settle()
		matter, there := server.Matter(f.MatterID)
		require.True(t, there)
		ref := matter.Items["Witness"][len(matter.Items["Witness"])-1]
		assert.Equal(t, []string{"role", "First witness"}, []string{ref.Type, ref.Name})
		role, there := server.Role(ref.ID)
		require.True(t, there)
		assert.Equal(t, []string{"Witness", "First witness", "Saw it", f.ContactID}, []string{role.Name, role.RoleDescription, role.Description, role.Contact.ID})
		require.Len(t, role.Relationships, 1)
		assert.Equal(t, []string{"Interpreter", f.RelatedContactID}, []string{role.Relationships[0].Name, role.Relationships[0].Contact.ID})
		below, err := client.Matters.GetItem(ctx, f.MatterID, role.Relationships[0].ID)
		require.NoError(t, err, "what lies below an item is one too")
		assert.Equal(t, "Interpreter", below.Name)
	})
}

func TestTheClientsOfAMatterAreThoseOfItsRoles(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f, ctx := server.Firm(), t.Context()
		id := server.AddMatter(models.MatterWrite{
			MatterTypeID: f.MatterTypeID, ClientIDs: []string{f.ContactID}, ClientRole: "Seller", OtherSideIDs: []string{f.RelatedContactID}, Status: models.MatterStatusOpen,
		})
		roles, there := server.MatterRoles(id)
		require.True(t, there)
		require.Len(t, roles.Roles, 2)
		assert.Equal(t, []string{"Client", "Seller", f.ContactID}, []string{roles.Roles[0].Name, roles.Roles[0].RoleDescription, roles.Roles[0].Contact.ID})
		assert.True(t, roles.Roles[1].IsOtherSide.Or(false))

		_, err := client.Roles.Create(ctx, id, models.RoleWrite{Name: "Client", ContactID: f.ContactIDs[3]})
		require.NoError(t, err)
		server.Settle()
		page, err := client.Matters.List(ctx, practice.MatterListOptions{ContactID: f.ContactIDs[3]})
		require.NoError(t, err)
		i := slices.IndexFunc(page.Items, func(m models.Matter) bool { return m.ID == id })
		require.GreaterOrEqual(t, i, 0, "the new client finds the matter")
		assert.Len(t, page.Items[i].Clients, 2)

		_, err = client.Matters.Patch(ctx, id, models.MatterPatch{ClientIDs: models.Some([]string{f.ContactIDs[3]})})
		require.NoError(t, err)
		server.Settle()
		roles, _ = server.MatterRoles(id)
		var contacts []string
		for _, role := range roles.Roles {
			contacts = append(contacts, role.Contact.ID)
		}
		assert.ElementsMatch(t, []string{f.ContactIDs[3], f.RelatedContactID}, contacts, "the role of a client who is left out ends")
	})
}

func TestAChangeOfItemsIsToldOnceWithTheItems(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		subscription := testkit.SubscriptionOf(
			models.EventTypeMatterCreated.Type(), models.EventTypeMatterUpdated.Type(), models.EventTypeRolesUpdated.Type(), models.EventTypeMatterItemsUpdated.Type(),
		)
		subscription.EventNotificationURL = testkit.Inbox(t, server)
		require.NoError(t, testkit.Discard(client.Webhooks.Create(t.Context(), subscription)))
		told := func() map[string]models.Object {
			require.NoError(t, server.Flush(t.Context()))
			payloads := map[string]models.Object{}
			for _, delivery := range server.Deliveries() {
				var notification models.Notification
				require.NoError(t, json.Unmarshal(delivery.Body, &notification))
				payloads[delivery.Type] = notification.Payload
			}
			return payloads
		}
		server.AddMatter(models.MatterWrite{MatterTypeID: f.MatterTypeID, ClientIDs: []string{f.ContactID}, Status: models.MatterStatusOpen})
		created := told()
		assert.Equal(t, []string{"matter.created"}, slices.Collect(maps.Keys(created)), "the items of a new matter are told with it")
		var made models.Matter
		require.NoError(t, created["matter.created"].Decode(&made))
		assert.Len(t, made.Items["Client"], 1)

		require.NoError(t, testkit.Discard(client.Matters.Patch(t.Context(), f.MatterID, models.MatterPatch{
			Items: map[string][]models.MatterItemPatch{"Witness": {{ContactID: models.Some(f.ContactID)}}},
		})))
		server.Settle()
		changed := told()
		assert.Len(t, server.Deliveries(), 4)
		assert.ElementsMatch(t, []string{"matter.created", "matter.updated", "roles.updated", "matteritems.updated"}, slices.Collect(maps.Keys(changed)))
		items, err := client.Matters.GetItems(t.Context(), f.MatterID)
		require.NoError(t, err)
		var carried models.MatterItems
		require.NoError(t, changed["matteritems.updated"].Decode(&carried))
		assert.Equal(t, *items, carried)
	})
}

func TestRefusalsOfItems(t *testing.T) {
	t.Parallel()
	patch := func(change func(practicetest.Firm) models.MatterPatch) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Matters.Patch(ctx, f.MatterID, change(f)))
		}
	}
	items := func(kind string, all ...models.MatterItemPatch) models.MatterPatch {
		return models.MatterPatch{Items: map[string][]models.MatterItemPatch{kind: all}}
	}
	testkit.AssertRefusals(t, "Matters.Patch",
		testkit.Refusal{
			Rule: "an unknown item", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"items.Client[0].id: no such item"},
			Call: patch(func(practicetest.Firm) models.MatterPatch {
				return items("Client", models.MatterItemPatch{ID: models.Some(testkit.UnknownID)})
			}),
		},
		testkit.Refusal{
			Rule: "an unknown item below another", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"items.Client[0].subItems.Solicitor[0].id: no such item"},
			Call: patch(func(f practicetest.Firm) models.MatterPatch {
				return items("Client", models.MatterItemPatch{
					ID: models.Some(f.RoleID), SubItems: map[string][]models.MatterItemPatch{"Solicitor": {{ID: models.Some(testkit.UnknownID)}}},
				})
			}),
		},
		testkit.Refusal{
			Rule: "an item for an unknown contact", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"items.Witness[0].contactId: no such contact"},
			Call: patch(func(practicetest.Firm) models.MatterPatch {
				return items("Witness", models.MatterItemPatch{ContactID: models.Some(testkit.UnknownID)})
			}),
		},
		testkit.Refusal{
			Rule: "no client", Want: practice.ErrBadRequest, Fields: []string{"items.Client: must have at least one entry"},
			Call: patch(func(practicetest.Firm) models.MatterPatch { return items("Client") }),
		},
		testkit.Refusal{
			Rule: "items together with clients", Want: practice.ErrBadRequest, Fields: []string{"items: must not be combined with clientIds"},
			Call: patch(func(f practicetest.Firm) models.MatterPatch {
				both := items("Witness", models.MatterItemPatch{ContactID: models.Some(f.ContactID)})
				both.ClientIDs = models.Some([]string{f.ContactID})
				return both
			}),
		},
	)
}
