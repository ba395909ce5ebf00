package acceptance_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestWhereLinksLead(t *testing.T) {
	t.Parallel()
	const plain, account = testkit.OddBase, testkit.OddBase + "/acme"
	for _, test := range []struct {
		href, base string
		want       string // empty: the link is refused
	}{
		{"https://api.example.test/practice/v1/staff/1", plain, plain + "/staff/1"},
		{"https://api.example.test:443/practice/v1/staff/1", plain, "https://api.example.test:443/practice/v1/staff/1"},
		{"HTTPS://API.example.test/practice/v1/staff/1", plain, "https://API.example.test/practice/v1/staff/1"},
		{"//api.example.test/practice/v1/staff/1", plain, plain + "/staff/1"},
		{"https://api.example.test/practice/v1", plain, plain},
		{"/staff/1", plain, plain + "/staff/1"},
		{"staff/1", plain, plain + "/staff/1"},
		{"./staff/1", plain, plain + "/staff/1"},
		{"/firm/", plain, plain + "/firm/"},
		{"/practice/v1/staff/1", plain, plain + "/staff/1"},
		{"/practice/v10/staff/1", plain, plain + "/practice/v10/staff/1"},
		{"/staff/../roles/1", plain, plain + "/roles/1"},
		{"/tags/a%20b%3F%C3%A4", plain, plain + "/tags/a%20b%3F%C3%A4"},
		{"/events?From=2026-03-01T09%3a00%3A00&x=a+b%20c&x=", plain, plain + "/events?From=2026-03-01T09%3a00%3A00&x=a+b%20c&x="},
		{"///evil.example.test/x", plain, plain + "///evil.example.test/x"},
		{"?limit=1", plain, plain + "/?limit=1"},
		{"/staff/1#part", plain, plain + "/staff/1"},

		{"/staff/1", account, account + "/staff/1"},
		{"staff/1", account, account + "/staff/1"},
		{"https://api.example.test/practice/v1/acme/staff/1", account, account + "/staff/1"},
		{"/practice/v1/acme/staff/1", account, account + "/staff/1"},
		{"https://api.example.test/practice/v1/staff/1", account, ""},
		{"https://api.example.test/practice/v1/other/staff/1", account, ""},
		{"https://api.example.test/practice/v1/acme2/staff/1", account, ""},
		{"../other/staff/1", account, ""},
		{"/practice/v1/staff/1", account, ""},
		{"/practice/v1/other/staff/1", account, ""},
		{"/practice/v1/acme2/staff/1", account, ""},

		{"https://evil.example.test/practice/v1/staff/1", plain, ""},
		{"//evil.example.test/practice/v1/staff/1", plain, ""},
		{"https://api.example.test.evil.test/practice/v1/staff/1", plain, ""},
		{"https://api.example.test@evil.test/practice/v1/staff/1", plain, ""},
		{"https://user@api.example.test/practice/v1/staff/1", plain, ""},
		{"https://:pw@api.example.test/practice/v1/staff/1", plain, ""},
		{"http://api.example.test/practice/v1/staff/1", plain, ""},
		{"wss://api.example.test/practice/v1/staff/1", plain, ""},
		{"https://api.example.test:8443/practice/v1/staff/1", plain, ""},
		{"https://api.example.test:80/practice/v1/staff/1", plain, ""},
		{"https://api.example.test/staff/1", plain, ""},
		{"https://api.example.test/practice/v10/staff/1", plain, ""},
		{"https://api.example.test/practice/v1/../admin", plain, ""},
		{"https://api.example.test/practice/v1/%2e%2e/admin", plain, ""},
		{"https://api.example.test/practice/v1/%2E./admin", plain, ""},
		{"https://api.example.test/practice/v1/..%2fadmin", plain, ""},
		{"https://api.example.test/practice/v1/..%5cadmin", plain, ""},
		{"/%2e%2e/admin", plain, ""},
		{"/../admin", plain, ""},
		{"/../../../admin", plain, ""},
		{"../admin", plain, ""},
		{"/staff/a%2Fb", plain, ""},
		{`/staff/..\..\admin`, plain, ""},
		{`\\evil.example.test\x`, plain, ""},
		{`/\evil.example.test/x`, plain, ""},
		{"https:staff/1", plain, ""},
		{"https:/practice/v1/staff/1", plain, ""},
		{"mailto:lawyer@firm.example.test", plain, ""},
		{"javascript:alert(1)", plain, ""},
		{"https://api.example.test/practice/v1/staff/%zz", plain, ""},
		{"https://api.example.test/practice/v1/a\nb", plain, ""},
		{"https://api.example.test/practice/v1/a\r\nX-Evil: 1", plain, ""},
		{"/staff/1\x00", plain, ""},
		{"/staff/1\x7f", plain, ""},
		{`https://api.example.test\.evil.test/practice/v1/staff/1`, plain, ""},
		{`https://evil.test\@api.example.test/practice/v1/staff/1`, plain, ""},
		{"https://evil-api.example.test/practice/v1/staff/1", plain, ""},
		{"https://x.api.example.test/practice/v1/staff/1", plain, ""},
		{"http://[::1", plain, ""},
		{":", plain, ""},
	} {
		t.Run(test.href+" of "+strings.TrimPrefix(test.base, testkit.OddBase), func(t *testing.T) {
			t.Parallel()
			service := &testkit.Recorder{Status: 200, Body: `{"id":"1"}`}
			client := service.Client(t, testkit.OddBase)
			if test.base == account {
				client = client.ForAccount("acme")
			}
			var out models.Link
			err := client.Follow(t.Context(), models.Link{Href: test.href}, &out)
			if test.want == "" {
				require.ErrorIs(t, err, practice.ErrForeignLink)
				assert.EqualError(t, err, "practice: Follow: the link points outside the client's base URL")
				assert.Empty(t, service.Asked, "nothing is sent")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, []string{test.want}, service.Addresses())
			assert.Equal(t, "GET", service.Asked[0].Method)
			assert.Equal(t, "Bearer token", service.Asked[0].Header.Get("Authorization"))
			assert.Equal(t, "1", out.ID)
		})
	}
}

