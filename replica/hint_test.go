package replica

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
)

func TestAHintIsReadFirstAndBelievedInNothingElse(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	firm, client := server.Firm(), server.Client(t)
	c := copyOf(t, client, Options{Kinds: []string{"fees", "roles"}})
	require.NoError(t, c.Hint(t.Context(), eventOf(t, "fee.updated", firm.FeeID, firm.MatterID)))
	for _, forged := range []string{"..", "a b", "no id", "%2e", "a\x00b"} {
		require.NoError(t, c.Hint(t.Context(), eventOf(t, "matter.updated", forged, "")))
	}
	payload := json.RawMessage(`{"id":"a","href":"/matters/%ff/fees/a"}`) // not UTF-8
	require.NoError(t, c.Hint(t.Context(), &webhook.Event[json.RawMessage]{Type: "fee.updated", Payload: payload}))
	server.Tolerate(func() { require.NoError(t, c.Sync(t.Context()), "the copy does not know the matter yet") })
	_, err := client.Fees.Patch(t.Context(), firm.MatterID, firm.FeeID, models.FeePatch{Duration: models.Some(77)})
	require.NoError(t, err)
	server.Settle()
	for _, event := range []string{"fee.deleted", "fee.updated", "fee.updated", "roles.updated", "letter.updated"} {
		require.NoError(t, c.Hint(t.Context(), eventOf(t, event, firm.FeeID, firm.MatterID)))
	}
	server.ResetRequests()
	require.NoError(t, c.Sync(t.Context()))
	requests := server.Requests()
	assert.Equal(t, []string{"getFirm", "getFee", "listMatters"}, []string{requests[0].Operation, requests[1].Operation, requests[2].Operation})
	assert.Contains(t, stored(t, c)["fees "+firm.FeeID], `"duration":77`)
}

// If the read of a hint fails, the list that has its record is asked sooner.
func TestAHintWhoseReadFailsLetsItsListBeAsked(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	firm := server.Firm()
	c := copyOf(t, server.Client(t, practice.WithRetries(0)), Options{Kinds: []string{"fees"}})
	w, release, err := c.write(t.Context())
	require.NoError(t, err)
	defer release()
	require.NoError(t, w.round(t.Context(), DefaultEvery))
	asked := func() (n int) {
		for _, r := range server.Requests() {
			if r.Operation == "listFees" {
				n++
			}
		}
		return n
	}
	for _, hinted := range []bool{false, true} {
		server.Clock().Advance(time.Minute)
		server.ResetRequests()
		if hinted {
			server.Inject(practicetest.Fault{Operation: "getFee", Status: http.StatusInternalServerError})
			require.NoError(t, c.Hint(t.Context(), eventOf(t, "fee.updated", firm.FeeID, firm.MatterID)))
		}
		assert.Equal(t, hinted, w.round(t.Context(), DefaultEvery) != nil)
		assert.Equal(t, hinted, asked() == 1)
	}
}

// A service may distinguish the case of an id.
func TestAHintIsReadUnderTheIDThatTheServiceWrote(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	id := server.Firm().ContactID
	client := inPlaceOf(t, server, func(r *http.Request) (int, string) {
		if strings.HasSuffix(r.URL.Path, strings.ToUpper(id)) {
			return http.StatusNotFound, `{}`
		}
		return 0, ""
	})
	c := copyOf(t, client, Options{Kinds: []string{"contacts"}})
	require.NoError(t, c.Sync(t.Context()))
	before, err := c.LastChange(t.Context())
	require.NoError(t, err)
	require.NoError(t, c.Hint(t.Context(), eventOf(t, "contact.updated", strings.ToUpper(id), "")))
	server.Tolerate(func() { require.NoError(t, c.Sync(t.Context())) })
	changes, err := c.Changes(t.Context(), before, 10)
	require.NoError(t, err)
	assert.Empty(t, changes)
}

// A record that a hint's read did not find, perhaps because a proxy has failed, is
// deleted only if the next round does not find it either.
func TestAHintDeletesNothingThatTheNextRoundFinds(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	firm := server.Firm()
	c := copyOf(t, server.Client(t), Options{Kinds: []string{"fees"}})
	require.NoError(t, c.Sync(t.Context()))
	server.Clock().Advance(time.Hour)
	require.NoError(t, c.Sync(t.Context())) // from now on no list has the fee
	for _, failures := range []int{1, 2} {
		server.Inject(practicetest.Fault{Operation: "getFee", Status: http.StatusNotFound, Times: failures})
		require.NoError(t, c.Hint(t.Context(), eventOf(t, "fee.updated", strings.ToUpper(firm.FeeID), firm.MatterID)))
		for round := range 3 {
			server.Clock().Advance(time.Minute)
			require.NoError(t, c.Sync(t.Context()))
			assert.Equal(t, failures == 2 && round > 0, stored(t, c)["fees "+firm.FeeID] == "", "%d failures, round %d", failures, round)
		}
	}
}
