package objectstore

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/practicesdk/practice-go/practicetest/internal/memnet"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	host        = "127.0.0.1:8001"
	storageBase = "http://" + host + "/bucket"
)

// storageFixture is a store with an HTTP server. It records the calls of the
// store's callbacks.
type storageFixture struct {
	*Store
	clock   *testClock
	client  *http.Client
	network *memnet.Network

	mu         sync.Mutex
	puts       []string
	violations []string
}

func newStorageFixture(t *testing.T) *storageFixture {
	t.Helper()
	clock := &testClock{now: noon}
	f := &storageFixture{Store: New(clock.Now, []byte("secret")), clock: clock, network: memnet.New()}
	f.OnPut = func(key string, size int64) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.puts = append(f.puts, fmt.Sprint(key, " ", size))
	}
	f.OnViolation = func(r *http.Request, wrong string) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.violations = append(f.violations, r.Method+": "+wrong)
	}
	l, err := f.network.Listen(host)
	require.NoError(t, err)
	server := &httptest.Server{Listener: l, Config: &http.Server{Handler: f, ReadHeaderTimeout: time.Hour}}
	server.Start()
	t.Cleanup(server.Close)
	f.client = &http.Client{Transport: &http.Transport{DialContext: f.network.Dial}}
	t.Cleanup(f.client.CloseIdleConnections)
	return f
}

func (f *storageFixture) address(method, key string) string {
	return f.Presign(method, key, f.clock.Now().Add(time.Minute), storageBase, "")
}

// raw sends a raw request and returns the response and its body.
func (f *storageFixture) raw(t *testing.T, method, text string) (*http.Response, string) {
	t.Helper()
	c, err := f.network.Dial(t.Context(), "tcp", host)
	require.NoError(t, err)
	defer c.Close()
	_, err = c.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, c.(*memnet.Conn).CloseWrite())
	resp, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp, string(body)
}

// do sends a request with headers and, unless it is nil, a body.
func (f *storageFixture) do(t *testing.T, method, address string, body *string, headers ...string) (*http.Response, string) {
	t.Helper()
	lines := []string{method + " " + pathOf(address) + " HTTP/1.1", "Host: " + host, "Connection: close"}
	lines = append(lines, headers...)
	text := strings.Join(lines, "\r\n") + "\r\n"
	if body != nil {
		text += fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(*body), *body)
	} else {
		text += "\r\n"
	}
	return f.raw(t, method, text)
}

func errorCode(t *testing.T, body string) string {
	t.Helper()
	var fault refusal
	require.NoError(t, xml.Unmarshal([]byte(body), &fault), body)
	return fault.Code
}

func TestWhatWasPutIsGotAgain(t *testing.T) {
	t.Parallel()
	f := newStorageFixture(t)
	for _, size := range []int{0, 1, 5000, partSize, partSize + 1, 3*partSize + 17} {
		key := fmt.Sprintf("files/%d/naïve name+%%2F.pdf", size)
		sent := bytes.Repeat([]byte("0123456789"), size/10+1)[:size]
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, f.address("PUT", key), bytes.NewReader(sent))
		require.NoError(t, err)
		resp, err := f.client.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusOK, resp.StatusCode)
		etag := resp.Header.Get("ETag")
		assert.Regexp(t, `^"[0-9a-f]{32}"$`, etag)

		resp, err = f.client.Get(f.address("GET", key))
		require.NoError(t, err)
		got, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, http.StatusOK, resp.StatusCode)
		assert.Equal(t, etag, resp.Header.Get("ETag"))
		assert.Equal(t, "bytes", resp.Header.Get("Accept-Ranges"))
		assert.EqualValues(t, size, resp.ContentLength)
		assert.Equal(t, noon.Format(http.TimeFormat), resp.Header.Get("Date"), "the time of the clock")
		require.True(t, bytes.Equal(sent, got), "%d bytes came changed", size)

		stored, ok := f.Get(key)
		require.True(t, ok)
		require.True(t, bytes.Equal(sent, stored))
		assert.Equal(t, fmt.Sprint(key, " ", size), f.puts[len(f.puts)-1])
	}
	assert.Empty(t, f.violations)
}

