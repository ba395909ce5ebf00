package practicetest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestRequestsAreRecorded(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start))
	folders := "/matters/" + s.Firm().MatterID + "/documents/folders"
	c := call(t, s)
	a := c.with("RequestId", "r-1").do("POST", folders, `{"name":"n"}`).want(202)
	assert.Equal(t, "r-1", a.Header.Get("RequestId"), "the RequestId comes back")
	s.Tolerate(func() {
		lost := c.with("RequestId", "r-2").get("/nothing?a=%20b").want(404)
		assert.Equal(t, []string{"r-2", "r-2"}, []string{lost.Header.Get("RequestId"), lost.text("traceId")}, "with an error, too")
	})
	assert.NotContains(t, c.get("/bankaccounts").Header, "Requestid")
	grant(t, s, clientCredentials())

	got := s.Requests()
	require.Len(t, got, 4)
	first := got[0]
	assert.Equal(t, []any{practicetest.PartAPI, "createFolder", "POST", "/practice/v1" + folders, 202, "r-1", `{"name":"n"}`, int64(12), start},
		[]any{first.Part, first.Operation, first.Method, first.Path, first.Status, first.RequestID, string(first.Body), first.BodyBytes, first.When})
	assert.Equal(t, s.Credentials().APIKey, first.Header.Get("x-api-key"))
	assert.Equal(t, []any{"", "a=%20b", 404}, []any{got[1].Operation, got[1].RawQuery, got[1].Status})
	assert.Equal(t, []any{practicetest.PartToken, "token", 200}, []any{got[3].Part, got[3].Operation, got[3].Status})

	first.Header.Set("x-api-key", "changed")
	assert.NotEqual(t, "changed", s.Requests()[0].Header.Get("x-api-key"), "it is a copy")
	s.ResetRequests()
	assert.Empty(t, s.Requests())
}

func TestTheRecordIsBounded(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithRequestLog(2))
	for _, path := range []string{"/bankaccounts", "/webhooks", "/events"} {
		call(t, s).get(path)
	}
	assert.Len(t, s.Requests(), 2)
	assert.Equal(t, "listEvents", s.Requests()[1].Operation)
	up := call(t, s).get("/matters/" + s.Firm().MatterID + "/documents/files/" + s.Firm().FileID + "/upload").text("uploadUrl")
	const kept = 64 << 10
	call(t, s).put(up, strings.Repeat("x", 3*kept))
	last := s.Requests()[1]
	assert.Equal(t, []any{kept, int64(3 * kept)}, []any{len(last.Body), last.BodyBytes})

	none := practicetest.New(t, practicetest.WithRequestLog(0))
	call(t, none).get("/bankaccounts").want(200)
	assert.Empty(t, none.Requests())
}

func TestARequestIsHandedOverWhenItWasAnswered(t *testing.T) {
	t.Parallel()
	var told []practicetest.RecordedRequest
	s := practicetest.New(t, practicetest.WithRequestLog(0), practicetest.WithRequestHandler(func(r practicetest.RecordedRequest) {
		told = append(told, r)
	}))
	s.Inject(practicetest.Fault{Operation: "getStaff", Kind: practicetest.FaultStatus, Status: 503})
	call(t, s).get("/staff/" + s.Firm().StaffID).want(503)
	call(t, s).get("/bankaccounts").want(200)
	require.NoError(t, s.Close()) // waits for the handlers
	require.Len(t, told, 2)
	assert.Equal(t, []any{"getStaff", 503}, []any{told[0].Operation, told[0].Status})
	assert.Equal(t, []any{"listBankAccounts", 200, practicetest.PartAPI}, []any{told[1].Operation, told[1].Status, told[1].Part})
}
