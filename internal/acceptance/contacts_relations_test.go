package acceptance_test

import (
	"errors"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestARelationIsMadeReadAndEnded(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id, related := server.Firm().ContactID, server.Firm().ContactIDs[20]
		_, err := client.Contacts.CreateRelation(t.Context(), id, models.RelationWrite{BusinessRole: models.Some("Guarantor")})
		refused, is := errors.AsType[*practice.ArgumentError](err)
		require.True(t, is, "%v", err)
		assert.Equal(t, "relatedContactId", refused.Argument)

		link, err := client.Contacts.CreateRelation(t.Context(), id, models.RelationWrite{RelatedContactID: related, BusinessRole: models.Some("Guarantor")})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/contacts/"+id+"/relations", "")
		assert.Equal(t, 202, testkit.LastSent(t, server).Status)
		assert.Equal(t, related, link.TargetID())
		require.ErrorIs(t, testkit.Discard(client.Contacts.GetRelation(t.Context(), id, related)), practice.ErrNotFound, "the write takes effect later")
		server.Settle()
		read, err := client.Contacts.GetRelation(t.Context(), id, related)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/contacts/"+id+"/relations/"+related, "")
		assert.Equal(t, link, read)
		require.ErrorIs(t, testkit.Discard(client.Contacts.GetRelation(t.Context(), related, id)), practice.ErrNotFound, "it leads one way")

		require.NoError(t, testkit.Discard(client.Contacts.DeleteRelation(t.Context(), id, related)))
		testkit.AssertSent(t, server, "DELETE", "/contacts/"+id+"/relations/"+related, "")
		server.Settle()
		assert.NotContains(t, relatedTo(t, client, id), related)
	})
}

func TestRelationsAreLinks(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().ContactID
		page, err := client.Contacts.ListRelations(t.Context(), id, practice.ContactRelationListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/contacts/"+id+"/relations", "")
		wire := testkit.WireTree(t, testkit.WireText(t, client, "/contacts/{contactId}/relations", id)).(map[string]any)["value"].([]any)
		require.Len(t, page.Items, len(wire))
		for i, l := range page.Items {
			testkit.AssertRecord(t, wire[i], map[string]any{"id": l.ID, "href": l.Href, "relation": l.Relation, "method": l.Method})
			assert.Equal(t, l.ID, (&models.Link{Href: l.Href}).TargetID(), "the address says the id too")
		}
		assert.Equal(t, server.Firm().RelatedContactID, page.Items[0].ID)
		assert.Equal(t, len(wire), page.Size.Or(0))
	})
}

// TestAllRelationsOfAllPages checks that the first request has no offset and
// the next ones follow the page. Two relations are added during the walk.
func TestAllRelationsOfAllPages(t *testing.T) {
	t.Parallel()
	service := &testkit.Scripted{Pages: func(q url.Values) string {
		if q.Get("Offset") == "3" {
			return testkit.Page([]string{`{"id":"c2"}`, `{"href":"/contacts/c3"}`, `{"id":"c4"}`}, "size", "6")
		}
		return testkit.Page([]string{`{"id":"c1"}`, `{"id":"c2"}`, `{"href":"/contacts/c3"}`}, "size", "4",
			"next", testkit.LinkTo("https://api.example.test/v1/contacts/c0/relations?offset=3&limit=3"))
	}}
	var walked []string
	for l, err := range testkit.ScriptedClient(t, service).Contacts.AllRelations(t.Context(), "c0", practice.ContactRelationListOptions{}) {
		require.NoError(t, err)
		walked = append(walked, l.TargetID())
	}
	assert.Equal(t, []string{"c1", "c2", "c3", "c4"}, walked, "each once, whether it has an id or only an address")
	assert.Equal(t, []string{
		"https://api.example.test/v1/contacts/c0/relations",
		"https://api.example.test/v1/contacts/c0/relations?Limit=500&Offset=3",
	}, service.Paths)
}

