package databases_test

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/once"
	"github.com/practicesdk/practice-go/once/oncesql"
)

// TestTwoRunsCreateEachRowOnce runs two processes with the same rows, the
// defaults of Run, and pools of any number of connections.
func TestTwoRunsCreateEachRowOnce(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, p place) {
		p.exec(t, `CREATE TABLE billed (line TEXT, fee TEXT)`)
		var created atomic.Int64
		var runs sync.WaitGroup
		for range 2 {
			journal := p.journal(t, 0, oncesql.Options{})
			runs.Go(func() {
				report, err := once.Run(t.Context(), rows(60), func(ctx context.Context, key string, line int) error {
					bill := journal.With(func(ctx context.Context, tx *sql.Tx, id string) error {
						_, err := tx.ExecContext(ctx, fmt.Sprintf(`INSERT INTO billed VALUES ('%d', '%s')`, line, id))
						return err
					})
					_, err := once.Do(ctx, bill, key, creates(&created), never)
					return err
				}, once.RunOptions{})
				assert.NoError(t, err)
				assert.Empty(t, report.Failed)
			})
		}
		runs.Wait()
		assert.Equal(t, int64(60), created.Load())
		var billed int
		require.NoError(t, p.pool(t, 1).QueryRowContext(t.Context(), `SELECT COUNT(*) FROM billed`).Scan(&billed))
		assert.Equal(t, 60, billed)
	})
}

func rows(n int) func(yield func(string, int) bool) {
	return func(yield func(string, int) bool) {
		for i := range n {
			if !yield(fmt.Sprint("row ", i), i) {
				return
			}
		}
	}
}
