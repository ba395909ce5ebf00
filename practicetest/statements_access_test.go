package practicetest_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

func statementsOfAccess() []statement {
	return []statement{
		{"an access token lives 3600 seconds", "200 to the last second, then 401", func(w *witness) {
			c := w.at(practicetest.WithVirtualClock(start))
			a := grant(w.t, w.Server, clientCredentials())
			assert.Equal(w.t, []any{json.Number("3600"), "Bearer", nil}, []any{a.at("expires_in"), a.at("token_type"), a.at("refresh_token")})
			assert.Equal(w.t, "no-store", a.Header.Get("Cache-Control"))
			w.Clock().Advance(time.Hour - 1)
			c.get("/bankaccounts").want(200)
			w.Clock().Advance(1)
			c.get("/bankaccounts").want(401)
		}},
		{"a refresh token lives 30 days and is kept", "the answer has none; after 30 days invalid_grant", func(w *witness) {
			w.at(practicetest.WithVirtualClock(start))
			w.Clock().Advance(30*24*time.Hour - 1)
			a := grant(w.t, w.Server, refreshForm(w.Credentials().RefreshToken))
			require.Equal(w.t, 200, a.Status)
			assert.Nil(w.t, a.at("refresh_token"))
			w.Clock().Advance(1)
			assert.Equal(w.t, "invalid_grant", grant(w.t, w.Server, refreshForm(w.Credentials().RefreshToken)).text("error"))
		}},
		{"a refresh token is good for one use when asked", "its successor comes with the answer", func(w *witness) {
			w.at(practicetest.WithOneTimeRefresh(true))
			first := grant(w.t, w.Server, refreshForm(w.Credentials().RefreshToken))
			assert.NotEmpty(w.t, first.text("refresh_token"))
			assert.Equal(w.t, "invalid_grant", grant(w.t, w.Server, refreshForm(w.Credentials().RefreshToken)).text("error"))
		}},
		{"a code lives five minutes and is used once", "with the verifier and the address of its request; the second use is invalid_grant", func(w *witness) {
			w.at(practicetest.WithVirtualClock(start))
			code := w.code(nil)
			c := call(w.t, w.Server)
			c.token = w.redeem(code, nil).text("access_token")
			c.get("/bankaccounts").want(200)
			refused := func(code string, change url.Values) {
				assert.Equal(w.t, "invalid_grant", w.redeem(code, change).text("error"), "%v", change)
			}
			refused(code, nil)
			for _, change := range []url.Values{{"code_verifier": {"x"}}, {"code_verifier": nil}, {"redirect_uri": {"https://app.example.test/"}}} {
				refused(w.code(nil), change)
			}
			without := w.code(url.Values{"code_challenge": nil, "code_challenge_method": nil})
			assert.Equal(w.t, 200, w.redeem(without, url.Values{"code_verifier": nil}).Status)
			late := w.code(nil)
			w.Clock().Advance(5 * time.Minute)
			refused(late, nil)
		}},
		{"a public client has no secret and needs a challenge", "code with S256 and no Basic header; client credentials are refused", func(w *witness) {
			w.at(practicetest.WithPublicClient(true))
			assert.Empty(w.t, w.Credentials().ClientSecret)
			a := w.codeGrant(nil)
			require.Equal(w.t, 200, a.Status, a.Body)
			assert.Equal(w.t, 200, grant(w.t, w.Server, refreshForm(a.text("refresh_token"))).Status)
			assert.Equal(w.t, 1, w.noticed(func() {
				_, back := authorize(w.t, w.Server, url.Values{"code_challenge": nil, "code_challenge_method": nil})
				assert.Equal(w.t, "invalid_request", back.Get("error"))
			}))
			assert.Equal(w.t, 1, w.noticed(func() {
				assert.Equal(w.t, "unauthorized_client", grant(w.t, w.Server, clientCredentials()).text("error"))
			}))
		}},
		{"a wrong key is 403, a missing or unknown token 401", "only what is missing is a mistake", func(w *witness) {
			c := w.at()
			c.with("x-api-key", "other").get("/bankaccounts").want(403)
			c.with("Authorization", "Bearer other").get("/bankaccounts").want(401)
			assert.Equal(w.t, 2, w.noticed(func() {
				c.with("x-api-key", "").get("/bankaccounts").want(403)
				c.with("Authorization", "").get("/bankaccounts").want(401)
			}))
		}},
		{"under client credentials UserId names an enabled user of the firm", "nobody and another firm's user are 401; the portal needs one", func(w *witness) {
			c := w.at().asClient()
			message := `{"message":"m","contactId":"` + w.Firm().ContactID + `"}`
			c.with("UserId", w.Firm().UserID).do("POST", w.matter("/portal/messages"), message).want(202)
			c.with("UserId", w.Firm().OtherFirmUserID).get("/bankaccounts").want(401)
			c.with("UserId", w.Firm().StaffID).get("/bankaccounts").want(401)
			c.with("UserId", strings.ToUpper(w.Firm().UserID)).get("/bankaccounts").want(200)
			c.mistake("POST", w.matter("/portal/messages"), message)
		}},
		{"a user's token acts for its own user only", "another UserId is refused and reported", func(w *witness) {
			c := w.at()
			c.with("UserId", w.Credentials().UserID).get("/bankaccounts").want(200)
			assert.Equal(w.t, 1, w.noticed(func() { c.with("UserId", w.Firm().OtherFirmUserID).get("/bankaccounts").want(401) }))
		}},
		{"a body acts for another user under client credentials only", "the fee says who changed it; under a user's token it is the token's user, and a violation", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			fee, other := w.matter("/fees/"+w.Firm().FeeID), `{"updatedByUserId":"`+w.Firm().UserID+`"}`
			assert.Equal(w.t, 1, w.noticed(func() { c.do("PATCH", fee, other).want(202) }))
			assert.Equal(w.t, w.Credentials().UserID, c.get(fee).text("lastUpdatedByUserId"))
			c.asClient().do("PATCH", fee, other).want(202)
			assert.Equal(w.t, w.Firm().UserID, c.get(fee).text("lastUpdatedByUserId"))
			c.do("PATCH", fee, `{"updatedByUserId":"`+w.Credentials().UserID+`"}`).want(202)
			assert.Equal(w.t, 1, w.noticed(func() {
				c.do("POST", w.matter("/documents/folders"), `{"name":"n","userId":"`+w.Firm().UserID+`"}`).want(202)
			}))
		}},
		{"what a body names is there", "an unknown user, invoice or owner of a file is 400, and no mistake", func(w *witness) {
			c := w.at()
			nobody := `":"` + w.Firm().MatterID + `"`
			fee := w.matter("/fees/" + w.Firm().FeeID)
			c.do("PATCH", fee, `{"updatedByUserId`+nobody+`}`).want(400)
			c.do("PATCH", fee, `{"invoiceId`+nobody+`}`).want(400)
			c.do("PATCH", fee, `{"invoiceId":"`+w.Firm().InvoiceID+`"}`).want(202)
			c.do("POST", w.matter("/documents/files"), `{"fileName":"f","userId`+nobody+`}`).want(400)
			c.do("POST", w.matter("/memos"), `{"title":"t","text":"t","userId`+nobody+`}`).want(400)
		}},
		{"an id of a contact is any text", "MyFirm, which roles name, is 404 and no mistake", func(w *witness) {
			c := w.at()
			c.get("/contacts/MyFirm/relations").want(404)
			c.do("POST", "/contacts/MyFirm/tags", `["VIP"]`).want(404)
		}},
		{"who leaves has no access", "former and disabled, tokens 401, refresh refused", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			client := c.asClient()
			own := "/staff/" + w.Firm().StaffIDs[0]
			c.do("DELETE", own, "").want(202)
			c.get("/bankaccounts").want(401)
			assert.Equal(w.t, []any{true, false}, []any{client.get(own).at("former"), client.get(own).at("enabled")})
			assert.Equal(w.t, "invalid_grant", grant(w.t, w.Server, refreshForm(w.Credentials().RefreshToken)).text("error"))
		}},
	}
}

