package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/once"
	"github.com/practicesdk/practice-go/practicetest"
)

func none(string) string { return "" }

func TestWithoutAnythingItShowsThatLostAnswersDoNoHarm(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, none))
	assert.Contains(t, out.String(), "Import of 20 records of time")
	assert.Contains(t, out.String(), "Each is a fee, once, 2h0m0s in all.")
}

// firm returns a service and a list of n entries, with more lines behind them.
func firm(t *testing.T, n int, more string, opts ...practicetest.Option) (server *practicetest.Server, list string, env func(string) string) {
	t.Helper()
	server, err := practicetest.Start(append(opts, practicetest.WithStrict(true))...)
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.Empty(t, server.Violations())
		require.NoError(t, server.Close())
	})
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "T-%d,%s,2026-03-02,12,385.50,\"Advice, by phone\"\n", i, server.Firm().MatterID)
	}
	list = filepath.Join(t.TempDir(), "entries.csv")
	require.NoError(t, os.WriteFile(list, []byte(text.String()+more), 0o600))
	variables := map[string]string{
		"PRACTICE_BASE_URL": server.BaseURL(), "PRACTICE_API_KEY": server.Credentials().APIKey, "PRACTICE_ACCESS_TOKEN": server.Credentials().AccessToken,
	}
	return server, list, func(name string) string { return variables[name] }
}

// imported counts the fees of each entry.
func imported(t *testing.T, server *practicetest.Server) map[string]int {
	t.Helper()
	server.Settle()
	client, err := practice.NewClient(server.BaseURL(), practice.WithAPIKey(server.Credentials().APIKey), practice.WithAccessToken(server.Credentials().AccessToken))
	require.NoError(t, err)
	defer client.CloseIdleConnections()
	times := map[string]int{}
	for fee, err := range client.Fees.All(t.Context(), server.Firm().MatterID, practice.FeeListOptions{}) {
		require.NoError(t, err)
		if id, ours := strings.CutPrefix(fee.Description, "Time entry "); ours {
			times[id]++
			assert.Equal(t, "77.10", fee.Amount.Fixed(2))
			assert.Equal(t, "Advice, by phone", fee.Subject)
		}
	}
	return times
}

func assertEachOnce(t *testing.T, server *practicetest.Server, n int) {
	t.Helper()
	times := imported(t, server)
	assert.Len(t, times, n)
	for id, count := range times {
		assert.Equal(t, 1, count, id)
	}
}

func TestARunThatIsInterruptedGoesOn(t *testing.T) {
	t.Parallel()
	var left atomic.Int64
	var end atomic.Pointer[context.CancelCauseFunc]
	server, list, env := firm(t, 30, "", practicetest.WithRequestHandler(func(practicetest.RecordedRequest) {
		if left.Add(-1) == 0 {
			(*end.Load())(errors.New("interrupted"))
		}
	}))
	server.Inject(practicetest.Fault{Operation: "createFee", Kind: practicetest.FaultResetAfter, Skip: 1})
	for _, requests := range []int64{1, 3, 11} {
		ctx, cancel := context.WithCancelCause(t.Context())
		end.Store(&cancel)
		left.Store(requests)
		require.ErrorContains(t, run(ctx, []string{list}, new(bytes.Buffer), env), "interrupted")
	}
	// A request that was cut off may never have been executed.
	require.NoError(t, run(t.Context(), []string{"-again", "-settle", "5s", list}, new(bytes.Buffer), env))
	assertEachOnce(t, server, 30)
	server.ResetRequests()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{list}, &out, env))
	assert.Empty(t, server.Requests(), "all is done")
	assert.Contains(t, out.String(), "6h0m0s in all")
}

func TestAnEntryThatIsNotFoundIsNamedAndLeftToAPerson(t *testing.T) {
	t.Parallel()
	server, list, env := firm(t, 3, "")
	server.Inject(practicetest.Fault{Operation: "createFee", Kind: practicetest.FaultResetBefore})
	var out bytes.Buffer
	err := run(t.Context(), []string{"-settle", "10ms", list}, &out, env)
	require.ErrorIs(t, err, ErrIncomplete)
	assert.Contains(t, out.String(), ", and not found")
	assert.Len(t, imported(t, server), 2)

	require.NoError(t, run(t.Context(), []string{"-settle", "10ms", "-again", list}, &out, env))
	assertEachOnce(t, server, 3)
}

func TestAnEntryThatIsRefusedIsNamedAndTheOthersAreAdded(t *testing.T) {
	t.Parallel()
	server, list, env := firm(t, 2, "T-9,6a0f5b1e-0000-4000-8000-000000000000,2026-03-02,12,1,x\n")
	second := "T-0," + server.Firm().MatterID + ",2026-03-02,12,1,the id occurs twice\n"
	text, err := os.ReadFile(list)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(list, append(text, second...), 0o600))
	var out bytes.Buffer
	err = run(t.Context(), []string{list}, &out, env)
	require.ErrorIs(t, err, ErrIncomplete)
	assert.Contains(t, out.String(), "T-9: not added: ")
	assert.Contains(t, out.String(), "T-0: not added: once: an earlier row has the same key")
	assertEachOnce(t, server, 2)
}

func TestAListThatCannotBeReadAddsNothing(t *testing.T) {
	t.Parallel()
	for name, more := range map[string]string{
		"an amount that is none": "a,m,2026-03-02,1,12 dollars,x\n", "a day that is none": "a,m,2 March,1,12,x\n",
		"half a minute": "a,m,2026-03-02,0.5,12,x\n", "a line that is too short": "a,m\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, list, env := firm(t, 1, more)
			require.Error(t, run(t.Context(), []string{list}, new(bytes.Buffer), env))
			assert.Empty(t, server.Requests())
		})
	}
}

func TestTwoRunsDoNotWorkOnOneList(t *testing.T) {
	t.Parallel()
	server, list, env := firm(t, 1, "")
	journal, err := once.Open(list + ".journal")
	require.NoError(t, err)
	require.ErrorIs(t, run(t.Context(), []string{list}, new(bytes.Buffer), env), once.ErrBusy)
	require.NoError(t, journal.Close())
	assert.Empty(t, server.Requests())
	require.NoError(t, run(t.Context(), []string{"-journal", filepath.Join(t.TempDir(), "other"), list}, new(bytes.Buffer), env))
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	_, list, env := firm(t, 0, "")
	for _, args := range [][]string{{"-x"}, {list, list}, {"-settle", "0s", list}, {}} {
		require.ErrorIs(t, run(t.Context(), args, new(bytes.Buffer), env), program.ErrUsage)
	}
	var out bytes.Buffer
	require.ErrorIs(t, run(t.Context(), []string{"-h"}, &out, none), flag.ErrHelp)
	assert.Empty(t, out.String())
}
