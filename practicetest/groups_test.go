package practicetest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestGroups(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	first := call(t, s).get("/groups").want(200)
	assert.Equal(t, s.Firm().GroupID, first.text("value", 0, "id"))
	assert.Equal(t, "Lawyers", first.text("value", 0, "name"))
	assert.Len(t, first.at("value", 0, "principalIds"), 2)
	assert.Equal(t, s.Firm().GroupID, first.text("value", 2, "principalIds", 1), "a group holds another one")
}
