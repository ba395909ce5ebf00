//go:build linux && amd64 && !race

package costs

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write costs.tsv anew")

const rewrite = "go test ./internal/costs -update"

// cost is what one run of a class allocates.
type cost struct {
	allocs uint64
	bytes  uint64 // rounded up, see step
}

// TestCostsAreThoseOfTheTable compares the number of allocations exactly, and
// the bytes by steps of 5 %. The table is that of one minor version of Go,
// because net/http and the compiler allocate too.
func TestCostsAreThoseOfTheTable(t *testing.T) {
	classes := everyClass(t)
	measured := make(map[string]cost, len(classes))
	for _, c := range classes {
		measured[c.name] = costOf(t, c.run)
	}
	if *update {
		require.NoError(t, os.WriteFile("costs.tsv", tableOf(classes, measured), 0o644))
		return
	}
	version, table := readTable(t)
	if version != minorVersion() {
		t.Skipf("the table is of %s, and this is %s", version, runtime.Version())
	}
	require.Len(t, table, len(classes), "costs.tsv has rows for other classes. Write it anew: %s", rewrite)
	for _, c := range classes {
		old, now := table[c.name], measured[c.name]
		if now.allocs != old.allocs || math.Abs(steps(now.bytes)-steps(old.bytes)) > 1.5 {
			t.Errorf("%s: %d allocations of %d bytes, in costs.tsv %d of %d.\nIf that is intended, write the table anew: %s",
				c.name, now.allocs, now.bytes, old.allocs, old.bytes, rewrite)
		}
	}
}

// costOf returns the least of five measurements, so that a goroutine of the
// runtime does not count. The collector is off, because it empties pools, and
// there is one processor, because each has pools of its own.
func costOf(t *testing.T, run func() error) cost {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	const warmUp, measurements, runs = 3, 5, 10
	for range warmUp {
		require.NoError(t, run())
	}
	least := cost{math.MaxUint64, math.MaxUint64}
	for range measurements {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range runs {
			if err := run(); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		least.allocs = min(least.allocs, (after.Mallocs-before.Mallocs)/runs)
		least.bytes = min(least.bytes, (after.TotalAlloc-before.TotalAlloc)/runs)
	}
	least.bytes = roundUp(least.bytes)
	return least
}

// steps returns the number of steps of 5 % in n.
func steps(n uint64) float64 { return math.Log(float64(max(n, 1))) / math.Log(1.05) }

// roundUp returns the next step of 5 %. A measurement near a step may round to
// either, so the test allows the neighbouring steps.
func roundUp(n uint64) uint64 { return uint64(math.Ceil(math.Pow(1.05, math.Ceil(steps(n))))) }

func minorVersion() string {
	return strings.Join(strings.SplitN(runtime.Version(), ".", 3)[:2], ".")
}

func tableOf(classes []class, measured map[string]cost) []byte {
	table := fmt.Appendf(nil, "class\tallocations\tbytes, with %s\n", minorVersion())
	for _, c := range classes {
		table = fmt.Appendf(table, "%s\t%d\t%d\n", c.name, measured[c.name].allocs, measured[c.name].bytes)
	}
	return table
}

func readTable(t *testing.T) (version string, rows map[string]cost) {
	t.Helper()
	text, err := os.ReadFile("costs.tsv")
	require.NoError(t, err)
	head, body, _ := bytes.Cut(text, []byte("\n"))
	_, version, _ = strings.Cut(string(head), "with ")
	rows = make(map[string]cost)
	for line := range strings.Lines(string(body)) {
		name, figures, _ := strings.Cut(line, "\t")
		var c cost
		_, err := fmt.Sscan(figures, &c.allocs, &c.bytes)
		require.NoError(t, err, "costs.tsv: %q. Write it anew: %s", line, rewrite)
		rows[name] = c
	}
	return version, rows
}
