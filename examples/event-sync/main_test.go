package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// childFile is the variable that makes this test binary the program.
const childFile = "EVENT_SYNC_TEST_FILE"

func TestMain(m *testing.M) {
	if file := os.Getenv(childFile); file != "" {
		os.Exit(program.Run("event-sync", usage, os.Stdout, os.Stderr, func(ctx context.Context) error {
			return run(ctx, []string{"-page", strconv.Itoa(page), file}, os.Stdout, os.Getenv)
		}))
	}
	goleak.VerifyTestMain(m)
}

// world is a service with a calendar of more than two pages, and a file to copy
// it to.
type world struct {
	*testing.T
	server    *practicetest.Server
	variables map[string]string
	file      string
	out       bytes.Buffer
}

const (
	page   = 20
	pages  = 4
	seeded = pages*page - page/2
)

func newWorld(t *testing.T) *world {
	t.Helper()
	server, err := practicetest.Start(practicetest.WithStrict(true), practicetest.WithEvents(seeded), practicetest.WithTokenLifetime(72*time.Hour))
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.Empty(t, server.Violations())
		require.NoError(t, server.Close())
	})
	return &world{T: t, server: server, file: filepath.Join(t.TempDir(), "calendar.db"), variables: map[string]string{
		"PRACTICE_BASE_URL": server.BaseURL(), "PRACTICE_API_KEY": server.Credentials().APIKey,
		"PRACTICE_ACCESS_TOKEN": server.Credentials().AccessToken,
	}}
}

// run makes one round. Options stand before the file.
func (w *world) run(ctx context.Context, args []string, more ...practice.ClientOption) error {
	w.out.Reset()
	return run(ctx, append(args, "-page", strconv.Itoa(page), w.file), &w.out, func(name string) string { return w.variables[name] }, more...)
}

func (w *world) mustRun(args ...string) {
	w.Helper()
	require.NoError(w, w.run(w.Context(), args))
}

// addCall adds an event that begins at a time.
func (w *world) addCall(start time.Time) string {
	return w.server.AddEvent(models.CalendarEventWrite{Subject: "Call", StartTime: models.LocalDateTimeOf(start.UTC())})
}

// live returns the ids of the events that are not deleted.
func (w *world) live() []string {
	w.Helper()
	events, err := practice.Collect(w.server.Client(w).Events.All(w.Context(), practice.EventListOptions{
		From: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), ExcludeDeleted: true,
	}))
	require.NoError(w, err)
	ids := make([]string, len(events))
	for i, event := range events {
		ids[i] = event.ID
	}
	return ids
}

// column reads one column of the copy.
func (w *world) column(query string, args ...any) (list []string) {
	w.Helper()
	c, err := openCopy(w.Context(), w.file)
	require.NoError(w, err)
	defer func() { require.NoError(w, c.Close()) }()
	rows, err := c.QueryContext(w.Context(), query, args...)
	require.NoError(w, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var text string
		require.NoError(w, rows.Scan(&text))
		list = append(list, text)
	}
	require.NoError(w, rows.Err())
	return list
}

// complete holds that the copy is the calendar, and that the list of changes
// leads to it with nothing twice.
func (w *world) complete() {
	w.Helper()
	assert.ElementsMatch(w, w.live(), w.column(`SELECT id FROM events WHERE NOT deleted`))
	assert.ElementsMatch(w, w.live(), w.column(`SELECT event FROM changes GROUP BY event HAVING sum(kind = 'new') - sum(kind = 'deleted') = 1`))
	assert.Empty(w, w.column(`SELECT event FROM changes GROUP BY event HAVING sum(kind = 'new') > 1 OR sum(kind = 'deleted') > 1`))
	assert.Empty(w, w.column(`SELECT number FROM rounds WHERE NOT finished`))
}

func (w *world) changes(k kind) []string {
	w.Helper()
	return w.column(`SELECT event FROM changes WHERE kind = ? AND round = (SELECT max(number) FROM rounds)`, string(k))
}

