//go:build linux && amd64 && !race

package costs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
)

const (
	address  = "https://api.example.test/v1"
	storage  = "https://files.example.test/b/f1?Signature=x"
	fileSize = 1 << 20
	pageSize = 500
)

// service answers in memory, with constant texts.
type service struct {
	answers map[string][]byte // by method and the last part of the path that is no id
	file    []byte
}

func newService(t *testing.T) *service {
	t.Helper()
	return &service{
		file: bytes.Repeat([]byte("x"), fileSize),
		answers: map[string][]byte{
			"GET staff":          withSomeID(t, firstOf(t, sample(t, "listStaff.full"))),
			"GET events":         pageOf(sample(t, "getEvent.full")),
			"POST activitycodes": []byte(`{"id":"a1","href":"` + address + `/activitycodes/a1","relation":"ActivityCodes","method":"GET"}`),
			"POST files":         valid(testkit.UploadTo(storage)),
			"GET download":       valid(testkit.DownloadFrom(storage, fileSize)),
		},
	}
}

// valid returns the response of the service with an address that never expires.
func valid(answer string) []byte { return []byte(strings.Replace(answer, `"2026-`, `"2999-`, 1)) }

// sample returns a sample response of the description.
func sample(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("../../api/samples/responses/" + name + ".json")
	require.NoError(t, err)
	return text
}

// firstOf returns the first record of a page.
func firstOf(t *testing.T, page []byte) []byte {
	t.Helper()
	var list struct{ Value []json.RawMessage }
	require.NoError(t, json.Unmarshal(page, &list))
	return list.Value[0]
}

// withSomeID returns a record with the id that the calls ask for.
func withSomeID(t *testing.T, record []byte) []byte {
	t.Helper()
	var known struct{ ID string }
	require.NoError(t, json.Unmarshal(record, &known))
	return bytes.ReplaceAll(record, []byte(known.ID), []byte(testkit.SomeID))
}

func pageOf(record []byte) []byte {
	records := strings.TrimSuffix(strings.Repeat(string(record)+",", pageSize), ",")
	return fmt.Appendf(nil, `{"href":"%s/events","value":[%s],"offset":0,"limit":%d,"size":%d}`, address, records, pageSize, pageSize)
}

// RoundTrip implements http.RoundTripper.
func (s *service) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		_, _ = io.Copy(io.Discard, req.Body) // bodies in memory cannot fail
		_ = req.Body.Close()
	}
	status, body := http.StatusOK, s.answers[req.Method+" "+kindOf(req.URL.Path)]
	switch {
	case req.URL.Host == "files.example.test":
		if req.Method == http.MethodGet {
			body = s.file
		}
	case req.Method != http.MethodGet && body == nil:
		status = http.StatusAccepted
	}
	return &http.Response{
		StatusCode: status, Header: http.Header{}, Request: req, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}, nil
}

// kindOf returns the last part of a path that is not an id.
func kindOf(path string) string {
	for path != "" {
		at := strings.LastIndexByte(path, '/')
		if last := path[at+1:]; last != testkit.SomeID {
			return last
		}
		path = path[:at]
	}
	return ""
}

// newClient returns a client with retries, both time limits, request ids, a
// logger, an observer and a token.
func newClient(t *testing.T) *practice.Client {
	t.Helper()
	client, err := practice.NewClient(address,
		practice.WithHTTPClient(&http.Client{Transport: newService(t)}),
		practice.WithAPIKey("key"), practice.WithAccessToken("token"),
		practice.WithLogger(slog.New(slog.DiscardHandler)),
		practice.WithObserver(func(context.Context, practice.Observation) {}))
	require.NoError(t, err)
	return client
}
