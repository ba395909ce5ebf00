package replica

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// The plan of a firm whose lists have one page is the number of requests that
// the first copy makes.
func TestThePlanIsWhatTheFirstCopyCosts(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, append(small, practicetest.WithRequestLog(10_000))...)
	c := copyOf(t, server.Client(t), Options{Within: 6 * time.Hour})
	plan, err := c.Plan(t.Context(), 5)
	require.NoError(t, err)
	before := len(server.Requests())
	require.NoError(t, c.Sync(t.Context()))
	assert.Equal(t, plan.First, len(server.Requests())-before)
	assert.Equal(t, time.Duration(plan.First)*time.Second/5, plan.FirstTime)
	assert.Equal(t, plan.First, plan.Lists, "the list that is the firm begins the round")
	status, err := c.Status(t.Context())
	require.NoError(t, err)
	firm, below := 0, 0
	for _, of := range status {
		if c.kind(of.Kind).below == "" {
			firm++
		} else {
			below += of.Lists
		}
	}
	assert.Equal(t, 288*firm+4*below, plan.Day, "the firm is read once a round")
	assert.Positive(t, plan.Within)
	slow, err := c.Plan(t.Context(), 0.01)
	require.NoError(t, err)
	assert.Zero(t, slow.Within, "the lists of the firm alone take more than the rate")
	_, err = c.Plan(t.Context(), 0)
	require.Error(t, err)
}
