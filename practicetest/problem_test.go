package practicetest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

// TestMistakesAreReportedAndConflictsAreNot checks that a request is a
// violation if it is wrong in any state of the service, and is none if it is
// wrong only because of the state or the caller.
func TestMistakesAreReportedAndConflictsAreNot(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	c, f := call(t, s), s.Firm()
	fee, folder := "/matters/"+f.MatterID+"/fees/"+f.FeeID, "/matters/"+f.MatterID+"/documents/folders/"+f.FolderID
	for says, request := range map[string][3]string{
		"id: must be a UUID":                                 {"GET", "/staff/me", ""},
		"type: must be one of":                               {"GET", "/bankaccounts?type=1", ""},
		"contactId: is required":                             {"POST", "/matters/" + f.MatterID + "/portal/messages", `{"message":"m"}`},
		"relatedContactId: must be the contact":              {"PUT", "/contacts/" + f.ContactID + "/relations/" + f.RelatedContactID, `{"relatedContactId":"` + f.StaffID + `"}`},
		"isDeleted: must be false":                           {"PATCH", folder, `{"isDeleted":true}`},
		"eventTypes: the event type":                         {"PUT", "/webhooks/" + f.WebhookID, `{"eventTypes":["matter.exploded"]}`},
		"eventTypes: must not be empty":                      {"PUT", "/webhooks/" + f.WebhookID, `{"eventTypes":[]}`},
		"eventNotificationUrl: must be an":                   {"PUT", "/webhooks/" + f.WebhookID, `{"eventNotificationUrl":"/in"}`},
		"taxOutOfScope: must not be combined with taxExempt": {"PATCH", fee, `{"taxExempt":true,"taxOutOfScope":true}`},
		"isWrittenOff: requires isBillable to be true":       {"PATCH", fee, `{"isWrittenOff":true,"isBillable":false}`},
	} {
		violations := s.Tolerate(func() { c.do(request[0], request[1], request[2]).want(400) })
		if assert.Len(t, violations, 1, says) {
			assert.Contains(t, violations[0], says)
		}
	}
	c.do("PATCH", fee, `{"taxExempt":true}`).want(202)
	s.Settle()
	c.do("PATCH", fee, `{"taxOutOfScope":true}`).want(400)
	c.do("PATCH", fee, `{"staffId":"`+f.OtherFirmStaffID+`"}`).want(400)
	c.do("PATCH", folder, `{"parentFolderId":"`+f.FolderID+`"}`).want(400)
	c.with("x-api-key", "another").get("/staff/" + f.StaffID).want(403)
	assert.Empty(t, s.Violations())
}

func TestSomeRefusalsHaveNoBody(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		method, path, body string
		fault              string // operation for which a fault is injected
		status             int
		bare               bool
	}{
		"an edit of a webhook of another account": {"PUT", "/webhooks/{OtherFirmWebhookID}", `{}`, "", 403, true},
		"a webhook of another account":            {"GET", "/webhooks/{OtherFirmWebhookID}", "", "", 403, false},
		"a subscription that fails":               {"GET", "/subscriptions/{plan}", "", "getSubscription", 500, true},
		"promotions that fail":                    {"GET", "/subscriptions/promotions", "", "listPromotions", 500, true},
		"a payment method that fails":             {"GET", "/subscriptions/{plan}/paymentmethods/{payment}", "", "getPaymentMethod", 500, true},
		"tiers that fail":                         {"GET", "/subscriptions/tiers", "", "listTiers", 500, false},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			s := practicetest.New(t)
			if tt.fault != "" {
				s.Inject(practicetest.Fault{Operation: tt.fault, Status: tt.status})
			}
			got := call(t, s).do(tt.method, identifiers(s.Firm()).Replace(tt.path), tt.body)
			assert.Equal(t, tt.status, got.Status)
			assert.Equal(t, tt.bare, got.Body == "", got.Body)
		})
	}
}
