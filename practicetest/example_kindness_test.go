package practicetest_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// This example makes writes overtake each other, lists lag, and events come
// early or late. The tests of an integration should pass like this too.
func ExampleWithConsistency() {
	unkind := practicetest.Unkind()
	unkind.Pending, unkind.MaxDelay = practicetest.PendingFails, 5*time.Second
	server, client, stop := started(
		practicetest.WithConsistency(unkind), practicetest.WithEarlyNotFound(true),
		practicetest.WithRendering(practicetest.Rendering{Empty: practicetest.EmptyAbsent, Rel: true, Unknown: true}))
	defer stop()
	firm, ctx := server.Firm(), context.Background()

	before := len(server.Changes())
	if _, err := client.Fees.Patch(ctx, firm.MatterID, firm.FeeID, models.FeePatch{Subject: models.Some("Advice")}); err != nil {
		log.Fatal(err)
	}
	server.Settle()
	for _, change := range server.Changes()[before:] {
		fmt.Println(change.What, change.Kind, change.ID == firm.FeeID)
	}
	server.SetConsistency(practicetest.Consistency{}) // immediate consistency until a reset
	fmt.Println(len(server.Violations()))
	// Output:
	// updated fees true
	// 0
}

// This example controls the service over HTTP, as programs in other languages
// do.
func ExampleWithControl() {
	server, _, stop := started(practicetest.WithControl(), practicetest.WithRandomSecrets(),
		practicetest.WithViolationHandler(func(violation string) { fmt.Println("a mistake:", violation) }))
	defer stop()
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, server.ControlURL()+"/openapi.yaml", http.NoBody)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("X-Api-Key", server.Credentials().APIKey)
	answer, err := server.HTTPClient().Do(request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.StatusCode, strings.HasSuffix(server.ControlURL(), "/_sandbox"), answer.Body.Close())
	// Output:
	// 200 true <nil>
}

// This example replaces the firm of a running service.
func ExampleServer_Reseed() {
	server, _, stop := started(practicetest.WithPublicURL("http://localhost:8001"))
	defer stop()
	seed, first := server.Seed(), server.Firm().MatterID
	seed.Number++
	server.Reseed(seed)
	server.Inject(practicetest.Fault{Operation: "getStaff"})
	fmt.Println(first != server.Firm().MatterID, len(server.Faults()), len(server.ExcuseViolations()))
	// Output:
	// true 1 0
}

// This example logs each request after its response.
func ExampleWithRequestHandler() {
	_, client, stop := started(practicetest.WithRequestHandler(func(r practicetest.RecordedRequest) {
		fmt.Println(r.Method, r.Operation, r.Status)
	}))
	defer stop()
	if _, err := client.Firm.Get(context.Background()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// POST token 200
	// GET getFirm 200
}
