package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/practicetest"
)

func nothing(string) string { return "" }

func startStrict(t *testing.T) *practicetest.Server {
	t.Helper()
	server, err := practicetest.Start(practicetest.WithStrict(true))
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.Empty(t, server.Violations())
		require.NoError(t, server.Close())
	})
	return server
}

// variablesOf is what the sandbox prints.
func variablesOf(server *practicetest.Server) map[string]string {
	c, f := server.Credentials(), server.Firm()
	f.UserID = c.UserID
	variables := map[string]string{
		"BASE_URL": server.BaseURL(), "TOKEN_URL": server.TokenURL(), "CLIENT_ID": c.ClientID, "CLIENT_SECRET": c.ClientSecret,
		"API_KEY": c.APIKey, "ACCESS_TOKEN": c.AccessToken,
	}
	for _, fact := range operations.Facts(f) {
		variables[fact.Name] = fact.Value
	}
	return variables
}

func environment(variables map[string]string) func(string) string {
	return func(name string) string { return variables[strings.TrimPrefix(name, "PRACTICE_")] }
}

// taken returns the steps of the whole tour: those that only read, or all.
func taken(t *testing.T, writes bool) []step {
	t.Helper()
	all, err := steps(t.Context(), nil)
	require.NoError(t, err)
	return slices.DeleteFunc(all, func(s step) bool { return s.writes && !writes })
}

var called = regexp.MustCompile(`(?m)^  \S.{39} +(\d{3}) +\S+s  [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}  \S`)

func TestItCallsEveryOperationOfTheDescription(t *testing.T) {
	t.Parallel()
	described := []string{"token", "storage.put", "storage.get"}
	for _, op := range operations.All() {
		described = append(described, op.ID)
	}

	server := startStrict(t)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, environment(variablesOf(server))))
	answered := map[string]bool{}
	for _, request := range server.Requests() {
		answered[request.Operation] = answered[request.Operation] || request.Status >= 200 && request.Status < 300
	}
	for _, operation := range described {
		assert.True(t, answered[operation], "%s was not called with success", operation)
	}
	lines := called.FindAllStringSubmatch(out.String(), -1)
	assert.Len(t, lines, len(taken(t, true)), "one line for each\n%s", out.String())
	for _, line := range lines {
		assert.Regexp(t, `^20[0126]$`, line[1], line[0])
	}
	assert.NotContains(t, out.String(), "left out:")
	assert.NotContains(t, out.String(), "\x1b")
}

func TestWithoutVariablesItStartsTheEmbeddedService(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, nothing))
	assert.Len(t, called.FindAllString(out.String(), -1), len(taken(t, true)))
	assert.Contains(t, out.String(), " calls, 0 failed, 0 left out.")
}

func TestItCanBeMadeTwiceAndLeavesNoSubscription(t *testing.T) {
	t.Parallel()
	server := startStrict(t)
	for range 2 {
		require.NoError(t, run(t.Context(), nil, new(bytes.Buffer), environment(variablesOf(server))))
		server.Settle()
	}
	client := server.Client(t)
	left, err := practice.Collect(client.Webhooks.All(t.Context(), practice.WebhookSubscriptionListOptions{}))
	require.NoError(t, err)
	require.Len(t, left, 1)
	assert.Equal(t, server.Firm().WebhookID, left[0].ID)
	var tags struct{ Value []struct{ Name string } }
	require.NoError(t, client.Do(t.Context(), practice.Request{
		Method: http.MethodGet, Path: "/contacts/{id}/tags", PathValues: []string{server.Firm().ContactID},
	}, &tags))
	for _, tag := range tags.Value {
		assert.NotContains(t, tag.Name, "tour")
	}
}

