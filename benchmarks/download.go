package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// downloadLarge compares downloads with io.Copy, once without and once with a
// sync.
func downloadLarge(r run) (report.Table, error) {
	size := choose[int64](r, 256, 4) << 20
	table := report.Table{
		Title: fmt.Sprintf("Download of %s, http and https", report.Mebibytes(float64(size))),
		Intro: "From an object store in another process on this machine, which gives bytes from memory, into the same file, emptied before. " +
			"Download into an *os.File does not sync, and neither does io.Copy. Ours also asks for the address first. " +
			"Connections are open already, and have the same settings.",
		Header: movedHeader,
		Notes: []string{"The last two rows of each kind show what the sync costs that the first two leave out: DownloadFile also keeps a state " +
			"to go on with, and gives the file its name when it is durable."},
	}
	return table, inTemporaryDir(func(dir string) error {
		for _, over := range schemes {
			d := &download{size: size, dir: dir}
			if err := d.run(r, over.tls); err != nil {
				return err
			}
			for _, pair := range [][]moved{d.quick, d.durable} {
				table.Rows = append(table.Rows, pair[0].row(over.name, size, pair[0]), pair[1].row(over.name, size, pair[0]))
			}
			required := 1.8
			if over.tls {
				required = 1
			}
			table.Notes = append(table.Notes, fmt.Sprintf("Over %s the sync after io.Copy took %s (%s).",
				over.name, report.Duration(d.sync().Median), report.DurationSpread(d.sync())))
			table.Figures = append(table.Figures,
				report.AtLeast("speed over "+over.name+", of that of io.Copy", required, d.quick[1].Faster(d.quick[0].Result).Median, " times"))
		}
		return nil
	})
}

// download downloads the object of a store in several ways.
type download struct {
	size  int64
	dir   string
	ours  *practice.Client
	plain *http.Client
	file  *os.File // destination of all downloads
	from  string

	quick   []moved // io.Copy and this library, without a sync
	durable []moved // io.Copy and this library, with a sync
	syncs   []float64
}

func (d *download) run(r run, tls bool) (err error) {
	if d.file, err = os.Create(filepath.Join(d.dir, "Scan.pdf")); err != nil {
		return err
	}
	defer func() { _ = d.file.Close() }() // the content has been checked, so a failed Close does not matter
	store, err := startStore(feed.StoreConfig{TLS: tls, Size: d.size})
	if err != nil {
		return err
	}
	d.from = store.ObjectURL()
	if d.ours, d.plain, err = storeClients(store.StoreAddress); err == nil {
		err = d.compare(r)
		d.ours.CloseIdleConnections()
		d.plain.CloseIdleConnections()
	}
	return errors.Join(err, store.Close())
}

func (d *download) compare(r run) (err error) {
	ways := []mover{{"io.Copy", d.empty, d.copy}, {"practice, Download", d.empty, func() error { return d.download(practice.DownloadOptions{}) }}}
	for _, way := range ways {
		if err := errors.Join(d.empty(), way.move(), d.check()); err != nil {
			return err
		}
	}
	if d.quick, err = compareMovers(r, 11, ways...); err != nil {
		return err
	}
	d.durable, err = compareMovers(r, 3,
		mover{"io.Copy, then Sync", d.empty, d.copyAndSync}, mover{"practice, DownloadFile", d.remove, d.downloadDurably})
	return errors.Join(err, d.empty())
}

// empty truncates the file before the next download, so that the system does
// not write the old content to disk.
func (d *download) empty() error {
	if _, err := d.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return d.file.Truncate(0)
}

func (d *download) check() error {
	if _, err := d.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return feed.CheckContent(d.file, d.size)
}

func (d *download) copy() error {
	resp, err := d.plain.Get(d.from)
	if err != nil {
		return err
	}
	_, err = io.Copy(d.file, resp.Body)
	return errors.Join(err, resp.Body.Close())
}

func (d *download) copyAndSync() error {
	if err := d.copy(); err != nil {
		return err
	}
	started := time.Now()
	err := d.file.Sync()
	d.syncs = append(d.syncs, float64(time.Since(started)))
	return err
}

func (d *download) sync() measure.Spread { return measure.SpreadOf(d.syncs) }

func (d *download) download(options practice.DownloadOptions) error {
	_, err := d.ours.Documents.Download(context.Background(), matterID, fileID, d.file, options)
	return err
}

func (d *download) target() string { return filepath.Join(d.dir, "Durable.pdf") }

func (d *download) remove() error {
	if err := os.Remove(d.target()); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func (d *download) downloadDurably() error {
	_, err := d.ours.Documents.DownloadFile(context.Background(), matterID, fileID, d.target(), practice.DownloadOptions{})
	return err
}
