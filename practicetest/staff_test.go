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

// TestAFormerStaffMemberStaysOne checks that access cannot be restored: the API
// has no operation for that.
func TestAFormerStaffMemberStaysOne(t *testing.T) {
	t.Parallel()
	for name, former := range map[string]string{"that leaves former out": "", "that says no": `,"former":false`} {
		s := practicetest.New(t, practicetest.WithWriteDelay(0))
		f, c := s.Firm(), call(t, s).asClient()
		c.do("DELETE", "/users/"+f.UserID, "").want(202)
		c.do("PUT", "/staff/"+f.StaffID, `{"firstName":"A","lastName":"B","email":"a@b.example","userId":"`+f.UserID+`"`+former+`}`).want(202)
		member := c.get("/staff/" + f.StaffID).want(200)
		assert.Equal(t, []any{true, false, "A"}, []any{member.at("former"), member.at("enabled"), member.at("firstName")}, name)
		c.with("UserId", f.UserID).get("/firm").want(401)
	}
}