func TestLinksThatAreNotForReading(t *testing.T) {
	t.Parallel()
	service := &testkit.Recorder{Status: 200}
	client := service.Client(t, testkit.OddBase)
	for name, link := range map[string]models.Link{
		"no address": {ID: "1"}, "POST": {Href: "/staff/1", Method: "POST"}, "delete": {Href: "/staff/1", Method: "delete"},
	} {
		err := client.Follow(t.Context(), link, nil)
		bad, ok := errors.AsType[*practice.ArgumentError](err)
		require.True(t, ok, "%s: %v", name, err)
		assert.Equal(t, "link", bad.Argument)
	}
	err := client.Follow(t.Context(), models.Link{Href: "/staff/1"}, models.Link{})
	assert.True(t, testkit.IsArgumentError(err), "%v", err)
	assert.Empty(t, service.Asked)
	for _, method := range []string{"", "GET", "get"} {
		require.NoError(t, client.Follow(t.Context(), models.Link{Href: "/staff/1", Method: method}, nil))
	}
}

func TestEveryParameterOfALinkIsSent(t *testing.T) {
	t.Parallel()
	for query, joined := range map[string]string{
		"status=Open;Closed&limit=5": "limit=5&mine=1&status=Open%3BClosed", "share=100%": "mine=1&share=100%25", "a=%zz;": "a=%25zz%3B&mine=1",
	} {
		service, link := &testkit.Recorder{Status: 200}, models.Link{Href: "/events?" + query}
		client := service.Client(t, testkit.OddBase)
		require.NoError(t, client.Follow(t.Context(), link, nil))
		require.NoError(t, client.Follow(t.Context(), link, nil, practice.WithQuery("mine", "1")))
		assert.Equal(t, []string{testkit.OddBase + "/events?" + query, testkit.OddBase + "/events?" + joined}, service.Addresses())
	}
}

func TestAQueryOfTheCallerJoinsThatOfTheLink(t *testing.T) {
	t.Parallel()
	service := &testkit.Recorder{Status: 200}
	err := service.Client(t, testkit.OddBase).Follow(t.Context(), models.Link{Href: "/events?offset=5&limit=5"}, nil,
		practice.WithQuery("MatterId", "m1"), practice.WithQuery("Limit", "500"))
	require.NoError(t, err)
	assert.Equal(t, []string{testkit.OddBase + "/events?MatterId=m1&limit=5&offset=5"}, service.Addresses(), "what the link says is kept")
}

