package main

import (
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

var (
	kills = flag.Int("kills", soak.Times(4, 300), "how many times TestAKilledImportGoesOn kills the program")
	rows  = flag.Int("rows", soak.Times(80, 5000), "entries of its list")
)

// isProgram lets the test binary be the program.
const isProgram = "PRACTICE_TEST_IMPORT"

func TestMain(m *testing.M) {
	if os.Getenv(isProgram) != "" {
		main()
	}
	goleak.VerifyTestMain(m)
}

// start runs the program in a process of its own. It adds again what it cannot
// find for much longer than the service hides a record.
func start(t *testing.T, env func(string) string, list string) *exec.Cmd {
	t.Helper()
	binary, err := os.Executable()
	require.NoError(t, err)
	process := exec.CommandContext(t.Context(), binary, "-again", "-settle", "3s", list)
	process.Env = append(os.Environ(), isProgram+"=yes")
	for _, name := range []string{"PRACTICE_BASE_URL", "PRACTICE_API_KEY", "PRACTICE_ACCESS_TOKEN"} {
		process.Env = append(process.Env, name+"="+env(name))
	}
	return process
}

// TestAKilledImportGoesOn kills the process (kill -9) when a request has come,
// while answers are lost before and after their effect and records appear late.
func TestAKilledImportGoesOn(t *testing.T) {
	soak.Only(t, "how long a request of a killed process takes to arrive depends on the load")
	var left atomic.Int64
	var kill atomic.Pointer[func()]
	server, list, env := firm(t, *rows, "",
		practicetest.WithConsistency(practicetest.Consistency{MaxDelay: 200 * time.Millisecond, ListLag: 200 * time.Millisecond}), practicetest.WithRequestLog(1),
		practicetest.WithRequestHandler(func(practicetest.RecordedRequest) {
			if left.Add(-1) == 0 {
				(*kill.Load())()
			}
		}))
	random := rand.New(rand.NewPCG(31, 300))
	killed, before, after := 0, 0, 0
	for range *kills {
		kind := practicetest.FaultResetAfter
		if after++; random.IntN(4) == 0 {
			kind, before, after = practicetest.FaultResetBefore, before+1, after-1
		}
		server.Inject(practicetest.Fault{Operation: "createFee", Kind: kind, Skip: random.IntN(8)})
		process := start(t, env, list)
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
		said, err := start(t, env, list).CombinedOutput()
		if err == nil {
			break
		}
		require.Less(t, tries, 10, string(said)) // an answer may be lost to the second create, too
	}
	assertEachOnce(t, server, *rows)
	t.Logf("%d entries, %d of %d runs killed, answers lost before and after: at most %d and %d", *rows, killed, *kills, before, after)
	assert.Greater(t, killed, *kills/2)
}
