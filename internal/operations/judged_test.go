package operations_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/practicetest"
)

// files is the folder of the description.
const files = "../../api"

var api = sync.OnceValues(func() (*description.Document, error) { return description.Load(os.DirFS(files)) })

func described(t testing.TB) *description.Document {
	t.Helper()
	document, err := api()
	require.NoError(t, err)
	return document
}

// forEachOperation runs a test for every operation of the registry that is in
// the description.
func forEachOperation(t *testing.T, test func(t *testing.T, op operations.Operation, as *description.Operation)) {
	t.Helper()
	document := described(t)
	for _, op := range operations.All() {
		if as := document.Operation(op.ID); as != nil {
			t.Run(op.Name, func(t *testing.T) { t.Parallel(); test(t, op, as) })
		}
	}
}

// firm returns a firm whose identifiers all differ.
func firm(t testing.TB) operations.Firm {
	t.Helper()
	return practicetest.New(t, practicetest.WithMatters(1), practicetest.WithEvents(1)).Firm()
}

// service is a transport that records the requests and always returns the same
// response.
type service struct {
	status int
	asked  []*http.Request
	bodies []string
	seen   []practice.Observation
}

const base = "https://api.example.test/v1"

func (s *service) RoundTrip(request *http.Request) (*http.Response, error) {
	var body []byte
	if request.Body != nil {
		body, _ = io.ReadAll(request.Body) // the body is in memory, so reading cannot fail
	}
	s.asked, s.bodies = append(s.asked, request), append(s.bodies, string(body))
	return &http.Response{
		StatusCode: s.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("")), Request: request,
	}, nil
}

func (s *service) client(t testing.TB) *practice.Client {
	t.Helper()
	client, err := practice.NewClient(base,
		practice.WithHTTPClient(&http.Client{Transport: s}), practice.WithAPIKey("key"), practice.WithAccessToken("token"),
		practice.WithObserver(func(_ context.Context, o practice.Observation) { s.seen = append(s.seen, o) }))
	require.NoError(t, err)
	return client
}

// sent returns the request that the client sends for the arguments.
func sent(t testing.TB, op operations.Operation, arguments []any) (request *http.Request, body string, label practice.Observation) {
	t.Helper()
	s := &service{status: http.StatusNotFound}
	err := op.CallWith(t.Context(), s.client(t), arguments)
	require.Len(t, s.asked, 1, "%s: nothing was sent: %v", op.Name, err)
	return s.asked[0], s.bodies[0], s.seen[0]
}

// holds fails with the message if it is not so. A message has at most three
// lines: the file, the fault, and what to write.
func holds(t testing.TB, is bool, format string, args ...any) {
	t.Helper()
	if !is {
		t.Errorf(format, args...)
	}
}

// agree fails with the operation and the fact if client and description differ.
func agree(t testing.TB, op operations.Operation, as *description.Operation, fact, client string, described string) {
	t.Helper()
	holds(t, client == described, "api/%s: %s: the %s is %s\n%s has %s\ncorrect the one that is not as published", as.Pos, op.ID, fact, described, op.Name, client)
}

// agreeOnNames compares two sets and reports the difference.
func agreeOnNames(t testing.TB, op operations.Operation, as *description.Operation, client, described []string) {
	t.Helper()
	for _, name := range client {
		holds(t, slices.Contains(described, name), "api/%s: the body of %s has no %s, which %s sends\ndescribe it, or do not send it", as.Pos, op.ID, name, op.Name)
	}
	for _, name := range described {
		holds(t, slices.Contains(client, name), "api/%s: the body of %s has %s, which %s cannot send\nsend it, or take it away", as.Pos, op.ID, name, op.Name)
	}
}

func keysOf(t testing.TB, body string) []string {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(body), &members), "%s", body)
	var names []string
	for name := range members {
		names = append(names, name)
	}
	return names
}

// pathOf fills in a path template with the identifiers, in order.
func pathOf(template string, arguments []any) string {
	var path strings.Builder
	rest := template
	for _, argument := range arguments {
		id, isText := argument.(string)
		before, after, found := strings.Cut(rest, "{")
		if !isText || !found {
			break
		}
		path.WriteString(before + url.PathEscape(id))
		_, rest, _ = strings.Cut(after, "}")
	}
	return path.String() + rest
}

func isArgumentError(err error) (*practice.ArgumentError, bool) {
	return errors.AsType[*practice.ArgumentError](err)
}
