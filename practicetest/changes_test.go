package practicetest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestTheChangeLogHoldsWhatTookEffect(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithWriteDelay(0))
	f := s.Firm()
	fee := "/matters/" + f.MatterID + "/fees/" + f.FeeID
	s.FailWrite("patchFee", "The fee is locked")
	call(t, s).do("PATCH", fee, `{"subject":"Failed"}`).want(202)
	call(t, s).with("RequestId", "request-7").do("PATCH", fee, `{"subject":"New"}`).want(202)
	require.True(t, s.DeleteEvent(s.EventIDs()[0]))
	changes := s.Changes()
	require.Len(t, changes, 2)
	assert.Equal(t, practicetest.Change{
		At: start, What: "updated", Kind: "fees", ID: f.FeeID, VersionID: call(t, s).get(fee).text("versionId"), AccountID: f.AccountID,
		UserID: s.Credentials().UserID, Source: "API", RequestID: "request-7",
	}, changes[0])
	assert.Equal(t, []string{"deleted", "events", "Application"}, []string{changes[1].What, changes[1].Kind, changes[1].Source})
}
