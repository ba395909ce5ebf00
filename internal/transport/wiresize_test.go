package transport

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSizesAreThoseOfTheWire checks that the sizes of an attempt are those on
// the wire, whatever the links see.
func TestSizesAreThoseOfTheWire(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("all the same ", 4000)
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	_, err := zip.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, zip.Close())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := packed.Bytes()
		if r.URL.Path == "/plain" || r.Header.Get("Accept-Encoding") != "gzip" {
			body = []byte(text)
		} else {
			w.Header().Set("Content-Encoding", "gzip")
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		if r.URL.Path == "/cut" {
			body = body[:len(body)/2]
		}
		_, _ = w.Write(body)
	}))
	t.Cleanup(server.Close)
	var seen string
	reads := func(next http.RoundTripper) http.RoundTripper {
		return tripper(func(req *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(req)
			if err == nil {
				seen = resp.Header.Get("Content-Encoding")
			}
			return resp, err
		})
	}
	for name, test := range map[string]struct {
		path       string
		transport  http.RoundTripper
		middleware []Middleware
		want       int
	}{
		"compressed":                  {path: "/", want: packed.Len()},
		"compressed, over a wrapper":  {path: "/", transport: tripper(server.Client().Transport.RoundTrip), want: packed.Len()},
		"compressed, with middleware": {path: "/", middleware: []Middleware{reads}, want: packed.Len()},
		"not compressed":              {path: "/plain", want: len(text)},
		"none wanted":                 {path: "/", transport: &http.Transport{DisableCompression: true}, want: len(text)},
		"broken off":                  {path: "/cut", want: packed.Len() / 2},
	} {
		if test.transport == nil {
			test.transport = server.Client().Transport
		}
		base, err := url.Parse(server.URL)
		require.NoError(t, err)
		target, err := url.Parse(server.URL + test.path)
		require.NoError(t, err)
		chain := New(Config{HTTPClient: &http.Client{Transport: test.transport}, Middleware: test.middleware, Origin: NewOrigin(base), Limiter: NewLimiter(0, 0)})
		call := &Call{Method: http.MethodGet, URL: target, Headers: fixed{}, MaxBody: 1 << 20, Timeout: time.Minute}
		answer, err := chain.Do(t.Context(), call)
		require.Len(t, call.Attempts, 1, "%s: %v", name, err)
		assert.EqualValues(t, test.want, call.Attempts[0].BytesReceived, name)
		assert.Empty(t, seen, "a middleware sees no compression")
		if test.path != "/cut" {
			require.NoError(t, err, name)
			assert.Equal(t, text, string(answer.Body), name)
			assert.Empty(t, answer.Header.Get("Content-Encoding"), name)
		}
		if own, ok := test.transport.(*http.Transport); ok {
			own.CloseIdleConnections()
		}
	}
}

func TestNothingIsSentWithoutAConnection(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	base, err := url.Parse(server.URL)
	require.NoError(t, err)
	server.Close()
	chain := New(Config{HTTPClient: &http.Client{Transport: &http.Transport{}}, Origin: NewOrigin(base), Limiter: NewLimiter(0, 0)})
	call := &Call{Method: http.MethodPost, URL: base, Headers: fixed{}, Body: []byte("{}"), Class: Create, MaxBody: 1 << 20}
	_, err = chain.Do(t.Context(), call)
	require.Error(t, err)
	require.Len(t, call.Attempts, 1)
	assert.Zero(t, call.Attempts[0].BytesSent)
}
