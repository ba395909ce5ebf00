package oncesql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/sqltable"
)

var errTaken = errors.New("the key is not unique")

// contended simulates a database in which others take and release a key between
// two statements: so many inserts fail, but no row is ever found.
type contended struct {
	driver.Conn
	left int
}

func (c *contended) Connect(context.Context) (driver.Conn, error) { return c, nil }
func (c *contended) Driver() driver.Driver                        { return nil }
func (c *contended) Close() error                                 { return nil }

func (c *contended) ExecContext(_ context.Context, query string, _ []driver.NamedValue) (driver.Result, error) {
	if c.left > 0 && strings.HasPrefix(query, "INSERT") {
		c.left--
		return nil, errTaken
	}
	return driver.RowsAffected(1), nil
}

func (c *contended) QueryContext(context.Context, string, []driver.NamedValue) (driver.Rows, error) {
	return nobody{}, nil
}

type nobody struct{}

func (nobody) Columns() []string         { return []string{"holder", "beat"} }
func (nobody) Close() error              { return nil }
func (nobody) Next([]driver.Value) error { return io.EOF }

func TestAKeyThatOthersReleaseAtOnceIsWaitedFor(t *testing.T) {
	t.Parallel()
	for failures, want := range map[int]error{0: nil, 2: nil, mostAbsent - 1: nil, mostAbsent: errTaken} {
		synctest.Test(t, func(t *testing.T) {
			db := sql.OpenDB(&contended{left: failures})
			defer func() { require.NoError(t, db.Close()) }()
			journal := &Journal{table: sqltable.Table{DB: db}, lease: DefaultLease}
			release, err := journal.Hold(t.Context(), "row 1")
			require.ErrorIs(t, err, want, "%d failures", failures)
			if want == nil {
				require.NoError(t, err)
				release()
			}
			assert.Equal(t, want != nil, release == nil)
		})
	}
}