func statementsOfScopes() []statement {
	return []statement{
		{"an operation needs its scope", "contacts/read lists relations and makes no folder", func(w *witness) {
			w.at()
			c := w.scoped("contacts/read")
			c.get(w.contact("/relations")).want(200)
			assert.Contains(w.t, c.do("POST", w.matter("/documents/folders"), `{"name":"n"}`).want(403).text("detail"), "documents/write")
			c.do("POST", w.contact("/tags"), `["t"]`).want(403)
			c.get("/subscriptions/" + w.Firm().SubscriptionID).want(200)
		}},
		{"no scope means all of them", "a code without scope makes folders and reads events", func(w *witness) {
			w.at()
			c := call(w.t, w.Server)
			c.token = w.codeGrant(nil).text("access_token")
			c.do("POST", w.matter("/documents/folders"), `{"name":"n"}`).want(202)
			c.get("/events").want(200)
		}},
		{"a file needs documents/write and matters/write", "one of the two is 403", func(w *witness) {
			w.at()
			for status, c := range map[int]caller{403: w.scoped("documents/write"), 202: w.scoped("documents/write", "matters/write")} {
				c.do("POST", w.matter("/documents/files"), `{"fileName":"f.txt"}`).want(status)
			}
		}},
		{"a refresh keeps the scopes", "and may ask for fewer, not for more", func(w *witness) {
			w.at()
			a := w.codeGrant(url.Values{"scope": {"contacts/read events/read"}})
			c := call(w.t, w.Server)
			form := refreshForm(a.text("refresh_token"))
			c.token = grant(w.t, w.Server, form).text("access_token")
			c.get("/events").want(200)
			c.get("/bankaccounts").want(403)
			form.Set("scope", "contacts/read")
			c.token = grant(w.t, w.Server, form).text("access_token")
			c.get("/events").want(403)
			form.Set("scope", "documents/write")
			assert.Equal(w.t, 1, w.noticed(func() { assert.Equal(w.t, "invalid_scope", grant(w.t, w.Server, form).text("error")) }))
		}},
		{"client credentials have scopes too", "those asked for, or all", func(w *witness) {
			c := w.at()
			form := clientCredentials()
			form.Set("scope", "staff/read")
			c.token = grant(w.t, w.Server, form).text("access_token")
			c.get("/staff/" + w.Firm().StaffID).want(200)
			c.get("/events").want(403)
		}},
	}
}

