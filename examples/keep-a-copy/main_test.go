package main

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// linesOf returns the lines of a report, each as its words.
func linesOf(t *testing.T, db *sql.DB, report int) (all [][]string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), reports[report].query)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var line, place string
		require.NoError(t, rows.Scan(&line, &place))
		all = append(all, strings.Fields(line))
	}
	require.NoError(t, rows.Err())
	return all
}

// The sums of the first report are those of the service.
func TestTheReportsEqualTheService(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	client := server.Client(t)
	file := filepath.Join(t.TempDir(), "firm.db")
	require.NoError(t, keep(t.Context(), client, file))
	server.DeleteEvent(server.Firm().EventID)
	server.Settle()
	require.NoError(t, keep(t.Context(), client, file))

	want := map[string]string{}
	for matter, err := range client.Matters.All(t.Context(), practice.MatterListOptions{Type: models.MatterListTypeMattersLeads}) {
		require.NoError(t, err)
		sum := models.MustDecimal("0")
		for fee, err := range client.Fees.All(t.Context(), matter.ID, practice.FeeListOptions{}) {
			require.NoError(t, err)
			if fee.IsDeleted.Or(false) || fee.InvoiceID != "" || !fee.IsBillable.Or(false) || fee.Amount.IsAbsent() {
				continue
			}
			sum, err = sum.Add(fee.Amount)
			require.NoError(t, err)
		}
		if !sum.IsZero() {
			want[matter.Number] = sum.Fixed(2)
		}
	}
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	got := map[string]string{}
	for _, line := range linesOf(t, db, 0) {
		got[line[0]] = line[1]
	}
	require.NotEmpty(t, want)
	assert.Equal(t, want, got)
	for _, line := range linesOf(t, db, 1) {
		assert.Contains(t, line[1], "/", "a time without a zone")
	}
	assert.Contains(t, linesOf(t, db, 2), []string{"events", "deleted", "19"}, "18 of the first copy, and one since")
}

func TestTheProgramIsOneFileOfAtMostSixtyLines(t *testing.T) {
	t.Parallel()
	sources, err := os.ReadDir(".")
	require.NoError(t, err)
	assert.Len(t, sources, 2, "the program and this test")
	text, err := os.ReadFile("main.go")
	require.NoError(t, err)
	lines := 0
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			lines++
		}
	}
	assert.LessOrEqual(t, lines, 60, "without comments and empty lines")
}

func TestACopyThatFailsIsAnError(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, run(ctx), context.Canceled)
}
