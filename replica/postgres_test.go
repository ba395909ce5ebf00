package replica

import (
	"database/sql"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/postgrestest"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

// overPostgres is the variable with the directory of a server, over which the
// tests run instead of over files.
const overPostgres = "REPLICA_TEST_POSTGRES"

// onlyInFiles skips a test of what only SQLite has.
func onlyInFiles(t *testing.T) {
	t.Helper()
	if os.Getenv(overPostgres) != "" {
		t.Skip("only SQLite has files")
	}
}

// either returns a number for files or for PostgreSQL, which takes longer.
func either(files, postgres int) int {
	if os.Getenv(overPostgres) != "" {
		return postgres
	}
	return files
}

// All tests of this package pass over PostgreSQL, too.
func TestTheCopyIsTheSameOverPostgreSQL(t *testing.T) {
	t.Parallel()
	onlyInFiles(t)
	var server postgrestest.Server
	stop, err := server.Start()
	require.NoError(t, err)
	defer stop()
	server.Schema(t) // or it is skipped
	// Without a database:
	skipped := "TestEverySmallHistory|TestAbsent|TestAnOlder|TestEachText|TestOnlyMembers|TestColumns|TestEachKind"
	if soak.Times(0, 1) == 0 {
		// Long, or about requests rather than what is stored:
		skipped += "|TestARoundThatEndsAtAnyRequest|TestAWrongResponseToAnyRequest|TestADayOf|TestAListThatShifts" +
			"|TestACopyTakesItsShare|TestAPause|TestOneRequest|TestAFirmHoldsUp|TestThePlanIs"
	}
	tests := exec.CommandContext(t.Context(), os.Args[0], "-test.count=1", "-test.timeout=20m", "-test.skip=^("+skipped+")")
	tests.Env = append(os.Environ(), overPostgres+"="+server.Dir)
	said, err := tests.CombinedOutput()
	require.NoError(t, err, "%s", said)
}

// The database server is killed at a request of a round, again and again: the
// round may end with an error, and the next continues.
func TestACopyOutlivesItsDatabaseServer(t *testing.T) {
	t.Parallel()
	onlyInFiles(t)
	var server postgrestest.Server
	stop, err := server.Start()
	require.NoError(t, err)
	defer stop()
	db, err := sql.Open("pgx", server.Source(server.Schema(t), "read committed"))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	var left atomic.Int64
	var restarts sync.WaitGroup // a round can end while the server still starts
	kills := 0
	service := practicetest.New(t, append(small, practicetest.WithRequestHandler(func(practicetest.RecordedRequest) {
		if left.Add(-1) == 0 {
			restarts.Add(1)
			defer restarts.Done()
			kills++
			assert.NoError(t, server.Restart())
		}
	}))...)
	c, err := Open(t.Context(), db, service.Client(t), Options{Kinds: []string{"staff", "fees", "memos", "roles"}})
	require.NoError(t, err)
	for nth := range soak.Times(2, 20) {
		left.Store(int64(2 + 3*nth))
		_ = c.Sync(t.Context()) // a connection that broke between two transactions is replaced
		restarts.Wait()
	}
	left.Store(0)
	require.Positive(t, kills)
	require.NoError(t, c.Sync(t.Context()))
	require.Equal(t, served(t, c), stored(t, c))
	checkChanges(t, c, "after the server was killed")
}
