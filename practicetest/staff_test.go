package practicetest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestSomeStaffRecordsLeaveOutWhatIsEmpty(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	member := call(t, s).get("/staff/" + s.Firm().StaffIDs[2]).want(200).json()
	assert.NotContains(t, member, "title")
	assert.NotContains(t, member, "rate")
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
