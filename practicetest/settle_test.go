package practicetest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestSettleEndsEveryWait checks that after Settle reads and lists show what
// was accepted, and events were raised, without any time passing.
func TestSettleEndsEveryWait(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	slow := practicetest.Consistency{MinDelay: time.Hour, MaxDelay: 2 * time.Hour, ListLag: time.Hour, EventLag: time.Hour, EventLead: time.Hour}
	for seed := range uint64(20) {
		s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithSeed(seed), practicetest.WithConsistency(slow))
		client, matterID := s.Client(t), s.Firm().MatterID
		fee, err := client.Fees.Create(t.Context(), matterID, models.FeeWrite{Subject: "Advice", FeeDate: models.DateOf(start)})
		require.NoError(t, err)
		listed := func(subject string) bool {
			page, err := client.Fees.List(t.Context(), matterID, practice.FeeListOptions{ListOptions: practice.ListOptions{Limit: 500}})
			require.NoError(t, err)
			return slices.ContainsFunc(page.Items, func(f models.Fee) bool { return f.ID == fee.TargetID() && f.Subject == subject })
		}
		assert.False(t, listed("Advice"))
		s.Settle()
		assert.True(t, listed("Advice"), "created, seed %d", seed)

		_, err = client.Fees.Patch(t.Context(), matterID, fee.TargetID(), models.FeePatch{Subject: models.Some("Deed")})
		require.NoError(t, err)
		s.Clock().Advance(2 * time.Hour) // executed, and perhaps not shown by lists
		s.Settle()
		assert.True(t, listed("Deed"), "changed, seed %d", seed)
	}
}
