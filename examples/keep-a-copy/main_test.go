package main

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rowsOf returns the rows of a report.
func rowsOf(t *testing.T, db *sql.DB, report int) (all [][3]string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), reports[report].query)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var row [3]string
		require.NoError(t, rows.Scan(&row[0], &row[1], &row[2]))
		all = append(all, row)
	}
	require.NoError(t, rows.Err())
	return all
}

// The sums of the first report are those of the service.
func TestTheReportsEqualTheService(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	client := server.Client(t)
	file := filepath.Join(t.TempDir(), "copy #1?.db")
	require.NoError(t, run(t.Context(), client, []string{file}, false))
	server.DeleteEvent(server.Firm().EventID)
	server.Settle()
	require.NoError(t, run(t.Context(), client, []string{file}, false))

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
	db, err := openDatabase(t.Context(), file)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	got := map[string]string{}
	for _, row := range rowsOf(t, db, 0) {
		got[row[0]] = row[2]
	}
	require.NotEmpty(t, want)
	assert.Equal(t, want, got)
	for _, row := range rowsOf(t, db, 1) {
		assert.NotEmpty(t, row[1], "a time without a zone")
	}
	assert.Contains(t, rowsOf(t, db, 2), [3]string{"events", "deleted", "19"}, "18 of the first copy, and one since")
}

func TestAFileIsNeededForARealFirm(t *testing.T) {
	t.Parallel()
	require.Error(t, run(t.Context(), practicetest.New(t).Client(t), nil, false))
	require.NoError(t, run(t.Context(), practicetest.New(t).Client(t), nil, true))
}
