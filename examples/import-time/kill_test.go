package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/practicetest"
)

var (
	kills = flag.Int("kills", 0, "how many times TestAKilledImportGoesOn kills the program")
	rows  = flag.Int("rows", 80, "entries of its list")
)

// isProgram is the environment variable that makes this test binary run the
// program.
const isProgram = "PRACTICE_TEST_IMPORT"

func TestMain(m *testing.M) {
	if list := os.Getenv(isProgram); list != "" {
		os.Args = []string{"import-time", "-again", "-settle", "3s", list} // much longer than the lag of the service
		flag.CommandLine = flag.NewFlagSet("import-time", flag.ExitOnError)
		main()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// start returns a run of the program in a new process.
func start(t *testing.T, server *practicetest.Server, list string) *exec.Cmd {
	t.Helper()
	binary, err := os.Executable()
	require.NoError(t, err)
	process := exec.CommandContext(t.Context(), binary)
	process.Env = append(os.Environ(), isProgram+"="+list, "PRACTICE_BASE_URL="+server.BaseURL(),
		"PRACTICE_API_KEY="+server.Credentials().APIKey, "PRACTICE_ACCESS_TOKEN="+server.Credentials().AccessToken)
	return process
}

// TestAKilledImportGoesOn kills the process (kill -9) when a request has
// arrived, while responses are lost before and after their effect and records
// appear late.
func TestAKilledImportGoesOn(t *testing.T) {
	if *kills == 0 {
		t.Skip("-kills 4: how long a request of a killed process takes to arrive depends on the load")
	}
	var left atomic.Int64
	var kill atomic.Pointer[func()]
	server, err := practicetest.Start(practicetest.WithStrict(true),
		practicetest.WithConsistency(practicetest.Consistency{MaxDelay: 200 * time.Millisecond, ListLag: 200 * time.Millisecond}), practicetest.WithRequestLog(1),
		practicetest.WithRequestHandler(func(practicetest.RecordedRequest) {
			if left.Add(-1) == 0 {
				(*kill.Load())()
			}
		}))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	var text strings.Builder
	for i := range *rows {
		fmt.Fprintf(&text, "T-%d,%s,2026-03-02,12,385.50,\"Advice, by phone\"\n", i, server.Firm().MatterID)
	}
	list := filepath.Join(t.TempDir(), "entries.csv")
	require.NoError(t, os.WriteFile(list, []byte(text.String()), 0o600))
	random := rand.New(rand.NewPCG(31, 300))
	killed := 0
	for range *kills {
		kind := practicetest.FaultResetAfter
		if random.IntN(4) == 0 {
			kind = practicetest.FaultResetBefore
		}
		server.Inject(practicetest.Fault{Operation: "createFee", Kind: kind, Skip: random.IntN(8)})
		process := start(t, server, list)
		require.NoError(t, process.Start())
		strike := func() { _ = process.Process.Kill() }
		kill.Store(&strike)
		left.Store(int64(1 + random.IntN(2**rows / *kills)))
		if _ = process.Wait(); process.ProcessState.ExitCode() < 0 {
			killed++
		}
	}
	left.Store(0)
	for tries := 0; ; tries++ {
		said, err := start(t, server, list).CombinedOutput()
		if err == nil {
			break
		}
		require.Less(t, tries, 10, string(said)) // the response to the second create may be lost, too
	}
	assertEachOnce(t, server, *rows)
	t.Logf("%d entries, %d of %d runs killed", *rows, killed, *kills)
	assert.Greater(t, killed, *kills/2)
}
