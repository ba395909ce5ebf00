package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func none(string) string { return "" }

func TestWithoutAnythingItSaysWhatWouldBeChanged(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, none))
	assert.Equal(t, 20, strings.Count(out.String(), ",350.00,385.50,would be changed\n"))
	out.Reset()
	require.NoError(t, run(t.Context(), []string{"-write"}, &out, none))
	assert.Equal(t, 20, strings.Count(out.String(), ",350.00,385.50,changed\n"))
}

// firm returns a service with fees at a rate of 350, and a list that gives them
// one of 385.50.
func firm(t *testing.T, n int, more string) (server *practicetest.Server, ids []string, list string, env func(string) string) {
	t.Helper()
	server, err := practicetest.Start(practicetest.WithStrict(true))
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.Empty(t, server.Violations())
		require.NoError(t, server.Close())
	})
	var text strings.Builder
	for range n {
		id := server.AddFee(server.Firm().MatterID, models.FeeWrite{
			Subject: "Advice", FeeDate: models.DateOf(time.Now()), Rate: models.MustDecimal("350"), IsBillable: models.Some(true),
		})
		ids = append(ids, id)
		text.WriteString(server.Firm().MatterID + "," + id + ",385.50\n")
	}
	list = filepath.Join(t.TempDir(), "list.csv")
	require.NoError(t, os.WriteFile(list, []byte(text.String()+more), 0o600))
	variables := map[string]string{
		"PRACTICE_BASE_URL": server.BaseURL(), "PRACTICE_API_KEY": server.Credentials().APIKey, "PRACTICE_ACCESS_TOKEN": server.Credentials().AccessToken,
	}
	return server, ids, list, func(name string) string { return variables[name] }
}

// results returns those of the output, sorted: fees are changed side by side.
func results(t *testing.T, out *bytes.Buffer) (all []string) {
	t.Helper()
	lines, err := csv.NewReader(out).ReadAll()
	require.NoError(t, err)
	for _, line := range lines {
		all = append(all, line[4])
	}
	slices.Sort(all)
	return all
}

func patches(server *practicetest.Server) (n int) {
	for _, r := range server.Requests() {
		if r.Operation == "patchFee" {
			n++
		}
	}
	return n
}

func TestAllFeesGetTheirRateAndASecondRunChangesNothing(t *testing.T) {
	t.Parallel()
	server, ids, list, env := firm(t, 2, "")
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{list}, &out, env))
	assert.Equal(t, []string{"would be changed", "would be changed"}, results(t, &out))
	assert.Zero(t, patches(server), "without -write it only reads")

	require.NoError(t, run(t.Context(), []string{"-write", list}, &out, env))
	assert.Equal(t, []string{"changed", "changed", "changing", "changing"}, results(t, &out))
	for _, id := range ids {
		fee, there := server.Fee(id)
		require.True(t, there)
		assert.Equal(t, "385.50", fee.Rate.String())
		assert.Equal(t, "Advice", fee.Subject, "nothing else is changed")
	}
	server.ResetRequests()
	require.NoError(t, run(t.Context(), []string{"-write", list}, &out, env))
	assert.Equal(t, []string{"right already", "right already"}, results(t, &out))
	assert.Zero(t, patches(server))
}

func TestAFeeThatCannotBeChangedIsNotedAndTheOthersAre(t *testing.T) {
	t.Parallel()
	server, _, list, env := firm(t, 2, "")
	final := server.AddFee(server.Firm().MatterID, models.FeeWrite{
		Subject: "Advice", FeeDate: models.DateOf(time.Now()), Rate: models.MustDecimal("350"), Finalized: models.Some(true),
	})
	text, err := os.ReadFile(list)
	require.NoError(t, err)
	text = append(text, server.Firm().MatterID+","+final+",385.50\n"+server.Firm().MatterID+",6a0f5b1e-0000-4000-8000-000000000000,1\n"...)
	longer := filepath.Join(t.TempDir(), "longer.csv")
	require.NoError(t, os.WriteFile(longer, text, 0o600))
	server.FailWrite("patchFee", "The fee is locked.") // it is accepted, and nothing comes of it

	var out bytes.Buffer
	err = run(t.Context(), []string{"-write", "-wait", "500ms", longer}, &out, env)
	require.ErrorIs(t, err, ErrIncomplete)
	require.EqualError(t, err, "not every fee has its rate: 3 fees left")
	all := results(t, &out)
	require.Len(t, all, 6)
	assert.Equal(t, []string{"changed", "changing", "changing", "left alone: deleted or final"}, all[:4])
	assert.Contains(t, all[4], "the condition does not hold yet")
	assert.Contains(t, all[5], "404")
	require.ErrorIs(t, run(t.Context(), []string{"-write", longer}, &out, env), ErrIncomplete)
	again := results(t, &out)
	assert.Contains(t, again, "changing")
	assert.Contains(t, again, "right already", "another run does the rest")
}

// ender ends the context when the output says that a fee is being changed.
type ender struct {
	bytes.Buffer
	end context.CancelCauseFunc
}

func (e *ender) Write(p []byte) (int, error) {
	e.end(errors.New("interrupted"))
	return e.Buffer.Write(p)
}

func TestTheOutputHasTheOldRateBeforeAFeeIsChanged(t *testing.T) {
	t.Parallel()
	server, _, list, env := firm(t, 2, "")
	ctx, end := context.WithCancelCause(t.Context())
	out := &ender{end: end}
	require.EqualError(t, run(ctx, []string{"-write", list}, out, env), "interrupted")
	assert.Contains(t, out.String(), ",350,385.50,changing\n")
	assert.Zero(t, patches(server))
}

func TestAListThatCannotBeReadChangesNothing(t *testing.T) {
	t.Parallel()
	for name, more := range map[string]string{"an amount that is none": "m,f,12 dollars\n", "a line that is too short": "m,f\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, _, list, env := firm(t, 1, more)
			require.Error(t, run(t.Context(), []string{"-write", list}, new(bytes.Buffer), env))
			assert.Empty(t, server.Requests())
		})
	}
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	_, _, list, env := firm(t, 0, "")
	for _, args := range [][]string{{"-x"}, {list, list}, {"-wait", "0s", list}, {}} {
		require.ErrorIs(t, run(t.Context(), args, new(bytes.Buffer), env), program.ErrUsage)
	}
	var out bytes.Buffer
	require.ErrorIs(t, run(t.Context(), []string{"-h"}, &out, none), flag.ErrHelp)
	assert.Empty(t, out.String())
}
