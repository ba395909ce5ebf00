package practice_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestRelationshipsOfARoleHaveEveryField(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		r, err := client.Roles.GetRelationships(t.Context(), f.MatterID, f.RoleID)
		require.NoError(t, err)
		assertSent(t, server, "GET", "/matters/"+f.MatterID+"/roles/"+f.RoleID+"/relationships", "")
		wire := wireTree(t, wireText(t, client, "/matters/{matterId}/roles/{roleId}/relationships", f.MatterID, f.RoleID))
		assertRecord(t, wire, map[string]any{
			"id": r.ID, "href": r.Href, "relation": r.Relation, "method": r.Method, "self": r.Self,
			"versionId": r.VersionID, "relationships": r.Relationships,
		})
		lines := wire.(map[string]any)["relationships"].([]any)
		require.Len(t, r.Relationships, len(lines))
		for i, one := range r.Relationships {
			assertRecord(t, lines[i], map[string]any{
				"id": one.ID, "href": one.Href, "relation": one.Relation, "method": one.Method, "self": one.Self,
				"name": one.Name, "contact": one.Contact, "representatives": one.Representatives,
			})
		}
		assert.Len(t, r.Relationships[0].Representatives, 1)
		assert.Empty(t, r.Relationships[1].Representatives)
		assert.Equal(t, models.Link{Href: "/firm/", Relation: "Firm"}, r.Relationships[1].Contact, "a relative link, with rel read as relation")
	})
}

func TestRefusalsOfRoles(t *testing.T) {
	t.Parallel()
	get := func(change func(f *practicetest.Firm)) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			change(&f)
			return discard(c.Roles.GetRelationships(ctx, f.MatterID, f.RoleID))
		}
	}
	testRefusals(t, "Roles.GetRelationships",
		refusal{rule: "an unknown role", want: practice.ErrNotFound, call: get(func(f *practicetest.Firm) { f.RoleID = unknownID })},
		refusal{rule: "a role of another matter", want: practice.ErrNotFound, call: get(func(f *practicetest.Firm) { f.MatterID = f.MatterIDs[1] })},
		refusal{rule: "an unknown matter", want: practice.ErrNotFound, call: get(func(f *practicetest.Firm) { f.MatterID = unknownID })},
		refusal{rule: "a matter of another firm", want: practice.ErrForbidden, call: get(func(f *practicetest.Firm) { f.MatterID = f.OtherFirmMatterID })},
	)
}
