package practicetest_test

import (
	"fmt"
	"net/url"
	"path"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

// pendingWrites creates records that are not visible yet and refers to them.
type pendingWrites struct {
	caller
	practicetest.Firm
}

// made sends a create and returns the id of the future record.
func (w pendingWrites) made(at, body string) string {
	w.t.Helper()
	a := w.do("POST", at, body).want(202)
	if href, _ := a.at("href").(string); href != "" {
		address, err := url.Parse(href)
		require.NoError(w.t, err)
		return path.Base(address.Path)
	}
	return a.text("fileId")
}

func (w pendingWrites) below(rest string) string { return "/matters/" + w.MatterID + rest }

func (w pendingWrites) method() string {
	w.t.Helper()
	return w.made("/subscriptions/"+w.SubscriptionID+"/paymentmethods", `{"paymentSystemId":"PROCESSOR","paymentInformation":{}}`)
}

func (w pendingWrites) user() string {
	w.t.Helper()
	return w.made("/users", `{"email":"brand.new@example.test"}`)
}

func (w pendingWrites) person() string {
	w.t.Helper()
	return w.made("/contacts", `{"person":{"firstName":"P","lastName":"Q"}}`)
}

func (w pendingWrites) matter(client string) string {
	w.t.Helper()
	return w.made("/matters", fmt.Sprintf(`{"clientIds":[%q],"matterTypeId":%q,"status":"Open"}`, client, w.MatterTypeID))
}

func (w pendingWrites) role() string {
	w.t.Helper()
	return w.made(w.below("/roles"), fmt.Sprintf(`{"name":"Agent2","contactId":%q}`, w.ContactID))
}

// referencesToPending returns writes that refer to a record which is not
// visible yet.
func referencesToPending() map[string]func(pendingWrites) answer {
	return map[string]func(w pendingWrites) answer{
		"a memo of a task": func(w pendingWrites) answer {
			memo := w.made(w.below("/memos"), `{"title":"t","text":"x"}`)
			return w.do("POST", "/tasks/"+w.TaskID+"/documents", fmt.Sprintf(`{"type":2,"documentId":%q}`, memo))
		},
		"a file of a task": func(w pendingWrites) answer {
			file := w.made(w.below("/documents/files"), `{"fileName":"x.txt"}`)
			return w.do("POST", "/tasks/"+w.TaskID+"/documents", fmt.Sprintf(`{"type":0,"documentId":%q}`, file))
		},
		"a user of a staff member": func(w pendingWrites) answer {
			return w.do("PUT", "/firmusers/"+w.StaffIDs[2], fmt.Sprintf(`{"userId":%q}`, w.user()))
		},
		"a staff member of a user": func(w pendingWrites) answer {
			member := w.made("/staff", `{"firstName":"A","lastName":"B","email":"a@b.example"}`)
			return w.do("PUT", "/firmusers/"+w.NewcomerUserID, fmt.Sprintf(`{"staffId":%q,"userId":%q}`, member, w.NewcomerUserID))
		},
		"a payment method that becomes the default": func(w pendingWrites) answer {
			return w.do("PUT", "/subscriptions/"+w.SubscriptionID+"/paymentmethods", fmt.Sprintf(`{"paymentMethodId":%q}`, w.method()))
		},
		"a payment method that pays a usage product": func(w pendingWrites) answer {
			return w.do("POST", "/subscriptions/"+w.SubscriptionID+"/usages/"+w.NewUsageID, fmt.Sprintf(`{"defaultPaymentMethodId":%q}`, w.method()))
		},
		"a payment method that takes the place of another": func(w pendingWrites) answer {
			return w.do("DELETE", "/subscriptions/"+w.SubscriptionID+"/paymentmethods/"+w.PaymentMethodID, fmt.Sprintf(`{"newDefaultPaymentMethodId":%q}`, w.method()))
		},
		"a matter whose client is a guest": func(w pendingWrites) answer {
			return w.do("POST", "/events", fmt.Sprintf(`{"subject":"x","matterId":%q,"externalAttendees":[%q]}`, w.matter(w.ContactID), w.ContactID))
		},
		"a role that an item changes": func(w pendingWrites) answer {
			return w.do("PATCH", w.below(""), fmt.Sprintf(`{"items":{"Agent2":[{"id":%q,"description":"d"}]}}`, w.role()))
		},
		"a layout that an item changes": func(w pendingWrites) answer {
			layout := w.made(w.below("/layouts"), fmt.Sprintf(`{"layoutDesignId":%q,"values":[]}`, w.LayoutDesignID))
			return w.do("PATCH", w.below(""), fmt.Sprintf(`{"items":{"Layout":[{"id":%q,"description":"d"}]}}`, layout))
		},
		"a role above a layout": func(w pendingWrites) answer {
			return w.do("POST", w.below("/layouts"), fmt.Sprintf(`{"layoutDesignId":%q,"parentItemId":%q,"values":[]}`, w.LayoutDesignID, w.role()))
		},
	}
}

// TestAReferenceToWhatIsNotVisibleYetIsNoMistake covers each handler that looks
// up records itself. The references in the API description share one check.
func TestAReferenceToWhatIsNotVisibleYetIsNoMistake(t *testing.T) {
	t.Parallel()
	for mode, status := range map[practicetest.PendingReferences]int{
		practicetest.PendingAccepted: 202, practicetest.PendingRefused: 404, practicetest.PendingFails: 202,
	} {
		for name, refer := range referencesToPending() {
			t.Run(fmt.Sprint(name, " ", mode), func(t *testing.T) {
				t.Parallel()
				s, _ := consistent(t, practicetest.Consistency{MinDelay: time.Hour, MaxDelay: time.Hour, Pending: mode})
				inbox := subscribe(t, s, "error")
				refer(pendingWrites{call(t, s), s.Firm()}).want(status)
				s.Settle()
				failures := inbox.wait(map[bool]int{true: 1, false: 0}[mode == practicetest.PendingFails])
				for _, one := range failures {
					assert.Contains(t, one.text("payload", "message"), "not visible yet")
				}
			})
		}
	}
}

// TestAWriteFollowsAllThatItRefersTo checks that a write takes effect after the
// later of two writes that it refers to, and after its own delay.
func TestAWriteFollowsAllThatItRefersTo(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	for seed := range uint64(8) {
		s, _ := consistent(t, practicetest.Consistency{MinDelay: time.Second, MaxDelay: 10 * time.Minute}, practicetest.WithSeed(seed))
		w := pendingWrites{call(t, s), s.Firm()}
		inbox := subscribe(t, s, "error")
		one, other := w.person(), w.person()
		matter := w.made("/matters", fmt.Sprintf(`{"clientIds":[%q,%q],"matterTypeId":%q,"status":"Open"}`, one, other, w.MatterTypeID))
		event := w.made("/events", fmt.Sprintf(`{"subject":"x","matterId":%q,"externalAttendees":[%q,%q]}`, matter, one, other))
		s.Clock().Advance(20 * time.Minute)
		inbox.wait(0)
		w.get("/events/" + event).want(200)
	}
}
