package practicetest_test

import (
	"encoding/json"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

func statementsOfFailures() []statement {
	return []statement{
		{"a create that fails late leaves nothing behind", "a folder: no parent, not listed, not patched, its id never exists", func(w *witness) {
			c := w.at()
			w.FailWrite("createFolder", "no")
			id := c.do("POST", w.matter("/documents/folders"), `{"name":"Ghost"}`).want(202).text("id")
			w.Settle()
			c.get(w.matter("/documents/folders/" + id)).want(404)
			c.do("POST", w.matter("/documents/files"), `{"fileName":"f","folderId":"`+id+`"}`).want(404)
			c.do("POST", w.matter("/documents/folders"), `{"name":"n","parentFolderId":"`+id+`"}`).want(404)
			c.do("PATCH", w.matter("/documents/folders/"+id), `{"name":"n"}`).want(404)
			assert.NotContains(w.t, c.get(w.matter("/documents/folders")).Body, "Ghost")
		}},
		{"a PATCH of a fee that does not exist is accepted", "202, then an error event; 404 by option; that of a PUT or DELETE is 404 at once", func(w *witness) {
			c := w.at()
			inbox := subscribe(w.t, w.Server, "error")
			missing := w.matter("/fees/" + w.Firm().StaffID)
			c.do("PATCH", missing, `{"subject":"s"}`).want(202)
			w.Settle()
			n := inbox.wait(1)[0]
			assert.Equal(w.t, []any{"fee", w.Firm().StaffID}, []any{n.at("payload", "resourceName"), n.at("payload", "resourceId")})
			c.do("PUT", missing, `{"subject":"s","feeDate":"2026-03-02"}`).want(404)
			c.do("DELETE", missing, "").want(404)
			w.at(practicetest.WithEarlyNotFound(true)).do("PATCH", w.matter("/fees/"+w.Firm().StaffID), `{"subject":"s"}`).want(404)
		}},
		{"an id in a query is the same in either case", "lists of matters, tasks and balances and a version of a file, asked in capitals", func(w *witness) {
			c := w.at()
			f := w.Firm()
			for path, id := range map[string]string{
				"/matters?ContactId=": f.ContactID, "/tasks?MatterId=": f.MatterID,
				"/bankaccounts/" + f.BankAccountID + "/matter-balances?MatterId=": f.MatterID,
				"/bankaccounts/" + f.BankAccountID + "/transactions?MatterId=":    f.MatterID,
			} {
				size := c.get(path + id).want(200).at("size")
				assert.NotEqual(w.t, json.Number("0"), size, path)
				assert.Equal(w.t, size, c.get(path+strings.ToUpper(id)).want(200).at("size"), path)
			}
			c.get(w.matter("/documents/files/" + f.FileID + "/download?versionId=" + strings.ToUpper(f.VersionID))).want(200)
		}},
		{"an event does not end before it begins", "400 of a POST and of a PUT, a mistake when the body says both", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			const backwards = `{"subject":"s","startTime":"2026-03-02T10:00:00","endTime":"2026-03-02T09:00:00"}`
			c.mistake("POST", "/events", backwards)
			c.mistake("PUT", "/events/"+c.do("POST", "/events", `{"subject":"s"}`).want(202).text("id"), backwards)
			for _, method := range []string{"POST", "PUT"} { // an end without a start determines the start
				path := "/events"
				if method == "PUT" {
					path += "/" + c.do("POST", path, `{"subject":"s"}`).want(202).text("id")
				}
				id := c.do(method, path, `{"subject":"s","endTime":"2001-03-02T09:00:00"}`).want(202).text("id")
				assert.Equal(w.t, "2001-03-02T08:30:00", c.get("/events/"+id).text("startTime"))
			}
		}},
		{"a create takes no id that a record has", "409, and the record stays, whoever made it and whatever it is", func(w *witness) {
			c := w.at()
			before := c.get("/tasks/" + w.Firm().TaskID).Body
			for _, id := range []string{w.Firm().TaskID, strings.ToUpper(w.Firm().TaskID), w.Firm().ContactID} {
				c.with("ResourceId", id).do("POST", "/tasks", `{"subject":"s","staffId":"`+w.Firm().StaffID+`"}`).want(409)
			}
			w.Settle()
			assert.Equal(w.t, before, c.get("/tasks/"+w.Firm().TaskID).Body)
		}},
	}
}

func statementsOfTheRoot() []statement {
	return []statement{
		{"subscriptions end with the access of their user", "who granted it leaves: no refresh, no subscription, no delivery", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			client := c.asClient()
			client.get("/webhooks/" + w.Firm().WebhookID).want(200)
			c.do("DELETE", "/staff/"+w.Firm().StaffIDs[0], "").want(202)
			client.get("/webhooks/" + w.Firm().WebhookID).want(404)
			w.Emit(practicetest.Event{Type: "stageset.updated"})
			require.NoError(w.t, w.Flush(w.t.Context()))
			assert.Empty(w.t, w.Deliveries())
		}},
	}
}
