package practicetest_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// These statements are documented in prose and concern the values of members.
// internal/operations/testdata/published_sentences.txt refers to them.

// statementsOfMatters returns the statements about matters and the records
// below them.
func statementsOfMatters() []statement {
	return []statement{
		{"while the credit is split, who brought a matter stays", "each of two members is refused, late if need be; with other shares, or without a split, it changes", func(w *witness) {
			c := w.at()
			split := func(on bool, staff string) string {
				return fmt.Sprintf(`{"originatingStaffId":null,"originatingStaffIds":[%q],"splitOriginatingStaffSettings":{"isEnabled":%t,"splitMethod":"SplitEvenly","splitMatterStaffs":[{"matterStaffId":%q}]}}`, staff, on, staff)
			}
			one, other := w.Firm().StaffIDs[0], w.Firm().StaffIDs[1]
			c.do("PATCH", w.matter(""), split(true, one)).want(202)
			w.Settle()
			c.do("PATCH", w.matter(""), `{"originatingStaffId":"`+other+`"}`).want(400)
			c.do("PATCH", w.matter(""), `{"originatingStaffIds":["`+other+`"]}`).want(400)
			c.do("PATCH", w.matter(""), `{"originatingStaffIds":["`+one+`"]}`).want(202)
			c.do("PATCH", w.matter(""), split(true, other)).want(202)
			c.do("PATCH", w.matter(""), split(false, other)).want(202)
			w.Settle()
			c.do("PATCH", w.matter(""), `{"originatingStaffIds":["`+one+`"]}`).want(202)
			w.Settle()
			c.do("PATCH", w.matter(""), split(true, one)).want(202)
			c.do("PATCH", w.matter(""), `{"originatingStaffIds":["`+other+`"]}`).want(202) // accepted, because the split is still pending
			w.Settle()
			require.Len(w.t, w.LateFailures(), 1)
			assert.Contains(w.t, w.LateFailures()[0], "must not change while the credit is split")
		}},
		{"a layout among the items of a matter has no contact", "400 of each form of the contact; the description of the item changes", func(w *witness) {
			c := w.at()
			item := func(more string) string {
				return `{"items":{"Layouts":[{"id":"` + w.Firm().LayoutItemID + `",` + more + `}]}}`
			}
			c.do("PATCH", w.matter(""), item(`"contactId":"`+w.Firm().ContactID+`"`)).want(400)
			c.do("PATCH", w.matter(""), item(`"contact":{"id":"`+w.Firm().ContactID+`"}`)).want(400)
			c.do("PATCH", w.matter(""), item(`"description":"d"`)).want(202)
		}},
		{"an item below an item has none below it", "a third level is a mistake, an empty one is not", func(w *witness) {
			c := w.at()
			body := func(third string) string {
				return `{"items":{"Client":[{"id":"` + w.Firm().RoleID + `","subItems":{"Solicitor":[{"contactId":"` + w.Firm().RelatedContactID + `","subItems":` + third + `}]}}]}}`
			}
			c.mistake("PATCH", w.matter(""), body(`{"Clerk":[{}]}`))
			c.do("PATCH", w.matter(""), body(`{}`)).want(202)
		}},
		{"an amount belongs to some billing types", "0 is none: it stands beside all eight types", func(w *witness) {
			c := w.at()
			for kind := range 8 {
				status := map[bool]int{true: 202, false: 400}[kind >= 1 && kind <= 4]
				w.Tolerate(func() {
					c.do("PUT", w.matter("/billingconfiguration"), fmt.Sprintf(`{"billingType":%d,"amount":1.5}`, kind)).want(status)
					c.do("PUT", w.matter("/billingconfiguration"), fmt.Sprintf(`{"billingType":%d,"disbursementAmount":1.5}`, kind)).want(status)
				})
				c.do("PUT", w.matter("/billingconfiguration"), fmt.Sprintf(`{"billingType":%d,"amount":0,"disbursementAmount":0.00}`, kind)).want(202)
			}
			c.do("PUT", w.matter("/billingconfiguration"), `{"billingType":1,"amount":5}`).want(202)
			w.Settle()
			c.do("PATCH", w.matter("/billingconfiguration"), `{"billingType":6}`).want(400)
			c.do("PATCH", w.matter("/billingconfiguration"), `{"billingType":6,"amount":0}`).want(202)
		}},
		{"a folder that is replaced without a parent lies in the root", "and so does one whose parent is null", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			for _, more := range []string{"", `,"parentFolderId":null`} {
				c.do("PATCH", w.matter("/documents/folders/"+w.Firm().SubfolderID), `{"parentFolderId":"`+w.Firm().FolderID+`"}`).want(202)
				c.do("PUT", w.matter("/documents/folders/"+w.Firm().SubfolderID), `{"name":"n"`+more+`}`).want(202)
				assert.Contains(w.t, c.get(w.matter("/documents/folders")).Body, w.Firm().SubfolderID)
			}
		}},
		{"a memo is of the day that it names, else of the present", "a plain day is taken", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0), practicetest.WithVirtualClock(start))
			for body, day := range map[string]string{`"createdDateUtc":"2025-02-03",`: "2025-02-03", "": start.UTC().Format(time.DateOnly)} {
				id := c.do("POST", w.matter("/memos"), `{`+body+`"title":"t","text":"x","userId":"`+w.Firm().UserID+`"}`).want(202).text("id")
				assert.True(w.t, strings.HasPrefix(c.get(w.matter("/memos/"+id)).text("createdDate"), day), day)
			}
		}},
		{"a layout item is patched at its own address", "another itemId is a mistake; a contact is removed by its key", func(w *witness) {
			c := w.at()
			c.mistake("PATCH", w.matter("/layouts/"+w.Firm().LayoutItemID), `{"itemId":"`+w.Firm().RoleID+`"}`)
			c.mistake("DELETE", w.matter("/layouts/"+w.Firm().LayoutItemID+"/contacts"), "")
		}},
	}
}

