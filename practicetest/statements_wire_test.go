package practicetest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

func statementsOfThePath() []statement {
	return []statement{
		{"paths are relative to a base address with a prefix", "the prefix left out: 404 and a violation", func(w *witness) {
			w.at()
			request, err := http.NewRequestWithContext(w.t.Context(), "GET", strings.Replace(w.BaseURL(), "/practice/v1", "", 1)+"/bankaccounts", nil)
			require.NoError(w.t, err)
			assert.Equal(w.t, 1, w.noticed(func() { assert.Equal(w.t, 404, send(w.t, w.Server, request).Status) }))
		}},
		{"paths are case-sensitive", "/Bankaccounts: 404 and a violation", func(w *witness) {
			c := w.at()
			assert.Equal(w.t, 1, w.noticed(func() { c.get("/Bankaccounts").want(404) }))
		}},
		{"identifiers are the same in capitals", "in a path, and in the query of two lists", func(w *witness) {
			c := w.at()
			for _, path := range []string{"/staff/" + w.Firm().StaffID, "/bankaccounts?matterId=" + w.Firm().MatterID, "/events?From=2000-01-01T00:00:00&MatterId=" + w.Firm().MatterID} {
				at := strings.LastIndexAny(path, "/=") + 1
				small, capitals := c.get(path).want(200), c.get(path[:at]+strings.ToUpper(path[at:])).want(200)
				assert.Equal(w.t, small.Body, capitals.Body)
				assert.Contains(w.t, small.Body, path[at:])
			}
		}},
		{"the first literal from the left wins", "/subscriptions/promotions and /webhooks/types are no ids", func(w *witness) {
			c := w.at()
			assert.NotEmpty(w.t, c.get("/subscriptions/promotions").want(200).list("value"))
			assert.Len(w.t, c.get("/webhooks/types").want(200).list("value"), 43)
			assert.Equal(w.t, 1, w.noticed(func() { c.do("DELETE", "/webhooks/types", "").want(405) }))
		}},
	}
}

