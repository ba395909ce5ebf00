package practicetest_test

import (
	"cmp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestEveryRequestCarriesBothCredentials(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		header, value string
		status        int
		violation     string
	}{
		"both":              {"Accept", "application/json", 200, ""},
		"no key":            {"x-api-key", "", 403, "the x-api-key header is missing"},
		"a wrong key":       {"x-api-key", "key", 403, ""},
		"no token":          {"Authorization", "", 401, "the Authorization header is missing or not a bearer credential"},
		"no scheme":         {"Authorization", "abc", 401, "the Authorization header is missing or not a bearer credential"},
		"another scheme":    {"Authorization", "Basic abc", 401, "the Authorization header is missing or not a bearer credential"},
		"an unknown token":  {"Authorization", "Bearer abc", 401, ""},
		"a token in a form": {"Authorization", "Bearer ", 401, "the Authorization header is missing or not a bearer credential"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := practicetest.New(t)
			found := s.Tolerate(func() {
				a := call(t, s).with(tt.header, tt.value).get("/bankaccounts").want(tt.status)
				if tt.status == 401 {
					assert.Equal(t, `Bearer error="invalid_token"`, a.Header.Get("WWW-Authenticate"))
				}
			})
			if tt.violation == "" {
				assert.Empty(t, found)
				return
			}
			assert.Equal(t, []string{"GET /practice/v1/bankaccounts (listBankAccounts): " + tt.violation}, found)
		})
	}
}

func TestAccessTokensExpire(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithTokenLifetime(time.Minute))
	c := call(t, s)
	s.Clock().Advance(time.Minute - 1)
	c.get("/bankaccounts").want(200)
	s.Clock().Advance(1)
	c.get("/bankaccounts").want(401)

	s = practicetest.New(t)
	c = call(t, s)
	s.ExpireTokens()
	c.get("/bankaccounts").want(401)
}

func TestUserIDIsCheckedUnderClientCredentials(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	f := s.Firm()
	client, user := call(t, s).asClient(), call(t, s)
	tests := map[string]struct {
		as     caller
		userID string
		status int
	}{
		"a user of the firm":            {client, f.UserID, 200},
		"in capitals":                   {client, strings.ToUpper(f.UserID), 200},
		"none":                          {client, "", 200},
		"another firm's":                {client, f.OtherFirmUserID, 401},
		"unknown":                       {client, f.MatterID, 401},
		"a staff id, not a user id":     {client, f.StaffID, 401},
		"a user's own":                  {user, s.Credentials().UserID, 200},
		"a user of the firm, once more": {client, s.Credentials().UserID, 200},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.as.t = t
			tt.as.with("UserId", tt.userID).get("/bankaccounts").want(tt.status)
		})
	}
	t.Run("not a UUID", func(t *testing.T) {
		assert.Len(t, s.Tolerate(func() {
			a := client.with("UserId", "me").get("/bankaccounts").want(400)
			assert.Equal(t, "UserId", a.text("errors", 0, "field"))
		}), 1)
	})
	t.Run("not that of a user's token", func(t *testing.T) {
		for _, other := range []string{f.UserID, f.OtherFirmUserID} {
			assert.Len(t, s.Tolerate(func() { user.with("UserId", other).get("/bankaccounts").want(401) }), 1)
		}
	})
	t.Run("refused once the staff member has left", func(*testing.T) {
		user.do("DELETE", "/staff/"+f.StaffID, "").want(202)
		client.with("UserId", f.UserID).get("/bankaccounts").want(401)
	})
}

func TestAUserWhoHasLeftHasNoAccess(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	own := s.Firm().StaffIDs[0]
	client := call(t, s).asClient()
	assert.Equal(t, s.Credentials().UserID, client.get("/staff/"+own).text("userId"))
	call(t, s).do("DELETE", "/staff/"+own, "").want(202)
	call(t, s).get("/bankaccounts").want(401)
	client.get("/bankaccounts").want(200)
}

func TestAccountPrefix(t *testing.T) {
	t.Parallel()
	const system = practicetest.SystemAccountID
	one, several := practicetest.New(t), practicetest.New(t, practicetest.WithMultiAccount(true))
	tests := map[string]struct {
		server    *practicetest.Server
		asClient  bool
		prefix    string
		path      string
		status    int
		violation bool
	}{
		"own account":                        {one, true, one.Firm().AccountID, "/bankaccounts", 401, true},
		"without":                            {one, true, "", "/bankaccounts", 200, false},
		"another account":                    {one, true, one.Firm().OtherAccountID, "/bankaccounts", 401, true},
		"unknown account":                    {one, true, "no-such-account", "/bankaccounts", 401, true},
		"with a user's token":                {one, false, one.Firm().AccountID, "/bankaccounts", 401, true},
		"several accounts, the first":        {several, true, several.Firm().AccountID, "/bankaccounts", 200, false},
		"several accounts, the second":       {several, true, several.Firm().OtherAccountID, "/bankaccounts", 200, false},
		"several accounts, unknown":          {several, true, several.Firm().MatterID, "/bankaccounts", 401, false},
		"several accounts, none named":       {several, true, "", "/bankaccounts", 401, true},
		"several accounts, a user's token":   {several, false, "", "/bankaccounts", 200, false},
		"the system's subscriptions":         {one, true, system, "/webhooks", 200, false},
		"the system has no accounts":         {one, true, system, "/bankaccounts", 403, true},
		"the system, with a user's token":    {one, false, system, "/webhooks", 401, true},
		"a path below a prefix that is none": {one, true, one.Firm().AccountID, "/nothing", 404, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := call(t, tt.server)
			if tt.asClient {
				c = c.asClient()
			}
			if tt.prefix != "" {
				c.prefix = "/" + tt.prefix
			}
			found := tt.server.Tolerate(func() {
				a := c.get(tt.path).want(tt.status)
				if tt.status == 200 {
					assert.Contains(t, a.text("href"), tt.server.BaseURL()+c.prefix+tt.path, "links carry the prefix")
				}
			})
			assert.Equal(t, tt.violation, len(found) > 0, found)
		})
	}
}

