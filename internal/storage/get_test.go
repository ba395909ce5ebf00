package storage

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAPartIsAskedForByRangeAndVersion(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		part Part
		want http.Header
	}{
		{"the whole", Part{}, http.Header{}},
		{"the whole of a version", Part{ETag: `"v1"`}, http.Header{"If-Match": {`"v1"`}}},
		{"from the middle", Part{From: 3}, http.Header{"Range": {"bytes=3-"}}},
		{"the beginning", Part{To: 4}, http.Header{"Range": {"bytes=0-3"}}},
		{"one byte of a version", Part{From: 5, To: 6, ETag: `"v1"`}, http.Header{"Range": {"bytes=5-5"}, "If-Match": {`"v1"`}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			const content = "0123456789"
			var seen http.Header
			client, address := serve(t, func(w http.ResponseWriter, r *http.Request) {
				seen = r.Header.Clone()
				w.Header().Set("ETag", `"v1"`)
				http.ServeContent(w, r, "", someDay, strings.NewReader(content))
			})
			object, err := client.Get(t.Context(), Target{Address: address + signed}, test.part)
			require.NoError(t, err)
			data, err := io.ReadAll(object.Body)
			require.NoError(t, err)
			require.NoError(t, object.Body.Close())
			assert.Equal(t, test.want, seen, "nothing else")
			end := test.part.To
			if end == 0 {
				end = int64(len(content))
			}
			assert.Equal(t, content[test.part.From:end], string(data))
			assert.Equal(t, test.part.From, object.Offset)
			assert.EqualValues(t, len(data), object.Length)
			assert.EqualValues(t, len(content), object.Size)
			assert.Equal(t, `"v1"`, object.ETag)
		})
	}
}

// TestATransportOfTheCallersOwnDoesNotCompress checks that the request itself
// disables compression, which a transport other than *http.Transport may add.
// Storages then refuse a range of an empty object.
func TestATransportOfTheCallersOwnDoesNotCompress(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{"some bytes": "content", "no byte": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen http.Header
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				seen = r.Header.Clone()
				if content == "" && r.Header.Get("Range") != "" {
					w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
					return
				}
				http.ServeContent(w, r, "", someDay, strings.NewReader(content))
			}))
			client := New(Config{Transport: wrapped{server.Client().Transport}, Allowed: anywhere})
			t.Cleanup(func() {
				server.Client().CloseIdleConnections()
				server.Close()
			})
			object, err := client.Get(t.Context(), Target{Address: server.URL + signed}, Part{})
			require.NoError(t, err)
			data, err := io.ReadAll(object.Body)
			require.NoError(t, err)
			require.NoError(t, object.Body.Close())
			assert.Equal(t, content, string(data))
			assert.EqualValues(t, len(content), object.Size)
			assert.Equal(t, http.Header{"Accept-Encoding": {"identity"}}, seen)
		})
	}
}

type wrapped struct{ http.RoundTripper }

func TestAnswersAboutAnotherPartAreRefused(t *testing.T) {
	t.Parallel()
	asked := Part{From: 2, To: 6}
	for _, test := range []struct {
		name, contentRange string
		length             int64
		good               bool
	}{
		{"the part", "bytes 2-5/10", 4, true},
		{"less of it", "bytes 2-3/10", 2, true},
		{"the part of a whole of unknown length", "bytes 2-5/*", 4, true},
		{"the part without a length of its own", "bytes 2-5/10", -1, true},
		{"another beginning", "bytes 1-5/10", 5, false},
		{"more of it", "bytes 2-6/10", 5, false},
		{"another length than stated", "bytes 2-5/10", 3, false},
		{"beyond the whole", "bytes 2-5/5", 4, false},
		{"backwards", "bytes 2-1/10", 0, false},
		{"negative", "bytes 2--5/10", 4, false},
		{"another unit", "lines 2-5/10", 4, false},
		{"none", "", 4, false},
		{"no numbers", "bytes a-b/c", 4, false},
		{"a refusal", "bytes */10", 4, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			client := New(Config{Allowed: anywhere, Transport: roundTripper(func(*http.Request) (*http.Response, error) {
				return &http.Response{
					StatusCode: http.StatusPartialContent, Header: http.Header{"Content-Range": {test.contentRange}},
					ContentLength: test.length, Body: io.NopCloser(strings.NewReader("some")),
				}, nil
			})})
			object, err := client.Get(t.Context(), Target{Address: "https://storage.example.test/a"}, asked)
			if !test.good {
				require.ErrorIs(t, err, ErrAnswer)
				return
			}
			require.NoError(t, err)
			require.NoError(t, object.Body.Close())
			assert.EqualValues(t, 2, object.Offset)
		})
	}
}

