package once_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/once"
)

// numbered yields n rows.
func numbered(n int) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for i := range n {
			if !yield(fmt.Sprintf("row %d", i), i) {
				return
			}
		}
	}
}

func TestARunGoesOnAfterRowsThatFail(t *testing.T) {
	t.Parallel()
	bad := errors.New("bad row")
	var at, most atomic.Int64
	progress := 0
	report, err := once.Run(t.Context(), numbered(50), func(_ context.Context, _ string, row int) error {
		defer at.Add(-1)
		for now := at.Add(1); now > most.Load(); {
			most.Store(now)
		}
		if row%10 == 3 {
			return bad
		}
		return nil
	}, once.RunOptions{Concurrency: 3, Progress: func(once.Report) { progress++ }})
	require.ErrorIs(t, err, bad)
	assert.Equal(t, 45, report.Done)
	assert.Len(t, report.Failed, 5)
	assert.Equal(t, 50, progress)
	assert.LessOrEqual(t, most.Load(), int64(3))
}

func TestARunThatIsCancelledIsRepeated(t *testing.T) {
	t.Parallel()
	journal := open(t, filepath.Join(t.TempDir(), "journal"))
	defer func() { require.NoError(t, journal.Close()) }()
	var created atomic.Int64
	do := func(ctx context.Context, key string, _ int) error {
		_, err := once.Do(ctx, journal, key, func(context.Context, once.Intent) (string, error) {
			return fmt.Sprint(created.Add(1)), nil
		}, func(context.Context, once.Intent) ([]string, error) { return nil, nil })
		return err
	}
	ctx, cancel := context.WithCancel(t.Context())
	first, err := once.Run(ctx, numbered(40), do, once.RunOptions{Progress: func(r once.Report) {
		if r.Done == 10 {
			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
	assert.Positive(t, first.Skipped)
	assert.Equal(t, 40, first.Done+len(first.Failed)+first.Skipped)

	second, err := once.Run(t.Context(), numbered(40), do, once.RunOptions{})
	require.NoError(t, err)
	assert.Equal(t, 40, second.Done)
	assert.Equal(t, int64(40), created.Load())
}

func TestARowWithTheKeyOfAnotherFails(t *testing.T) {
	t.Parallel()
	const pairs = 500
	rows := func(yield func(string, int) bool) {
		for i := range pairs {
			if key := strconv.Itoa(i); !yield(key, 1) || !yield(key, 2) {
				return
			}
		}
	}
	var later atomic.Int64
	report, err := once.Run(t.Context(), rows, func(_ context.Context, _ string, row int) error {
		later.Add(int64(row - 1))
		return nil
	}, once.RunOptions{})
	require.ErrorIs(t, err, once.ErrDuplicateKey)
	assert.Equal(t, pairs, report.Done)
	assert.Zero(t, later.Load(), "the earlier row is done, and the later one fails")
	require.Len(t, report.Failed, pairs)
	assert.EqualError(t, report.Failed[0], `row "0": once: an earlier row has the same key`)
}

// TestTheLastProgressIsTheReport checks rows that are skipped at the end.
func TestTheLastProgressIsTheReport(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var last once.Report
	report, err := once.Run(ctx, numbered(9), func(_ context.Context, _ string, row int) error {
		if row == 4 {
			cancel()
		}
		return nil
	}, once.RunOptions{Concurrency: 1, Progress: func(r once.Report) { last = r }})
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, once.Report{Done: 5, Skipped: 4}, report)
	assert.Equal(t, report, last)
}

// TestRunWaitsForItsCallsWhenTheRowsPanic checks that no call goes on after Run
// has ended.
func TestRunWaitsForItsCallsWhenTheRowsPanic(t *testing.T) {
	t.Parallel()
	begun, going := make(chan struct{}), make(chan struct{})
	var ended atomic.Bool
	rows := func(yield func(string, int) bool) {
		yield("row", 0)
		<-begun
		defer close(going)
		panic("the file of the rows is broken")
	}
	assert.PanicsWithValue(t, "the file of the rows is broken", func() {
		_, _ = once.Run(t.Context(), rows, func(context.Context, string, int) error {
			close(begun)
			<-going
			ended.Store(true)
			return nil
		}, once.RunOptions{})
	})
	assert.True(t, ended.Load())
}
