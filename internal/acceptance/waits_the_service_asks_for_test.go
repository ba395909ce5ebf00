package acceptance_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestARetryAfterThatIsTooLongIsInTheError checks that the error contains the
// time for which the client does not wait.
func TestARetryAfterThatIsTooLongIsInTheError(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		server := practicetest.New(t)
		server.Inject(practicetest.Fault{Operation: "getStaff", Kind: practicetest.FaultStatus, Status: status, RetryAfter: "31"})
		_, err := server.Client(t).Staff.Get(t.Context(), server.Firm().StaffID)
		refused, ok := errors.AsType[*practice.Error](err)
		require.True(t, ok, "%v", err)
		assert.Equal(t, 31*time.Second, refused.RetryAfter)
		assert.Contains(t, err.Error(), "the service asked the client to wait 31s")
		assert.Len(t, refused.Attempts, 1)
	}
}

// TestNothingIsSentEarlierThanTheServiceAllowed checks that no call of the
// client is sent before the end of a long Retry-After.
func TestNothingIsSentEarlierThanTheServiceAllowed(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	server.Inject(practicetest.Fault{Operation: "getStaff", Kind: practicetest.FaultRateLimit, RetryAfter: "31"})
	client := server.Client(t)
	require.ErrorIs(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)), practice.ErrRateLimited)
	err := testkit.Discard(client.With(practice.WithUserID("other")).Webhooks.ListTypes(t.Context(), practice.EventTypeListOptions{}))
	require.ErrorIs(t, err, practice.ErrRateLimitWait)
	assert.ErrorContains(t, err, "the service asked the client to wait 31s")
	assert.Len(t, server.Requests(), 1)
}