func TestWithoutAnythingItShowsThreeRounds(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, func(string) string { return "" }))
	assert.Contains(t, out.String(), "  282 new, 0 changed, 0 deleted, 0 unchanged: 282 events in the copy.\n")
	assert.Contains(t, out.String(), "  1 new, 2 changed, 1 deleted, 279 unchanged: 282 events in the copy.\n")
	assert.Contains(t, out.String(), "  0 new, 0 changed, 1 deleted, 281 unchanged: 281 events in the copy.\n")
	assert.Regexp(t, `new +Call with counsel +\d{4}-\d\d-\d\dT\d\d:00:00 +UTC\n`, out.String())
	title, _, _ := strings.Cut(out.String(), "\n")
	assert.NoDirExists(t, filepath.Dir(strings.TrimPrefix(title, "Copy of the calendar in ")))
}

func TestAfterTheFirstRoundOnlyChangesAreRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustRun()
	w.complete()
	live := w.live()
	w.server.Clock().Advance(time.Hour)
	added := w.addCall(w.server.Clock().Now().Add(-400 * 24 * time.Hour))
	w.server.RescheduleEvent(live[3], -90*24*time.Hour)
	w.server.DeleteEvent(live[4])
	w.server.ResetRequests()

	w.mustRun()
	requests := w.server.Requests()
	w.complete()
	assert.Equal(t, []string{added}, w.changes(kindNew))
	assert.Equal(t, []string{live[3]}, w.changes(kindChanged))
	assert.Equal(t, []string{live[4]}, w.changes(kindDeleted))
	require.Len(t, requests, 3, "the firm and its time, one page, and its size")
	for _, r := range requests {
		assert.Equal(t, http.MethodGet, r.Method)
	}
	began, err := models.ParseTicks(w.column(`SELECT began FROM rounds WHERE number = 1`)[0])
	require.NoError(t, err)
	assert.Contains(t, requests[1].RawQuery, "UpdatedSince="+strconv.FormatInt(int64(began)-3_000_000_000, 10), "five minutes before the mark")

	w.mustRun()
	assert.Contains(t, w.out.String(), "  0 new, 0 changed, 0 deleted, ", "what the overlap brings again changes nothing")
}

type hook func(*http.Request)

func (h hook) RoundTrip(r *http.Request) (*http.Response, error) {
	h(r)
	return http.DefaultTransport.RoundTrip(r)
}

// before calls do before one request of a run, counted from 1.
func before(request int32, do func()) practice.ClientOption {
	var sent atomic.Int32
	return practice.WithHTTPClient(&http.Client{Transport: hook(func(*http.Request) {
		if sent.Add(1) == request {
			do()
		}
	})})
}

func TestARoundThatIsCutGoesOn(t *testing.T) {
	t.Parallel()
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	for request, stage := range map[int32]string{
		1: "at the time of the service", 2: "at the first page", 3: "at the second page", 5: "at the last page", 6: "at the size",
	} {
		t.Run(stage, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			ctx, interrupt := context.WithCancel(t.Context())
			require.ErrorIs(t, w.run(ctx, nil, before(request, interrupt)), context.Canceled)
			if stored := len(w.column(`SELECT id FROM events`)); request != 3 { // the second page is requested while the first is stored
				assert.Equal(t, request > 3, stored > 0, "what was read is stored")
			}

			live := w.live()
			w.server.DeleteEvent(live[0])
			w.server.ForgetEvent(live[1])
			w.server.RescheduleEvent(live[2], 1000*24*time.Hour)
			w.addCall(w.server.Clock().Now())
			w.mustRun()
			w.complete()
			assert.Equal(t, request > 1, strings.Contains(w.out.String(), "An earlier run was cut. This one went on."))
			assert.Equal(t, []string{"1"}, w.column(`SELECT number FROM rounds`), "it is one round")
		})
	}
}

func TestAKilledProcessLosesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	kill := w.startChild(practicetest.Fault{Operation: "listEvents", Skip: 2, Kind: practicetest.FaultStall})
	require.Eventually(t, func() bool { return len(w.server.Requests()) >= 4 }, 5*time.Minute, 10*time.Millisecond,
		"the third page is requested when the first one is stored")
	kill()
	assert.NotEmpty(t, w.column(`SELECT id FROM events`))
	assert.Len(t, w.column(`SELECT event FROM changes`), len(w.column(`SELECT id FROM events`)), "both are written in one transaction")
	w.mustRun()
	w.complete()
	assert.Contains(t, w.out.String(), "An earlier run was cut.")
}

func TestAnEventThatMovesDuringAWalkHidesNoOther(t *testing.T) {
	t.Parallel()
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	w := newWorld(t)
	first := w.server.EventIDs()[0]
	require.NoError(t, w.run(t.Context(), nil, before(3, func() { w.server.RescheduleEvent(first, 1000*24*time.Hour) })))
	assert.Len(t, w.server.Requests(), 1+2*(pages+1), "it walked twice")
	w.complete()
}

func TestACalendarThatNeverRestsIsNotTakenAsRead(t *testing.T) {
	t.Parallel()
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	w := newWorld(t)
	start := w.server.Clock().Now()
	restless := practice.WithHTTPClient(&http.Client{Transport: hook(func(r *http.Request) {
		if r.URL.Query().Get("Limit") == "1" {
			w.addCall(start)
		}
	})})
	require.ErrorIs(t, w.run(t.Context(), nil, restless), errUnsettled)
	w.mustRun()
	w.complete()
}

func TestAVanishedEventIsFoundByTheFullRoundOfTheDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustRun()
	gone := w.live()[7]
	w.server.ForgetEvent(gone)
	w.server.Clock().Advance(time.Hour)
	w.mustRun()
	assert.Empty(t, w.changes(kindDeleted), "a round that asks for updates cannot see it")
	w.server.Clock().Advance(23 * time.Hour)
	w.mustRun()
	assert.Equal(t, []string{gone}, w.changes(kindDeleted))
	w.complete()
}

func TestAnotherCalendarIsNotTakenAsDeletions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustRun()
	had := w.live()
	for _, id := range had[:len(had)*2/3] {
		w.server.ForgetEvent(id)
	}
	require.ErrorIs(t, w.run(t.Context(), []string{"-full"}), errVanished)
	assert.Len(t, w.column(`SELECT id FROM events WHERE NOT deleted`), len(had))
	w.mustRun("-prune")
	w.complete()
}

func TestARoundDoesNotEndWithoutARecordThatCannotBeRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.server.Inject(practicetest.Fault{Operation: "listEvents", Kind: practicetest.FaultStatus, Status: 200, ContentType: "application/json",
		Body: `{"value":[{"id":"good","subject":"Call"},{"id":"bad","startTime":true},{"subject":"No id"}],"size":3}`})
	err := w.run(t.Context(), nil)
	_, unreadable := errors.AsType[*practice.RecordError](err)
	assert.True(t, unreadable, "%v", err)
	require.ErrorIs(t, err, errNoID)
	assert.Equal(t, []string{"good"}, w.column(`SELECT id FROM events`))
	assert.Equal(t, []string{"0"}, w.column(`SELECT finished FROM rounds`))
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	env := func(name string) string { return w.variables[name] }
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"-x"}, "bad command line: flag provided but not defined: -x"},
		{[]string{"a", "b"}, `unexpected argument "b"`},
		{[]string{"-page", "501"}, "-page must be 1 to 500"},
		{nil, "which file?"},
	} {
		err := run(t.Context(), test.args, new(bytes.Buffer), env)
		require.ErrorIs(t, err, program.ErrUsage)
		assert.ErrorContains(t, err, test.says)
	}
	require.ErrorIs(t, run(t.Context(), []string{"-h"}, io.Discard, env), flag.ErrHelp)
}
