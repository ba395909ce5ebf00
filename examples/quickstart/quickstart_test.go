package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func nothing(string) string { return "" }

// environmentOf names a service, and no more variables than are given.
func environmentOf(server *practicetest.Server, more map[string]string) func(string) string {
	c := server.Credentials()
	variables := map[string]string{
		"PRACTICE_BASE_URL": server.BaseURL(), "PRACTICE_API_KEY": c.APIKey, "PRACTICE_ACCESS_TOKEN": c.AccessToken,
	}
	return func(name string) string {
		if value, ok := more[name]; ok {
			return value
		}
		return variables[name]
	}
}

func startStrict(t *testing.T) *practicetest.Server {
	t.Helper()
	server, err := practicetest.Start(practicetest.WithStrict(true))
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.Empty(t, server.Violations())
		require.NoError(t, server.Close())
	})
	return server
}

// part is what was printed below the heading that begins with a text.
func part(t *testing.T, output, heading string) []string {
	t.Helper()
	_, rest, found := strings.Cut(output, heading)
	require.True(t, found, "there is no %q in\n%s", heading, output)
	end := regexp.MustCompile(`(?m)^\d\. |^  Done in|^Left out`).FindStringIndex(rest)
	require.NotNil(t, end, rest)
	return strings.Split(rest[:end[0]], "\n")
}

func TestItShowsTheMainJob(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, nothing))
	text := out.String()
	assert.NotContains(t, text, "\x1b", "no colour outside of a terminal")
	assert.NotContains(t, text, "\r", "and nothing is written over")
	assert.Contains(t, text, "Done in")

	t.Run("balances are exact and aligned to the right", func(t *testing.T) {
		t.Parallel()
		lines := part(t, text, "1. Bank accounts and balances")
		amounts := 0
		for _, line := range lines {
			if regexp.MustCompile(`^  (Operating|Trust|Credit|ControlledMoney) `).MatchString(line) {
				amounts++
				assert.Regexp(t, ` -?\d+\.\d\d$`, line)
				assert.Len(t, []rune(line), len([]rune(lines[2])), "the amounts end below each other: %q", line)
			}
		}
		assert.Equal(t, 6, amounts)
		assert.Contains(t, strings.Join(lines, "\n"), "all balances add up")
	})
	t.Run("folders stand below folders", func(t *testing.T) {
		t.Parallel()
		tree := strings.Join(part(t, text, "2. The documents of a matter"), "\n")
		assert.Contains(t, tree, "├─ Letters/\n  │  ├─ 2024/\n  │  │  └─ Drafts/\n  │  │     └─ Draft.docx")
		assert.Contains(t, tree, "… and 18 more files")
		assert.Contains(t, tree, "32 files in 10 folders.")
	})
	t.Run("the content comes back as it was sent", func(t *testing.T) {
		t.Parallel()
		trip := strings.Join(part(t, text, "3. A file, there and back"), "\n")
		assert.Regexp(t, `upload +100% \|█+\|`, trip)
		assert.Regexp(t, `download +100% \|█+\|`, trip)
		hashes := regexp.MustCompile(`SHA-256 \w+ +([0-9a-f]{64})\n`).FindAllStringSubmatch(trip, -1)
		require.Len(t, hashes, 2)
		assert.Equal(t, hashes[0][1], hashes[1][1])
		assert.Contains(t, trip, "The content came back as it was sent.")
	})
	t.Run("events are in their own zones", func(t *testing.T) {
		t.Parallel()
		days := strings.Join(part(t, text, "4. The calendar of the next seven days"), "\n")
		assert.Regexp(t, `(?m)^  \w{3} \d+ \w{3} +(\d\d:\d\d–\d\d:\d\d|all day) +(Australia|America|Europe|Asia)/\w+ `, days)
		assert.Regexp(t, `\d+ events? in seven days\.`, days)
	})
	t.Run("the fee is corrected, and its notification is verified", func(t *testing.T) {
		t.Parallel()
		fee := strings.Join(part(t, text, "5. A fee corrected"), "\n")
		assert.Contains(t, fee, `{"subject":"Advice on the lease","duration":42,"rate":385.50,"tax":null}`)
		assert.Contains(t, fee, "Answered  202 Accepted, fee ")
		assert.Contains(t, fee, "Accepted is not done")
		assert.Contains(t, fee, "Received fee.updated, signed at ")
		assert.Contains(t, fee, "A forged one was refused with 401 Unauthorized.")
		assert.Contains(t, fee, "The fee is now: Advice on the lease, 42 minutes at 385.50 dollars an hour, tax none.")
	})
}

func TestTheREADMEShowsWhatItPrints(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	_, shown, found := strings.Cut(string(readme), "```text\n$ go run ./examples/quickstart\n")
	require.True(t, found)
	shown, _, _ = strings.Cut(shown, "```")
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, nothing))
	for line := range strings.Lines(shown) {
		assert.Contains(t, out.String(), line)
	}
}

func TestItOnlyReadsFromAServiceOfTheEnvironment(t *testing.T) {
	t.Parallel()
	server := startStrict(t)
	var out bytes.Buffer
	env := environmentOf(server, map[string]string{"PRACTICE_MATTER_ID": server.Firm().MatterIDs[1]})
	require.NoError(t, run(t.Context(), nil, &out, env))
	text := out.String()
	assert.Contains(t, text, "Reading from "+server.BaseURL()+", signed in by an access token.")
	assert.Contains(t, text, "Matter "+server.Firm().MatterIDs[1])
	assert.Contains(t, text, "3. The calendar of the next seven days")
	assert.Contains(t, text, "Left out, because it writes\n\n  A file, there and back\n  A fee corrected")
	require.NotEmpty(t, server.Requests())
	for _, request := range server.Requests() {
		assert.Equal(t, http.MethodGet, request.Method, request.Path)
	}
}

