package practice_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAPluginHasEveryField(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().PluginID
		p, err := client.Plugins.Get(t.Context(), id)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/plugins/"+id, "")
		wire := testkit.WireTree(t, testkit.WireText(t, client, "/plugins/{pluginId}", id))
		assert.Equal(t, testkit.Member(t, wire, "key"), p.Key.Reveal())
		wire.(map[string]any)["key"] = "[redacted]"
		testkit.AssertRecord(t, wire, map[string]any{
			"id": p.ID, "href": p.Href, "relation": p.Relation, "method": p.Method, "self": p.Self, "externalId": p.ExternalID,
			"application": p.Application, "type": p.Type, "version": p.Version, "lastUpdated": p.LastUpdated,
			"createdDate": p.CreatedDate, "lastUpdatedDate": p.LastUpdatedDate, "key": p.Key, "additionalData": p.AdditionalData,
		})
		v := p.Version
		testkit.AssertRecord(t, testkit.Member(t, wire, "version"), map[string]any{
			"id": v.ID, "pluginId": v.PluginID, "versionNumber": v.VersionNumber, "name": v.Name, "description": v.Description,
			"placement": v.Placement, "requestEndpointUrl": v.RequestEndpointURL, "attributes": v.Attributes,
			"availability": v.Availability, "createdDate": v.CreatedDate, "lastUpdatedDate": v.LastUpdatedDate,
		})
		assert.Equal(t, id, v.PluginID)
		assert.Equal(t, 800, v.Attributes.Page.Width.Or(0))
		assert.NotContains(t, fmt.Sprintf("%+v", p), p.Key.Reveal())
	})
}

func TestPluginsAreListedInPages(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().PluginID
		page, err := client.Plugins.List(t.Context(), practice.PluginListOptions{ListOptions: practice.ListOptions{Limit: 1}})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/plugins", "Limit=1")
		require.Len(t, page.Items, 1)
		assert.Equal(t, id, page.Items[0].ID)
		assert.Equal(t, models.Some(2), page.Size)
		all, err := practice.Collect(client.Plugins.All(t.Context(), practice.PluginListOptions{ListOptions: practice.ListOptions{Limit: 1}}))
		require.NoError(t, err)
		require.Len(t, all, 2)
		assert.Equal(t, models.PluginTypeTab, all[1].Type)

		subscriptions, err := client.Plugins.ListSubscriptions(t.Context(), id, practice.PluginSubscriptionListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 1}})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/plugins/"+id+"/subscriptions", "Limit=1&Offset=1")
		require.Len(t, subscriptions.Items, 1)
		assert.True(t, subscriptions.Items[0].IsDisabled.Or(false))
		every, err := practice.Collect(client.Plugins.AllSubscriptions(t.Context(), id, practice.PluginSubscriptionListOptions{ListOptions: practice.ListOptions{Limit: 1}}))
		require.NoError(t, err)
		assert.Len(t, every, 2)
	})
}

func TestAPluginGetsANewVersionWhenItIsReplaced(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		write := models.PluginWrite{
			Application: models.PluginApplicationNative, Type: models.PluginTypeButton, Key: models.NewSecret("k-1"),
			Version: models.PluginVersionWrite{
				Name: "Open", RequestEndpointURL: "https://plugin.example.test/open",
				Availability: models.PluginAvailabilityWrite{MatterTypeIDs: []string{server.Firm().MatterTypeID}},
			},
		}
		link, err := client.Plugins.Create(t.Context(), write)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/plugins", "")
		assert.Contains(t, string(testkit.LastSent(t, server).Body), `"key":"k-1"`, "the service is told the key")
		id := link.TargetID()
		get := func() *models.Plugin {
			server.Settle()
			plugin, err := client.Plugins.Get(t.Context(), id)
			require.NoError(t, err)
			return plugin
		}
		first := get()
		assert.Equal(t, 1, first.Version.VersionNumber.Or(0))

		write.Key, write.Version.Name = models.NewSecret("k-2"), "Open all"
		require.NoError(t, testkit.Discard(client.Plugins.Update(t.Context(), id, write)))
		testkit.AssertSent(t, server, "PUT", "/plugins/"+id, "")
		second := get()
		assert.Equal(t, 2, second.Version.VersionNumber.Or(0))
		assert.NotEqual(t, first.Version.ID, second.Version.ID)
		assert.Equal(t, "k-1", second.Key.Reveal(), "the key cannot be changed")

		require.NoError(t, testkit.Discard(client.Plugins.Modify(t.Context(), id, func(plugin *models.PluginWrite) error {
			assert.True(t, plugin.Key.IsZero(), "an instruction is not taken over")
			plugin.ExternalID = "ours-9"
			return nil
		})))
		third := get()
		assert.Equal(t, "ours-9", third.ExternalID)
		assert.Equal(t, second.Version, third.Version, "what stays is no new version")

		require.NoError(t, testkit.Discard(client.Plugins.Update(t.Context(), id, models.PluginWrite{})))
		cleared := get()
		assert.Empty(t, cleared.ExternalID, "a replacement clears what it leaves out")
		assert.Empty(t, cleared.Version.Name)
		assert.Equal(t, 3, cleared.Version.VersionNumber.Or(0))
		assert.Equal(t, "k-1", cleared.Key.Reveal())
	})
}

