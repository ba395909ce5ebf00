package practice_test

import (
	"context"
	"fmt"
	"log"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
)

// A button is added to the application, the account gets it, and its page is
// asked for.
func ExamplePluginsService() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()
	must := func(_ *models.Link, err error) {
		if err != nil {
			log.Fatal(err)
		}
		server.Settle() // the embedded service makes the changes that it has accepted
	}

	link, err := client.Plugins.Create(ctx, models.PluginWrite{
		Application: models.PluginApplicationWeb, Type: models.PluginTypeButton, Key: models.NewSecret("a key of your own"),
		Version: models.PluginVersionWrite{
			Name: "Signing", RequestEndpointURL: "https://plugin.example.test/open",
			Attributes: models.PluginAttributesWrite{Text: "Sign", Page: models.PluginPageSettingsWrite{Title: "Signing", Width: models.Some(800)}},
		},
	})
	must(link, err)
	id := link.TargetID()
	subscribed, err := client.Plugins.CreateSubscription(ctx, id)
	must(subscribed, err)

	must(client.Plugins.Modify(ctx, id, func(plugin *models.PluginWrite) error {
		plugin.Version.Attributes.Tooltip = "Opens in a window"
		return nil
	}))
	plugin, err := client.Plugins.Get(ctx, id)
	if err != nil {
		log.Fatal(err)
	}
	subscription, err := client.Plugins.GetSubscription(ctx, id, subscribed.TargetID())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("version", plugin.Version.VersionNumber.Or(0), "key", plugin.Key)
	fmt.Println("the account keeps the version before:", subscription.PluginVersionID != plugin.Version.ID)

	// No user may ask for the address: it takes a client that signs in by
	// itself.
	own := server.Credentials()
	byItself := clientOf(server, practice.WithTokens(auth.ClientCredentials{
		TokenURL: server.TokenURL(), ClientID: own.ClientID, ClientSecret: models.NewSecret(own.ClientSecret),
	}))
	address, err := byItself.Plugins.RequestURL(ctx, id, models.PluginURLRequest{MatterID: firm.MatterID})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(address, len(address.Reveal()) > 0)

	must(client.Plugins.DeleteSubscription(ctx, id, subscription.ID))
	must(client.Plugins.Delete(ctx, id))
	for plugin, err := range client.Plugins.All(ctx, practice.ListOptions{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(plugin.Version.Name, plugin.Type)
	}

	// Output:
	// version 2 key [redacted]
	// the account keeps the version before: true
	// [redacted] true
	// Signing Button
	// Searches Tab
}
