package practicetest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestPolicies(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	f := s.Firm()
	resource := call(t, s).get("/policies/" + f.PolicyReference).want(200)
	assert.Equal(t, []any{nil, f.MatterID}, []any{resource.at("principalId"), resource.at("resourceId")})
	assert.Equal(t, "matters/"+f.MatterID, resource.text("rules", 0, "resourceId"))
	principal := call(t, s).get("/policies/" + f.UserID).want(200)
	assert.Equal(t, []any{f.UserID, nil}, []any{principal.at("principalId"), principal.at("resourceId")})
	assert.Nil(t, principal.at("rules", 0, "principalId"))
}