func TestALargeMatterIsCutShort(t *testing.T) {
	t.Parallel()
	server := startStrict(t)
	client, matter := server.Client(t), server.Firm().MatterIDs[2]
	for i := range maxFolders {
		_, err := client.Documents.CreateFolder(t.Context(), matter, models.FolderWrite{Name: fmt.Sprintf("Volume %02d", i+1)})
		require.NoError(t, err)
	}
	server.Settle()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, environmentOf(server, map[string]string{"PRACTICE_MATTER_ID": matter})))
	assert.Contains(t, out.String(), "Only the first 50 folders are shown.")
	assert.Contains(t, out.String(), "in 50 folders.")
}

func TestItSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	server := startStrict(t)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, environmentOf(server, nil)))
	assert.Contains(t, out.String(), "Left out: set PRACTICE_MATTER_ID to the matter to show.")

	err := run(t.Context(), nil, &out, environmentOf(server, map[string]string{"PRACTICE_API_KEY": ""}))
	assert.ErrorContains(t, err, "PRACTICE_API_KEY")
}

func TestNamesOfTheServiceCannotSteerTheTerminal(t *testing.T) {
	t.Parallel()
	server := startStrict(t)
	client := server.Client(t)
	_, err := client.Documents.CreateFolder(t.Context(), server.Firm().MatterID, models.FolderWrite{Name: "\x1b[2J\u202eexe.tnemucod\nfake"})
	require.NoError(t, err)
	server.Settle()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, environmentOf(server, map[string]string{"PRACTICE_MATTER_ID": server.Firm().MatterID})))
	assert.Contains(t, out.String(), "─ [2Jexe.tnemucod fake/\n")
	assert.NotContains(t, out.String(), "\x1b")
	assert.NotContains(t, out.String(), "\u202e")
}

func TestAFailureEndsIt(t *testing.T) {
	t.Parallel()
	for _, operation := range []string{"listBankAccounts", "getRootFolder", "getFolder", "listEvents"} {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			server := startStrict(t)
			server.Inject(practicetest.Fault{Operation: operation, Status: http.StatusForbidden, Times: -1})
			var out bytes.Buffer
			err := run(t.Context(), nil, &out, environmentOf(server, map[string]string{"PRACTICE_MATTER_ID": server.Firm().MatterID}))
			require.ErrorIs(t, err, practice.ErrForbidden)
			assert.NotContains(t, out.String(), "Done in")
		})
	}
}

// watcher calls a function once a text was printed.
type watcher struct {
	text string
	call func()
}

func (w *watcher) Write(p []byte) (int, error) {
	if strings.Contains(string(p), w.text) {
		w.call()
	}
	return len(p), nil
}

func TestAnInterruptionEndsItCleanly(t *testing.T) {
	t.Parallel()
	for _, moment := range []string{"Practice quickstart", "2. The documents", "3. A file", "Listening at", "Accepted is not done"} {
		t.Run(moment, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			err := run(ctx, nil, &watcher{text: moment, call: cancel}, nothing)
			require.ErrorIs(t, err, context.Canceled) // goleak finds what would be left behind
		})
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestAnOutputThatIsClosedEndsIt(t *testing.T) {
	t.Parallel()
	require.EqualError(t, run(t.Context(), nil, brokenPipe{}, nothing), "broken pipe")
}

func TestTheCalendarTellsWhenAndWhere(t *testing.T) {
	t.Parallel()
	local := func(text string) models.LocalDateTime {
		at, err := models.ParseLocalDateTime(text)
		require.NoError(t, err)
		return at
	}
	tests := map[string]struct {
		event models.CalendarEvent
		want  string
	}{
		"an event": {
			models.CalendarEvent{TimeZone: "Australia/Sydney", StartTime: local("2026-07-01T09:00:00"), EndTime: local("2026-07-01T10:30:00")},
			"Wed 1 Jul|09:00–10:30|Tue 23:00",
		},
		"all day": {
			models.CalendarEvent{TimeZone: "Europe/London", StartTime: local("2026-07-01T00:00:00"), AllDay: models.Some(true)},
			"Wed 1 Jul|all day|",
		},
		"an hour that the clocks left out": {
			models.CalendarEvent{TimeZone: "Europe/London", StartTime: local("2026-03-29T01:30:00")},
			"2026-03-29T01:30:00|gap|",
		},
		"an hour that the clocks showed twice": {
			models.CalendarEvent{TimeZone: "Europe/London", StartTime: local("2026-10-25T01:30:00")},
			"2026-10-25T01:30:00|overlap|",
		},
		"an unknown zone": {models.CalendarEvent{TimeZone: "Moon/Tranquillity", StartTime: local("2026-07-01T00:00:00")}, "2026-07-01T00:00:00|unknown zone|"},
		"no time at all":  {models.CalendarEvent{TimeZone: "Europe/London"}, "|absent|"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			day, clock, utc := when(tt.event)
			assert.Equal(t, tt.want, fmt.Sprintf("%s|%s|%s", day, clock, utc))
		})
	}
}

func TestAnAbsentAmountIsNotZero(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "not shown", amount(models.Decimal{}, "not shown"))
	assert.Equal(t, "0.00", amount(models.MustDecimal("0.00"), "not shown"))
}
