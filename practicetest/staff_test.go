package practicetest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestAStaffMemberLeaves(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	f := s.Firm()
	before := call(t, s).get("/staff/" + f.StaffID).want(200)
	assert.Equal(t, []any{false, true, f.UserID}, []any{before.at("former"), before.at("enabled"), before.at("userId")})
	assert.NotNil(t, before.at("outOfOffice"))
	link := call(t, s).do("DELETE", "/staff/"+f.StaffID, "").want(202)
	assert.Equal(t, []any{f.StaffID, s.BaseURL() + "/staff/" + f.StaffID}, []any{link.at("id"), link.at("href")})
	after := call(t, s).get("/staff/" + f.StaffID).want(200)
	assert.Equal(t, []any{true, false, nil, nil}, []any{after.at("former"), after.at("enabled"), after.at("userId"), after.at("outOfOffice")})
	assert.NotEqual(t, before.at("versionId"), after.at("versionId"))
	call(t, s).do("DELETE", "/staff/"+f.StaffID, "").want(202)
}

func TestSomeStaffRecordsLeaveOutWhatIsEmpty(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	a := call(t, s).get("/staff/" + s.Firm().StaffIDs[2]).want(200)
	assert.Equal(t, map[string]any{}, a.at("cell"))
	assert.NotContains(t, a.json(), "title")
	assert.NotContains(t, a.json(), "rate")
	former := call(t, s).get("/staff/" + s.Firm().StaffIDs[5]).want(200)
	assert.Equal(t, true, former.at("former"))
}
