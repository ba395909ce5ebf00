package practicetest_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestResetMakesTheServiceNew(t *testing.T) {
	t.Parallel()
	inMemoryAndOverTCP(t, func(t *testing.T, s *practicetest.Server) {
		firm, credentials := s.Firm(), s.Credentials()
		c := call(t, s)
		staff, folder := "/staff/"+firm.StaffID, "/matters/"+firm.MatterID+"/documents/folders/"+firm.FolderID

		inbox := subscribe(t, s, "error")
		s.Emit(practicetest.Event{Type: "error"})
		inbox.wait(1)
		c.do("DELETE", staff, "").want(202)
		c.do("POST", "/matters/"+firm.MatterID+"/documents/folders", `{"name":"n","parentFolderId":"`+firm.FolderID+`"}`).want(202)
		s.Settle()
		s.ExpireTokens()
		s.FailWrite("deleteStaff", "doomed")
		s.Inject(practicetest.Fault{Operation: "getStaff", Status: http.StatusForbidden, Times: -1})
		s.Clock().Advance(time.Hour)

		s.Reset()
		assert.Equal(t, firm, s.Firm())
		assert.Equal(t, credentials, s.Credentials())
		assert.Empty(t, s.Requests())
		assert.Empty(t, s.Deliveries())
		assert.Equal(t, false, c.get(staff).want(200).at("former"))
		assert.NotContains(t, c.get(folder).want(200).Body, `"name":"n"`)
		assert.Contains(t, c.get("/webhooks").want(200).Body, `"size":1,`, "the subscription is gone")
		c.do("DELETE", staff, "").want(202)
		s.Settle()
		assert.Equal(t, true, c.get(staff).want(200).at("former"), "no write is doomed")
	})
}

func TestResetGivesUpWhatWaits(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithClock(start), practicetest.WithWriteDelay(time.Minute), practicetest.WithWebhookRedeliveries(3))
	c, staff := call(t, s), "/staff/"+s.Firm().StaffID
	c.do("DELETE", staff, "").want(202)
	s.Emit(practicetest.Event{Type: "layoutdesign.updated"})
	s.Reset()
	s.Clock().Advance(10 * time.Minute)
	s.Settle()
	assert.Equal(t, false, c.get(staff).want(200).at("former"))
	assert.NoError(t, s.Flush(t.Context()), "no notification is left")
}
