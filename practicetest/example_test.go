package practicetest_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// This example starts a service and creates a client. In a test, New and
// Server.Client do the same in two lines.
func ExampleStart() {
	server, err := practicetest.Start(practicetest.WithEvents(10))
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()

	client, err := practice.NewClient(server.BaseURL(),
		practice.WithHTTPClient(server.HTTPClient()),
		practice.WithAPIKey(server.Credentials().APIKey),
		practice.WithAccessToken(server.Credentials().AccessToken))
	if err != nil {
		log.Fatal(err)
	}
	accounts, err := client.BankAccounts.List(context.Background(), practice.BankAccountListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, account := range accounts.Items {
		fmt.Println(account.Type)
	}
	// Output:
	// Operating
	// Operating
	// Trust
	// Credit
	// ControlledMoney
	// ControlledMoney
}

// This example adds a record and reads its state. Each kind of record has two
// such methods.
func ExampleServer_AddActivityCode() {
	server, err := practicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	id := server.AddActivityCode(models.ActivityCodeWrite{Code: "ADV", Rate: models.MustDecimal("385.50"), RateType: models.Some(models.ActivityRateTypeOverrideRateForAllStaff)})

	code, there := server.ActivityCode(id)
	fmt.Println(code.Code, code.Rate, there)
	// Output: ADV 385.50 true
}

// This example makes the second request fail with 503. The request log shows
// two requests; a client that retries would have sent three.
func ExampleServer_Inject() {
	server, err := practicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	server.Inject(practicetest.Fault{Operation: "getStaff", Skip: 1, Status: http.StatusServiceUnavailable})

	client, err := practice.NewClient(server.BaseURL(),
		practice.WithHTTPClient(server.HTTPClient()),
		practice.WithAPIKey(server.Credentials().APIKey),
		practice.WithAccessToken(server.Credentials().AccessToken),
		practice.WithRetries(0))
	if err != nil {
		log.Fatal(err)
	}
	for range 2 {
		_, err = client.Staff.Get(context.Background(), server.Firm().StaffID)
		var refused *practice.Error
		fmt.Println(errors.As(err, &refused))
	}
	for _, request := range server.Requests() {
		fmt.Println(request.Operation, request.Status)
	}
	// Output:
	// false
	// true
	// getStaff 200
	// getStaff 503
}

// This example mounts a webhook receiver, which is notified of an accepted
// write that failed later.
func ExampleServer_FailWrite() {
	server, err := practicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	origin, err := server.Mount(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		fmt.Println("notified about", r.Header.Get("RequestId"))
	}))
	if err != nil {
		log.Fatal(err)
	}
	post := func(path, body string) {
		request, err := http.NewRequest(http.MethodPost, server.BaseURL()+path, strings.NewReader(body))
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("x-api-key", server.Credentials().APIKey)
		request.Header.Set("Authorization", "Bearer "+server.Credentials().AccessToken)
		request.Header.Set("RequestId", "request-1")
		response, err := server.HTTPClient().Do(request)
		if err != nil {
			log.Fatal(err)
		}
		_ = response.Body.Close()
		fmt.Println(response.StatusCode)
	}

	post("/webhooks", `{"name":"failures","eventTypes":["error"],"eventNotificationUrl":"`+origin+`/hooks"}`)
	server.FailWrite("createFolder", "The matter is closed")
	post("/matters/"+server.Firm().MatterID+"/documents/folders", `{"name":"Letters"}`)
	server.Settle()
	if err := server.Flush(context.Background()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(server.LateFailures()))
	// Output:
	// 200
	// 202
	// notified about request-1
	// 1
}

// This example uses a virtual clock, which stands still until it is moved.
func ExampleWithVirtualClock() {
	server, err := practicetest.Start(practicetest.WithVirtualClock(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)))
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	server.Clock().Advance(90 * time.Minute)
	fmt.Println(server.Clock().Now().Format(time.Kitchen))
	// Output: 10:30AM
}