func TestUpdatingARelation(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		update func(related string) models.RelationWrite
		body   string // R is replaced by the id of the related contact
	}{
		{"the contact of the path goes into the body", func(string) models.RelationWrite {
			return models.RelationWrite{BusinessRole: models.Some("Bookkeeper")}
		}, `{"relatedContactId":"R","businessRole":"Bookkeeper"}`},
		{"both", func(related string) models.RelationWrite {
			return models.RelationWrite{RelatedContactID: related, BusinessRole: models.Some("")}
		}, `{"relatedContactId":"R","businessRole":""}`},
		{"no role", func(string) models.RelationWrite { return models.RelationWrite{} }, `{"relatedContactId":"R"}`},
		{"a role taken away", func(string) models.RelationWrite {
			return models.RelationWrite{BusinessRole: models.Null[string]()}
		}, `{"relatedContactId":"R","businessRole":null}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				id, related := server.Firm().ContactID, server.Firm().ContactIDs[20]
				link, err := client.Contacts.UpdateRelation(t.Context(), id, related, test.update(related))
				require.NoError(t, err)
				testkit.AssertSent(t, server, "PUT", "/contacts/"+id+"/relations/"+related, "")
				assert.Equal(t, testkit.WithID(test.body, "R", related), string(testkit.LastSent(t, server).Body))
				assert.Equal(t, 202, testkit.LastSent(t, server).Status)
				assert.Equal(t, related, link.TargetID())
				assert.NotContains(t, relatedTo(t, client, id), related, "the write is only queued")
				server.Settle()
				assert.Contains(t, relatedTo(t, client, id), related)
			})
		})
	}
}

func relatedTo(t *testing.T, client *practice.Client, id string) []string {
	t.Helper()
	links, err := practice.Collect(client.Contacts.AllRelations(t.Context(), id, practice.ContactRelationListOptions{}))
	require.NoError(t, err)
	var related []string
	for _, l := range links {
		related = append(related, l.ID)
	}
	return related
}

// tagsOf returns the ids of a contact's tags, keyed by name.
func tagsOf(t *testing.T, client *practice.Client, id string) map[string]string {
	t.Helper()
	page, err := client.Contacts.ListTags(t.Context(), id, practice.ContactTagListOptions{})
	require.NoError(t, err)
	tags := map[string]string{}
	for _, tag := range page.Items {
		tags[tag.Name] = tag.ID
	}
	return tags
}

func TestTagsThatTheServiceMakesHaveNoID(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		page, err := client.Contacts.ListTags(t.Context(), server.Firm().RelatedContactID, practice.ContactTagListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/contacts/"+server.Firm().RelatedContactID+"/tags", "")
		assert.True(t, page.Size.IsZero(), "the list has no pages")
		for _, tag := range page.Items {
			assert.Equal(t, tag.Type == models.ContactTagTypeRole, tag.ID == "", tag.Name)
		}
		assert.Equal(t, models.ContactTagTypeRole, page.Items[len(page.Items)-1].Type)
	})
}

func TestTagsAreAddedAndRemoved(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		path := "/contacts/" + f.ContactID + "/tags"
		before := tagsOf(t, client, f.ContactID)
		require.Contains(t, before, f.TagName)

		link, err := client.Contacts.AddTags(t.Context(), f.ContactID, []string{"Größe \"XL\" & <b>", f.TagName})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", path, "")
		assert.Equal(t, []any{"Größe \"XL\" & <b>", f.TagName}, testkit.WireTree(t, testkit.LastSent(t, server).Body))
		assert.Equal(t, 201, testkit.LastSent(t, server).Status)
		assert.Equal(t, f.ContactID, link.ID)
		added := tagsOf(t, client, f.ContactID)
		assert.Len(t, added, len(before)+1, "a tag that is there is not added again")
		assert.Equal(t, before[f.TagName], added[f.TagName])

		link, err = client.Contacts.RemoveTag(t.Context(), f.ContactID, f.TagID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "DELETE", path+"/"+f.TagID, "")
		assert.Empty(t, testkit.LastSent(t, server).Body, "one tag is named by the path alone")
		assert.Empty(t, testkit.LastSent(t, server).Header.Get("Content-Type"))
		assert.Equal(t, f.ContactID, link.ID)
		assert.Contains(t, tagsOf(t, client, f.ContactID), f.TagName, "the write is only queued")
		server.Settle()
		assert.NotContains(t, tagsOf(t, client, f.ContactID), f.TagName)

		var rest []string
		for name := range tagsOf(t, client, f.ContactID) {
			rest = append(rest, name)
		}
		_, err = client.Contacts.RemoveTags(t.Context(), f.ContactID, rest)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "DELETE", path, "")
		assert.Len(t, testkit.WireTree(t, testkit.LastSent(t, server).Body), len(rest))
		server.Settle()
		assert.Empty(t, tagsOf(t, client, f.ContactID))
	})
}

func TestAddingNoTagsSendsAnEmptyList(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		require.NoError(t, testkit.Discard(client.Contacts.AddTags(t.Context(), server.Firm().ContactID, nil)))
		assert.Equal(t, `[]`, string(testkit.LastSent(t, server).Body))
	})
}
