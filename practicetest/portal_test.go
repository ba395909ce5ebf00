package practicetest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestPortalMessages(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithWriteDelay(time.Second))
	f := s.Firm()
	path := "/matters/" + f.MatterID + "/portal/messages"
	body := `{"message":"Please sign.\nThanks","contactId":"` + f.ContactID + `","requireMFA":true}`
	a := call(t, s).asClient().with("UserId", f.UserID).with("RequestId", "r").do("POST", path, body).want(202)
	assert.Empty(t, a.Body)
	assert.Empty(t, s.PortalMessages(), "not sent yet")
	s.Clock().Advance(time.Second)
	assert.Equal(t, []practicetest.PortalMessage{{
		MatterID: f.MatterID, ContactID: f.ContactID, UserID: f.UserID, Text: "Please sign.\nThanks", RequireMFA: true,
		RequestID: "r", Sent: start.Add(time.Second),
	}}, s.PortalMessages())

	call(t, s).do("POST", path, `{"message":"x","contactId":"`+f.ContactID+`"}`).want(202)
	s.Settle()
	assert.Equal(t, s.Credentials().UserID, s.PortalMessages()[1].UserID, "a user's token needs no UserId")
	assert.Len(t, s.Tolerate(func() {
		refused := call(t, s).asClient().do("POST", path, body).want(400)
		assert.Equal(t, "UserId", refused.text("errors", 0, "field"))
	}), 1)
	call(t, s).mistake("POST", path, `{"message":"x"}`)
}
