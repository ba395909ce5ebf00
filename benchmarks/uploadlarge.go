package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// uploadLarge compares an upload with net/http, which gets the length of the
// file.
func uploadLarge(r run) (report.Table, error) {
	size := choose[int64](r, 256, 4) << 20
	table := report.Table{
		Title: fmt.Sprintf("Upload of %s, http and https", report.Mebibytes(float64(size))),
		Intro: "A file from the disk to an object store in another process on this machine. net/http is given the open file and its length, " +
			"so that over http the system may move the content by itself. Ours also makes the record of the file first, watches for stalls, " +
			"and looks whether the file has grown. Connections are open already, and have the same settings.",
		Header: movedHeader,
		Notes: []string{"The store reads into a large buffer and throws away what it has read: the least that a store can do, so that it hides " +
			"as little as possible of what the clients cost. It speaks HTTP/1.1, as object stores do."},
	}
	return table, inTemporaryDir(func(dir string) error {
		path, err := writeScan(dir, size)
		if err != nil {
			return err
		}
		for _, over := range schemes {
			both, err := uploadBoth(r, over.tls, path)
			if err != nil {
				return err
			}
			plain, ours := both[0], both[1]
			table.Rows = append(table.Rows, plain.row(over.name, size, plain), ours.row(over.name, size, plain))
			table.Figures = append(table.Figures,
				report.AtLeast("speed over "+over.name+", of that of net/http", 0.95, ours.Faster(plain.Result).Median, " times"),
				report.AtMost("heap over "+over.name+", beyond that of net/http", 2, (float64(ours.heap)-float64(plain.heap))/(1<<20), " MiB"))
		}
		return nil
	})
}

var schemes = []struct {
	name string
	tls  bool
}{{"http", false}, {"https", true}}

func uploadBoth(r run, tls bool, path string) ([]moved, error) {
	store, err := startStore(feed.StoreConfig{TLS: tls})
	if err != nil {
		return nil, err
	}
	ours, plain, err := storeClients(store.StoreAddress)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	both, err := compareMovers(r, 41,
		mover{name: "net/http, length set by hand", move: func() error { return putFile(plain, store.ObjectURL(), path) }},
		mover{name: "practice", move: func() error {
			_, err := ours.Documents.UploadFile(context.Background(), matterID, path, practice.Upload{})
			return err
		}})
	ours.CloseIdleConnections()
	plain.CloseIdleConnections()
	return both, errors.Join(err, store.Close())
}

func putFile(client *http.Client, address, path string) error {
	file, err := os.Open(path) //nolint:gosec // a file made here
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // the file is only read, so Close loses no data
	info, err := file.Stat()
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPut, address, file)
	if err != nil {
		return err
	}
	req.ContentLength = info.Size()
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d", resp.StatusCode)
	}
	return errors.Join(err, resp.Body.Close())
}
