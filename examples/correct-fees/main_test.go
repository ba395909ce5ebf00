package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/csvfile"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// corrected runs over a list and returns the sorted results, because fees are
// changed concurrently.
func corrected(t *testing.T, server *practicetest.Server, write bool, fees []fee) (results []string, err error) {
	t.Helper()
	var out bytes.Buffer
	err = newCorrection(server.Client(t), write, &out).all(t.Context(), fees)
	rows, bad := csvfile.Read(&out, []string{"matter", "fee", "before", "rate", "result"}, csvfile.ReadOptions{OptionalHeader: true})
	require.NoError(t, bad)
	for _, row := range rows {
		result, _ := row.Cell("result")
		results = append(results, result)
	}
	slices.Sort(results)
	return results, err
}

func patches(server *practicetest.Server) (n int) {
	for _, r := range server.Requests() {
		if r.Operation == "patchFee" {
			n++
		}
	}
	return n
}

func repeated(n int, texts ...string) (all []string) {
	for _, text := range texts {
		all = append(all, slices.Repeat([]string{text}, n)...)
	}
	return all
}

func TestAllFeesGetTheirRateAndASecondRunChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithConsistency(practicetest.Unkind()))
		fees := makeUp(server)
		server.Settle()
		results, err := corrected(t, server, false, fees)
		require.NoError(t, err)
		assert.Equal(t, repeated(20, "would be changed"), results)
		assert.Zero(t, patches(server), "without -write it only reads")

		results, err = corrected(t, server, true, fees)
		require.NoError(t, err)
		assert.Equal(t, repeated(20, "changed", "changing"), results)
		for _, f := range fees {
			fee, there := server.Fee(f.id)
			require.True(t, there)
			assert.Equal(t, "385.50", fee.Rate.String())
			assert.Equal(t, "Advice", fee.Subject, "nothing else is changed")
		}
		server.ResetRequests()
		results, err = corrected(t, server, true, fees)
		require.NoError(t, err)
		assert.Equal(t, repeated(20, "right already"), results)
		assert.Zero(t, patches(server))
	})
}

func TestAFeeThatCannotBeChangedIsNotedAndTheOthersAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		matter, rate := server.Firm().MatterID, models.MustDecimal("385.50")
		final := server.AddFee(matter, models.FeeWrite{
			Subject: "Advice", FeeDate: models.DateOf(time.Now()), Rate: models.MustDecimal("350"), Finalized: models.Some(true),
		})
		fees := append(makeUp(server)[:2], fee{matter, final, rate}, fee{matter, "6a0f5b1e-0000-4000-8000-000000000000", rate})
		server.FailWrite("patchFee", "The fee is locked.") // it is accepted, and fails later
		results, err := corrected(t, server, true, fees)
		require.EqualError(t, err, "3 of 4 fees do not have their rate")
		require.Len(t, results, 6)
		assert.Equal(t, []string{"changed", "changing", "changing", "left alone: deleted or final"}, results[:4])
		assert.Contains(t, results[4], "the condition has not been met yet")
		assert.Contains(t, results[5], "404")
		results, err = corrected(t, server, true, fees)
		require.Error(t, err)
		assert.Contains(t, results, "changing", "another run does the rest")
		assert.Contains(t, results, "right already")
	})
}

// ender cancels the context at the first line of output.
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
	server := practicetest.New(t)
	ctx, end := context.WithCancelCause(t.Context())
	out := &ender{end: end}
	require.EqualError(t, newCorrection(server.Client(t), true, out).all(ctx, makeUp(server)), "interrupted")
	assert.Contains(t, out.String(), ",350.00,385.50,changing\n")
	assert.Zero(t, patches(server))
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestAnOutputThatBreaksEndsTheRun(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	require.EqualError(t, newCorrection(server.Client(t), true, broken{}).all(t.Context(), makeUp(server)), "broken pipe")
	assert.Zero(t, patches(server))
}

func TestAListIsReadWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	for text, lines := range map[string]int{"m,f,385.50\n": 1, "\ufeffmatterid;feeid;rate\r\nm;f;385.50\r\n": 1, "m,f,385.50\nm,f,12 dollars\n": 0, "m,f,385.50\nm,f\n": 0, "m;f;385,50\n": 0} {
		list := filepath.Join(t.TempDir(), "list.csv")
		require.NoError(t, os.WriteFile(list, []byte(text), 0o600))
		fees, err := load(list)
		assert.Len(t, fees, lines, text)
		assert.Equal(t, lines == 0, err != nil, text)
	}
}

// A list may have a fee twice, in two spellings of its id.
func TestAFeeIsOneWhateverTheCaseOfItsID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		fees := makeUp(server)[:1]
		fees = append(fees, fee{strings.ToUpper(fees[0].matterID), strings.ToUpper(fees[0].id), models.MustDecimal("400")})
		_, err := corrected(t, server, true, fees)
		require.Error(t, err)
		assert.LessOrEqual(t, patches(server), 1)
	})
}
