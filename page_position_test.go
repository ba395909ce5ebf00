package practice_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// Each process reads seven events and stores its position as JSON.
func TestALongWalkIsResumedByOtherProcesses(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, practicetest.WithEvents(40))
	options := practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 10}, From: time.Unix(0, 0)}
	want, err := practice.Collect(server.Client(t).Events.All(t.Context(), options))
	require.NoError(t, err)
	server.ResetRequests()

	var stored []byte
	var got []models.CalendarEvent
	for process := 0; len(got) < len(want); process++ {
		require.Less(t, process, 10)
		var position practice.WalkPosition
		if stored != nil {
			require.NoError(t, json.Unmarshal(stored, &position))
		}
		for event, err := range server.Client(t).Events.All(t.Context(), options, practice.WithPosition(&position), practice.WithPrefetch(0)) {
			require.NoError(t, err)
			got = append(got, event)
			stored, err = json.Marshal(position)
			require.NoError(t, err)
			if len(got)%7 == 0 {
				break
			}
		}
	}
	assert.Equal(t, want, got)
	assert.Len(t, server.Requests(), 4+5, "four pages, and one that was left in the middle for each of the five that went on")
}

func TestAWalkWithoutPagingParametersIsResumed(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	matter := server.Firm().MatterID
	client := server.Client(t)
	want, err := practice.Collect(client.Documents.AllEntries(t.Context(), matter, ""))
	require.NoError(t, err)
	require.Greater(t, len(want), 2)
	var position practice.WalkPosition
	var got []practice.Entry
	for range want {
		for entry, err := range client.Documents.AllEntries(t.Context(), matter, "", practice.WithPosition(&position)) {
			require.NoError(t, err)
			got = append(got, entry)
			break
		}
	}
	assert.Equal(t, want, got)
	rest, err := practice.Collect(client.Documents.AllEntries(t.Context(), matter, "", practice.WithPosition(&position)))
	require.NoError(t, err)
	assert.Empty(t, rest)
}

// The position in the list of one matter is none in that of another.
func TestAPositionIsForItsList(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, practicetest.WithEvents(40))
	firm, client := server.Firm(), server.Client(t)
	begins := func(client *practice.Client, options practice.EventListOptions, position *practice.WalkPosition, opts ...practice.CallOption) error {
		for _, err := range client.Events.All(t.Context(), options, append(opts, practice.WithPosition(position))...) {
			return err
		}
		return nil
	}
	own := practice.EventListOptions{From: time.Unix(0, 0), ListOptions: practice.ListOptions{Limit: 3}}
	var position practice.WalkPosition
	require.NoError(t, begins(client, own, &position))
	at := position
	require.NoError(t, begins(client, practice.EventListOptions{From: own.From, ListOptions: practice.ListOptions{Limit: 7}}, &position), "the size of its pages may differ")

	for name, err := range map[string]error{
		"another matter":  begins(client, practice.EventListOptions{From: own.From, MatterID: firm.MatterID}, &at),
		"another time":    begins(client, practice.EventListOptions{From: time.Unix(1, 0)}, &at),
		"another query":   begins(client, own, &at, practice.WithQuery("Status", "Mine")),
		"another account": begins(client.ForAccount(firm.AccountID), own, &at),
	} {
		assert.ErrorContains(t, err, "is of a list with other ids or filters", name)
	}
	var fees practice.WalkPosition
	for _, err := range client.Fees.All(t.Context(), firm.MatterIDs[0], practice.FeeListOptions{}, practice.WithPosition(&fees)) {
		require.NoError(t, err)
		break
	}
	_, err := practice.Collect(client.Fees.All(t.Context(), firm.MatterIDs[1], practice.FeeListOptions{}, practice.WithPosition(&fees)))
	assert.ErrorContains(t, err, "is of a list with other ids or filters")
}

func TestAPositionThatCannotBe(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	client := server.Client(t)
	for says, position := range map[string]practice.WalkPosition{
		"is a position of Tasks.All": {Method: "Tasks.All"},
		"is no position of a walk":   {Method: "Events.All", Offset: -1},
		"no position of a walk":      {Method: "Events.All", Done: -1},
		"position of a walk":         {Method: "Events.All", Query: "%zz"},
		"WithPosition is no":         {Method: "Events.All", Size: -1},
	} {
		_, err := practice.Collect(client.Events.All(t.Context(), practice.EventListOptions{}, practice.WithPosition(&position)))
		require.ErrorContains(t, err, says)
	}
	_, err := client.Events.List(t.Context(), practice.EventListOptions{}, practice.WithPosition(new(practice.WalkPosition)))
	require.ErrorContains(t, err, "is for All methods")
	_, err = client.Events.List(t.Context(), practice.EventListOptions{}, practice.WithPosition(nil))
	require.ErrorContains(t, err, "must not be nil")
	assert.Empty(t, server.Requests(), "nothing is sent")
}
