package practicetest_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// reporter is a testing.TB that records failures.
type reporter struct {
	testing.TB
	cleanups []func()
	failures []string
}

func (r *reporter) Helper() {}

func (r *reporter) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }

func (r *reporter) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func TestViolationsAreToldWhenTheyAreFoundAndMayBeExcusedLater(t *testing.T) {
	t.Parallel()
	var told []string
	s := practicetest.New(t, practicetest.WithViolationHandler(func(text string) { told = append(told, text) }))
	call(t, s).get("/nothing").want(404)
	assert.Equal(t, s.Violations(), told)
	assert.Equal(t, told, s.ExcuseViolations())
	assert.Empty(t, s.Violations())
	call(t, s).get("/nothing/else").want(404)
	assert.Len(t, s.Violations(), 1)
}

func TestAStrictServiceFailsItsTest(t *testing.T) {
	t.Parallel()
	failing := &reporter{TB: t}
	s := practicetest.New(failing)
	c := call(t, s)
	c.get("/nothing").want(404)
	assert.Equal(t, []string{"practicetest: GET /practice/v1/nothing: the API has no such path"}, failing.failures)
	assert.Equal(t, []string{"GET /practice/v1/nothing: the API has no such path"}, s.Violations())
	excused := s.Tolerate(func() { c.do("PUT", "/bankaccounts", "{}").want(405) })
	assert.Len(t, excused, 1)
	assert.Len(t, failing.failures, 1, "what is expected is no failure")
	assert.Empty(t, s.Tolerate(func() {}))
	for _, f := range failing.cleanups {
		f()
	}
	assert.Len(t, failing.failures, 1)

	started, err := practicetest.Start(practicetest.WithStrict(true))
	require.NoError(t, err)
	call(t, started).get("/nothing").want(404)
	assert.Len(t, started.Violations(), 1)
	require.NoError(t, started.Close())
}