// TestTheLinksOfTheServiceCanBeFollowed checks that every link in a response
// can be followed, with and without an account prefix: links of records, of
// pages and of referenced records.
func TestTheLinksOfTheServiceCanBeFollowed(t *testing.T) {
	t.Parallel()
	for _, prefixed := range []bool{false, true} {
		t.Run(map[bool]string{false: "plain", true: "with an account prefix"}[prefixed], func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				f := server.Firm()
				prefix := server.BaseURL() + "/"
				if prefixed {
					client = server.Client(t, testkit.ClientCredentials(server)).ForAccount(f.AccountID)
					prefix += f.AccountID + "/"
				}
				links := linksOf(t, client, f)
				require.Len(t, links, 20)
				for name, link := range links {
					assert.True(t, strings.HasPrefix(link.Href, prefix), "%s: %s", name, link.Href)
					var raw []byte
					require.NoError(t, client.Follow(t.Context(), link, &raw), name)
					require.NotEmpty(t, raw, name)
					if id := link.ID; id != "" {
						assert.Equal(t, id, testkit.Member(t, testkit.WireTree(t, raw), "id"), name)
					}
				}
				walked, err := practice.Collect(client.Events.All(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 7}, From: time.Unix(0, 0).UTC()}))
				require.NoError(t, err)
				assert.Len(t, walked, 30)
			}, practicetest.WithMultiAccount(prefixed))
		})
	}
}

// linksOf collects the links of many responses.
func linksOf(t *testing.T, client *practice.Client, f practicetest.Firm) map[string]models.Link {
	t.Helper()
	ctx := t.Context()
	member, err := client.Staff.Get(ctx, f.StaffID)
	require.NoError(t, err)
	expense, err := client.Expenses.Get(ctx, f.MatterID, f.ExpenseID)
	require.NoError(t, err)
	policy, err := client.Policies.Get(ctx, f.PolicyReference)
	require.NoError(t, err)
	roles, err := client.Roles.GetRelationships(ctx, f.MatterID, f.RoleID)
	require.NoError(t, err)
	subscription, err := client.Subscriptions.Get(ctx, f.SubscriptionID)
	require.NoError(t, err)
	payment, err := client.Subscriptions.GetPaymentMethod(ctx, f.SubscriptionID, f.PaymentMethodID)
	require.NoError(t, err)
	hook, err := client.Webhooks.Get(ctx, f.WebhookID)
	require.NoError(t, err)
	accounts, err := client.BankAccounts.List(ctx, practice.BankAccountListOptions{})
	require.NoError(t, err)
	root, err := client.Documents.ListRootFolder(ctx, f.MatterID, practice.RootFolderListOptions{})
	require.NoError(t, err)
	events, err := client.Events.List(ctx, practice.EventListOptions{ListOptions: practice.ListOptions{Offset: 7, Limit: 7}, From: time.Unix(0, 0).UTC()})
	require.NoError(t, err)
	relations, err := client.Contacts.ListRelations(ctx, f.ContactID, practice.ContactRelationListOptions{})
	require.NoError(t, err)
	deleted, err := client.Staff.Delete(ctx, f.StaffIDs[4])
	require.NoError(t, err)
	patched, err := client.Fees.Patch(ctx, f.MatterID, f.FeeID, models.FeePatch{Subject: models.Some("x")})
	require.NoError(t, err)
	tagged, err := client.Contacts.AddTags(ctx, f.ContactID, []string{"x"})
	require.NoError(t, err)
	tagged.ID = "" // the id is the contact's, and the link leads to the contact's tags
	href := func(record models.Hypermedia) models.Link { return models.Link{Href: record.Href} }
	return map[string]models.Link{
		"a member itself": member.Self, "the member of an expense": expense.Staff, "an expense": href(expense.Hypermedia),
		"a policy": policy.Self, "relationships": roles.Self, "a subscription": subscription.Self, "a payment method": payment.Self,
		"a webhook": hook.Self, "the accounts": href(accounts.Hypermedia), "the root folder": href(root.Hypermedia), "a folder": {ID: "", Href: root.Items[0].Folders[0].Href},
		"the download of a file": root.Items[0].Files[0].DownloadInfo, "the first page": events.First, "the page before": events.Previous,
		"the next page": events.Next, "the last page": events.Last, "relations": href(relations.Hypermedia),
		"a member that leaves": *deleted, "a changed fee": *patched, "tags": *tagged,
	}
}

// FuzzLinksNeverLeaveTheBase checks that every request for a link goes below
// the base address, however a server parses its path.
func FuzzLinksNeverLeaveTheBase(f *testing.F) {
	for _, seed := range []string{
		"/staff/1", "staff/1?x=1#y", "https://api.example.test/practice/v1/a/staff/1", "//evil.example.test/x", "/../x", "/%2e%2e/x", "/..%2fx",
		`/\x`, "https:/x", "https:x", "?", "#", "/a/./b/../c", "/%", "///x", "/practice/v1/a/../../x", "https://api.example.test:443/practice/v1/a//x",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, href string) {
		service := &testkit.Recorder{Status: 200}
		client := service.Client(t, testkit.OddBase).ForAccount("a")
		err := client.Follow(t.Context(), models.Link{Href: href}, nil)
		if err != nil {
			require.True(t, errors.Is(err, practice.ErrForeignLink) || testkit.IsArgumentError(err), "%v", err)
			require.Empty(t, service.Asked)
			return
		}
		require.Len(t, service.Asked, 1)
		sent := service.Asked[0].URL
		assert.Equal(t, "https", sent.Scheme)
		assert.Equal(t, "api.example.test", strings.ToLower(sent.Hostname()))
		assert.Contains(t, []string{"", "443"}, sent.Port())
		assert.Nil(t, sent.User)
		for _, path := range testkit.ReadingsOf(t, sent.EscapedPath()) {
			assert.True(t, path == "/practice/v1/a" || strings.HasPrefix(path, "/practice/v1/a/"), "%q reads as %q", sent.EscapedPath(), path)
		}
	})
}

