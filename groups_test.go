package practice_test

import (
	"context"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestGroupsHaveEveryFieldInListsAndAlone(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		page, err := client.Groups.List(t.Context(), practice.GroupListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/groups", "")
		assert.Equal(t, len(page.Items), page.Size.Or(0))
		wire := testkit.WireTree(t, testkit.WireText(t, client, "/groups")).(map[string]any)["value"].([]any)
		require.Len(t, page.Items, len(wire))
		for i, listed := range page.Items {
			g, err := client.Groups.Get(t.Context(), listed.ID)
			require.NoError(t, err)
			testkit.AssertSent(t, server, "GET", "/groups/"+listed.ID, "")
			assert.Equal(t, listed, *g)
			testkit.AssertRecord(t, wire[i], map[string]any{
				"href": g.Href, "relation": g.Relation, "method": g.Method, "self": g.Self,
				"id": g.ID, "name": g.Name, "principalIds": g.PrincipalIDs, "isDeleted": g.IsDeleted,
			})
		}
		everybody := page.Items[2]
		assert.Contains(t, everybody.PrincipalIDs, page.Items[0].ID, "a group is a member of another")
	})
}

// TestAllGroupsOfAllPages checks that a walk follows the links of the pages,
// because the list documents no paging parameters.
func TestAllGroupsOfAllPages(t *testing.T) {
	t.Parallel()
	service := &testkit.Scripted{Pages: func(q url.Values) string {
		if q.Get("Offset") == "2" {
			return testkit.Page([]string{`{"id":"g3"}`}, "size", "3")
		}
		return testkit.Page([]string{`{"id":"g1"}`, `{"id":"g2"}`}, "size", "3", "next", testkit.LinkTo("https://api.example.test/v1/groups?offset=2&limit=2"))
	}}
	groups, err := practice.Collect(testkit.ScriptedClient(t, service).Groups.All(t.Context(), practice.GroupListOptions{}))
	require.NoError(t, err)
	require.Len(t, groups, 3)
	assert.Equal(t, "g3", groups[2].ID)
	assert.Equal(t, "https://api.example.test/v1/groups", service.Paths[0], "without paging parameters")
}

func TestAGroupIsCreatedAndItsMembersReplaced(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		link, err := client.Groups.Create(t.Context(), models.GroupCreate{Name: "Conveyancing", PrincipalIDs: []string{f.UserID, f.GroupID}})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/groups", "")
		assert.Equal(t, 202, testkit.LastSent(t, server).Status)
		require.ErrorIs(t, testkit.Discard(client.Groups.Get(t.Context(), link.ID)), practice.ErrNotFound, "the write takes effect later")
		server.Settle()
		created, err := client.Groups.Get(t.Context(), link.ID)
		require.NoError(t, err)
		assert.Equal(t, []string{f.UserID, f.GroupID}, created.PrincipalIDs)

		_, err = client.Groups.Update(t.Context(), link.ID, models.GroupWrite{PrincipalIDs: []string{f.UserID}})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "PUT", "/groups/"+link.ID, "")
		server.Settle()
		replaced, err := client.Groups.Get(t.Context(), link.ID)
		require.NoError(t, err)
		assert.Equal(t, []string{f.UserID}, replaced.PrincipalIDs, "the list is always the whole one")
		assert.Equal(t, "Conveyancing", replaced.Name, "a replacement keeps the name")
	})
}

func TestADeletedGroupStaysVisible(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().GroupID
		link, err := client.Groups.Delete(t.Context(), id)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "DELETE", "/groups/"+id, "")
		assert.Equal(t, id, link.TargetID())
		server.Settle()
		group, err := client.Groups.Get(t.Context(), id)
		require.NoError(t, err)
		assert.True(t, group.IsDeleted.Or(false))
	})
}

func TestRefusalsOfGroups(t *testing.T) {
	t.Parallel()
	create := func(id func(practicetest.Firm) string) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Groups.Create(ctx, models.GroupCreate{Name: "Team", PrincipalIDs: []string{id(f)}}))
		}
	}
	testkit.AssertRefusals(t, "Groups.Create",
		testkit.Refusal{Rule: "an unknown member", Want: practice.ErrBadRequest, Conflict: true, Bare: true, Call: create(func(practicetest.Firm) string { return testkit.UnknownID })},
		testkit.Refusal{Rule: "a user of another firm", Want: practice.ErrBadRequest, Conflict: true, Bare: true, Call: create(func(f practicetest.Firm) string { return f.OtherFirmUserID })},
		testkit.Refusal{Rule: "a group of another firm", Want: practice.ErrBadRequest, Conflict: true, Bare: true, Call: create(func(f practicetest.Firm) string { return f.OtherFirmGroupID })},
	)
	testkit.AssertRefusals(t, "Groups.Update", testkit.Refusal{
		Rule: "a group in itself", Want: practice.ErrBadRequest, Bare: true,
		Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Groups.Update(ctx, f.GroupID, models.GroupWrite{PrincipalIDs: []string{f.GroupID}}))
		},
	})
}

// TestAGroupThatIsNotVisibleYetCanBeAMember checks that a group can be named
// before its create has taken effect.
func TestAGroupThatIsNotVisibleYetCanBeAMember(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		inner, err := client.Groups.Create(t.Context(), models.GroupCreate{Name: "Inner"})
		require.NoError(t, err)
		outer, err := client.Groups.Create(t.Context(), models.GroupCreate{Name: "Outer", PrincipalIDs: []string{inner.ID}})
		require.NoError(t, err)
		server.Settle()
		group, err := client.Groups.Get(t.Context(), outer.ID)
		require.NoError(t, err)
		assert.Equal(t, []string{inner.ID}, group.PrincipalIDs)
	})
}
