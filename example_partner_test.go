package practice_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/url"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// A partner may choose the id of a new record. After a lost response, that id
// finds the record.
func ExampleWithResourceID() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	const id = "7c1f4f0e-6a53-4a35-9d5b-3a1a2c0b7d11"
	_, err := client.Documents.CreateFolder(ctx, server.Firm().MatterID, models.FolderWrite{Name: "Evidence"},
		practice.WithResourceID(id), practice.WithExternalID("case-4711"))
	if unknown, ok := errors.AsType[*practice.AmbiguousWriteError](err); ok {
		fmt.Println("look for", id, unknown)
	}
	made, _ := server.IDOfExternal("case-4711") // for tests; the API may offer no such lookup
	fmt.Println(made == id, err)
	// Output:
	// true <nil>
}

// Scopes returns the scopes to request for the operations that a program uses.
func ExampleScopes() {
	scopes, err := practice.Scopes("GET /staff/{id}", "GET /events")
	fmt.Println(scopes, err)
	// Output:
	// [events/read staff/read] <nil>
}

// A callback with a state other than that of the sign-in is refused. A grant
// that cannot be stored is returned with the error.
func ExampleAuthorizationCode() {
	server := startService()
	defer stopService(server)
	ctx := context.Background()
	code := auth.AuthorizationCode{
		AuthURL: server.AuthorizeURL(), TokenURL: server.TokenURL(), ClientID: server.Credentials().ClientID,
		ClientSecret: models.NewSecret(server.Credentials().ClientSecret), RedirectURL: "https://program.example/signed-in",
		HTTPClient: server.HTTPClient(),
	}
	signIn := code.Begin() // the user opens signIn.URL and is redirected back
	credentials, err := code.Exchange(ctx, signIn, url.Values{"state": {"of somebody else"}, "code": {"c"}})
	fmt.Println(errors.Is(err, auth.ErrSignInState))

	client, err := practice.NewClient(server.BaseURL(), practice.WithAPIKey(server.Credentials().APIKey), practice.WithTokens(auth.Source{
		Credentials: credentials,
		GrantStore:  func(context.Context, auth.Grant) error { return nil },
		GrantHook:   func(auth.Grant) { log.Println("signed in") },
	}))
	if err != nil {
		fmt.Println("a sign-in that failed gives no credentials")
		return
	}
	_, err = client.Staff.Get(ctx, server.Firm().StaffID)
	if failed, ok := errors.AsType[*auth.GrantStoreError](err); ok {
		log.Println("the refresh token is not kept:", failed)
	}
	// Output:
	// true
	// a sign-in that failed gives no credentials
}

// An observation contains the reason and the time of each wait.
func ExampleObservation_waits() {
	server := startService(practicetest.WithEvents(1))
	defer stopService(server)
	client := clientOf(server, practice.WithObserver(func(_ context.Context, o practice.Observation) {
		if o.Operation == "Staff.Get" && o.Kind == practice.ObservedCall {
			waits := o.Waits
			fmt.Println("waited for another attempt:", waits.Retry > 0)
		}
	}))
	if _, err := client.Staff.Get(context.Background(), server.Firm().StaffID); err != nil {
		log.Fatal(err)
	}
	// Output:
	// waited for another attempt: false
}

// A plugin adds a button to the application, the account installs it, and its
// page is requested.
func ExamplePluginsService() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()
	must := func(_ *models.Link, err error) {
		if err != nil {
			log.Fatal(err)
		}
		server.Settle() // let the accepted writes take effect
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

	// A user may not request the address; the client needs client credentials.
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
	for plugin, err := range client.Plugins.All(ctx, practice.PluginListOptions{}) {
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
