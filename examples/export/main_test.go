package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T, options ...practicetest.Option) (server *practicetest.Server, env func(string) string) {
	t.Helper()
	server, err := practicetest.Start(append(options, practicetest.WithStrict(true))...)
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.Empty(t, server.Violations())
		require.NoError(t, server.Close())
	})
	variables := map[string]string{
		"PRACTICE_BASE_URL": server.BaseURL(), "PRACTICE_API_KEY": server.Credentials().APIKey, "PRACTICE_ACCESS_TOKEN": server.Credentials().AccessToken,
	}
	return server, func(name string) string { return variables[name] }
}

// rows returns the lines of a file by their first cell.
func rows(t *testing.T, dir, name string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	require.NoError(t, err)
	all := map[string][]string{}
	for _, line := range lines[1:] {
		all[line[0]] = line
	}
	require.Len(t, all, len(lines)-1, "no record comes twice")
	return all
}

func event(subject, start, zone string) models.CalendarEventWrite {
	at, err := models.ParseLocalDateTime(start)
	if err != nil {
		panic(err)
	}
	return models.CalendarEventWrite{Subject: subject, StartTime: at, EndTime: at, TimeZone: zone}
}

func TestWithoutAnythingItWritesBothFiles(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, func(string) string { return "" }))
	assert.Regexp(t, `  staff.csv: \d+ records\n  calendar.csv: \d+ records\n`, out.String())
}

func TestEveryRecordIsInItsFile(t *testing.T) {
	t.Parallel()
	server, env := start(t, practicetest.WithEvents(700))
	dir := filepath.Join(t.TempDir(), "export")
	id := server.AddEvent(event("=Hearing", "2031-07-01T09:30:00", "Europe/Zurich"))
	former := server.Firm().StaffIDs[0]
	require.NoError(t, run(t.Context(), []string{"-from", "2000-01-01", dir}, new(bytes.Buffer), env))

	calendar := rows(t, dir, "calendar.csv")
	for _, want := range server.EventIDs() {
		e, there := server.Event(want)
		require.True(t, there)
		if !e.IsDeleted.Or(false) {
			assert.Contains(t, calendar, want)
		}
	}
	assert.Equal(t, []string{"'=Hearing", "", "2031-07-01T09:30:00", "2031-07-01T09:30:00", "Europe/Zurich", "2031-07-01T07:30:00Z", "2031-07-01T07:30:00Z"}, calendar[id][2:])
	staff := rows(t, dir, "staff.csv")
	for _, want := range server.Firm().StaffIDs {
		assert.Contains(t, staff, want)
	}
	member, there := server.StaffMember(former)
	require.True(t, there)
	assert.Equal(t, []string{member.FirstName, member.LastName}, staff[former][1:3])
	for _, request := range server.Requests() {
		assert.Equal(t, http.MethodGet, request.Method, "it writes nothing")
	}
}

func TestATimeThatTheClocksLeftOutIsAnErrorAndTheRestIsThere(t *testing.T) {
	t.Parallel()
	server, env := start(t)
	dir := filepath.Join(t.TempDir(), "export")
	id := server.AddEvent(event("Hearing", "2031-03-30T02:30:00", "Europe/Zurich"))
	err := run(t.Context(), []string{dir}, new(bytes.Buffer), env)
	require.ErrorContains(t, err, "calendar.csv: event "+id)
	calendar := rows(t, dir, "calendar.csv")
	assert.Equal(t, []string{"2031-03-30T02:30:00", "Europe/Zurich", "", ""}, calendar[id][5:])
	assert.Greater(t, len(calendar), 1)
}

func TestARecordThatCannotBeReadIsAnErrorAndTheOthersAreThere(t *testing.T) {
	t.Parallel()
	server, env := start(t)
	dir := filepath.Join(t.TempDir(), "export")
	server.Inject(practicetest.Fault{
		Operation: "listStaff", Status: 200, ContentType: "application/json",
		Body: `{"offset":0,"limit":100,"size":2,"value":[{"id":7},{"id":"6a0f5b1e-0000-4000-8000-000000000000","firstName":"Ada"}]}`,
	})
	err := run(t.Context(), []string{dir}, new(bytes.Buffer), env)
	_, unreadable := errors.AsType[*practice.RecordError](err)
	require.True(t, unreadable, "%v", err)
	require.ErrorContains(t, err, "staff.csv: ")
	staff := rows(t, dir, "staff.csv")
	require.Len(t, staff, 1)
	assert.Equal(t, "Ada", staff["6a0f5b1e-0000-4000-8000-000000000000"][1])
	assert.FileExists(t, filepath.Join(dir, "calendar.csv"))
}

func TestAnExportThatBreaksOffLeavesTheOlderFile(t *testing.T) {
	t.Parallel()
	server, env := start(t, practicetest.WithEvents(700))
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "calendar.csv"), []byte("yesterday's"), 0o600))
	server.Inject(practicetest.Fault{Operation: "listEvents", Kind: practicetest.FaultStatus, Status: 404, Skip: 1})
	require.ErrorIs(t, run(t.Context(), []string{"-from", "2000-01-01", dir}, new(bytes.Buffer), env), practice.ErrNotFound)
	text, err := os.ReadFile(filepath.Join(dir, "calendar.csv"))
	require.NoError(t, err)
	assert.Equal(t, "yesterday's", string(text))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 2, "and the staff; no part of a file")
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	_, env := start(t)
	for _, args := range [][]string{{"-x"}, {"a", "b"}, {}, {"-from", "May", "a"}} {
		require.ErrorIs(t, run(t.Context(), args, new(bytes.Buffer), env), program.ErrUsage)
	}
	require.ErrorIs(t, run(t.Context(), []string{"-h"}, new(bytes.Buffer), env), flag.ErrHelp)
}
