package practice_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"os"
	"time"

	"golang.org/x/oauth2"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// throughFunc makes a function an http.RoundTripper.
type throughFunc func(*http.Request) (*http.Response, error)

func (f throughFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A middleware sees every request to the service and may change it.
func ExampleWithMiddleware() {
	server := startService()
	defer stopService(server)
	client := clientOf(server, practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return throughFunc(func(r *http.Request) (*http.Response, error) {
			fmt.Println(r.Method, r.Header.Get("X-Reason"), r.URL.Query().Get("expand"))
			return next.RoundTrip(r)
		})
	}))
	server.Inject(practicetest.Fault{Operation: "listWebhookTypes", Status: http.StatusOK, Body: `{"value":["error"]}`})
	types, err := client.Webhooks.ListTypes(context.Background(), practice.EventTypeListOptions{},
		practice.WithHeader("X-Reason", "nightly"), practice.WithQuery("expand", "all"))
	fmt.Println(len(types), err)
	// Output:
	// GET nightly all
	// 1 <nil>
}

// An observer receives the duration and the result of each call and attempt. A
// logger writes them as text.
func ExampleWithObserver() {
	server := startService()
	defer stopService(server)
	server.Inject(practicetest.Fault{Operation: "getStaff", Status: http.StatusServiceUnavailable, RetryAfter: "0"})
	client := clientOf(server,
		practice.WithLogger(slog.New(slog.DiscardHandler)),
		practice.WithObserver(func(_ context.Context, o practice.Observation) {
			switch o.Kind {
			case practice.ObservedCall:
				fmt.Println(o.Operation, o.Path, o.Status, "after", o.Attempt, "attempts")
			case practice.ObservedTokenAttempt:
				fmt.Println("access token", o.Status, o.Reason)
			default:
				fmt.Println("attempt", o.Attempt, o.Status, o.Reason)
			}
		}),
		practice.WithMaxRetryWait(time.Millisecond))
	if _, err := client.Staff.Get(context.Background(), server.Firm().StaffID); err != nil {
		fmt.Println(err)
	}
	// Output:
	// access token 200 success
	// attempt 1 503 status 503
	// attempt 2 200 success
	// Staff.Get /staff/{id} 200 after 2 attempts
}

// spans prints when calls begin and end.
type spans struct{}