func TestDoAllYieldsTheRecordsOfAllPages(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, practicetest.WithEvents(40))
	client := server.Client(t)
	events, err := practice.Collect(client.Events.All(t.Context(), practice.EventListOptions{From: time.Unix(0, 0).UTC()}))
	require.NoError(t, err)
	require.Greater(t, len(events), 14)
	server.ResetRequests()

	all := practice.Request{Method: http.MethodGet, Path: "/events", Query: url.Values{"From": {"1970-01-01T00:00:00"}}}
	var got []string
	for object, err := range client.DoAll(t.Context(), all, practice.ListOptions{Limit: 7}) {
		require.NoError(t, err)
		var event struct{ ID string }
		require.NoError(t, object.Decode(&event))
		got = append(got, event.ID)
	}
	var want []string
	for _, event := range events {
		want = append(want, event.ID)
	}
	assert.Equal(t, want, got)
	assert.Len(t, server.Requests(), (len(want)+6)/7)
}

func TestDoAllEndsAsAnyWalkDoes(t *testing.T) {
	t.Parallel()
	service := &testkit.Scripted{Pages: func(q url.Values) string {
		assert.Equal(t, []string{"Mine"}, q["Status"])
		if testkit.OffsetOf(q) == 0 {
			return testkit.Page([]string{"a", `[]`}, "size", "5")
		}
		return testkit.Page(nil, "size", "5")
	}}
	list := practice.Request{Method: http.MethodGet, Path: "/things/{id}/parts", PathValues: []string{"t/1"}, Query: url.Values{"Status": {"Mine"}}}
	_, err := practice.Collect(testkit.ScriptedClient(t, service).DoAll(t.Context(), list, practice.ListOptions{}))
	refused, is := errors.AsType[*practice.ArgumentError](err)
	require.True(t, is, "%v", err)
	assert.Equal(t, practice.ArgumentError{Operation: "DoAll /things/{id}/parts", Argument: "PathValues", Reason: "must not contain a slash or a backslash"}, *refused)

	list.PathValues = []string{"t1"}
	got, err := practice.Collect(testkit.ScriptedClient(t, service).DoAll(t.Context(), list, practice.ListOptions{Limit: 2}))
	require.ErrorIs(t, err, practice.ErrEmptyPage)
	assert.Len(t, testkit.RecordErrors(err), 1, "a record that is no object")
	assert.Equal(t, []models.Object{objectOf(t, `{"id":"a"}`)}, got)
	assert.Equal(t, "https://api.example.test/v1/things/t1/parts?Limit=2&Offset=0&Status=Mine", service.Paths[0])
}

func objectOf(t *testing.T, text string) models.Object {
	t.Helper()
	object, err := models.ParseObject(text)
	require.NoError(t, err)
	return object
}

func TestDoAllRefusesWhatItCannotWalkOver(t *testing.T) {
	t.Parallel()
	client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials())
	require.NoError(t, err)
	get := func(change func(*practice.Request)) practice.Request {
		r := practice.Request{Method: http.MethodGet, Path: "/things"}
		change(&r)
		return r
	}
	for argument, request := range map[string]practice.Request{
		"Method": get(func(r *practice.Request) { r.Method = http.MethodPost }),
		"Path":   get(func(r *practice.Request) { r.Path = "/things/{id}" }),
		"Body":   get(func(r *practice.Request) { r.Body = map[string]int{} }),
		"Query":  get(func(r *practice.Request) { r.Query = url.Values{"offset": {"5"}} }),
		"Limit":  get(func(*practice.Request) {}),
	} {
		options := practice.ListOptions{}
		if argument == "Limit" {
			options.Limit = 501
		}
		_, err := practice.Collect(client.DoAll(t.Context(), request, options))
		refused, is := errors.AsType[*practice.ArgumentError](err)
		require.True(t, is, "%v", err)
		assert.Equal(t, argument, refused.Argument)
	}
}
