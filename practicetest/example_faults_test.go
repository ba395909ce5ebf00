package practicetest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// started starts a service and creates a client. stop ends both.
func started(opts ...practicetest.Option) (server *practicetest.Server, client *practice.Client, stop func()) {
	server, err := practicetest.Start(opts...)
	if err != nil {
		log.Fatal(err)
	}
	client, err = practice.NewClient(server.BaseURL(),
		practice.WithHTTPClient(server.HTTPClient()), practice.WithAPIKey(server.Credentials().APIKey),
		practice.WithTokens(auth.ClientCredentials{
			TokenURL: server.TokenURL(), ClientID: server.Credentials().ClientID,
			ClientSecret: models.NewSecret(server.Credentials().ClientSecret),
		}))
	if err != nil {
		log.Fatal(err)
	}
	return server, client, func() {
		client.CloseIdleConnections()
		_ = server.Close()
	}
}

// This example sets the seed and the size of the firm.
func ExampleWithSeed() {
	options := []practicetest.Option{
		practicetest.WithSeed(7), practicetest.WithMatters(4), practicetest.WithPromotions(2), practicetest.WithEvents(3),
		practicetest.WithBarePromotions(true), practicetest.WithEventTypes("matter.closed"), practicetest.WithVendorMember("acmeId"),
		practicetest.WithListenAddress("127.0.0.1:0"), practicetest.WithRequestLog(100), practicetest.WithLatency(time.Millisecond),
	}
	one, client, stop := started(options...)
	defer stop()
	other, _, stopOther := started(options...)
	defer stopOther()
	fmt.Println(one.Firm().MatterID == other.Firm().MatterID, len(one.Firm().MatterIDs), len(one.EventIDs()))
	promotions, err := practice.Collect(client.Subscriptions.AllPromotions(context.Background(), practice.PromotionListOptions{}))
	fmt.Println(len(promotions), err)
	public, err := practicetest.Start(practicetest.WithPublicClient(true))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(public.Credentials().ClientSecret == "", public.Close())
	// Output:
	// true 4 3
	// 2 <nil>
	// true <nil>
}

// This example lets tokens expire and revokes them, and limits the rate of
// requests.
func ExampleServer_ExpireTokens() {
	server, client, stop := started(practicetest.WithTokenLifetime(time.Hour), practicetest.WithRefreshLifetime(24*time.Hour),
		practicetest.WithOneTimeRefresh(true), practicetest.WithRateLimit(100, 100), practicetest.WithRetryAfter(time.Second),
		practicetest.WithWebhookClient(http.DefaultClient))
	defer stop()
	ctx := context.Background()
	_, err := client.Webhooks.ListTypes(ctx, practice.EventTypeListOptions{})
	fmt.Println(err)
	server.ExpireTokens()
	_, err = client.Webhooks.ListTypes(ctx, practice.EventTypeListOptions{}) // gets a 401 and retries with a new token
	fmt.Println(err)
	server.RevokeRefreshToken()
	asked := map[string]int{}
	for _, request := range server.Requests() {
		asked[request.Part]++
	}
	fmt.Println(asked[practicetest.PartAPI], asked[practicetest.PartToken], asked[practicetest.PartStorage])
	server.ResetRequests()
	fmt.Println(len(server.Requests()))
	// Output:
	// <nil>
	// <nil>
	// 3 2 0
	// 0
}

// This example changes folders and files as another user would.
func ExampleServer_DeleteFolder() {
	server, client, stop := started(practicetest.WithPresignedLifetime(time.Minute))
	defer stop()
	ctx, firm := context.Background(), server.Firm()
	content, stored := server.FileContent(firm.FileID)
	fmt.Println(len(content) > 0, stored, server.StorageURL() != "")
	fmt.Println(server.DeleteFile(firm.FileID), server.DeleteFolder(firm.FolderID))
	_, err := client.Documents.GetDownloadURL(ctx, firm.MatterID, firm.FileID, practice.DownloadURLOptions{})
	fmt.Println(errors.Is(err, practice.ErrNotFound))
	// Output:
	// true true true
	// true true
	// true
}

// This example tolerates violations of a strict service and removes faults that
// no request has met.
func ExampleServer_Tolerate() {
	server, client, stop := started(practicetest.WithStrict(true))
	defer stop()
	server.Inject(practicetest.Fault{Times: -1, Status: http.StatusTeapot})
	server.ClearFaults()
	found := server.Tolerate(func() {
		err := client.Do(context.Background(), practice.Request{Method: http.MethodGet, Path: "/nowhere"}, nil)
		fmt.Println(errors.Is(err, practice.ErrNotFound))
	})
	fmt.Println(len(found), len(server.Violations()))
	fmt.Println(practicetest.SystemAccountID == practice.SystemAccountID)
	// Output:
	// true
	// 1 0
	// true
}

// This example reads the latest webhook deliveries.
func ExampleServer_Deliveries() {
	server, client, stop := started()
	defer stop()
	ctx := context.Background()
	origin, err := server.Mount(http.NotFoundHandler())
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Webhooks.Create(ctx, models.WebhookSubscriptionWrite{
		Name: "deaf", EventNotificationURL: origin + "/hooks", EventTypes: []models.EventType{models.EventTypeEventUpdated.Type()},
	})
	if err != nil {
		log.Fatal(err)
	}
	id := server.AddEvent(models.CalendarEventWrite{Subject: "Call"})
	server.RescheduleEvent(id, time.Hour)
	server.DeleteEvent(id)
	server.ForgetEvent(id)
	if err := server.Flush(ctx); err != nil {
		log.Fatal(err)
	}
	delivered := server.Deliveries()
	fmt.Println(len(delivered), delivered[0].Status)
	// Output:
	// 3 404
}

// This example uploads large content that needs no memory, and sets the clock.
func ExampleNewContent() {
	content := practicetest.NewContent(1, 1<<40)
	var last [4]byte
	n, err := content.ReadAt(last[:], 1<<40-4)
	fmt.Println(n, err == nil || errors.Is(err, io.EOF), content.Size() == 1<<40)

	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	server, _, stop := started(practicetest.WithVirtualClock(at))
	defer stop()
	server.Clock().Set(at.AddDate(0, 0, 1))
	fmt.Println(server.Clock().Now().Format(time.DateOnly))
	// Output:
	// 4 true true
	// 2026-03-03
}

// This example keeps content in an external object store, which only needs to
// sign addresses.
func ExampleWithObjectStore() {
	var sign practicetest.Presigner = func(permitted practicetest.PresignRequest) (string, error) {
		address := url.URL{Scheme: "https", Host: "store.example.test", Path: "/bucket/" + permitted.Key}
		query := url.Values{"expires": {permitted.Expiry.Format(time.RFC3339)}} // a real store also adds a signature
		for name, values := range permitted.Query {
			query[name] = values
		}
		address.RawQuery = query.Encode()
		return address.String(), nil
	}
	option := practicetest.WithObjectStore(sign)
	fmt.Println(option != nil)
	// Output:
	// true
}
