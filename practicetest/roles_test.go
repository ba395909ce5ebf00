package practicetest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestRoles(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	f := s.Firm()
	role := call(t, s).get("/matters/" + f.MatterID + "/roles/" + f.RoleID + "/relationships").want(200)
	assert.Equal(t, f.ContactID, role.text("relationships", 0, "contact", "id"))
	assert.Equal(t, map[string]any{"href": "/firm/", "rel": "Firm"}, role.at("relationships", 1, "contact"))
	assert.Nil(t, role.at("relationships", 1, "representatives"))
}
