package practicetest_test

import (
	"cmp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

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
