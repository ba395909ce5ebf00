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

func TestRelationshipsOfARoleHaveEveryField(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		r, err := client.Roles.GetRelationships(t.Context(), f.MatterID, f.RoleID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/matters/"+f.MatterID+"/roles/"+f.RoleID+"/relationships", "")
		wire := testkit.WireTree(t, testkit.WireText(t, client, "/matters/{matterId}/roles/{roleId}/relationships", f.MatterID, f.RoleID))
		testkit.AssertRecord(t, wire, map[string]any{
			"id": r.ID, "href": r.Href, "relation": r.Relation, "method": r.Method, "self": r.Self,
			"versionId": r.VersionID, "relationships": r.Relationships,
		})
		lines := wire.(map[string]any)["relationships"].([]any)
		require.Len(t, r.Relationships, len(lines))
		for i, one := range r.Relationships {
			testkit.AssertRecord(t, lines[i], map[string]any{
				"id": one.ID, "href": one.Href, "relation": one.Relation, "method": one.Method, "self": one.Self,
				"name": one.Name, "contact": one.Contact, "representatives": one.Representatives,
			})
		}
		assert.Len(t, r.Relationships[0].Representatives, 1)
		assert.Empty(t, r.Relationships[1].Representatives)
		assert.Equal(t, models.Link{Href: "/firm/", Relation: "Firm"}, r.Relationships[1].Contact, "a relative link, with rel read as relation")
	})
}

func TestARoleHasEveryField(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		all, err := client.Roles.GetForMatter(t.Context(), f.MatterID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/matters/"+f.MatterID+"/roles", "")
		wire := testkit.WireTree(t, testkit.WireText(t, client, "/matters/{matterId}/roles", f.MatterID)).(map[string]any)
		testkit.AssertRecord(t, wire, map[string]any{
			"id": all.ID, "href": all.Href, "relation": all.Relation, "method": all.Method, "self": all.Self,
			"versionId": all.VersionID, "matterId": all.MatterID, "roles": all.Roles,
		})
		for i, r := range all.Roles {
			testkit.AssertRecord(t, wire["roles"].([]any)[i], map[string]any{
				"id": r.ID, "href": r.Href, "relation": r.Relation, "method": r.Method, "self": r.Self, "name": r.Name, "contact": r.Contact,
				"roleDescription": r.RoleDescription, "description": r.Description, "representatives": r.Representatives,
				"relationships": r.Relationships, "isClient": r.IsClient, "isOtherSide": r.IsOtherSide,
			})
			one, err := client.Roles.Get(t.Context(), f.MatterID, r.ID)
			require.NoError(t, err)
			assert.Equal(t, r, *one)
		}
		assert.True(t, all.Roles[0].IsClient.Or(false))
		assert.True(t, all.Roles[1].IsOtherSide.Or(false))
		tie, err := client.Roles.GetRelationship(t.Context(), f.MatterID, f.RoleID, f.RelationshipID)
		require.NoError(t, err)
		assert.Equal(t, all.Roles[0].Relationships[0], *tie)
	})
}

// TestOneVersionCoversTheRolesOfAMatter checks roles, relationships and layouts
// after each kind of write.
func TestOneVersionCoversTheRolesOfAMatter(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f, ctx := server.Firm(), t.Context()
		before, there := server.MatterRoles(f.MatterID)
		require.True(t, there)
		versions := map[string]bool{before.VersionID: true}
		written := func(link *models.Link, err error) string {
			t.Helper()
			require.NoError(t, err)
			server.Settle()
			all, err := client.Roles.GetForMatter(ctx, f.MatterID)
			require.NoError(t, err)
			assert.False(t, versions[all.VersionID], "the version of the whole is new")
			versions[all.VersionID] = true
			ties, err := client.Roles.GetRelationships(ctx, f.MatterID, f.RoleID)
			require.NoError(t, err)
			assert.Equal(t, all.VersionID, ties.VersionID)
			return link.ID
		}
		buyer := written(client.Roles.Create(ctx, f.MatterID, models.RoleWrite{
			Name: "Buyer", DisplayName: "The buyer", ContactID: f.ContactID, RepresentativeIDs: []string{f.RelatedContactID},
			Relationships: []models.RelationshipWrite{{Name: "Witness", ContactID: "MyFirm"}},
		}))
		role, there := server.Role(buyer)
		require.True(t, there)
		assert.Equal(t, []string{"Buyer", "The buyer", f.ContactID, f.RelatedContactID, "Witness", "MyFirm"}, []string{
			role.Name, role.RoleDescription, role.Contact.ID, role.Representatives[0].ID, role.Relationships[0].Name, role.Relationships[0].Contact.ID,
		})
		tie := written(client.Roles.AddRelationship(ctx, f.MatterID, f.RoleID, models.RelationshipWrite{Name: "Guarantor", ContactID: f.ContactID}))
		written(client.Roles.UpdateRelationship(ctx, f.MatterID, f.RoleID, tie, models.RelationshipWrite{Name: "Witness", RepresentativeIDs: []string{f.ContactID}}))
		now, there := server.Relationship(tie)
		require.True(t, there)
		assert.Equal(t, []string{"Witness", "", f.ContactID}, []string{now.Name, now.Contact.ID, now.Representatives[0].ID}, "what is left out is lost")
		role, _ = server.Role(f.RoleID)
		assert.Equal(t, now, role.Relationships[len(role.Relationships)-1], "the role shows it")
		written(client.Roles.DeleteRelationship(ctx, f.MatterID, f.RoleID, tie))
		require.ErrorIs(t, testkit.Discard(client.Roles.GetRelationship(ctx, f.MatterID, f.RoleID, tie)), practice.ErrNotFound)
		written(client.Roles.Update(ctx, f.MatterID, f.RoleID, models.RoleWrite{Name: "Client"}))
		role, _ = server.Role(f.RoleID)
		assert.Empty(t, role.Relationships, "those that the body leaves out are lost")
		written(client.Roles.Delete(ctx, f.MatterID, buyer))
		after, _ := server.MatterRoles(f.MatterID)
		assert.Len(t, after.Roles, len(before.Roles))
		require.ErrorIs(t, testkit.Discard(client.Roles.Get(ctx, f.MatterID, buyer)), practice.ErrNotFound)
	})
}

