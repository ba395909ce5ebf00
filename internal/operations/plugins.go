package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func plugins() []Operation {
	some := practice.ListOptions{Offset: 1, Limit: 5}
	plugin := func(f Firm) models.PluginWrite {
		return models.PluginWrite{
			ExternalID: "signing", Application: models.PluginApplicationWeb, Type: models.PluginTypeButton,
			Version: models.PluginVersionWrite{
				Name: "Signing", Placement: "matter", RequestEndpointURL: "https://plugin.example.test/open",
				Attributes:   models.PluginAttributesWrite{Text: "Sign", Page: models.PluginPageSettingsWrite{Title: "Signing", Width: models.Some(800)}},
				Availability: models.PluginAvailabilityWrite{MatterTypeIDs: []string{f.MatterTypeID}},
			},
		}
	}
	return []Operation{
		{"Plugins.List", "listPlugins", func(Firm) []any {
			return []any{practice.PluginListOptions{ListOptions: some}}
		}},
		{"Plugins.Create", "createPlugin", func(f Firm) []any {
			return []any{plugin(f)}
		}},
		{"Plugins.Get", "getPlugin", func(f Firm) []any {
			return []any{f.PluginID}
		}},
		{"Plugins.Update", "updatePlugin", func(f Firm) []any {
			return []any{f.PluginID, plugin(f)}
		}},
		{"Plugins.Delete", "deletePlugin", func(f Firm) []any {
			return []any{f.PluginID}
		}},
		{"Plugins.RequestURL", "requestPluginURL", func(f Firm) []any {
			return []any{f.PluginID, models.PluginURLRequest{MatterID: f.MatterID}}
		}},
		{"Plugins.ListSubscriptions", "listPluginSubscriptions", func(f Firm) []any {
			return []any{f.PluginID, practice.PluginSubscriptionListOptions{ListOptions: some}}
		}},
		{"Plugins.CreateSubscription", "createPluginSubscription", func(f Firm) []any {
			return []any{f.PluginID}
		}},
		{"Plugins.GetSubscription", "getPluginSubscription", func(f Firm) []any {
			return []any{f.PluginID, f.PluginSubscriptionID}
		}},
		{"Plugins.DeleteSubscription", "deletePluginSubscription", func(f Firm) []any {
			return []any{f.PluginID, f.PluginSubscriptionID}
		}},
	}
}