func TestEveryLinkOfAPrefixedAnswerCarriesThePrefix(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithMultiAccount(true))
	c := call(t, s).asClient()
	f := s.Firm()
	c.prefix = "/" + f.AccountID
	for _, path := range []string{
		"/bankaccounts", "/events?Limit=3&Offset=3", "/matters/" + f.MatterID + "/documents/folders", "/staff/" + f.StaffID,
		"/contacts/" + f.ContactID + "/relations", "/subscriptions/" + f.SubscriptionID, "/webhooks",
		"/matters/" + f.MatterID + "/documents/folders/" + f.FolderID + "?limit=2&offset=2",
	} {
		a := c.get(path).want(200)
		base := s.BaseURL() + "/"
		require.Positive(t, strings.Count(a.Body, base))
		assert.Equal(t, strings.Count(a.Body, base), strings.Count(a.Body, base+f.AccountID+"/"), path)
	}
}

// TestAnOperationNeedsItsGrant checks that a missing grant is refused, whatever
// else the request contains, and counts as a mistake of the client.
func TestAnOperationNeedsItsGrant(t *testing.T) {
	t.Parallel()
	const zeros = "00000000-0000-0000-0000-000000000000"
	user, client := func(c caller, _ practicetest.Firm) caller { return c }, func(c caller, _ practicetest.Firm) caller { return c.asClient() }
	acting := func(c caller, f practicetest.Firm) caller { return c.asClient().with("UserId", f.UserID) }
	for name, test := range map[string]struct {
		who    func(caller, practicetest.Firm) caller
		path   func(practicetest.Firm) string
		body   string
		status int
	}{
		"the address of a plugin, by a user":                     {user, pluginURL, `{}`, 401},
		"the address of a plugin, by a user and with a bad body": {user, pluginURL, `{"nothing":1}`, 401},
		"the address of no plugin, by a user":                    {user, func(practicetest.Firm) string { return "/plugins/" + nobody + "/url" }, `{}`, 401},
		"the address of a plugin, by the client":                 {client, pluginURL, `{}`, 200},
		"the address of a plugin, by the client for a user":      {acting, pluginURL, `{}`, 200},
		"an invitation by address, by a user":                    {user, invite(zeros), `{"email":"newcomer@firm.example.test"}`, 403},
		"an invitation to no address, by a user":                 {user, invite(zeros), `{"email":"nobody@firm.example.test"}`, 403},
		"an invitation by address, by the client":                {client, invite(zeros), `{"email":"newcomer@firm.example.test"}`, 202},
		"an invitation by address, by the client for a user":     {acting, invite(zeros), `{"email":"newcomer@firm.example.test"}`, 202},
		"an invitation by id, by a user":                         {user, invite(""), `{"email":"newcomer@firm.example.test"}`, 202},
		"a requisition, by the client":                           {client, requisitions, `{}`, 403},
		"a requisition, by the client for a user":                {acting, requisitions, "requisition", 202},
		"a requisition, by a user":                               {user, requisitions, "requisition", 202},
		"a message on the portal, by the client":                 {client, messages, `{}`, 400},
		"a message on the portal, by the client for a user":      {acting, messages, "message", 202},
		"a message on the portal, by a user":                     {user, messages, "message", 202},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := practicetest.New(t)
			f := s.Firm()
			body := map[string]string{
				"requisition": `{"matterId":"` + f.MatterID + `","payeeId":"` + f.ContactID + `","amount":1.10,"source":"Check","reference":"R-1"}`,
				"message":     `{"message":"m","contactId":"` + f.ContactID + `"}`,
			}[test.body]
			violations := s.Tolerate(func() {
				test.who(call(t, s), f).do("POST", test.path(f), cmp.Or(body, test.body)).want(test.status)
			})
			assert.Equal(t, test.status >= 400, len(violations) == 1, "%v", violations)
		})
	}
}

func pluginURL(f practicetest.Firm) string { return "/plugins/" + f.PluginID + "/url" }

func requisitions(f practicetest.Firm) string {
	return "/bankaccounts/" + f.BankAccountID + "/requisitions"
}

func messages(f practicetest.Firm) string { return "/matters/" + f.MatterID + "/portal/messages" }

// invite returns the path for inviting a user. Without an id, it is that of the
// newcomer.
func invite(id string) func(practicetest.Firm) string {
	return func(f practicetest.Firm) string { return "/users/" + cmp.Or(id, f.NewcomerUserID) + "/invite" }
}