func statementsOfAccounts() []statement {
	return []statement{
		{"a client of several accounts names one in the path", "its own and the other's answer, links carry it, none is 401 and a mistake", func(w *witness) {
			c := w.at(practicetest.WithMultiAccount(true)).asClient()
			for _, account := range []string{w.Firm().AccountID, w.Firm().OtherAccountID} {
				c.prefix = "/" + account
				assert.Equal(w.t, w.BaseURL()+"/"+account+"/bankaccounts", c.get("/bankaccounts").want(200).text("href"))
			}
			c.prefix = ""
			assert.Equal(w.t, 1, w.noticed(func() { c.get("/bankaccounts").want(401) }))
			call(w.t, w.Server).get("/bankaccounts").want(200)
			c.prefix = "/" + w.Firm().MatterID
			c.get("/bankaccounts").want(401)
		}},
		{"a client of one account names none", "its own account as a prefix is 401 and a mistake", func(w *witness) {
			c := w.at().asClient()
			c.prefix = "/" + w.Firm().AccountID
			assert.Equal(w.t, 1, w.noticed(func() { c.get("/bankaccounts").want(401) }))
		}},
		{"the zero account has webhook subscriptions only", "of system events; bank accounts are 403 and a mistake", func(w *witness) {
			c := w.at().asClient()
			c.prefix = "/" + practicetest.SystemAccountID
			c.mistake("POST", "/webhooks", hook("matter.updated"))
			c.do("POST", "/webhooks", hook("mattertype.updated")).want(200)
			assert.Equal(w.t, 1, w.noticed(func() { c.get("/bankaccounts").want(403) }))
		}},
	}
}
