package practicetest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// members adds the paths of all members below a value to into. [] stands for
// array items.
func members(v any, at string, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			into[at+"."+name] = true
			members(inner, at+"."+name, into)
		}
	case []any:
		for _, inner := range v {
			members(inner, at+"[]", into)
		}
	}
}

// TestAnswersHaveTheMembersOfTheSamples checks that responses have the members
// of the API's samples. It ignores free-form members, and link members that
// occur in one spelling only.
func TestAnswersHaveTheMembersOfTheSamples(t *testing.T) {
	t.Parallel()
	f := practicetest.New(t).Firm()
	matter, contact := "/matters/"+f.MatterID, "/contacts/"+f.ContactID
	const hook = `{"name":"Matters","eventTypes":["matter.created"],"eventNotificationUrl":"https://hooks.example.test/in?x=1","key":"k"}`
	tests := map[string]struct {
		method, path, body string
		status             int
		without            []string // members of the sample that the service omits, with the reason
	}{
		"addContactTags.full":         {"POST", contact + "/tags", `["VIP","überwichtig"]`, 201, nil},
		"createFile.full":             {"POST", matter + "/documents/files", `{"fileName":"letter.docx"}`, 202, nil},
		"createFolder.full":           {"POST", matter + "/documents/folders", `{"name":"Case files","parentFolderId":null}`, 202, nil},
		"createWebhook.full":          {"POST", "/webhooks", hook, 200, nil},
		"deleteStaff.full":            {"DELETE", "/staff/" + f.StaffID, "", 202, nil},
		"getExpense.full":             {"GET", matter + "/expenses/" + f.ExpenseID, "", 200, nil},
		"getFileDownload.full":        {"GET", matter + "/documents/files/" + f.FileID + "/download", "", 200, nil},
		"getFileUpload.full":          {"GET", matter + "/documents/files/" + f.FileID + "/upload", "", 200, nil},
		"getFolder.page":              {"GET", matter + "/documents/folders/" + f.FolderID + "?offset=2&limit=2", "", 200, nil},
		"getMatterRelationships.full": {"GET", matter + "/roles/" + f.RoleID + "/relationships", "", 200, nil},
		"getRootFolder.full": {"GET", matter + "/documents/folders", "", 200, []string{
			".previous", ".next", // null in the sample
			".value[].files[].folder.href", // in the sample of a file that is not in the root
		}},
		"getStaff.full":              {"GET", "/staff/" + f.StaffID, "", 200, nil},
		"getSubscription.full":       {"GET", "/subscriptions/" + f.SubscriptionID, "", 200, nil},
		"listBankAccounts.full":      {"GET", "/bankaccounts", "", 200, nil},
		"listContactRelations.full":  {"GET", contact + "/relations", "", 200, nil},
		"listEvents.full":            {"GET", "/events?Limit=20", "", 200, nil},
		"listPromotions.paged":       {"GET", "/subscriptions/promotions", "", 200, nil},
		"listPromotions.array":       {"GET", "/subscriptions/promotions", "", 200, nil},
		"listWebhookTypes.full":      {"GET", "/webhooks/types", "", 200, nil},
		"listWebhooks.full":          {"GET", "/webhooks", "", 200, nil},
		"patchFee.full":              {"PATCH", matter + "/fees/" + f.FeeID, `{"subject":"Review lease"}`, 202, nil},
		"removeContactTags.full":     {"DELETE", contact + "/tags/" + f.TagID, "", 202, nil},
		"updateContactRelation.full": {"PUT", contact + "/relations/" + f.RelatedContactID, `{"businessRole":null}`, 202, nil},
	}
	files, err := filepath.Glob("testdata/samples/*.json")
	require.NoError(t, err)
	require.Len(t, tests, len(files), "every sample has its row")
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := practicetest.New(t, practicetest.WithBarePromotions(name == "listPromotions.array"), practicetest.WithVirtualClock(start))
			a := call(t, s).do(tt.method, tt.path, tt.body).want(tt.status)
			assert.Equal(t, "application/json; charset=utf-8", a.Header.Get("Content-Type"))
			raw, err := os.ReadFile("testdata/samples/" + name + ".json")
			require.NoError(t, err)
			var sample any
			require.NoError(t, json.Unmarshal(raw, &sample))
			wanted, got := map[string]bool{}, map[string]bool{}
			members(sample, "", wanted)
			members(a.json(), "", got)
			for path := range wanted {
				free := strings.Contains(path, "additionalData.") || strings.Contains(path, ".metadata.") ||
					slices.Contains(tt.without, path)
				if !free && !got[path] {
					t.Errorf("the answer lacks %s", path)
				}
			}
		})
	}
}
