package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func plugins(f Firm) rows {
	some := practice.ListOptions{Offset: 1, Limit: 5}
	plugin := models.PluginWrite{
		ExternalID: "signing", Application: models.PluginApplicationWeb, Type: models.PluginTypeButton,
		Version: models.PluginVersionWrite{
			Name: "Signing", Placement: "matter", RequestEndpointURL: "https://plugin.example.test/open",
			Attributes:   models.PluginAttributesWrite{Text: "Sign", Page: models.PluginPageSettingsWrite{Title: "Signing", Width: models.Some(800)}},
			Availability: models.PluginAvailabilityWrite{MatterTypeIDs: []string{f.MatterTypeID}},
		},
	}
	return rows{
		"listPlugins":             {practice.PluginListOptions{ListOptions: some}},
		"createPlugin":            {plugin},
		"updatePlugin":            {plugin},
		"requestPluginURL":        {models.PluginURLRequest{MatterID: f.MatterID}},
		"listPluginSubscriptions": {practice.PluginSubscriptionListOptions{ListOptions: some}},
	}
}