func (spans) Start(ctx context.Context, started practice.Observation, header http.Header) context.Context {
	if !started.Kind.IsAttempt() {
		fmt.Println("begins:", started.Operation)
	} else {
		header.Set("Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	}
	return ctx
}

func (spans) End(_ context.Context, ended practice.Observation) {
	if !ended.Kind.IsAttempt() {
		fmt.Println("ends:", ended.Operation, ended.Status)
	}
}

// A tracer creates spans for calls and attempts. The module adapters/otel
// contains one for OpenTelemetry.
func ExampleWithTracer() {
	server := startService()
	defer stopService(server)
	var tracer practice.Tracer = spans{}
	client := clientOf(server, practice.WithTracer(tracer))
	if _, err := client.Staff.Get(context.Background(), server.Firm().StaffID); err != nil {
		fmt.Println(err)
	}
	// Output:
	// begins: Staff.Get
	// ends: Staff.Get 200
}

// A client has time limits, and a call may have its own.
func ExampleWithTimeout() {
	server := startService()
	defer stopService(server)
	client := clientOf(server,
		practice.WithTimeout(practice.DefaultTimeout/2),
		practice.WithAttemptTimeout(practice.DefaultAttemptTimeout/2),
		practice.WithIdleTimeout(practice.DefaultIdleTimeout/2),
		practice.WithRetries(practice.DefaultRetries+1),
		practice.WithMaxBody(practice.DefaultMaxBody/2),
		practice.WithVendorPrefix("acme"))
	var response practice.Response
	_, err := client.Staff.Get(context.Background(), server.Firm().StaffID, practice.WithTimeout(time.Minute), practice.WithResponse(&response))
	fmt.Println(err, response.StatusCode, response.RequestIDMismatch())
	// Output:
	// <nil> 200 false
}

// vault is a token source that holds a secret.
type vault struct{ password models.Secret }

func (v vault) Bind(practice.TokenClient) (practice.AccessTokens, error) {
	return practice.AccessTokens{
		Token:   func(context.Context, string) (string, error) { return "from the vault", nil },
		Secrets: func() []string { return []string{v.password.Reveal()} },
	}, nil
}

// A custom token source may be a type or a function.
func ExampleTokenSource() {
	function := practice.TokenFunc(func(_ context.Context, _ string) (string, error) {
		return "from elsewhere", nil // return another token if that one was refused
	})
	for _, source := range []practice.TokenSource{vault{models.NewSecret("password")}, function} {
		_, err := practice.NewClient("https://practice.example.test/v1", practice.WithAPIKey("key"), practice.WithTokens(source))
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// <nil>
}

// A token source of x/oauth2 is used with a service without TLS on a trusted
// network.
func ExampleWithInsecureHTTP() {
	source := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "from a vault"})
	client, err := practice.NewClient("http://practice.example.test/v1",
		practice.WithAPIKey("key"), practice.WithTokens(auth.FromOAuth2(source)), practice.WithInsecureHTTP())
	fmt.Println(client != nil, err)
	// Output:
	// true <nil>
}

// The system account has its own subscriptions, for system events only.
func ExampleClient_ForAccount_system() {
	server := startService(practicetest.WithMultiAccount(true))
	defer stopService(server)
	system := clientOf(server).ForAccount(practice.SystemAccountID)
	page, err := system.Webhooks.List(context.Background(), practice.WebhookSubscriptionListOptions{})
	fmt.Println(len(page.Items), err)
	// Output:
	// 0 <nil>
}

// FileReader reads any part of a content without fetching the rest.
func ExampleDocumentsService_Open() {
	server := startService(practicetest.WithWriteDelay(0))
	defer stopService(server)
	client, ctx, matterID := clientOf(server), context.Background(), server.Firm().MatterID
	local, err := os.CreateTemp("", "page*.txt")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.Remove(local.Name())
	_, _ = local.WriteString("first page, second page")
	_ = local.Close()
	stored, err := client.Documents.UploadFile(ctx, matterID, local.Name(), practice.Upload{Name: "Pages.txt"})
	if err != nil {
		fmt.Println(err)
		return
	}

	var file *practice.FileReader
	file, err = client.Documents.Open(ctx, matterID, stored.ID, practice.OpenOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	part := make([]byte, 11)
	n, err := file.ReadAt(part, 12)
	fmt.Println(string(part[:n]), err, "of", file.Size(), "bytes")
	// Output:
	// second page <nil> of 23 bytes
}

// The file system of a matter can include deleted entries, if the service lists
// them.
func ExampleMatterFS_WithDeleted() {
	server := startService()
	defer stopService(server)
	documents := clientOf(server).Documents.FS(context.Background(), server.Firm().MatterID)
	present, err := documents.ReadDir(".")
	if err != nil {
		fmt.Println(err)
		return
	}
	all, err := documents.WithDeleted().ReadDir(".")
	fmt.Println(len(all) >= len(present), err)
	// Output:
	// true <nil>
}

// A download is written below an open directory and nowhere else.
func ExampleDownloadTarget() {
	server := startService(practicetest.WithWriteDelay(0))
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()
	dir, err := os.MkdirTemp("", "deeds")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	root, err := os.OpenRoot(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = root.Close() }()

	target := practice.DownloadTarget{Root: root}
	saved, err := client.Documents.DownloadFile(ctx, firm.MatterID, firm.FileID, "deed.pdf", practice.DownloadOptions{Into: &target})
	fmt.Println(saved.Path, err)
	// Output: deed.pdf <nil>
}

// everySecond is a limiter that knows nothing of 429 responses.
type everySecond struct{}

func (everySecond) Wait(context.Context) error { return nil }

// A limiter of your own receives each 429 if it is a RefusalLimiter. A client
// without a limit finds one from 429 responses.
func ExampleClient_RateLimit() {
	server := startService()
	defer stopService(server)
	var limiter practice.Limiter = everySecond{}
	_, receives := limiter.(practice.RefusalLimiter)
	perSecond, found := clientOf(server).RateLimit()
	fmt.Println(receives, perSecond, found)
	// Output: false 0 false
}