func TestAChangeOfARoleIsToldOnce(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		subscription := testkit.SubscriptionOf(models.EventTypeRolesUpdated.Type(), models.EventTypeMatterItemsUpdated.Type())
		subscription.EventNotificationURL = testkit.Inbox(t, server)
		require.NoError(t, testkit.Discard(client.Webhooks.Create(t.Context(), subscription)))
		require.NoError(t, testkit.Discard(client.Roles.Delete(t.Context(), f.MatterID, f.RoleID)))
		server.Settle()
		require.NoError(t, server.Flush(t.Context()))
		var told []string
		for _, delivery := range server.Deliveries() {
			var notification models.Notification
			require.NoError(t, json.Unmarshal(delivery.Body, &notification))
			var payload models.MatterRoles
			require.NoError(t, notification.Payload.Decode(&payload))
			told = append(told, delivery.Type+" "+payload.ID)
		}
		assert.ElementsMatch(t, []string{"roles.updated " + f.MatterID, "matteritems.updated " + f.MatterID}, told)
	})
}

func TestTheVersionHeaderGoesOutOnlyWhereItIsTaken(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f, ctx, version := server.Firm(), t.Context(), practice.WithVersion(7)
		for name, call := range map[string]func(...practice.CallOption) error{
			"Create": func(opts ...practice.CallOption) error {
				return testkit.Discard(client.Roles.Create(ctx, f.MatterID, models.RoleWrite{Name: "Buyer"}, opts...))
			},
			"AddRelationship": func(opts ...practice.CallOption) error {
				return testkit.Discard(client.Roles.AddRelationship(ctx, f.MatterID, f.RoleID, models.RelationshipWrite{Name: "Witness"}, opts...))
			},
			"DeleteRelationship": func(opts ...practice.CallOption) error {
				return testkit.Discard(client.Roles.DeleteRelationship(ctx, f.MatterID, f.RoleID, f.RelationshipID, opts...))
			},
			"Delete": func(opts ...practice.CallOption) error {
				return testkit.Discard(client.Roles.Delete(ctx, f.MatterID, f.RoleID, opts...))
			},
		} {
			require.NoError(t, call(), name)
			assert.Empty(t, testkit.LastSent(t, server).Header.Values("Version"), "%s: it is never filled in", name)
			require.NoError(t, call(version), name)
			assert.Equal(t, "7", testkit.LastSent(t, server).Header.Get("Version"), name)
		}
		server.ResetRequests()
		require.True(t, testkit.IsArgumentError(testkit.Discard(client.Roles.Update(ctx, f.MatterID, f.RoleID, models.RoleWrite{}, version))))
		require.True(t, testkit.IsArgumentError(testkit.Discard(client.Roles.Get(ctx, f.MatterID, f.RoleID, version))))
		assert.Empty(t, server.Requests())
	})
}

func TestRefusalsOfRoles(t *testing.T) {
	t.Parallel()
	add := func(change func(f *practicetest.Firm, role *models.RoleWrite)) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			var role models.RoleWrite
			change(&f, &role)
			return testkit.Discard(c.Roles.Create(ctx, f.MatterID, role))
		}
	}
	testkit.AssertRefusals(t, "Roles.Create",
		testkit.Refusal{
			Rule: "an unknown contact", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"contactId: no such contact"},
			Call: add(func(_ *practicetest.Firm, role *models.RoleWrite) { role.ContactID = testkit.UnknownID }),
		},
		testkit.Refusal{
			Rule: "a representative of another firm", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"representativeIds[0]: no such contact"},
			Call: add(func(f *practicetest.Firm, role *models.RoleWrite) {
				role.RepresentativeIDs = []string{f.OtherFirmContactID}
			}),
		},
		testkit.Refusal{
			Rule: "an unknown contact in a relationship", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"relationships[0].contactId: no such contact"},
			Call: add(func(_ *practicetest.Firm, role *models.RoleWrite) {
				role.Relationships = []models.RelationshipWrite{{ContactID: testkit.UnknownID}}
			}),
		},
	)
}
