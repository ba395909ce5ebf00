package replica

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// victim is the variable that makes a process of this test a program that syncs
// the copy in a file.
const victim = "REPLICA_TEST_FILE"

// syncFile is that program.
func syncFile(ctx context.Context) error {
	client, err := practice.NewClient(os.Getenv("REPLICA_TEST_URL"), practice.WithAPIKey(os.Getenv("REPLICA_TEST_KEY")), practice.WithAccessToken(os.Getenv("REPLICA_TEST_TOKEN")))
	if err != nil {
		return err
	}
	db, err := databaseOf(os.Getenv(victim))
	if err != nil {
		return err
	}
	c, err := Open(ctx, db, client, Options{Kinds: few, Lease: 200 * time.Millisecond})
	if err != nil {
		return err
	}
	return c.Sync(ctx)
}

// A process is killed (kill -9) at any of its requests, again and again, while
// records change: nothing is lost, and no change is told twice.
func TestAKilledCopyIsContinued(t *testing.T) {
	t.Parallel()
	var left atomic.Int64
	var kill atomic.Pointer[func() error]
	server, err := practicetest.Start(practicetest.WithMatters(3), practicetest.WithEvents(8), practicetest.WithRequestHandler(func(practicetest.RecordedRequest) {
		if left.Add(-1) == 0 {
			_ = (*kill.Load())() // it may have ended
		}
	}))
	require.NoError(t, err)
	defer func() { require.NoError(t, server.Close()) }()
	file := filepath.Join(t.TempDir(), "firm.db")
	chance := rand.New(rand.NewPCG(1, 1))
	killed := 0
	for range soak.Times(3, either(200, 50)) {
		server.AddFee(server.Firm().MatterID, models.FeeWrite{Subject: "Advice", FeeDate: models.DateOf(time.Now()), Rate: models.MustDecimal("385.50")})
		server.Settle()
		child := exec.CommandContext(t.Context(), os.Args[0])
		child.Env = append(os.Environ(), victim+"="+file, "REPLICA_TEST_URL="+server.BaseURL(),
			"REPLICA_TEST_KEY="+server.Credentials().APIKey, "REPLICA_TEST_TOKEN="+server.Credentials().AccessToken)
		end := func() error { return child.Process.Kill() }
		require.NoError(t, child.Start())
		kill.Store(&end)
		left.Store(1 + chance.Int64N(30))
		if err := child.Wait(); err != nil {
			require.Equal(t, "signal: killed", err.Error())
			killed++
		}
	}
	left.Store(0)
	require.Positive(t, killed)
	db, err := databaseOf(file)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	client, err := server.NewClient()
	require.NoError(t, err)
	defer client.CloseIdleConnections()
	c, err := Open(t.Context(), db, client, Options{Kinds: few, Lease: 200 * time.Millisecond})
	require.NoError(t, err)
	require.NoError(t, c.Sync(t.Context()))
	require.Equal(t, served(t, c), stored(t, c))
	checkChanges(t, c, fmt.Sprintf("after %d kills", killed))
	t.Log(killed, "kills")
}
