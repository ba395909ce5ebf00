package practicetest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

// TestARuleIsAMistakeOfTheBodyOrAConflict checks that a request is a violation
// if its body alone is wrong, and is none if it is wrong only because of the
// state or the caller.
func TestARuleIsAMistakeOfTheBodyOrAConflict(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	c, f := call(t, s), s.Firm()
	fee, folder := "/matters/"+f.MatterID+"/fees/"+f.FeeID, "/matters/"+f.MatterID+"/documents/folders/"+f.FolderID
	c.mistake("POST", "/matters/"+f.MatterID+"/portal/messages", `{"message":"m"}`)
	c.mistake("PATCH", fee, `{"taxExempt":true,"taxOutOfScope":true}`)
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
