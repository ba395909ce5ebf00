package killed

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/practicetest"
)

var kills = flag.Int("kills", soak.Times(6, 500), "how many times TestAKillAtAnySystemCallIsRepaired kills the program")

// isProgram is the environment variable that makes this test binary run the
// program.
const isProgram = "MIRROR_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if dir := os.Getenv(isProgram); dir != "" {
		client, err := practice.NewClient(os.Getenv("PRACTICE_BASE_URL"), practice.WithAPIKey(os.Getenv("PRACTICE_API_KEY")),
			practice.WithAccessToken(os.Getenv("PRACTICE_ACCESS_TOKEN")))
		if err == nil {
			err = round(context.Background(), client, os.Getenv("PRACTICE_MATTER_ID"), dir)
		}
		if err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// round downloads changes of the service, and uploads local changes.
func round(ctx context.Context, client *practice.Client, matterID, dir string) error {
	if err := mirror.Pull(ctx, client, matterID, dir, mirror.Options{}); err != nil {
		return err
	}
	return mirror.Push(ctx, client, matterID, dir, mirror.Options{})
}

// documents returns the contents of the matter by the paths that they have in
// the service.
func documents(t *testing.T, server *practicetest.Server, client *practice.Client) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for entry, err := range client.Documents.Walk(t.Context(), server.Firm().MatterID, practice.WalkOptions{}) {
		require.NoError(t, err)
		if entry.File != nil {
			content, _ := server.FileContent(entry.ID())
			all[entry.Path()] = append(all[entry.Path()], string(content))
		}
	}
	return all
}

// If a process is killed just before a system call that sends a request or
// changes the disk, the next round repairs the result.
func TestAKillAtAnySystemCallIsRepaired(t *testing.T) {
	server, err := practicetest.Start(practicetest.WithStrict(true))
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.Empty(t, server.Violations())
		require.NoError(t, server.Close())
	})
	client, dir, matterID := server.Client(t), t.TempDir(), server.Firm().MatterID
	require.NoError(t, round(t.Context(), client, matterID, dir))
	want := documents(t, server, client)
	random := rand.New(rand.NewPCG(1, 14))
	calls, struck := 1<<20, 0 // the first run is not killed and returns the number of calls
	for i := range *kills + 1 {
		for _, name := range []string{fmt.Sprint("local ", i), "local"} {
			content := fmt.Sprintf("%s, written in round %d", name, i)
			require.NoError(t, os.WriteFile(filepath.Join(dir, name+".txt"), []byte(content), 0o600))
			want[name+".txt"] = []string{content}
		}
		name := fmt.Sprintf("remote %d.txt", i)
		_, err := client.Documents.Upload(t.Context(), matterID, practice.Upload{Name: name, Body: strings.NewReader(name)})
		require.NoError(t, err)
		want[name] = []string{name}
		server.Settle()
		at := calls
		if i > 0 {
			at = 1 + random.IntN(calls)
		}
		made, killed := runUntil(t, at, server, dir)
		if i == 0 {
			require.False(t, killed)
			calls = made
		} else if killed {
			struck++
		}
		require.NoError(t, round(t.Context(), client, matterID, dir), "after a kill at call %d", at)
		assert.Equal(t, want, documents(t, server, client), "after a kill at call %d", at)
		content, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.Equal(t, name, string(content), "after a kill at call %d", at)
		left, err := filepath.Glob(filepath.Join(dir, ".practice-*"))
		require.NoError(t, err)
		assert.Len(t, left, 1, "the manifest")
	}
	assert.Positive(t, struck)
	t.Logf("%d of %d killed, each at one of %d calls", struck, *kills, calls)
}

// ptrace options that package syscall lacks
const (
	exitKill = 0x100000
	sysGood  = 0x80 // marks stops at system calls
	allTasks = 0x40000000
)

// runUntil runs the program in a new process, and kills it before its nth call
// that sends or changes something. It returns the number of such calls.
func runUntil(t *testing.T, nth int, server *practicetest.Server, dir string) (calls int, killed bool) {
	t.Helper()
	runtime.LockOSThread() // a thread traces
	defer runtime.UnlockOSThread()
	binary, err := os.Executable()
	require.NoError(t, err)
	variables := append(os.Environ(), isProgram+"="+dir, "PRACTICE_BASE_URL="+server.BaseURL(), "PRACTICE_API_KEY="+server.Credentials().APIKey,
		"PRACTICE_ACCESS_TOKEN="+server.Credentials().AccessToken, "PRACTICE_MATTER_ID="+server.Firm().MatterID)
	told, err := os.Create(filepath.Join(t.TempDir(), "told"))
	require.NoError(t, err)
	defer func() { assert.NoError(t, told.Close()) }()
	child, err := syscall.ForkExec(binary, []string{"mirror"}, &syscall.ProcAttr{
		Env: variables, Files: []uintptr{told.Fd(), told.Fd(), told.Fd()},
		Sys: &syscall.SysProcAttr{Ptrace: true, Setpgid: true},
	})
	require.NoError(t, err)
	inside := map[int]bool{} // threads that are in a system call
	for begun := false; ; begun = true {
		var status syscall.WaitStatus
		thread, err := syscall.Wait4(-child, &status, allTasks, nil)
		require.NoError(t, err)
		if thread == child && (status.Exited() || status.Signaled()) {
			return calls, killed
		}
		if !begun {
			require.NoError(t, syscall.PtraceSetOptions(child, exitKill|syscall.PTRACE_O_TRACESYSGOOD|syscall.PTRACE_O_TRACECLONE))
		}
		deliver := 0
		switch stop := status.StopSignal(); {
		case !status.Stopped():
			continue // a thread has ended
		case stop == syscall.SIGTRAP|sysGood:
			if inside[thread] = !inside[thread]; inside[thread] && changes(thread) {
				calls++
			}
		case stop != syscall.SIGTRAP && stop != syscall.SIGSTOP:
			deliver = int(stop)
		}
		if calls == nth && !killed {
			killed = true
			require.NoError(t, syscall.Kill(child, syscall.SIGKILL))
		}
		_ = syscall.PtraceSyscall(thread, deliver) // a thread that was killed cannot continue
	}
}

// changes reports whether a thread begins a system call that sends or changes
// something.
func changes(thread int) bool {
	var registers syscall.PtraceRegs
	if syscall.PtraceGetRegs(thread, &registers) != nil {
		return false
	}
	const renameat2 = 316
	if registers.Orig_rax == syscall.SYS_OPENAT {
		return registers.Rdx&syscall.O_CREAT != 0
	}
	return slices.Contains([]uint64{
		syscall.SYS_WRITE, syscall.SYS_PWRITE64, syscall.SYS_FTRUNCATE, syscall.SYS_FSYNC, syscall.SYS_RENAMEAT, renameat2, syscall.SYS_LINKAT,
		syscall.SYS_UNLINKAT, syscall.SYS_MKDIRAT, syscall.SYS_UTIMENSAT, syscall.SYS_FCHMOD, syscall.SYS_FCHMODAT,
	}, registers.Orig_rax)
}