func statementsOfAnswers() []statement {
	return []statement{
		{"RequestId comes back", "in a good answer and in a 404", func(w *witness) {
			c := w.at().with("RequestId", "r-1")
			assert.Equal(w.t, "r-1", c.get("/bankaccounts").want(200).Header.Get("RequestId"))
			assert.Equal(w.t, "r-1", c.get("/staff/"+w.Firm().AccountID).want(404).Header.Get("RequestId"))
		}},
		{"every record carries its links", "href, method and self of nine records", func(w *witness) {
			c := w.at()
			f := w.Firm()
			for _, path := range []string{
				"/staff/" + f.StaffID, w.matter("/expenses/" + f.ExpenseID), w.matter("/fees/" + f.FeeID), "/policies/" + f.PolicyReference,
				w.matter("/roles/" + f.RoleID + "/relationships"), "/subscriptions/" + f.SubscriptionID, "/webhooks/" + f.WebhookID,
				"/subscriptions/" + f.SubscriptionID + "/paymentmethods/" + f.PaymentMethodID, "/activitycodes/" + f.ActivityCodeID,
			} {
				a := c.get(path).want(200)
				assert.Equal(w.t, w.BaseURL()+path, a.text("href"), path)
				assert.Equal(w.t, "GET", a.text("method"), path)
				assert.NotNil(w.t, a.at("self"), path)
			}
		}},
		{"a list carries its own links", "href of every list, types of events included", func(w *witness) {
			c := w.at()
			for _, path := range []string{"/bankaccounts", "/events", "/webhooks", "/webhooks/types", "/subscriptions/promotions", "/activitycodes", w.contact("/relations"), w.matter("/documents/folders")} {
				a := c.get(path).want(200)
				assert.Equal(w.t, w.BaseURL()+path, strings.Split(a.text("href"), "?")[0])
				assert.Contains(w.t, a.Body, `"self"`, path)
				assert.Contains(w.t, a.Body, `"method"`, path)
			}
		}},
		{"an error is a Problem object", "errors is an object for the folder listing, an array elsewhere", func(w *witness) {
			c := w.at()
			assert.IsType(w.t, map[string]any{}, c.mistake("GET", w.matter("/documents/folders/"+w.Firm().FolderID+"?limit=0"), "").at("errors"))
			assert.IsType(w.t, []any{}, c.mistake("GET", "/events?Limit=0", "").at("errors"))
		}},
		{"a refusal reads the same each time", "a body with four faults, twenty times", func(w *witness) {
			c := w.at()
			seen := map[string]bool{}
			for range 20 {
				found := w.Tolerate(func() { c.do("POST", "/webhooks", `{"d":1,"c":1,"b":1,"a":1}`).want(400) })
				require.Len(w.t, found, 1)
				seen[found[0]] = true
			}
			assert.Len(w.t, seen, 1)
		}},
		{"JSON comes in three media types", "each in any case and with a charset", func(w *witness) {
			c := w.at()
			for _, media := range []string{"application/json", "APPLICATION/JSON", "application/json-patch+json; charset=utf-8", "application/*+json", "application/merge-patch+json"} {
				c.with("Content-Type", media).do("POST", w.matter("/documents/folders"), `{"name":"n"}`).want(202)
			}
			for _, media := range []string{"text/json", "application/x-www-form-urlencoded", "application/xml", "json"} {
				assert.Equal(w.t, 1, w.noticed(func() {
					c.with("Content-Type", media).do("POST", w.matter("/documents/folders"), `{"name":"n"}`).want(415)
				}), media)
			}
		}},
		{"over the limit the answer is 429", "no Retry-After unless asked for, five at once", func(w *witness) {
			c := w.at(practicetest.WithVirtualClock(start), practicetest.WithRateLimit(5, 5))
			for range 5 {
				c.get("/bankaccounts").want(200)
			}
			assert.Empty(w.t, c.get("/bankaccounts").want(429).Header.Get("Retry-After"))
			w.Clock().Advance(200 * time.Millisecond)
			c.get("/bankaccounts").want(200)
		}},
		{"promotions come as a page or as a bare array", "both, by option", func(w *witness) {
			assert.IsType(w.t, map[string]any{}, w.at().get("/subscriptions/promotions").want(200).json())
			assert.IsType(w.t, []any{}, w.at(practicetest.WithBarePromotions(true)).get("/subscriptions/promotions").want(200).json())
		}},
	}
}