func TestAnAccountSubscribesToTheVersionThatAPluginHas(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.AddPlugin(models.PluginWrite{Type: models.PluginTypeTab, Version: models.PluginVersionWrite{Name: "One"}})
		plugin, _ := server.Plugin(id)
		link, err := client.Plugins.CreateSubscription(t.Context(), id)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/plugins/"+id+"/subscriptions", "")
		assert.Empty(t, testkit.LastSent(t, server).Body)
		server.Settle()
		path := "/plugins/" + id + "/subscriptions/" + link.TargetID()
		s, err := client.Plugins.GetSubscription(t.Context(), id, link.TargetID())
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", path, "")
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/plugins/{pluginId}/subscriptions/{id}", id, s.ID)), map[string]any{
			"id": s.ID, "href": s.Href, "relation": s.Relation, "method": s.Method, "self": s.Self, "pluginId": s.PluginID,
			"pluginVersionId": s.PluginVersionID, "createdDate": s.CreatedDate, "lastUpdatedDate": s.LastUpdatedDate, "isDisabled": s.IsDisabled,
		})
		assert.Equal(t, []string{id, plugin.Version.ID}, []string{s.PluginID, s.PluginVersionID})

		require.NoError(t, testkit.Discard(client.Plugins.DeleteSubscription(t.Context(), id, s.ID)))
		testkit.AssertSent(t, server, "DELETE", path, "")
		server.Settle()
		require.ErrorIs(t, testkit.Discard(client.Plugins.GetSubscription(t.Context(), id, s.ID)), practice.ErrNotFound)

		other, err := client.Plugins.CreateSubscription(t.Context(), id)
		require.NoError(t, err)
		require.NoError(t, testkit.Discard(client.Plugins.Delete(t.Context(), id)))
		testkit.AssertSent(t, server, "DELETE", "/plugins/"+id, "")
		server.Settle()
		require.ErrorIs(t, testkit.Discard(client.Plugins.Get(t.Context(), id)), practice.ErrNotFound)
		_, there := server.PluginSubscription(other.TargetID())
		assert.False(t, there, "it ends with the plugin")
	})
}

func TestTheAddressOfAPluginIsASecret(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, user *practice.Client) {
		f, client := server.Firm(), testkit.ServerToServer(t, server)
		data, err := models.ParseObject(`{"page":"signing"}`)
		require.NoError(t, err)
		address, err := client.Plugins.RequestURL(t.Context(), f.PluginID, models.PluginURLRequest{MatterID: f.MatterID, AdditionalData: data})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/plugins/"+f.PluginID+"/url", "")
		assert.Contains(t, address.Reveal(), "https://plugin.example.test/open?matterId="+f.MatterID)
		assert.Equal(t, "[redacted]", fmt.Sprint(address))
		again, err := client.Plugins.RequestURL(t.Context(), f.PluginID, models.PluginURLRequest{})
		require.NoError(t, err)
		assert.False(t, address.Equal(*again))
		_, err = client.Plugins.RequestURL(t.Context(), server.AddPlugin(models.PluginWrite{}), models.PluginURLRequest{})
		require.ErrorIs(t, err, practice.ErrBadRequest, "there is no server to ask")
		mistakes := server.Tolerate(func() {
			_, err = user.Plugins.RequestURL(t.Context(), f.PluginID, models.PluginURLRequest{})
		})
		require.ErrorIs(t, err, practice.ErrUnauthorized, "only the client itself may ask")
		assert.Len(t, mistakes, 1)
	})
}

func TestAnAnswerThatIsNoAddressIsAnError(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		server.Inject(practicetest.Fault{Operation: "requestPluginURL", Status: 200, Body: `["https://plugin.example.test/open"]`})
		address, err := client.Plugins.RequestURL(t.Context(), server.Firm().PluginID, models.PluginURLRequest{})
		require.Error(t, err)
		assert.Nil(t, address)
	})
}

func TestRefusalsOfPlugins(t *testing.T) {
	t.Parallel()
	testkit.AssertRefusals(t, "Plugins.Create", testkit.Refusal{
		Rule: "a matter type of another firm", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"version.availability.matterTypeIds[1]: no such matter type"},
		Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Plugins.Create(ctx, models.PluginWrite{Version: models.PluginVersionWrite{
				Availability: models.PluginAvailabilityWrite{MatterTypeIDs: []string{f.MatterTypeID, f.OtherFirmMatterTypeID}},
			}}))
		},
	})
	var refusals []testkit.Refusal
	for name := range strings.FieldsSeq("AccountId UserId UserEmail MatterId AppId EmbedToken") {
		refusals = append(refusals, testkit.Refusal{
			Rule: "the reserved name " + name, Want: practice.ErrBadRequest, Fields: []string{"additionalData: must not contain the reserved name " + name},
			Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				data, err := models.ParseObject(`{"ours":1,"` + name + `":"x"}`)
				if err != nil {
					return err
				}
				return testkit.Discard(c.Plugins.RequestURL(ctx, f.PluginID, models.PluginURLRequest{AdditionalData: data}))
			},
		})
	}
	testkit.AssertRefusals(t, "Plugins.RequestURL", append(refusals, testkit.Refusal{
		Rule: "a matter of another firm", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"matterId: no such matter"},
		Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Plugins.RequestURL(ctx, f.PluginID, models.PluginURLRequest{MatterID: f.OtherFirmMatterID}))
		},
	})...)
}
