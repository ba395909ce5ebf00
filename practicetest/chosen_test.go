package practicetest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

// TestTheNamesOfACreateThatMadeNothingAreFreeAgain checks that the ids of a
// failed create can be used again.
func TestTheNamesOfACreateThatMadeNothingAreFreeAgain(t *testing.T) {
	t.Parallel()
	const chosen = "c0000000-0000-4000-8000-000000000002"
	inside := func(parent string) string { return fmt.Sprintf(`{"name":"Inner","parentFolderId":%q}`, parent) }
	slow := func(p practicetest.PendingReferences) practicetest.Consistency {
		return practicetest.Consistency{MinDelay: time.Hour, MaxDelay: time.Hour, Pending: p}
	}
	for name, one := range map[string]struct {
		with   practicetest.Consistency
		body   func(*practicetest.Server, tree) string
		status int
	}{
		"of a create that is refused": {slow(0), func(*practicetest.Server, tree) string { return inside(nobody) }, 404},
		"of one that would have to wait for another": {
			slow(practicetest.PendingRefused), func(_ *practicetest.Server, d tree) string { return inside(d.create("Outer", "")) }, 404,
		},
		"of one that fails for another": {
			slow(practicetest.PendingFails), func(_ *practicetest.Server, d tree) string { return inside(d.create("Outer", "")) }, 202,
		},
		"of one that fails late": {slow(0), func(s *practicetest.Server, _ tree) string {
			s.FailWrite("createFolder", "No space left")
			return `{"name":"Inner"}`
		}, 202},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, d := consistent(t, one.with)
			earlier := call(t, s).with("ExternalId", "own-1").do("POST", d.path(""), `{"name":"Earlier"}`).want(202).text("id")
			s.Settle()
			c := call(t, s).with("ResourceId", chosen).with("ExternalId", "own-1")
			c.do("POST", d.path(""), one.body(s, d)).want(one.status)
			s.Settle()
			id, there := s.IDOfExternal("own-1")
			assert.True(t, there)
			assert.Equal(t, earlier, id, "no later record has the name")

			c.do("POST", d.path(""), `{"name":"Later"}`).want(202)
			s.Settle()
			id, _ = s.IDOfExternal("own-1")
			assert.Equal(t, chosen, id)
			d.get(d.path(chosen)).want(200)
			c.do("POST", d.path(""), `{"name":"Again"}`).want(409)
		})
	}
}
