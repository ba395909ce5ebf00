package replica

import (
	"context"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// The requests of 24 hours of a firm that does not change are those of the plan:
// each list of the firm once a round, and each list below a matter once within
// the bound, and no more often.
func TestADayOfAnUnchangedFirmCostsWhatThePlanSays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithMatters(6), practicetest.WithEvents(4), practicetest.WithRequestLog(100_000), practicetest.WithTokenLifetime(48*time.Hour))
		c := copyOf(t, server.Client(t), Options{Kinds: []string{"firm", "contacts", "groups", "fees", "memos"}})
		plan, err := c.Plan(t.Context(), perSecond)
		require.NoError(t, err)
		require.NoError(t, c.Sync(t.Context()))
		<-time.After(DefaultEvery)
		server.ResetRequests()
		day, cancel := context.WithTimeout(t.Context(), 24*time.Hour-DefaultEvery/2)
		defer cancel()
		require.ErrorIs(t, c.Run(day, func(err error) { assert.NoError(t, err) }), context.DeadlineExceeded)

		byOperation, matters := map[string]int{}, map[string]time.Time{}
		for _, request := range server.Requests() {
			byOperation[request.Operation]++
			if request.Operation == "listFees" {
				if before, again := matters[request.Path]; again {
					assert.LessOrEqual(t, request.When.Sub(before), DefaultWithin, request.Path)
				}
				matters[request.Path] = request.When
			}
		}
		const rounds, bounds = int(24 * time.Hour / DefaultEvery), int(24 * time.Hour / DefaultWithin)
		below := len(matters) * bounds
		assert.Equal(t, map[string]int{
			"getFirm": rounds, "listContacts": rounds, "listGroups": rounds, "listMatters": rounds, "listFees": below, "listMemos": below,
		}, byOperation)
		all := len(server.Requests())
		t.Logf("%d requests; %d rounds of 4 pages, %d lists below matters × %d, 4 pages of whole walks", all, rounds, 2*len(matters), bounds)
		assert.Equal(t, plan.Day, all)
		assert.LessOrEqual(t, float64(all), 1.05*float64(4*rounds+2*below+4))
	})
}

// The marks are those of the service's clock, however wrong the local one is.
func TestAWrongLocalClockLosesNothing(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{-72 * time.Hour, -time.Hour, time.Hour, 72 * time.Hour} {
		server := practicetest.New(t, small...)
		server.Clock().Advance(ahead)
		c := copyOf(t, server.Client(t), Options{Kinds: []string{"contacts"}})
		began := server.Clock().Now()
		require.NoError(t, c.Sync(t.Context()))
		read := statusOf(t, c, "contacts").TrueAt
		assert.WithinDuration(t, began, read, time.Minute)
		server.Clock().Advance(time.Minute)
		id := server.AddContact(models.ContactWrite{Company: models.CompanyWrite{Name: "Harbour Ltd"}})
		server.ResetRequests()
		require.NoError(t, c.Sync(t.Context()))
		assert.Contains(t, stored(t, c), "contacts "+id, ahead)
		var asked []time.Time
		for _, request := range server.Requests() {
			query, err := url.ParseQuery(request.RawQuery)
			require.NoError(t, err)
			if request.Operation == "listContacts" && request.Status == http.StatusOK {
				since, err := models.ParseTicks(query.Get("UpdatedSince"))
				require.NoError(t, err, query)
				asked = append(asked, since.Time())
			}
		}
		require.Len(t, asked, 1, "only the changes")
		assert.WithinDuration(t, read.Add(-DefaultOverlap), asked[0], time.Second, ahead)
	}
}