// statementsOfValues returns the statements about other kinds of records, such
// as tasks and fees.
func statementsOfValues() []statement {
	return []statement{
		{"a day wins over an instant", "of a task: when it is due and when it was done", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			f := w.Firm()
			c.do("PUT", "/tasks/"+f.TaskID, `{"staffId":"`+f.StaffID+`","matterId":"`+f.MatterID+`","subject":"s","isCompleted":true,"dueDate":"2026-01-01T00:00:00Z",
				"dueDateOnly":"2026-02-02","completedDate":"2026-01-01T00:00:00Z","completedDateOnly":"2026-03-03"}`).want(202)
			task := c.get("/tasks/" + f.TaskID)
			assert.Equal(w.t, "2026-02-02 2026-03-03", task.text("dueDateOnly")[:10]+" "+task.text("completedDateOnly")[:10])
		}},
		{"a subtask that is done without a day was done today", "and not when it is open", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0), practicetest.WithVirtualClock(start))
			path := "/tasks/" + w.Firm().TaskID + "/subtasks/" + w.Firm().SubtaskID
			c.do("PUT", path, `{"staffId":"`+w.Firm().StaffID+`","subject":"s","isCompleted":true}`).want(202)
			assert.Equal(w.t, start.UTC().Format(time.DateOnly), c.get(path).text("completedDateOnly")[:10])
		}},
		{"the activity that a fee was made from is that of its creation", "a later body changes nothing of it", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			body := func(activity string) string {
				return `{"subject":"s","feeDate":"2026-01-02","createdFromActivityId":"` + activity + `"}`
			}
			id := c.do("POST", w.matter("/fees"), body(w.Firm().EventID)).want(202).text("id")
			c.do("PUT", w.matter("/fees/"+id), body(w.Firm().TaskID)).want(202)
			assert.Equal(w.t, w.Firm().EventID, c.get(w.matter("/fees/"+id)).text("createdFromActivityId"))
		}},
		{"an empty user unties no staff member", "and nothing unties one but the firm users", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			for _, user := range []string{"", `"userId":"",`, `"userId":null,`} {
				c.do("PUT", "/staff/"+w.Firm().StaffID, `{`+user+`"firstName":"A","lastName":"B"}`).want(202)
				c.get("/firmusers/" + w.Firm().UserID).want(200)
				assert.Contains(w.t, c.get("/firmusers/"+w.Firm().StaffID).Body, w.Firm().UserID)
			}
		}},
		{"a promotion for those who sign up is not for a subscription", "400, while one that has a further occasion is taken", func(w *witness) {
			c := w.at()
			for occasions, status := range map[string]int{"Signup": 400, "Signup Manual": 202} {
				var usage []models.PromotionUsage
				for _, one := range strings.Fields(occasions) {
					usage = append(usage, models.PromotionUsage(one))
				}
				id := w.AddPromotion(models.Promotion{Name: "n", Active: models.Some(true), Usage: usage})
				c.do("POST", "/subscriptions/"+w.Firm().SubscriptionID+"/promotions/"+id, "").want(status)
			}
		}},
		{"a charge needs a product, a price in force and a paid subscription", "400 of a product without a subscription, of an unknown price, and when it is cancelled; 403 without the permission", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			path := "/subscriptions/" + w.Firm().SubscriptionID
			c.do("POST", path+"/usages/"+w.Firm().UsageID+"/charges", `{}`).want(202)
			c.do("POST", path+"/usages/"+w.Firm().NewUsageID+"/charges", `{}`).want(400)
			c.do("POST", path+"/usages/"+w.Firm().UsageID+"/charges", `{"priceId":"`+nobody+`"}`).want(400)
			c.do("PATCH", "/subscriptions/settings", `{"usageAccessPermission":"SelectedUsers","usageAccessSelectedUserIds":["`+w.Firm().ColleagueUserID+`"]}`).want(202)
			c.do("POST", path+"/usages/"+w.Firm().UsageID+"/charges", `{}`).want(403)
			c.do("POST", path+"/charges/"+w.Firm().ChargeID+"/cancel", `{}`).want(403)
			c.do("PATCH", "/subscriptions/settings", `{"usageAccessPermission":"AllUsers"}`).want(202)
			c.do("PATCH", path+"/cancel", `{"cancellationType":"Immediate","cancelSubscription":true}`).want(200)
			c.do("POST", path+"/usages/"+w.Firm().UsageID+"/charges", `{}`).want(400)
			c.do("PATCH", path, `{"interval":"Yearly"}`).want(400)
		}},
		{"the minutes of a fee are those of its source items, if it has any", "the duration of the body counts without them", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			amount := func(items string) any {
				c.do("PUT", w.matter("/fees/"+w.Firm().FeeID), `{"subject":"s","feeDate":"2026-01-02","feeType":1,"rate":60,"isBillable":true,"duration":30,"sourceItems":`+items+`}`).want(202)
				return c.get(w.matter("/fees/" + w.Firm().FeeID)).at("amount")
			}
			assert.Equal(w.t, json.Number("30.00"), amount(`[]`))
			assert.Equal(w.t, json.Number("90.00"), amount(`[{"duration":40,"isBillable":true},{"duration":50}]`))
			assert.Equal(w.t, json.Number("40.00"), c.get(w.matter("/fees/"+w.Firm().FeeID)).at("billableAmountExcTax"))
		}},
		{"a layout item without contacts is 404", "of its contacts alone", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			path := w.matter("/layouts/" + w.Firm().LayoutItemID)
			for _, one := range c.get(path + "/contacts").want(200).json().([]any) {
				c.do("DELETE", path+"/contacts?key="+url.QueryEscape(one.(map[string]any)["key"].(string)), "").want(202)
			}
			c.get(path + "/contacts").want(404)
			c.get(path).want(200)
		}},
		{"a tier comes with its own interval", "the yearly subscription that names a tier alone is monthly", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			path := "/subscriptions/" + w.Firm().SubscriptionID
			c.do("PATCH", path, `{"interval":"Yearly"}`).want(202)
			assert.Equal(w.t, "Yearly", c.get(path).text("interval"))
			c.do("PATCH", path, `{"tierId":"`+w.Firm().TierID+`"}`).want(202)
			assert.Equal(w.t, "Monthly", c.get(path).text("interval"))
		}},
		{"the product of a path wins over that of the query", "the charges of one usage product", func(w *witness) {
			c := w.at()
			path := "/subscriptions/" + w.Firm().SubscriptionID + "/usages/" + w.Firm().UsageID + "/charges"
			assert.Equal(w.t, c.get(path).at("size"), c.get(path+"?ProductId="+w.Firm().NewUsageID).at("size"))
		}},
	}
}
