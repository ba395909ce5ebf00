package practicetest_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestSeedsAreDeterministic(t *testing.T) {
	t.Parallel()
	everything := func(seed uint64, opts ...practicetest.Option) string {
		s := practicetest.New(t, append(opts, practicetest.WithVirtualClock(start), practicetest.WithSeed(seed))...)
		f, text := s.Firm(), fmt.Sprint(s.Firm(), s.Credentials())
		for _, path := range []string{
			"/bankaccounts", "/events?From=2025-01-01T00:00:00", "/matters/" + f.MatterID + "/documents/folders/" + f.FolderID,
			"/matters/" + f.MatterID + "/fees/" + f.FeeID, "/staff/" + f.StaffID, "/contacts/" + f.ContactID + "/tags",
			"/policies/" + f.PolicyReference, "/subscriptions/" + f.SubscriptionID, "/subscriptions/promotions", "/webhooks",
		} {
			text += call(t, s).get(path).want(200).Body
		}
		return text
	}
	one, again := everything(1), everything(1)
	assert.Equal(t, one, again)
	assert.NotEqual(t, one, everything(2))
	few, many := practicetest.New(t, practicetest.WithEvents(1)), practicetest.New(t, practicetest.WithEvents(900))
	assert.Equal(t, few.Firm(), many.Firm(), "the number of events changes no identifier")
}