func TestAFailedCallMakesItFailButNotEnd(t *testing.T) {
	t.Parallel()
	server := startStrict(t)
	server.Inject(
		practicetest.Fault{Operation: "getExpense", Status: http.StatusForbidden, Times: -1},
		practicetest.Fault{Operation: "createWebhook", Status: http.StatusBadRequest, Times: -1},
	)
	var out bytes.Buffer
	err := run(t.Context(), nil, &out, environment(variablesOf(server)))
	calls := len(taken(t, true)) - 4
	require.EqualError(t, err, fmt.Sprintf("2 of %d calls failed", calls))
	assert.Regexp(t, `(?m)^  Expenses\.Get +403 .+  FAILED: practice: Expenses\.Get: status 403 Forbidden`, out.String())
	assert.Contains(t, out.String(), "Webhooks.Update                          left out: there is no subscription of Webhooks.Create\n")
	assert.Regexp(t, `(?m)^  Staff\.Delete +202 `, out.String(), "the last step was made")
	assert.Contains(t, out.String(), fmt.Sprintf("%d calls, 2 failed, 4 left out.", calls))
}

func TestAServiceThatDoesNotAnswerEndsItAtOnce(t *testing.T) {
	t.Parallel()
	server := startStrict(t)
	server.Inject(practicetest.Fault{Kind: practicetest.FaultResetBefore, Times: -1})
	var out bytes.Buffer
	err := run(t.Context(), nil, &out, environment(variablesOf(server)), practice.WithRetries(0))
	require.EqualError(t, err, "the service does not answer")
	assert.Contains(t, out.String(), "1 call, 1 failed, 0 left out.")
	assert.NotContains(t, out.String(), "Documents.ListFolder")
}

func TestAMissingIdentifierIsNamedAndIsNoFailure(t *testing.T) {
	t.Parallel()
	server := startStrict(t)
	variables := variablesOf(server)
	for name := range variables {
		if strings.HasSuffix(name, "_ID") && name != "CLIENT_ID" || name == "POLICY_REFERENCE" {
			delete(variables, name)
		}
	}
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, environment(variables)))
	for _, s := range taken(t, true) {
		if len(s.needs) == 0 || strings.Contains(s.needs[0], " of ") {
			continue
		}
		assert.Contains(t, out.String(), "left out: PRACTICE_"+s.needs[0]+" is not set\n")
	}
	assert.Regexp(t, `(?m)^  Events\.All +200 `, out.String())
}

// remote makes the service one on another machine, as far as the client knows:
// its address leads there, and only the wire brings it back.
func remote(t *testing.T, server *practicetest.Server) (variables map[string]string, options []practice.ClientOption) {
	t.Helper()
	base, err := url.Parse(server.BaseURL())
	require.NoError(t, err)
	variables = variablesOf(server)
	variables["BASE_URL"] = "http://practice.example.test" + base.Path
	return variables, []practice.ClientOption{
		practice.WithInsecureHTTP(), practice.WithRateLimit(1e6, 1000),
		practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
			return roundTripper(func(request *http.Request) (*http.Response, error) {
				request = request.Clone(request.Context())
				request.URL.Host = base.Host
				return next.RoundTrip(request)
			})
		}),
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

func TestElsewhereItOnlyReads(t *testing.T) {
	t.Parallel()
	server := startStrict(t)
	variables, options := remote(t, server)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, environment(variables), options...))
	for _, request := range server.Requests() {
		if request.Operation != "token" {
			assert.Equal(t, http.MethodGet, request.Method, request.Path)
		}
	}
	assert.Len(t, called.FindAllString(out.String(), -1), len(taken(t, false)))
	for _, s := range taken(t, true) {
		if !s.writes {
			continue
		}
		assert.Regexp(t, `(?m)^  `+regexp.QuoteMeta(s.name)+` +left out: it writes$`, out.String())
	}
	assert.Contains(t, out.String(), "Reads only, because the service is not on this machine.")
}

