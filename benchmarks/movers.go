package main

import (
	"net/http"
	"os"
	"path/filepath"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// The file to transfer.
const (
	matterID = "5ded8b07-ce44-5b3c-baa1-6a9801e6c7f4"
	fileID   = "f7d24f0d-b129-559d-9e55-ab2c40559ef8"
)

// mover transfers content from or to a store in one way.
type mover struct {
	name    string
	prepare func() error // runs before each transfer and is not measured; nil: nothing runs
	move    func() error
}

// moved holds the measurements of a mover.
type moved struct {
	measure.Result
	heap uint64 // largest growth of the heap
}

// compareMovers measures times, and the heap in separate rounds, which also
// open the connections.
func compareMovers(r run, rounds int, movers ...mover) ([]moved, error) {
	contestants := make([]measure.Contestant, len(movers))
	for i, m := range movers {
		contestants[i] = measure.Contestant{Name: m.name, Prepare: m.prepare, Run: m.move}
	}
	heaps := make([]uint64, len(movers))
	for range choose(r, 2, 1) {
		for i, m := range movers {
			if m.prepare != nil {
				if err := m.prepare(); err != nil {
					return nil, err
				}
			}
			rose, err := measure.PeakHeap(m.move)
			if err != nil {
				return nil, err
			}
			heaps[i] = max(heaps[i], rose)
		}
	}
	results, err := measure.Compare(r.plan(rounds, 0), contestants...)
	if err != nil {
		return nil, err
	}
	all := make([]moved, len(results))
	for i, result := range results {
		all[i] = moved{result, heaps[i]}
	}
	return all, nil
}

var movedHeader = []string{"", "over", "median", "quartiles", "a second", "ratio", "heap rose by"}

// row returns a table row that compares m with first.
func (m moved) row(over string, size int64, first moved) []string {
	time := m.Time()
	return []string{
		m.Name, over, report.Duration(time.Median), report.DurationSpread(time), report.Mebibytes(float64(size) / time.Median * 1e9),
		report.Ratio(m.Faster(first.Result)), report.Mebibytes(float64(m.heap)),
	}
}

// storeClients returns a client of this library and a plain one, with the same
// connection settings.
func storeClients(store feed.StoreAddress) (*practice.Client, *http.Client, error) {
	wire, err := store.Transport()
	if err != nil {
		return nil, nil, err
	}
	plain := &http.Client{Transport: wire}
	c, err := practice.NewClient(store.BaseURL(), practice.WithAPIKey(apiKey), practice.WithAccessToken(accessToken), practice.WithHTTPClient(plain))
	return c, plain, err
}

// inTemporaryDir calls work with a folder that it removes afterwards.
func inTemporaryDir(work func(dir string) error) (err error) {
	dir, err := os.MkdirTemp("", "benchmarks")
	if err != nil {
		return err
	}
	defer func() {
		if removed := os.RemoveAll(dir); err == nil {
			err = removed
		}
	}()
	return work(dir)
}

// writeScan creates a file with content.
func writeScan(dir string, size int64) (path string, err error) {
	path = filepath.Join(dir, "Scan.pdf")
	file, err := os.Create(path) //nolint:gosec // in a folder made here
	if err != nil {
		return "", err
	}
	err = feed.WriteContent(file, 0, size)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return path, err
}
