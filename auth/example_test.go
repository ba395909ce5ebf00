package auth_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// In this command-line program, the user signs in once, in the browser. Later
// and concurrent runs share the tokens in the file.
func ExampleAuthorizationCode_Loopback() {
	server := startService()
	defer stopService(server)
	dir, err := os.MkdirTemp("", "tokens-")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx := context.Background()

	file := auth.TokenFile{Path: filepath.Join(dir, "tokens.json")}
	connect := func() *practice.Client {
		client, err := practice.NewClient(server.BaseURL(),
			practice.WithAPIKey(server.Credentials().APIKey),
			practice.WithTokens(auth.Source{Store: file, Credentials: auth.RefreshCredentials{
				TokenURL: server.TokenURL(), ClientID: server.Credentials().ClientID,
				ClientSecret: models.NewSecret(server.Credentials().ClientSecret),
			}}))
		if err != nil {
			log.Fatal(err)
		}
		return client
	}
	_, err = connect().Webhooks.ListTypes(ctx, practice.EventTypeListOptions{})
	fmt.Println("without a sign-in:", errors.Is(err, auth.ErrNotSignedIn))

	waiting, cancel := context.WithTimeout(ctx, time.Minute) // limits the wait for the user
	defer cancel()
	_, err = auth.AuthorizationCode{
		AuthURL: server.AuthorizeURL(), TokenURL: server.TokenURL(), ClientID: server.Credentials().ClientID,
		ClientSecret: models.NewSecret(server.Credentials().ClientSecret), TokenStore: file,
	}.Loopback(waiting, openBrowser)
	if err != nil {
		log.Fatal(err)
	}

	client := connect() // later runs begin here
	defer client.CloseIdleConnections()
	types, err := client.Webhooks.ListTypes(ctx, practice.EventTypeListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(types), "event types")
	// Output:
	// without a sign-in: true
	// 43 event types
}

// openBrowser plays the user. A program would start the system's browser.
func openBrowser(address string) error {
	page, err := http.Get(address)
	if err != nil {
		return err
	}
	return page.Body.Close()
}

// A web application stores the sign-in as text in the session of the user.
func ExampleSignIn() {
	login := auth.AuthorizationCode{AuthURL: "https://auth.example.test/authorize", TokenURL: "https://auth.example.test/token", ClientID: "c"}
	begun := login.Begin()
	session := begun.Reveal() // the text contains a secret
	// The callback may reach another replica.
	again, err := auth.ParseSignIn(session)
	if err != nil {
		log.Fatal(err)
	}
	_, err = login.Exchange(context.Background(), again, url.Values{"state": {begun.State}, "error": {"access_denied"}})
	fmt.Println(err)
	// Output: could not obtain an access token: access_denied
}

// row is a token store in a row of a database. A mutex suffices here; if
// several processes share the row, lock it in the database.
type row struct {
	mu   sync.Mutex
	text string
}

func (r *row) Lock(context.Context) (unlock func(), err error) {
	r.mu.Lock()
	return r.mu.Unlock, nil
}

func (r *row) Load(context.Context) (auth.Tokens, error) { return auth.ParseTokens(r.text) }

func (r *row) Save(_ context.Context, tokens auth.Tokens) error {
	r.text = tokens.Reveal() // contains the secrets
	return nil
}

// A custom token store is shared by several clients.
func ExampleTokenStore() {
	server := startService()
	defer stopService(server)
	shared := practice.WithTokens(auth.Source{Store: &row{}, Credentials: auth.RefreshCredentials{
		TokenURL: server.TokenURL(), ClientID: server.Credentials().ClientID,
		ClientSecret: models.NewSecret(server.Credentials().ClientSecret),
		RefreshToken: models.NewSecret(server.Credentials().RefreshToken),
	}})
	for range 3 {
		client, err := server.NewClient(shared)
		if err != nil {
			log.Fatal(err)
		}
		_, err = client.Webhooks.ListTypes(context.Background(), practice.EventTypeListOptions{})
		if failed, ok := errors.AsType[*auth.TokenStoreError](err); ok {
			log.Fatal("the database: ", failed)
		}
		if errors.Is(err, auth.ErrTokensOfAnother) {
			log.Fatal("the row belongs to another client")
		}
		if err != nil {
			log.Fatal(err)
		}
	}
	requests := 0
	for _, request := range server.Requests() {
		if request.Operation == "token" {
			requests++
		}
	}
	fmt.Println("token requests of three clients:", requests)
	// Output:
	// token requests of three clients: 1
}

// startService starts the embedded service for the examples.
func startService() *practicetest.Server {
	server, err := practicetest.Start(practicetest.WithStrict(true))
	if err != nil {
		panic(err)
	}
	return server
}

// stopService stops the service and panics if the example sent an invalid
// request.
func stopService(server *practicetest.Server) {
	if found := server.Violations(); len(found) > 0 {
		panic(found)
	}
	if err := server.Close(); err != nil {
		panic(err)
	}
}
