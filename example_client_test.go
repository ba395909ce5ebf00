package practice_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// A derived client has its own settings and shares everything else.
func ExampleClient_With() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	matterID, contactID, lawyer := server.Firm().MatterID, server.Firm().ContactID, server.Credentials().UserID

	asLawyer := client.With(practice.WithUserID(lawyer), practice.WithTimeout(20*time.Second))
	_, err := asLawyer.Portal.SendMessage(ctx, matterID, models.PortalMessage{Message: "Your documents are ready.", ContactID: contactID})
	if err != nil {
		log.Fatal(err)
	}
	server.Settle()
	fmt.Println(len(server.PortalMessages()), "message was sent")
	// Output:
	// 1 message was sent
}

// One set of client credentials may be valid for several accounts. One client
// reaches all of them.
func ExampleClient_ForAccount() {
	server := startService(practicetest.WithMultiAccount(true))
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	for _, accountID := range []string{server.Firm().AccountID, server.Firm().OtherAccountID} {
		firm := client.ForAccount(accountID)
		accounts, err := firm.BankAccounts.List(ctx, practice.BankAccountListOptions{})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(accounts.Items), "bank accounts, of the first firm:", firm.AccountID() == server.Firm().AccountID)
	}
	// Output:
	// 6 bank accounts, of the first firm: true
	// 5 bank accounts, of the first firm: false
}

// An operation of several calls is one log line, one span and one count.
func ExampleClient_Observe() {
	server := startService()
	defer stopService(server)
	client := clientOf(server, practice.WithObserver(func(_ context.Context, o practice.Observation) {
		if !o.Kind.IsAttempt() {
			fmt.Println(o.Operation, o.Attempt, o.Err)
		}
	}))
	matterID := server.Firm().MatterID

	err := client.Observe(context.Background(), "Reports.Hours", func(ctx context.Context) error {
		if _, err := client.Matters.Get(ctx, matterID); err != nil {
			return err
		}
		_, err := practice.Collect(client.Fees.All(ctx, matterID, practice.FeeListOptions{}))
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// Matters.Get 1 <nil>
	// Fees.All 1 <nil>
	// Fees.All 1 <nil>
	// Reports.Hours 2 <nil>
}

// After each new access token, the program repeats the work that depends on the
// grant.
func ExampleClient_TokenRenewal() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server, practice.WithTokens(auth.ClientCredentials{
		TokenURL: server.TokenURL(), ClientID: server.Credentials().ClientID, ClientSecret: models.NewSecret(server.Credentials().ClientSecret),
	})), context.Background()

	renewed, err := client.TokenRenewal(ctx) // obtains the first token
	if err != nil {
		log.Fatal(err)
	}
	server.ExpireTokens()
	if _, err := client.Firm.Get(ctx); err != nil { // obtains a second token after a 401
		log.Fatal(err)
	}
	<-renewed
	fmt.Println("a new access token")
	// Output:
	// a new access token
}

// Do calls an endpoint without a method in this package, with the same
// credentials, retries and errors as a method.
func ExampleClient_Do() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	var tags struct {
		Value []struct{ Name string }
	}
	err := client.Do(ctx, practice.Request{
		Method: http.MethodGet, Path: "/contacts/{id}/tags", PathValues: []string{server.Firm().ContactID},
	}, &tags)
	if err != nil {
		log.Fatal(err)
	}
	for _, tag := range tags.Value {
		fmt.Println(tag.Name)
	}
	// Output:
	// VIP
	// Überweisung
	// Newsletter
}

// DoAll iterates over a list without a method in this package.
func ExampleClient_DoAll() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	list := practice.Request{Method: http.MethodGet, Path: "/staff"}
	for object, err := range client.DoAll(ctx, list, practice.ListOptions{Limit: 2}) {
		var member struct{ FirstName, LastName string }
		if err == nil {
			err = object.Decode(&member)
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(member.FirstName, member.LastName)
	}
	// Output:
	// Avery Young
	// Leila Sato
	// Hana Zhang
	// Noor Ustinov
	// Jonas Young
	// Kim Sato
}

