package feed_test

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/peers/plain"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func capture(t *testing.T) *feed.Answers {
	t.Helper()
	answers, err := feed.Capture()
	require.NoError(t, err)
	return answers
}

func TestAnswersAreFull(t *testing.T) {
	t.Parallel()
	answers := capture(t)
	assert.Len(t, answers.Events, feed.PageSize)
	assert.InDelta(t, 1024, len(answers.Staff), 100)
	var list plain.AccountList
	require.NoError(t, json.Unmarshal(answers.Accounts, &list))
	assert.Len(t, list.Value, feed.PageSize)
}

func TestAnswersAreTheSameEveryTime(t *testing.T) {
	t.Parallel()
	first, second := capture(t), capture(t)
	assert.Equal(t, first, second)
}

func TestACalendarHasEachEventOnce(t *testing.T) {
	t.Parallel()
	calendar, err := capture(t).Calendar(1234)
	require.NoError(t, err)
	seen := map[string]bool{}
	for offset := 0; offset < calendar.Size; offset += feed.PageSize {
		var page plain.EventPage
		require.NoError(t, json.Unmarshal(calendar.AppendPage(nil, offset, feed.PageSize), &page))
		assert.Equal(t, offset, page.Offset)
		assert.Equal(t, 1234, page.Size)
		assert.Equal(t, offset+feed.PageSize < calendar.Size, page.Next != nil)
		for _, event := range page.Value {
			assert.False(t, seen[event.ID], event.ID)
			seen[event.ID] = true
			assert.Contains(t, event.Href, event.ID)
			assert.Contains(t, event.Self.Href, event.ID)
		}
	}
	assert.Len(t, seen, 1234)
}

func TestLoopbackAnswersOverOneConnection(t *testing.T) {
	t.Parallel()
	answers := capture(t)
	server, err := feed.Listen(answers)
	require.NoError(t, err)
	client := &http.Client{Transport: &http.Transport{}}
	for range 3 {
		resp, err := client.Get(server.BaseURL() + "/staff/1")
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, answers.Staff, body)
	}
	assert.EqualValues(t, 1, server.Opened())
	client.CloseIdleConnections()
	require.NoError(t, server.Close())
	assert.Zero(t, server.Open())
}
