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

// Writes overtake each other, lists lag, and events come early or late: tests
// of an integration pass under that too.
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
	server.SetConsistency(practicetest.Consistency{}) // kind from now on, until a reset
	fmt.Println(len(server.Violations()))
	// Output:
	// updated fees true
	// 0
}

// Programs in other languages control the service over HTTP.
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

// Another firm takes the place of the first one, in the same service.
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

// Each request is told when it was answered.
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