// Call takes the name of an operation. It is for programs that do not know the
// operations at compile time, such as a command line or a table-driven import.
func ExampleClient_Call() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	for _, o := range practice.Operations() {
		if o.ID == "createMemo" {
			fmt.Printf("%s of %s: %s %s, %s\n", o.ID, o.Area(), o.Method, o.Path, o.Class)
		}
	}
	arguments := map[string]any{"matterId": server.Firm().MatterID}
	memo := []byte(`{"title": "Call back", "text": "Ask for the deed.", "colour": "red"}`)
	fmt.Println(client.Call(ctx, "createMemo", arguments, memo, nil))
	for record, err := range client.CallAll(ctx, "listMemos", arguments, nil) {
		var memo models.Memo
		if err == nil {
			err = json.Unmarshal(record, &memo)
		}
		fmt.Println(memo.Title, err)
	}
	// Output:
	// createMemo of Memos: POST /matters/{matterId}/memos, create
	// practice: Memos.Create: colour is not a member that can be sent, or its value would be omitted
	// Instructions <nil>
	// Call with the client <nil>
	// Next steps <nil>
}

// An error contains the message of the service, the request id for its support,
// and the attempts.
func ExampleError() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	_, err := client.Staff.Get(ctx, "9e8d2f64-5a60-4c6f-9d7b-0f0a3c6f1b52", practice.WithRequestID("request-1"))
	if answer, ok := errors.AsType[*practice.Error](err); ok {
		fmt.Println(answer.Operation, answer.StatusCode, answer.Problem.Detail)
		fmt.Println(answer.RequestID, "took", len(answer.Attempts), "attempt:", answer.Attempts[0].Reason)
	}
	fmt.Println(errors.Is(err, practice.ErrNotFound))

	_, err = client.Staff.Get(ctx, "")
	if refused, ok := errors.AsType[*practice.ArgumentError](err); ok {
		fmt.Println("nothing was sent:", refused.Argument, refused.Reason)
	}
	// Output:
	// Staff.Get 404 The staff member does not exist or is not visible yet.
	// request-1 took 1 attempt: status 404
	// true
	// nothing was sent: id must not be empty
}

// A program acts for a user with the authorization code grant and PKCE. The
// client then owns the refresh token.
func ExampleWithTokens() {
	server := startService()
	defer stopService(server)
	ctx := context.Background()

	login := auth.AuthorizationCode{
		AuthURL: server.AuthorizeURL(), TokenURL: server.TokenURL(), RedirectURL: "https://app.example.test/back",
		ClientID: server.Credentials().ClientID, ClientSecret: models.NewSecret(server.Credentials().ClientSecret),
		HTTPClient: server.HTTPClient(),
	}
	begun := login.Begin()                    // keep it in the session of the user
	callback := callbackOf(server, begun.URL) // the user opens the URL and is redirected back
	credentials, err := login.Exchange(ctx, begun, callback)
	if err != nil {
		log.Fatal(err)
	}
	client, err := practice.NewClient(server.BaseURL(),
		practice.WithHTTPClient(server.HTTPClient()),
		practice.WithAPIKey(server.Credentials().APIKey),
		practice.WithTokens(auth.Source{
			Credentials: credentials,
			GrantStore: func(_ context.Context, grant auth.Grant) error {
				fmt.Println("store the refresh token:", grant.RefreshToken) // masked in logs
				return nil
			},
		}))
	if err != nil {
		log.Fatal(err)
	}
	types, err := client.Webhooks.ListTypes(ctx, practice.EventTypeListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(types), "event types")
	// Output:
	// store the refresh token: [redacted]
	// 43 event types
}

// callbackOf plays the user's consent and returns the query of the redirect.
func callbackOf(server *practicetest.Server, address string) url.Values {
	browser := server.HTTPClient()
	browser.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := browser.Get(address)
	if err != nil {
		panic(err)
	}
	_ = answer.Body.Close()
	back, err := answer.Location()
	if err != nil {
		panic(err)
	}
	return back.Query()
}

// A program that shows a person what it would do asks before it deletes, which
// a change may do as well.
func ExampleOperation_Deletes() {
	for _, o := range practice.Operations() {
		if o.ID == "deleteMemo" || o.ID == "updateMatter" {
			fmt.Println(o.ID, o.Deletes([]byte(`{"status": "Deleted"}`)), o.Deletes([]byte(`{"status": "Open"}`)))
		}
	}
	// Output:
	// updateMatter true false
	// deleteMemo true true
}
