package practice_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// The client obtains access tokens itself. A matter is read with it.
func ExampleNewClient() {
	server := startService()
	defer stopService(server)
	baseURL, tokenURL, matterID, ctx := server.BaseURL(), server.TokenURL(), server.Firm().MatterID, context.Background()
	apiKey, clientID, clientSecret := server.Credentials().APIKey, server.Credentials().ClientID, server.Credentials().ClientSecret

	client, err := practice.NewClient(baseURL,
		practice.WithAPIKey(apiKey),
		practice.WithTokens(auth.ClientCredentials{
			TokenURL: tokenURL, ClientID: clientID, ClientSecret: models.NewSecret(clientSecret),
		}),
		practice.WithRateLimit(5, 5)) // 5 requests per second, for all goroutines together
	if err != nil {
		log.Fatal(err)
	}
	matter, err := client.Matters.Get(ctx, matterID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(matter.Number, matter.Title)
	for _, link := range matter.Clients {
		contact, err := client.Contacts.Get(ctx, link.TargetID())
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(contact.Name())
	}
	client.CloseIdleConnections()
	// Output:
	// 10001 10001 - Varga - Sale of a home
	// Avery Varga
}

// The iterator reads all events of a week. It requests pages ahead and keeps
// the order.
func ExampleEventsService_All() {
	monday := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	server := startService(practicetest.WithVirtualClock(monday.AddDate(0, 0, -7)), practicetest.WithEvents(200))
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	week := practice.EventListOptions{From: monday, To: monday.AddDate(0, 0, 7), ExcludeDeleted: true}
	for event, err := range client.Events.All(ctx, week, practice.WithPrefetch(4)) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(event.StartTime, event.TimeZone, event.Subject) // a clock time in the zone of the event
	}
	// Output:
	// 2026-03-04T13:30:00 America/Chicago Settlement
	// 2026-03-04T15:30:00 America/Chicago Settlement
	// 2026-03-05T10:15:00 Asia/Kolkata Filing deadline
	// 2026-03-05T14:30:00 America/Chicago Settlement
	// 2026-03-06T16:30:00 Europe/London Client conference
	// 2026-03-07T16:15:00 Europe/London Client conference
	// 2026-03-08T10:30:00 Europe/London Client conference
}

// A file is uploaded to the object storage of the service and downloaded again.
func ExampleDocumentsService_Upload() {
	server := startService(practicetest.WithWriteDelay(0))
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	matterID, folderID := server.Firm().MatterID, server.Firm().FolderID
	source, target := strings.NewReader("1. Welcome"), new(bytes.Buffer)

	file, err := client.Documents.Upload(ctx, matterID, practice.Upload{
		Name:     "Agenda.docx",
		FolderID: folderID,
		Body:     source, // an *os.File, or any other reader
		Progress: func(done, total int64) { fmt.Println(done, "of", total, "bytes") },
	})
	if broken, ok := errors.AsType[*practice.TransferError](err); ok {
		log.Fatal("continue with ResumeUpload: ", broken.FileID)
	} else if err != nil {
		log.Fatal(err)
	}
	// The service lists a new file a moment later; until then the error is
	// ErrNotFound.
	n, err := client.Documents.Download(ctx, matterID, file.ID, target, practice.DownloadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("downloaded", n, "bytes:", target)
	// Output:
	// 10 of 10 bytes
	// downloaded 10 bytes: 1. Welcome
}

// A fee of half an hour is added to a matter, and its amount is read.
func ExampleFeesService_Create() {
	server := startService(practicetest.WithWriteDelay(0))
	defer stopService(server)
	client, ctx, matterID := clientOf(server), context.Background(), server.Firm().MatterID

	link, err := client.Fees.Create(ctx, matterID, models.FeeWrite{
		Subject: "Advice on the lease", FeeDate: models.DateOf(time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)),
		FeeType: models.Some(models.FeeTypeTime), Duration: models.Some(30), Rate: models.MustDecimal("385.50"),
		IsBillable: models.Some(true),
	})
	if err != nil {
		log.Fatal(err) // after an *AmbiguousWriteError, look for the fee before you add it again
	}
	fee, err := client.Fees.Get(ctx, matterID, link.TargetID()) // the fee becomes visible a moment later
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fee.Subject, fee.Amount)
	// Output: Advice on the lease 192.75
}

// A PATCH sets one member, clears another and leaves the others alone. Then the
// response to a create is lost.
func ExampleFeesService_Patch() {
	server := startService(practicetest.WithWriteDelay(0))
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	matterID, feeID := server.Firm().MatterID, server.Firm().FeeID
	server.Inject(practicetest.Fault{Operation: "createFolder", Kind: practicetest.FaultResetAfter})

	var response practice.Response
	_, err := client.Fees.Patch(ctx, matterID, feeID, models.FeePatch{
		Subject: models.Some("Advice on the lease"),        // sets a value
		Rate:    models.Some(models.MustDecimal("385.50")), // an exact decimal
		Tax:     models.Null[models.Decimal](),             // sends null, which clears the member
	}, practice.WithResponse(&response)) // omitted members are not sent
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("accepted with", response.StatusCode) // the service executes it a moment later

	leases := models.FolderWrite{Name: "Leases"}
	_, err = client.Documents.CreateFolder(ctx, matterID, leases)
	if _, ok := errors.AsType[*practice.AmbiguousWriteError](err); ok {
		// The response was lost. The folder may exist, so the client did not
		// retry the create.
		folderID, err := client.Documents.EnsureFolder(ctx, matterID, leases, practice.EnsureFolderOptions{})
		if errors.Is(err, practice.ErrNotVisibleYet) {
			log.Fatal("accepted, but not listed in time: do not create another one")
		}
		fmt.Println("found the folder:", folderID != "", err)
	}
	created := 0
	for _, request := range server.Requests() {
		if request.Operation == "createFolder" {
			created++
		}
	}
	fmt.Println("creates sent:", created)
	// Output:
	// accepted with 202
	// found the folder: true <nil>
	// creates sent: 1
}

// startService starts the embedded service for the examples. Its writes take effect
// at once, unless an option says otherwise. A test of your own needs two lines:
// practicetest.New and Client.
func startService(opts ...practicetest.Option) *practicetest.Server {
	server, err := practicetest.Start(append([]practicetest.Option{practicetest.WithStrict(true), practicetest.WithWriteDelay(0)}, opts...)...)
	if err != nil {
		panic(err)
	}
	return server
}

// stopService stops the service and fails if the example sent an invalid
// request.
func stopService(server *practicetest.Server) {
	if found := server.Violations(); len(found) > 0 {
		panic(found)
	}
	if err := server.Close(); err != nil {
		panic(err)
	}
}

// clientOf returns a client with client credentials.
func clientOf(server *practicetest.Server, opts ...practice.ClientOption) *practice.Client {
	c := server.Credentials()
	client, err := practice.NewClient(server.BaseURL(), append([]practice.ClientOption{
		practice.WithHTTPClient(server.HTTPClient()),
		practice.WithAPIKey(c.APIKey),
		practice.WithTokens(auth.ClientCredentials{
			TokenURL: server.TokenURL(), ClientID: c.ClientID, ClientSecret: models.NewSecret(c.ClientSecret),
		}),
	}, opts...)...)
	if err != nil {
		panic(err)
	}
	return client
}
