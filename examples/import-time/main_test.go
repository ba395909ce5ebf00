package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/once"
	"github.com/practicesdk/practice-go/practicetest"
)

// Twenty entries of twelve minutes for the first matter.
func someEntries(matterID string, n int) (entries []entry) {
	for i := range n {
		entries = append(entries, newEntry(fmt.Sprintf("T-%d", i), matterID, "Advice, by phone",
			models.DateOf(time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)), 12, models.MustDecimal("385.50")))
	}
	return entries
}

// importing returns an importer with a new journal.
func importing(t *testing.T, server *practicetest.Server) *importer {
	t.Helper()
	journal, err := once.Open(filepath.Join(t.TempDir(), "journal"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, journal.Close()) })
	return &importer{fees: server.Client(t).Fees, journal: journal, settle: once.DefaultSearchLimit}
}

// assertEachOnce fails unless the matter has one fee of each entry.
func assertEachOnce(t *testing.T, server *practicetest.Server, n int) {
	t.Helper()
	server.Settle()
	times := map[string]int{}
	for fee, err := range server.Client(t).Fees.All(t.Context(), server.Firm().MatterID, practice.FeeListOptions{}) {
		require.NoError(t, err)
		if id, ours := strings.CutPrefix(fee.Description, "Time entry "); ours {
			times[id]++
			assert.Equal(t, "77.10", fee.Amount.Fixed(2))
		}
	}
	assert.Len(t, times, n)
	for id, count := range times {
		assert.Equal(t, 1, count, id)
	}
}

func TestARunThatIsInterruptedGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var left atomic.Int64
		var end context.CancelCauseFunc
		server := practicetest.New(t, practicetest.WithConsistency(practicetest.Unkind()), practicetest.WithRequestHandler(func(practicetest.RecordedRequest) {
			if left.Add(-1) == 0 {
				end(errors.New("interrupted"))
			}
		}))
		i, entries := importing(t, server), someEntries(server.Firm().MatterID, 30)
		server.Inject(practicetest.Fault{Operation: "createFee", Kind: practicetest.FaultResetAfter, Skip: 1})
		for _, requests := range []int64{1, 3, 11} {
			ctx, cancel := context.WithCancelCause(t.Context())
			end = cancel
			left.Store(requests)
			require.ErrorContains(t, i.all(ctx, entries), "interrupted")
			cancel(nil)
		}
		i.again = true // an interrupted request may not have been executed
		require.NoError(t, i.all(t.Context(), entries))
		assertEachOnce(t, server, 30)
		server.ResetRequests()
		require.NoError(t, i.all(t.Context(), entries))
		assert.Empty(t, server.Requests(), "all is done")
	})
}

func TestAnEntryThatIsNotFoundIsLeftToAPerson(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		i, entries := importing(t, server), someEntries(server.Firm().MatterID, 3)
		server.Inject(practicetest.Fault{Operation: "createFee", Kind: practicetest.FaultResetBefore})
		require.EqualError(t, i.all(t.Context(), entries), "2 of 3 entries are fees; see above for the others")
		assertEachOnce(t, server, 2)
		i.again = true
		require.NoError(t, i.all(t.Context(), entries))
		assertEachOnce(t, server, 3)
	})
}

func TestAnEntryThatIsRefusedHindersNoOther(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	entries := someEntries(server.Firm().MatterID, 2)
	refused, second := entries[0], entries[0]
	refused.id, refused.matterID = "T-9", "6a0f5b1e-0000-4000-8000-000000000000"
	second.fee.Subject = "the id occurs twice"
	require.EqualError(t, importing(t, server).all(t.Context(), append(entries, refused, second)), "2 of 4 entries are fees; see above for the others")
	assertEachOnce(t, server, 2)
}

// loaded writes a list to a file and loads it.
func loaded(t *testing.T, text string) ([]entry, error) {
	t.Helper()
	list := filepath.Join(t.TempDir(), "entries.csv")
	require.NoError(t, os.WriteFile(list, []byte(text), 0o600))
	return load(list)
}

func TestAListIsReadWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	const good = "T-1,m,2026-03-02,12,385.50,\"Advice, by phone\"\n"
	for name, more := range map[string]string{
		"an amount that is none": "a,m,2026-03-02,1,12 dollars,x\n", "an amount with a decimal comma": "a,m,2026-03-02,1,\"385,50\",x\n",
		"an amount with three decimals": "a,m,2026-03-02,1,1.234,x\n", "a day that is none": "a,m,2 March,1,12,x\n", "a day of another order": "a,m,02.03.2026,1,12,x\n",
		"half a minute": "a,m,2026-03-02,0.5,12,x\n", "a line that is too short": "a,m\n", "an entry without an id": " ,m,2026-03-02,1,12,x\n",
		"another encoding": "a,m,2026-03-02,1,12,\xc4rger\n",
	} {
		entries, err := loaded(t, good+more)
		require.Error(t, err, name)
		assert.Contains(t, err.Error(), "line 2", name)
		assert.Empty(t, entries, name)
	}
}

// A spreadsheet saves a list again, with a mark, a header and its own
// separator. Its entries are those of before, so that none is billed again.
func TestAListThatIsSavedAgainHasTheSameEntries(t *testing.T) {
	t.Parallel()
	want, err := loaded(t, "T-1,m,2026-03-02,12,385.50,\"Advice, by phone\"\nT-2,m,2026-03-03,6,-5,Öl\n")
	require.NoError(t, err)
	require.Len(t, want, 2)
	for _, again := range []string{
		"\ufeffT-1,m,2026-03-02,12,385.50,\"Advice, by phone\"\r\nT-2,m,2026-03-03,6,-5,Öl\r\n",
		"\ufeffid;matterId;date;minutes;rate;text\r\nT-1;m;2026-03-02;12;385.50;Advice, by phone\r\nT-2;m;2026-03-03;6;-5;Öl\r\n;;;;;\r\n",
	} {
		entries, err := loaded(t, again)
		require.NoError(t, err)
		assert.Equal(t, want, entries)
	}
}