func TestElsewhereItWritesWhenToldButReachesNobodyByItself(t *testing.T) {
	t.Parallel()
	server := startStrict(t)
	variables, options := remote(t, server)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"-write"}, &out, environment(variables), options...))
	server.Settle()
	assert.Contains(t, out.String(), "Portal.SendMessage                       left out: PRACTICE_MESSAGE_CONTACT_ID is not set\n")
	assert.Contains(t, out.String(), "Firm.DeleteUser                          left out: PRACTICE_DELETE_COLLEAGUE_USER_ID is not set\n")
	assert.Contains(t, out.String(), " 0 failed, ")
	assert.Empty(t, server.PortalMessages())

	// Each call that was left out says what it wants: an expendable record of
	// the firm.
	for _, wanted := range regexp.MustCompile(`left out: PRACTICE_DELETE_(\w+) is not set`).FindAllStringSubmatch(out.String(), -1) {
		variables["DELETE_"+wanted[1]] = variables[wanted[1]]
	}
	variables["MESSAGE_CONTACT_ID"] = server.Firm().ContactID
	out.Reset()
	require.NoError(t, run(t.Context(), []string{"-write"}, &out, environment(variables), options...))
	server.Settle()
	assert.Contains(t, out.String(), " 0 failed, 0 left out.")
	require.Len(t, server.PortalMessages(), 1)
	member, err := server.Client(t).Staff.Get(t.Context(), server.Firm().StaffID)
	require.NoError(t, err)
	assert.False(t, member.Former.Or(true), "nobody else has left")
}

func TestAnInterruptedTourCleansUp(t *testing.T) {
	t.Parallel()
	server := startStrict(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out bytes.Buffer
	err := run(ctx, nil, &out, environment(variablesOf(server)), practice.WithObserver(func(_ context.Context, o practice.Observation) {
		if !o.Kind.IsAttempt() && o.Operation == "Webhooks.Create" {
			cancel()
		}
	}))
	require.ErrorIs(t, err, context.Canceled)
	assert.Regexp(t, `(?m)^  Webhooks\.Delete +200 .+ cleaned up$`, out.String())
	assert.NotContains(t, out.String(), "Staff.Delete")
	left, err := server.Client(t).Webhooks.List(t.Context(), practice.WebhookSubscriptionListOptions{})
	require.NoError(t, err)
	assert.Len(t, left.Items, 1)
}

// closing is an output that breaks off once a text was written to it.
type closing struct {
	after  string
	closed bool
}

func (w *closing) Write(p []byte) (int, error) {
	if w.closed {
		return 0, errors.New("broken pipe")
	}
	w.closed = strings.Contains(string(p), w.after)
	return len(p), nil
}

func TestATourWithoutAnOutputEndsAndCleansUp(t *testing.T) {
	t.Parallel()
	server := startStrict(t)
	err := run(t.Context(), nil, &closing{after: "Webhooks.Create"}, environment(variablesOf(server)))
	require.EqualError(t, err, "broken pipe")
	left, err := server.Client(t).Webhooks.List(t.Context(), practice.WebhookSubscriptionListOptions{})
	require.NoError(t, err)
	assert.Len(t, left.Items, 1, "the subscription is gone")
	member, err := server.Client(t).Staff.Get(t.Context(), server.Firm().StaffID)
	require.NoError(t, err)
	assert.False(t, member.Former.Or(true), "no step was taken after it")
}

func TestOnlyTheOperationsThatAreNamedAreCalled(t *testing.T) {
	t.Parallel()
	server := startStrict(t)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"-only", "getStaff,patchFee,deleteWebhook"}, &out, environment(variablesOf(server))))
	var operations []string
	for _, request := range server.Requests() {
		if request.Part == practicetest.PartAPI {
			operations = append(operations, request.Operation)
		}
	}
	assert.ElementsMatch(t, []string{"getStaff", "patchFee", "deleteWebhook"}, operations)
	assert.Contains(t, out.String(), "3 calls, 0 failed, 0 left out.")
}

func TestTheCommandLine(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.ErrorIs(t, run(t.Context(), []string{"-h"}, &out, nothing), flag.ErrHelp)
	for _, args := range [][]string{{"-x"}, {"-only", "imagined"}, {"-write=perhaps"}, {"everything"}} {
		out.Reset()
		require.ErrorIs(t, run(t.Context(), args, &out, nothing), program.ErrUsage, args)
		assert.Empty(t, out.String())
	}
}

func TestWithoutAServiceItSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	err := run(t.Context(), nil, new(bytes.Buffer), environment(map[string]string{"BASE_URL": "https://practice.example.test"}))
	assert.ErrorContains(t, err, "PRACTICE_API_KEY")
}
