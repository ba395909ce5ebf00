package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/examples/internal/database"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestASecondRunIsRefusedAndChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustRun()
	held, err := openCopy(t.Context(), w.file)
	require.NoError(t, err)
	w.server.ForgetEvent(w.live()[0])
	w.server.ResetRequests()
	require.ErrorIs(t, w.run(t.Context(), []string{"-full"}), database.ErrHeld)
	assert.Empty(t, w.server.Requests())
	require.NoError(t, held.Close())
	w.mustRun("-full")
	w.complete()
}

// As cron jobs that overlap.
func TestProcessesAtOnceDeleteOnlyWhatVanished(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustRun()
	gone := w.live()[7]
	w.server.ForgetEvent(gone)
	w.server.Clock().Advance(25 * time.Hour) // a full round is due
	w.server.Inject(practicetest.Fault{Operation: "listEvents", Kind: practicetest.FaultLatency, Delay: 20 * time.Millisecond, Times: -1})
	var running sync.WaitGroup
	var mu sync.Mutex
	ended := map[string]int{}
	for range 4 {
		child := w.child()
		var says bytes.Buffer
		child.Stderr = &says
		require.NoError(t, child.Start())
		running.Go(func() {
			err := child.Wait()
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				ended["done"]++
			case strings.Contains(says.String(), database.ErrHeld.Error()):
				ended["refused"]++
			default:
				ended[says.String()]++
			}
		})
	}
	running.Wait()
	assert.Positive(t, ended["done"])
	assert.Equal(t, 4, ended["done"]+ended["refused"], "%v", ended)
	assert.Equal(t, []string{gone}, w.column(`SELECT event FROM changes WHERE kind = 'deleted'`))
	w.complete()
}

// On a file system without locks two processes may have the file nevertheless.
func TestARoundThatAnotherProcessWentOnWithWritesNothing(t *testing.T) {
	t.Parallel()
	w := &world{T: t, file: filepath.Join(t.TempDir(), "calendar.db")}
	first, err := openCopy(t.Context(), w.file)
	require.NoError(t, err)
	defer func() { require.NoError(t, first.Close()) }()
	unlocked, err := database.Open(t.Context(), w.file, schema)
	require.NoError(t, err)
	second := &calendarCopy{unlocked, unlocked.Close}
	batch := []models.CalendarEvent{event("2026-03-02T09:00:00Z", "a")}

	cut := begun(t, first)
	require.NoError(t, first.store(t.Context(), cut, batch))
	r := begun(t, second)
	assert.True(t, r.resumed)
	require.ErrorIs(t, first.store(t.Context(), cut, batch), errTaken)
	require.ErrorIs(t, first.finish(t.Context(), cut), errTaken)
	require.NoError(t, second.store(t.Context(), r, batch))
	require.NoError(t, second.finish(t.Context(), r))
	require.ErrorIs(t, first.finish(t.Context(), cut), errTaken)
	require.NoError(t, second.DB.Close())

	var deleted int
	require.NoError(t, first.QueryRowContext(t.Context(), `SELECT count(*) FROM events WHERE deleted`).Scan(&deleted))
	assert.Zero(t, deleted)
}

func TestTheTransactionThatDeletesCountsItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustRun()
	c, err := openCopy(t.Context(), w.file)
	require.NoError(t, err)
	r, err := c.begin(t.Context(), source{service: w.server.BaseURL(), now: time.Now()}, true)
	require.NoError(t, err)
	require.ErrorIs(t, c.finish(t.Context(), r), errVanished, "no walk has met anything")
	require.NoError(t, c.Close())
	assert.ElementsMatch(t, w.live(), w.column(`SELECT id FROM events WHERE NOT deleted`))
}

func TestAMarkThatLiesAheadIsNotTrusted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustRun()
	w.server.Clock().Advance(2 * time.Hour)
	w.mustRun()
	w.server.Clock().Set(w.server.Clock().Now().Add(-time.Hour)) // the clock of the service was fast
	added := w.addCall(w.server.Clock().Now())
	w.mustRun()
	assert.Equal(t, []string{added}, w.changes(kindNew))
	assert.Equal(t, []string{"1", "0", "1"}, w.column(`SELECT full FROM rounds ORDER BY number`), "it read the whole calendar")
	w.complete()

	w.server.Clock().Advance(time.Minute)
	w.mustRun()
	assert.Equal(t, []string{"0"}, w.column(`SELECT full FROM rounds WHERE number = 4`), "the mark has come back")
}

func TestAFileIsTheCopyOfOneCalendar(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustRun()
	before := w.column(`SELECT record FROM events`)
	another := newWorld(t)
	another.file = w.file
	for _, args := range [][]string{nil, {"-full"}, {"-full", "-prune"}} {
		err := another.run(t.Context(), args)
		require.ErrorIs(t, err, errAnother)
		assert.ErrorContains(t, err, w.server.BaseURL())
	}
	assert.Equal(t, before, w.column(`SELECT record FROM events`))
	w.mustRun()
	w.complete()
}

func TestFirmsAreComparedWhereBothAreKnown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.server.Inject(practicetest.Fault{Operation: "getFirm", Status: 403, Times: 1})
	w.mustRun()
	assert.Equal(t, []string{""}, w.column(`SELECT firm FROM source`), "the client may not read it")
	w.mustRun()
	assert.Len(t, w.column(`SELECT firm FROM source WHERE firm <> ''`), 1, "now it may")

	c, err := openCopy(t.Context(), w.file)
	require.NoError(t, err)
	defer func() { require.NoError(t, c.Close()) }()
	_, err = c.begin(t.Context(), source{service: w.server.BaseURL(), firm: "another", now: time.Now()}, false)
	require.ErrorIs(t, err, errAnother, "other credentials at the same address")
	_, err = c.begin(t.Context(), source{service: w.server.BaseURL() + "/", now: time.Now()}, false)
	require.NoError(t, err, "the same address with a slash at its end")
}
