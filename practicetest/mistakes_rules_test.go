package practicetest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

// wrongByRule returns bodies that violate a rule about several members, or
// contain a text that cannot be the id of a record.
func wrongByRule() []wrongBodies {
	const (
		client, kind, open = `"clientIds":["{contact}"],`, `"matterTypeId":"{MatterTypeID}",`, `"status":"Open"`
		share              = `"originatingStaffIds":["{staff}"],"splitOriginatingStaffSettings":{"isEnabled":true,"splitMethod":"UseRatio","splitMatterStaffs":[`
		payment            = `{"matterId":"{matter}","amount":1,"payeeId":"{contact}","payorId":"{contact}","reason":"x",`
		meeting            = `"startTime":"2026-05-05T10:00:00","endTime":"2026-05-05T11:00:00","timeZone":"UTC"`
	)
	return []wrongBodies{
		{"POST", "/matters", [][2]string{
			{`{` + kind + open + `}`, "clientIds: is required"}, {`{` + client + open + `}`, "matterTypeId: is required"},
			{`{` + client + kind[:len(kind)-1] + `}`, "status: is required"},
			{`{` + client + kind + open + `,` + share + `{"matterStaffId":"{staff}","matterStaffRatio":9000}]}}`, "must add up to 10000"},
			{`{` + client + kind + open + `,` + share[:len(share)-len(`"splitMethod":"UseRatio","splitMatterStaffs":[`)] + `"splitMatterStaffs":[]}}`, "exactly once"},
			{`{` + client + kind + open + `,"clientRole":"Buyer","otherSideRole":"Buyer"}`, "must differ"},
		}},
		{"PATCH", "/matters/{matter}", [][2]string{
			{`{` + share + `{"matterStaffId":"{staff}","matterStaffRatio":9000}]}}`, "must add up to 10000"},
			{`{"items":{"Client":[]}}`, "at least one entry"}, {`{"items":{"Client":[{"id":"5"}]}}`, "id: must be a valid"},
			{`{"items":{"Client":[{"id":"{role}","subItems":{"Solicitor":[{"id":"5"}]}}]}}`, "id: must be a valid"},
		}},
		{"PATCH", "/matters/{matter}/documents/folders/{folder}", [][2]string{{`{"isDeleted":true}`, "isDeleted: must be false"}}},
		{"POST", "/matters/{matter}/tags", [][2]string{{`[{"id":"5","type":"Staff"}]`, "[0].id: must be a valid staff member id"}}},
		{"POST", "/matters/{matter}/layouts", [][2]string{{`{"layoutDesignId":"{LayoutDesignID}","parentItemId":"5"}`, "parentItemId: must be a valid"}}},
		{"PATCH", "/matters/{matter}/layouts/{LayoutItemID}", [][2]string{
			{`{"parentItemId":"5"}`, "parentItemId: must be a valid"}, {`{"parentItemId":"{LayoutItemID}"}`, "parentItemId: must not be"},
		}},
		{"POST", "/events", [][2]string{{`{` + meeting + `,"externalAttendees":["{contact}"]}`, "externalAttendees: must be empty for an event without a matter"}}},
		{"PUT", "/groups/{GroupID}", [][2]string{{`{"principalIds":["{GroupID}"]}`, "must not contain the group itself"}}},
		{"PATCH", "/subscriptions/{plan}/cancel", [][2]string{{`{"cancellationType":"Date","cancelSubscription":true}`, "cancelAt: is required"}}},
		{"POST", "/bankaccounts/{BankAccountID}/requisitions", [][2]string{{payment + `"source":"Bank Transfer"}`, "accountName: is required"}}},
		{"POST", "/tasks/{TaskID}/documents", [][2]string{
			{`{"type":0,"documentId":"5"}`, "documentId: must be a valid"}, {`{"type":2,"documentId":"5"}`, "documentId: must be a valid"},
		}},
		{"POST", "/policies", [][2]string{
			{`{"resourceId":"garbage"}`, "resourceId: must be a valid matter id"}, {`{"resourceId":"matters/5"}`, "resourceId: must be a valid matter id"},
			{`{"resourceId":"matters","rules":[{"principalId":"{user}","resourceId":"nonsense","operation":"Access","type":1}]}`, "must be a valid matter id"},
		}},
	}
}

func TestWhatTheStateDecidesIsNoMistake(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct{ method, path, body string }{
		"the other half of a rule is known to the service": {"PATCH", "/matters/{matter}", `{"originatingStaffIds":["{staff}"],"splitOriginatingStaffSettings":{"isEnabled":true,"splitMethod":"SplitEvenly","splitMatterStaffs":[]}}`},
		"an item that there is not":                        {"PATCH", "/matters/{matter}", `{"items":{"Client":[{"id":"` + nobody + `"}]}}`},
		"a parent that there is not":                       {"PATCH", "/matters/{matter}/layouts/{LayoutItemID}", `{"parentItemId":"` + nobody + `"}`},
		"a matter that there is not":                       {"POST", "/policies", `{"resourceId":"matters/` + nobody + `"}`},
		"a staff member that there is not":                 {"POST", "/matters/{matter}/tags", `[{"id":"` + nobody + `","type":"Staff"}]`},
		"a memo that there is not":                         {"POST", "/tasks/{TaskID}/documents", `{"type":2,"documentId":"` + nobody + `"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := practicetest.New(t)
			names := identifiers(s.Firm())
			got := call(t, s).do(one.method, names.Replace(one.path), names.Replace(one.body))
			assert.Equal(t, 400, got.Status, got.Body)
		})
	}
}
