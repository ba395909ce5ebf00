package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	resty2 "github.com/go-resty/resty/v2"
	"github.com/hashicorp/go-retryablehttp"
	resty3 "resty.dev/v3"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// uploader sends a file to the store and returns the status of the response.
type uploader struct {
	name string
	send func(ctx context.Context, store feed.StoreAddress, file *os.File) (int, error)
}

var uploaders = []uploader{
	{ours, func(ctx context.Context, store feed.StoreAddress, file *os.File) (int, error) {
		c, err := practice.NewClient(store.BaseURL(), practice.WithAPIKey(apiKey), practice.WithAccessToken(accessToken))
		if err != nil {
			return 0, err
		}
		defer c.CloseIdleConnections()
		_, err = c.Documents.Upload(ctx, "5ded8b07-ce44-5b3c-baa1-6a9801e6c7f4", practice.Upload{Name: "Scan.pdf", Body: file})
		return http.StatusOK, err
	}},
	{"net/http, length set by hand", func(ctx context.Context, store feed.StoreAddress, file *os.File) (int, error) {
		return put(ctx, store, file, true)
	}},
	{"net/http", func(ctx context.Context, store feed.StoreAddress, file *os.File) (int, error) {
		return put(ctx, store, file, false)
	}},
	{"resty v2", func(ctx context.Context, store feed.StoreAddress, file *os.File) (int, error) {
		resp, err := resty2.New().R().SetContext(ctx).SetBody(file).Put(store.ObjectURL())
		return resp.StatusCode(), err
	}},
	{"resty v3", func(ctx context.Context, store feed.StoreAddress, file *os.File) (int, error) {
		c := resty3.New()
		resp, err := c.R().SetContext(ctx).SetBody(file).Put(store.ObjectURL())
		if err != nil {
			return 0, err
		}
		return resp.StatusCode(), c.Close()
	}},
	{"go-retryablehttp", func(ctx context.Context, store feed.StoreAddress, file *os.File) (int, error) {
		c := retryablehttp.NewClient()
		c.Logger, c.RetryMax = nil, 0
		c.ErrorHandler = retryablehttp.PassthroughErrorHandler
		req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPut, store.ObjectURL(), file)
		if err != nil {
			return 0, err
		}
		resp, err := c.Do(req)
		if err != nil {
			return 0, err
		}
		return resp.StatusCode, resp.Body.Close()
	}},
	{"go-retryablehttp, any reader", func(ctx context.Context, store feed.StoreAddress, file *os.File) (int, error) {
		c := retryablehttp.NewClient()
		c.Logger, c.RetryMax = nil, 0
		req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPut, store.ObjectURL(), struct{ io.Reader }{file})
		if err != nil {
			return 0, err
		}
		resp, err := c.Do(req)
		if err != nil {
			return 0, err
		}
		return resp.StatusCode, resp.Body.Close()
	}},
}

func put(ctx context.Context, store feed.StoreAddress, file *os.File, measured bool) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, store.ObjectURL(), io.NopCloser(file))
	if err != nil {
		return 0, err
	}
	if measured {
		info, err := file.Stat()
		if err != nil {
			return 0, err
		}
		req.ContentLength = info.Size()
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}

// uploadFile compares uploads of a file on disk.
func uploadFile(r run) (report.Table, error) {
	size := choose[int64](r, 64, 4) << 20
	table := report.Table{
		Title: "Upload of " + report.Mebibytes(float64(size)),
		Intro: "A file from the disk to an object store over loopback, which answers content of unknown length with 501. " +
			"Ours also makes the record of the file first; the peers have the address already.",
		Header: []string{"", "median", "quartiles", "a second", "allocated", "heap rose by", "outcome"},
	}
	file, err := os.CreateTemp("", "upload")
	if err != nil {
		return table, err
	}
	defer func() {
		_ = file.Close() // nothing was written to it
		_ = os.Remove(file.Name())
	}()
	if err := file.Truncate(size); err != nil {
		return table, err
	}
	store, err := startStore(feed.StoreConfig{})
	if err != nil {
		return table, err
	}
	table.Rows, err = compareUploads(r, store.StoreAddress, file, size)
	return table, errors.Join(err, store.Close())
}

func compareUploads(r run, store feed.StoreAddress, file *os.File, size int64) ([][]string, error) {
	sent := make([]sentFile, len(uploaders))
	contestants := make([]measure.Contestant, len(uploaders))
	for i, u := range uploaders {
		contestants[i] = measure.Contestant{Name: u.name, Run: func() error { return sent[i].send(u, store, file.Name()) }}
	}
	results, err := measure.Compare(r.plan(7, 0), contestants...)
	if err != nil {
		return nil, err
	}
	rows := make([][]string, len(results))
	for i, result := range results {
		time := result.Time()
		rows[i] = []string{
			result.Name, report.Duration(time.Median), report.DurationSpread(time), report.Mebibytes(float64(size) / time.Median * 1e9),
			report.Mebibytes(result.Bytes()), report.Mebibytes(float64(sent[i].heap)), sent[i].outcome,
		}
		if sent[i].outcome != stored {
			rows[i][3] = "nothing"
		}
	}
	return rows, nil
}

// sentFile holds the measurements of an upload.
type sentFile struct {
	outcome string
	heap    uint64 // largest growth of the heap
}

const stored = "stored"

// send records a failure as the outcome, because a store that refuses early may
// close the connection while a peer still sends.
func (s *sentFile) send(u uploader, store feed.StoreAddress, name string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	file, err := os.Open(name) //nolint:gosec // a file made here
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // the file is only read, so Close loses no data
	status := 0
	rose, err := measure.PeakHeap(func() error {
		status, err = u.send(ctx, store, file)
		return err
	})
	s.heap = max(s.heap, rose)
	switch {
	case err != nil:
		s.outcome = "connection cut"
	case status == http.StatusOK:
		s.outcome = stored
	default:
		s.outcome = fmt.Sprintf("refused, %d", status)
	}
	if u.name == ours && s.outcome != stored {
		return fmt.Errorf("%s: %w", s.outcome, err)
	}
	return nil
}
