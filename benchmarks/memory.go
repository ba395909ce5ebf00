package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// memoryLimit is the memory limit of a process that transfers a file many times
// as large.
const memoryLimit = 64 << 20

// moveUnderLimit downloads and uploads a large file in a process with limited
// memory.
func moveUnderLimit(r run) (report.Table, error) {
	size := choose[int64](r, 4<<10, 64) << 20
	table := report.Table{
		Title: fmt.Sprintf("%s through %s of memory", report.Mebibytes(float64(size)), report.Mebibytes(memoryLimit)),
		Intro: fmt.Sprintf("DownloadFile, with its sync, and UploadFile of what came, in a process with GOMEMLIMIT=%dMiB. "+
			"The store is another process.", memoryLimit>>20),
		Header: []string{"", "time", "a second", "memory of the runtime"},
		Notes:  []string{"The limit is a soft one: the runtime would go beyond it rather than fail. Its memory is what the limit counts."},
	}
	store, err := startStore(feed.StoreConfig{Size: size})
	if err != nil {
		return table, err
	}
	ways, err := transferInChild(store.StoreAddress, size)
	if err = errors.Join(err, store.Close()); err != nil {
		return table, err
	}
	most := uint64(0)
	for _, way := range ways {
		most = max(most, way.Memory)
		table.Rows = append(table.Rows, []string{
			way.Name, report.Duration(float64(way.Took)), report.Mebibytes(float64(size) / way.Took.Seconds()),
			report.Mebibytes(float64(way.Memory)),
		})
	}
	table.Figures = []report.Figure{report.AtMost("memory of the runtime", memoryLimit>>20, float64(most)/(1<<20), " MiB")}
	return table, nil
}

// transferTask is the task of a process with a memory limit.
type transferTask struct {
	Store feed.StoreAddress `json:"store"`
	Size  int64             `json:"size"`
	Dir   string            `json:"dir"`
}

// limitedTransfer is the report of such a process.
type limitedTransfer struct {
	Name   string        `json:"name"`
	Took   time.Duration `json:"took"`
	Memory uint64        `json:"memory"` // peak memory of the runtime
}

func transferInChild(store feed.StoreAddress, size int64) (ways []limitedTransfer, err error) {
	err = inTemporaryDir(func(dir string) error {
		c, err := startChild("transfer", transferTask{store, size, dir}, fmt.Sprintf("GOMEMLIMIT=%dMiB", memoryLimit>>20))
		if err != nil {
			return err
		}
		err = c.out.Decode(&ways)
		return errors.Join(c.Close(), err)
	})
	return ways, err
}

// transferChild runs the transfers in a child process with the memory limit
// from its environment.
func transferChild(text []byte, _ io.Reader, out io.Writer) error {
	var task transferTask
	if err := json.Unmarshal(text, &task); err != nil {
		return err
	}
	if limit := debug.SetMemoryLimit(-1); limit != memoryLimit {
		return fmt.Errorf("the limit is %d bytes", limit)
	}
	ours, plain, err := storeClients(task.Store)
	if err != nil {
		return err
	}
	defer ours.CloseIdleConnections()
	defer plain.CloseIdleConnections()
	path, ctx := filepath.Join(task.Dir, "Scan.pdf"), context.Background()
	down, err := underLimit("practice, DownloadFile", func() error {
		_, err := ours.Documents.DownloadFile(ctx, matterID, fileID, path, practice.DownloadOptions{})
		return err
	})
	if err != nil {
		return err
	}
	up, err := underLimit("practice, UploadFile", func() error {
		file, err := ours.Documents.UploadFile(ctx, matterID, path, practice.Upload{})
		if err == nil && file.Size != task.Size {
			err = fmt.Errorf("%d bytes were sent", file.Size)
		}
		return err
	})
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode([]limitedTransfer{down, up})
}

func underLimit(name string, work func() error) (limitedTransfer, error) {
	started := time.Now()
	memory, err := measure.PeakMemory(work)
	return limitedTransfer{Name: name, Took: time.Since(started), Memory: memory}, err
}