func TestWhatAnUploadMustNotCarry(t *testing.T) {
	t.Parallel()
	body := "12345"
	tests := map[string]struct {
		headers []string
		status  int
		code    string
	}{
		"Authorization":       {[]string{"Authorization: Bearer x"}, 400, "InvalidArgument"},
		"empty Authorization": {[]string{"authorization:"}, 400, "InvalidArgument"},
		"x-api-key":           {[]string{"x-api-key: k"}, 400, "InvalidArgument"},
		"RequestId":           {[]string{"RequestId: r"}, 400, "InvalidArgument"},
		"UserId":              {[]string{"UserId: u"}, 400, "InvalidArgument"},
		"Content-Type":        {[]string{"Content-Type: application/pdf"}, 403, "SignatureDoesNotMatch"},
	}
	f := newStorageFixture(t)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			resp, text := f.do(t, "PUT", f.address("PUT", "k"), &body, tt.headers...)
			assert.Equal(t, tt.status, resp.StatusCode)
			assert.Equal(t, tt.code, errorCode(t, text))
		})
	}
	t.Run("a download may not carry credentials either", func(t *testing.T) {
		resp, text := f.do(t, "GET", f.address("GET", "k"), nil, "Authorization: Bearer x")
		assert.Equal(t, 400, resp.StatusCode)
		assert.Equal(t, "InvalidArgument", errorCode(t, text))
	})
	assert.Len(t, f.violations, len(tests)+1)
	assert.Empty(t, f.puts)
}

func TestTheLengthOfAnUploadMustBeKnownAndTrue(t *testing.T) {
	t.Parallel()
	f := newStorageFixture(t)
	start := "PUT " + pathOf(f.address("PUT", "k")) + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n"
	tests := map[string]struct {
		rest   string
		status int
		code   string
	}{
		"chunked":                {"Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n0\r\n\r\n", 501, "NotImplemented"},
		"no length":              {"\r\n", 411, "MissingContentLength"},
		"shorter than it claims": {"Content-Length: 10\r\n\r\n12345", 400, "IncompleteBody"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			resp, text := f.raw(t, "PUT", start+tt.rest)
			assert.Equal(t, tt.status, resp.StatusCode)
			assert.Equal(t, tt.code, errorCode(t, text))
			_, stored := f.Get("k")
			assert.False(t, stored)
		})
	}
	assert.Empty(t, f.puts)
	resp, _ := f.raw(t, "PUT", start+"Content-Length: 0\r\n\r\n")
	assert.Equal(t, 200, resp.StatusCode, "nothing is a length too")
}

func TestAnUnknownKey(t *testing.T) {
	t.Parallel()
	f := newStorageFixture(t)
	resp, body := f.do(t, "GET", f.address("GET", "gone"), nil)
	assert.Equal(t, http.StatusNotFound, resp.StatusCode)
	assert.Equal(t, "NoSuchKey", errorCode(t, body))
	assert.Contains(t, body, "<Key>gone</Key>")
	assert.Empty(t, f.violations)
}

func TestARequestThroughAProxyIsVerifiedToo(t *testing.T) {
	t.Parallel()
	f := newStorageFixture(t)
	f.Put("k", []byte("x"))
	address := f.address("GET", "k")
	r := httptest.NewRequestWithContext(t.Context(), "GET", address, nil)
	require.Equal(t, address, r.RequestURI, "the absolute form")
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	assert.Equal(t, http.StatusOK, w.Code)
}

func TestAStoreWithoutCallbacks(t *testing.T) {
	t.Parallel()
	clock := &testClock{now: noon}
	s := New(clock.Now, []byte("secret"))
	for status, address := range map[int]string{
		http.StatusOK:        s.Presign("PUT", "k", noon.Add(time.Minute), storageBase, ""),
		http.StatusForbidden: s.Presign("GET", "k", noon.Add(time.Minute), storageBase, ""),
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), "PUT", address, strings.NewReader("x"))
		s.ServeHTTP(w, r)
		assert.Equal(t, status, w.Code)
	}
}

func TestAnAddressIsSignedForNoHeaderOfTheStorage(t *testing.T) {
	t.Parallel()
	signed := []string{
		"Content-Type: text/plain", "Content-MD5: x", "x-store-acl: private", "x-store-server-side-encryption: k", "x-store-checksum-sha256: x",
		"x-store-content-sha256: x", "x-store-grant-read: x", "x-store-website-redirect-location: /", "x-store-date: x", "x-store-security-token: x",
		"x-store-object-lock-mode: x", "x-store-meta-name: x", "x-store-tagging: a=b", "x-store-storage-class: cold",
	}
	others := []string{"Content-Type:", "Cookie: a=b", "x-b3-traceid: 1", "x-forwarded-for: 192.0.2.1", "x-request-id: 1", "X-Correlation-Id: 1"}
	for _, method := range []string{"PUT", "GET"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			f := newStorageFixture(t)
			f.Put("k", []byte("12345"))
			var body *string
			if method == "PUT" {
				body = new("12345")
			}
			for _, header := range signed {
				resp, text := f.do(t, method, f.address(method, "k"), body, header)
				assert.Equal(t, 403, resp.StatusCode, header)
				assert.Equal(t, "SignatureDoesNotMatch", errorCode(t, text), header)
			}
			assert.Len(t, f.violations, len(signed))
			for _, header := range others {
				resp, _ := f.do(t, method, f.address(method, "k"), body, header)
				assert.Equal(t, 200, resp.StatusCode, header)
			}
			assert.Len(t, f.violations, len(signed))
		})
	}
}