func TestAStorageThatKnowsNoRangesGivesTheWhole(t *testing.T) {
	t.Parallel()
	client, address := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", `W/"weak"`)
		_, _ = io.WriteString(w, "0123456789")
	})
	object, err := client.Get(t.Context(), Target{Address: address + signed}, Part{From: 4})
	require.NoError(t, err)
	require.NoError(t, object.Body.Close())
	assert.Zero(t, object.Offset)
	assert.EqualValues(t, 10, object.Length)
	assert.EqualValues(t, 10, object.Size)
	assert.Empty(t, object.ETag, "a weak validator does not tell versions apart")
}

// TestAnEndThatNothingConfirmsIsTold checks that an end without a known length
// is reported, because the end of a connection looks like the end of the
// object.
func TestAnEndThatNothingConfirmsIsTold(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule        string
		answer      string
		part        Part
		unconfirmed bool
	}{
		{"a length", "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", Part{}, false},
		{"chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", Part{}, false},
		{"the end of the connection", "HTTP/1.0 200 OK\r\n\r\nhello", Part{}, true},
		{"the end of the connection, of a later version", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello", Part{}, true},
		{"a range of a whole", "HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\nContent-Range: bytes 1-5/6\r\n\r\nhello", Part{From: 1}, false},
		{"a range of an unknown whole", "HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\nContent-Range: bytes 1-5/*\r\n\r\nhello", Part{From: 1}, true},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			client := New(Config{Allowed: anywhere, Transport: roundTripper(func(req *http.Request) (*http.Response, error) {
				return http.ReadResponse(bufio.NewReader(strings.NewReader(test.answer)), req)
			})})
			object, err := client.Get(t.Context(), Target{Address: "https://storage.example.test/a"}, test.part)
			require.NoError(t, err)
			data, err := io.ReadAll(object.Body)
			require.NoError(t, err)
			require.NoError(t, object.Body.Close())
			assert.Equal(t, "hello", string(data))
			assert.Equal(t, test.unconfirmed, object.Unconfirmed)
		})
	}
	assert.True(t, framed(&http.Response{ProtoMajor: 2}), "a stream of HTTP/2 ends by itself")
}

func TestARangeThatIsNotThereIsAStatus(t *testing.T) {
	t.Parallel()
	client, address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", someDay, strings.NewReader("short"))
	})
	_, err := client.Get(t.Context(), Target{Address: address + signed}, Part{From: 99})
	refused, ok := errors.AsType[*StatusError](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, http.StatusRequestedRangeNotSatisfiable, refused.Status)
}

func FuzzContentRange(f *testing.F) {
	f.Add("bytes 0-9/10")
	f.Add("bytes 5-5/*")
	f.Add("bytes */10")
	f.Add("bytes 0-9/-5")
	f.Add("bytes 0-9223372036854775807/*")
	f.Add("bytes 9223372036854775807-9223372036854775807/*")
	f.Fuzz(func(t *testing.T, text string) {
		first, last, size, ok := parseContentRange(text)
		if !ok {
			return
		}
		assert.GreaterOrEqual(t, first, int64(0))
		assert.GreaterOrEqual(t, last, first)
		assert.True(t, size == -1 || size > last)
	})
}
