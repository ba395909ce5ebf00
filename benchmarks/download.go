package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// downloadLarge compares downloads with io.Copy.
func downloadLarge(r run) (report.Table, error) {
	size := choose[int64](r, 256, 4) << 20
	table := report.Table{
		Title: fmt.Sprintf("Download of %s, http and https", report.Mebibytes(float64(size))),
		Intro: "From an object store in another process on this machine, which gives bytes from memory, into the same file, emptied before. " +
			"Download into an *os.File does not sync, and neither does io.Copy. Ours also asks for the address first. " +
			"Connections are open already, and have the same settings.",
		Header: movedHeader,
	}
	return table, inTemporaryDir(func(dir string) error {
		for _, over := range schemes {
			d := &download{size: size, dir: dir}
			if err := d.run(r, over.tls); err != nil {
				return err
			}
			plain, ours := d.both[0], d.both[1]
			table.Rows = append(table.Rows, plain.row(over.name, size, plain), ours.row(over.name, size, plain))
			required := 1.8
			if over.tls {
				required = 1
			}
			table.Figures = append(table.Figures,
				report.AtLeast("speed over "+over.name+", of that of io.Copy", required, ours.Faster(plain.Result).Median, " times"))
		}
		return nil
	})
}

// download downloads the object of a store.
type download struct {
	size  int64
	dir   string
	ours  *practice.Client
	plain *http.Client
	file  *os.File // destination of all downloads
	from  string
	both  []moved // io.Copy and this library
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
	ways := []mover{{"io.Copy", d.empty, d.copy}, {"practice, Download", d.empty, d.download}}
	for _, way := range ways {
		if err := errors.Join(d.empty(), way.move(), d.check()); err != nil {
			return err
		}
	}
	if d.both, err = compareMovers(r, 11, ways...); err != nil {
		return err
	}
	return d.empty()
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

func (d *download) download() error {
	_, err := d.ours.Documents.Download(context.Background(), matterID, fileID, d.file, practice.DownloadOptions{})
	return err
}
