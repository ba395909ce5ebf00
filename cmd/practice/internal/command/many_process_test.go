package command

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

// accepting accepts each create.
type accepting struct{ creates atomic.Int64 }

func (c *accepting) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet {
		return responds(http.StatusOK, `{"id":"`+worldRecord+`","name":"A firm"}`)
	}
	_, _ = io.Copy(io.Discard, r.Body)
	_ = r.Body.Close()
	return responds(http.StatusAccepted, fmt.Sprintf(`{"id":"9b412d02-f11b-44eb-8c11-%012d","href":"https://service.test/x"}`, c.creates.Add(1)))
}

// generated is a list of memos with keys, which is made while it is read. It
// measures the memory in use at its begin and at its end.
type generated struct {
	rows, made  int
	rest        string
	begun, most int64
}

func (g *generated) Seek(int64, int) (int64, error) {
	g.made, g.rest = 0, "no,matterId,title,text\n"
	return 0, nil
}

func (g *generated) Read(p []byte) (int, error) {
	switch {
	case g.begun == 0:
		g.begun = inUse()
	case g.rest == "" && g.made == g.rows:
		g.most = max(g.most, inUse())
		return 0, io.EOF
	case g.rest == "":
		g.rest = fmt.Sprintf("T-%06d,%s,Call %d,%s\n", g.made, worldMatter, g.made, strings.Repeat("Ask for the deed. ", 20))
		g.made++
	}
	n := copy(p, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

func inUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestARunHoldsLittleForEachRow measures what each further row of a list with a
// key takes of memory, when the rows are checked and when the last are sent. It
// does so in a process of its own, since the collections that it needs take long
// beside what other tests hold.
func TestARunHoldsLittleForEachRow(t *testing.T) {
	const alone = "PRACTICE_TEST_ALONE"
	if os.Getenv(alone) == "" {
		process := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestARunHoldsLittleForEachRow$", "-test.v")
		process.Env = append(os.Environ(), alone+"=1")
		said, err := process.CombinedOutput()
		require.NoError(t, err, "%s", said)
		t.Logf("%s", said)
		return
	}
	few, many := 100, soak.Times(1000, 5000)
	held := func(n int) int64 {
		dir, list := t.TempDir(), &generated{rows: n}
		env := map[string]string{"PRACTICE_BASE_URL": "https://service.test/v1", "PRACTICE_API_KEY": "k", "PRACTICE_ACCESS_TOKEN": "t", "PRACTICE_CONFIG_DIR": dir}
		a := &app{Streams: Streams{list, io.Discard, io.Discard}, env: func(name string) string { return env[name] }, wire: &http.Client{Transport: new(accepting)}}
		defer a.close()
		require.Equal(t, exitDone, a.execute(t.Context(), []string{"run", "createMemo", "--journal", filepath.Join(dir, "journal"), "--key", "no", "-o", "jsonl"}))
		return list.most - list.begun
	}
	held(few) // what is loaded once
	each := (held(many) - held(few)) / int64(many-few)
	t.Logf("%d bytes for each of %d rows", each, many)
	assert.LessOrEqual(t, each, int64(soak.Times(400, 300)), "a small list has its noise")
}

// TestAKilledRunGoesOn kills the program (kill -9) when a request has
// arrived, while responses are lost before and after their effect and records
// appear late.
func TestAKilledRunGoesOn(t *testing.T) {
	soak.Only(t, "how long a request of a killed process takes to arrive depends on the load")
	const rows, kills = 5000, 100
	var left atomic.Int64
	var kill atomic.Pointer[func()]
	server, err := practicetest.Start(practicetest.WithMatters(2),
		practicetest.WithConsistency(practicetest.Consistency{MaxDelay: 200 * time.Millisecond, ListLag: 200 * time.Millisecond}), practicetest.WithRequestLog(1),
		practicetest.WithRequestHandler(func(practicetest.RecordedRequest) {
			if left.Add(-1) == 0 {
				(*kill.Load())()
			}
		}))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	d := desk{t, server, t.TempDir()}
	list := d.file("list.csv", d.sheet(rows))
	start := func() *exec.Cmd {
		binary, err := os.Executable()
		require.NoError(t, err)
		own := server.Credentials()
		process := exec.CommandContext(context.WithoutCancel(t.Context()), binary, "run", "createFee", list, "--yes", "--expect-rows", fmt.Sprint(rows), "--again", "--settle", "3s", "-o", "jsonl")
		process.Env = append(os.Environ(), asProgram+"=1", "PRACTICE_BASE_URL="+server.BaseURL(), "PRACTICE_API_KEY="+own.APIKey, "PRACTICE_ACCESS_TOKEN="+own.AccessToken, "PRACTICE_CONFIG_DIR="+d.folder)
		return process
	}
	random := rand.New(rand.NewPCG(50, 100))
	killed := 0
	for range kills {
		kind := practicetest.FaultResetAfter
		if random.IntN(4) == 0 {
			kind = practicetest.FaultResetBefore
		}
		server.Inject(practicetest.Fault{Operation: "createFee", Kind: kind, Skip: random.IntN(8)})
		process := start()
		require.NoError(t, process.Start())
		strike := func() { _ = process.Process.Kill() }
		kill.Store(&strike)
		left.Store(int64(2 + random.IntN(2*rows/kills)))
		if _ = process.Wait(); process.ProcessState.ExitCode() < 0 {
			killed++
		}
	}
	left.Store(0)
	for tries := 0; ; tries++ {
		said, err := start().CombinedOutput()
		if err == nil {
			break
		}
		require.Less(t, tries, 10, string(said[max(0, len(said)-2000):])) // the response to the second create may be lost, too
	}
	all := d.fees()
	assert.Len(t, all, rows)
	for i := 1; i < len(all); i++ {
		assert.NotEqual(t, all[i-1], all[i])
	}
	t.Logf("%d rows, %d of %d runs killed", rows, killed, kills)
	assert.Greater(t, killed, kills/2)
}
