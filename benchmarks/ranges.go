package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// downloadRanges compares downloads from a store that limits each connection.
func downloadRanges(r run) (report.Table, error) {
	size, perSecond := choose[int64](r, 64, 8)<<20, int64(32<<20)
	table := report.Table{
		Title: fmt.Sprintf("Download of %s from a store that gives %s a second to each connection",
			report.Mebibytes(float64(size)), report.Mebibytes(float64(perSecond))),
		Intro:  "Into a file, without a sync. Nobody works to capacity; the time is that of the slowest connection.",
		Header: movedHeader,
	}
	return table, inTemporaryDir(func(dir string) error {
		all, err := downloadInRanges(r, feed.StoreConfig{Size: size, PerConnection: perSecond}, filepath.Join(dir, "Scan.pdf"))
		if err != nil {
			return err
		}
		for _, one := range all {
			table.Rows = append(table.Rows, one.row("http", size, all[0]))
		}
		table.Figures = []report.Figure{report.AtLeast("four ranges, of the speed of one", 3.9, all[2].Faster(all[0].Result).Median, " times")}
		return nil
	})
}

func downloadInRanges(r run, cfg feed.StoreConfig, path string) ([]moved, error) {
	store := feed.OpenStore(cfg)
	defer store.Close()
	ours, plain, err := storeClients(store.StoreAddress)
	if err != nil {
		return nil, err
	}
	defer ours.CloseIdleConnections()
	defer plain.CloseIdleConnections()
	file, err := os.Create(path) //nolint:gosec // in a folder made here
	if err != nil {
		return nil, err
	}
	d := &download{size: cfg.Size, ours: ours, plain: plain, file: file, from: store.ObjectURL()}
	movers := []mover{}
	for _, ranges := range []int{1, 2, 4, 8} {
		movers = append(movers, mover{fmt.Sprintf("practice, %d ranges at most", ranges), d.empty, func() error {
			return d.download(practice.DownloadOptions{Ranges: ranges, RangeSize: choose[int64](r, 0, 1<<20)})
		}})
	}
	all, err := compareMovers(r, 3, movers...)
	return all, errors.Join(err, file.Close())
}