func statementsOfRecords() []statement {
	return []statement{
		{"the type of an event occurs in three forms", "as a name, as digits, as a number", func(w *witness) {
			var names, digits, numbers int
			for _, e := range w.at().get("/events?From=2000-01-01T00:00:00").want(200).list("value") {
				switch kind := e.(map[string]any)["eventType"].(type) {
				case json.Number:
					numbers++
				case string:
					if strings.Trim(kind, "0123456789") == "" {
						digits++
					} else {
						names++
					}
				}
			}
			assert.Positive(w.t, names)
			assert.Positive(w.t, digits)
			assert.Positive(w.t, numbers)
		}},
		{"start and end of an event have no zone", "all of three hundred", func(w *witness) {
			all := w.at().get("/events?From=2000-01-01T00:00:00").want(200)
			for _, name := range []string{"startTime", "endTime"} {
				for _, text := range all.texts(name, "value") {
					assert.Regexp(w.t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$`, text)
				}
			}
		}},
		{"times have up to seven digits", "creation of a file by a clock of 100 ns", func(w *witness) {
			c := w.at(practicetest.WithVirtualClock(start), practicetest.WithWriteDelay(0))
			w.upload(c)
			assert.Contains(w.t, c.get(w.matter("/documents/folders")).Body, `"dateCreated":"2026-03-02T09:30:00.1234567Z"`)
		}},
		{"ticks are beyond what a double holds", "lastUpdated of a subscription ends in digits that a double loses", func(w *witness) {
			c := w.at(practicetest.WithVirtualClock(start))
			assert.Equal(w.t, json.Number("639080406001234567"), c.do("POST", "/webhooks", hook("error")).want(200).at("lastUpdated"))
		}},
		{"a bank account has a type by name and by number", "and a status of 0 or 1", func(w *witness) {
			kinds := map[string]string{}
			for _, one := range w.at().get("/bankaccounts").want(200).list("value") {
				account := one.(map[string]any)
				kinds[account["type"].(string)] = string(account["accountType"].(json.Number))
				assert.Contains(w.t, []json.Number{"0", "1"}, account["status"])
			}
			assert.Equal(w.t, map[string]string{"Operating": "0", "Trust": "1", "Credit": "2", "ControlledMoney": "3"}, kinds)
		}},
	}
}

func statementsOfParameters() []statement {
	return []statement{
		{"limit is 1 to 500, offset 0 to 2147483647", "eight wrong forms are refused and reported", func(w *witness) {
			c := w.at()
			for _, query := range []string{"Limit=0", "Limit=501", "Limit=-1", "Limit=", "Limit=ten", "Offset=-1", "Offset=2147483648", "Offset=1.5"} {
				c.mistake("GET", "/events?"+query, "")
			}
			c.get("/events?Limit=500&Offset=2147483647").want(200)
		}},
		{"names of parameters have no case", "LIMIT and offset", func(w *witness) {
			assert.Equal(w.t, json.Number("3"), w.at().get("/events?LIMIT=3&offset=1").want(200).at("limit"))
		}},
		{"the page links keep the filters", "in the name of the description, limit and offset in lower case", func(w *witness) {
			a := w.at().get("/events?from=2000-01-01T00:00:00&Limit=7").want(200)
			assert.Equal(w.t, w.BaseURL()+"/events?From=2000-01-01T00%3A00%3A00&limit=7&offset=7", a.text("next", "href"))
		}},
		{"size counts all pages, the last page has no next", "300 events by four sizes of page, none lost", func(w *witness) {
			c := w.at()
			for _, path := range []string{"/events?From=2000-01-01T00:00:00&Limit=7", "/events?From=2000-01-01T00:00:00&Limit=499", "/events?From=2000-01-01T00:00:00"} {
				seen := map[string]bool{}
				for address := w.BaseURL() + path; address != ""; {
					a := c.get(strings.TrimPrefix(address, w.BaseURL())).want(200)
					assert.Equal(w.t, json.Number("300"), a.at("size"))
					for _, id := range a.texts("id", "value") {
						seen[id] = true
					}
					next, _ := a.at("next").(map[string]any)
					address, _ = next["href"].(string)
				}
				assert.Len(w.t, seen, 300)
			}
		}},
		{"UpdatedSince is ticks or a time", "seconds and milliseconds since 1970 are refused and reported", func(w *witness) {
			c := w.at()
			c.get("/events?UpdatedSince=639080406001234567").want(200)
			c.get("/events?UpdatedSince=2026-03-02T09:30:00").want(200)
			for _, query := range []string{"1772443800", "1772443800000", "0", "-1", "2026-03-02T09:30:00Z", "2026-03-02", "yesterday"} {
				c.mistake("GET", "/events?UpdatedSince="+query, "")
			}
		}},
		{"an identifier in a query is a UUID", "garbage is refused and reported, not an empty list", func(w *witness) {
			c := w.at()
			c.mistake("GET", "/events?MatterId=garbage", "")
			c.mistake("GET", "/bankaccounts?matterId=garbage", "")
		}},
		{"what a handler refuses is reported too", "eight mistakes that no schema sees", func(w *witness) {
			c := w.at()
			c.mistake("GET", "/staff/me", "")
			c.mistake("GET", "/bankaccounts?type=operating", "")
			c.mistake("GET", "/bankaccounts?type=1", "")
			c.mistake("POST", w.matter("/portal/messages"), `{"message":"m"}`)
			c.mistake("PUT", w.contact("/relations/"+w.Firm().RelatedContactID), `{"relatedContactId":"`+w.Firm().MatterID+`"}`)
			c.mistake("PATCH", w.matter("/documents/folders/"+w.Firm().FolderID), `{"isDeleted":true}`)
			c.mistake("POST", "/webhooks", hook("matter.exploded"))
			c.mistake("POST", "/webhooks", strings.Replace(hook("error"), hooks, "/in", 1))
		}},
	}
}
