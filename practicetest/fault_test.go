package practicetest

import (
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/practicesdk/practice-go/practicetest/internal/memnet"
	"github.com/practicesdk/practice-go/practicetest/internal/sandboxtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const fullBody = `{"value":["one","two","three"]}`

// disturbed is a server with one operation, to which faults apply.
type disturbed struct {
	*faults
	part      string
	known     bool // the handler sends a Content-Length
	processed atomic.Int32
	read      atomic.Int64
}

func (d *disturbed) handler() http.Handler {
	return d.wrap(d.part, func(r *http.Request) string { return strings.TrimPrefix(r.URL.Path, "/") },
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n, err := io.Copy(io.Discard, r.Body)
			d.read.Store(n)
			if err != nil {
				return
			}
			d.processed.Add(1)
			if r.URL.Path == "/empty" {
				w.WriteHeader(http.StatusAccepted)
				return
			}
			if r.URL.Path == "/short" { // announces more than it sends
				w.Header().Set("Content-Length", strconv.Itoa(len(fullBody)))
				w.WriteHeader(http.StatusOK)
				return
			}
			if d.known {
				w.Header().Set("Content-Length", strconv.Itoa(len(fullBody)))
			}
			for i := range fullBody { // one byte at a time
				if _, err := io.WriteString(w, fullBody[i:i+1]); err != nil {
					return
				}
			}
		}))
}

func newDisturbed(injected ...Fault) *disturbed {
	d := &disturbed{faults: newFaults(), part: PartAPI}
	d.inject(injected...)
	return d
}

// request sends a POST, which net/http does not retry, and reads the response.
func request(t *testing.T, client *http.Client, operation, body string) (*http.Response, string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+sandboxtest.Host+"/"+operation, strings.NewReader(body))
	require.NoError(t, err)
	resp, err := client.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	return resp, string(got), err
}

// onBothNetworks runs a test in memory and over TCP.
func onBothNetworks(t *testing.T, test func(t *testing.T, serve func(*testing.T, http.Handler) *http.Client)) {
	t.Helper()
	t.Run("in memory", func(t *testing.T) { t.Parallel(); test(t, sandboxtest.InMemory) })
	t.Run("over TCP", func(t *testing.T) { t.Parallel(); test(t, sandboxtest.Loopback) })
}

func TestAnswersMadeUp(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		fault                      Fault
		part                       string
		status                     int
		contentType, contains, age string
	}{
		"a status":            {Fault{Status: 503}, PartAPI, 503, "application/problem+json", `"status":503`, ""},
		"the zero value":      {Fault{}, PartAPI, 500, "application/problem+json", `"title":"Internal Server Error"`, ""},
		"a kind nobody knows": {Fault{Kind: 99}, PartAPI, 500, "application/problem+json", `"status":500`, ""},
		"a body of one's own": {Fault{Status: 400, Body: "no", ContentType: "text/plain"}, PartAPI, 400, "text/plain", "no", ""},
		"a rate limit":        {Fault{Kind: FaultRateLimit}, PartAPI, 429, "application/problem+json", `"status":429`, ""},
		"a rate limit that says when": {
			Fault{Kind: FaultRateLimit, RetryAfter: "7"}, PartAPI, 429, "application/problem+json", "Too Many", "7",
		},
		"a rate limit of a gateway": {
			Fault{Kind: FaultRateLimit, Body: `{"message":"Limit Exceeded"}`, ContentType: "application/json"},
			PartAPI, 429, "application/json", `"message"`, "",
		},
		"a page":            {Fault{Kind: FaultHTML}, PartAPI, 502, "text/html; charset=utf-8", "<html>", ""},
		"a page with a 200": {Fault{Kind: FaultHTML, Status: 200}, PartAPI, 200, "text/html; charset=utf-8", "<html>", ""},
		"of the token endpoint": {
			Fault{Status: 503}, PartToken, 503, "application/json", `"error":"temporarily_unavailable"`, "",
		},
		"of the storage": {Fault{Status: 503}, PartStorage, 503, "application/xml", "<Code>InternalError</Code>", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDisturbed(tt.fault)
			d.part = tt.part
			resp, body, err := request(t, sandboxtest.InMemory(t, d.handler()), "op", "{}")
			require.NoError(t, err)
			assert.Equal(t, tt.status, resp.StatusCode)
			assert.Equal(t, tt.contentType, resp.Header.Get("Content-Type"))
			assert.Equal(t, tt.age, resp.Header.Get("Retry-After"))
			assert.Contains(t, body, tt.contains)
			assert.Zero(t, d.processed.Load())
		})
	}
}

func TestBrokenConnections(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		fault     Fault
		operation string
		known     bool
		want      error
		processed int32
		body      string // part of the body that was received
	}{
		"reset before":             {Fault{Kind: FaultResetBefore}, "op", false, syscall.ECONNRESET, 0, ""},
		"reset after":              {Fault{Kind: FaultResetAfter}, "op", false, syscall.ECONNRESET, 1, ""},
		"reset in the answer":      {Fault{Kind: FaultResetAfter, After: 9}, "op", true, syscall.ECONNRESET, 1, fullBody[:9]},
		"reset at the last byte":   {Fault{Kind: FaultResetAfter, After: 31}, "op", true, syscall.ECONNRESET, 1, fullBody[:30]},
		"truncated":                {Fault{Kind: FaultTruncated}, "op", false, io.ErrUnexpectedEOF, 1, fullBody[:15]},
		"truncated, known length":  {Fault{Kind: FaultTruncated}, "op", true, io.ErrUnexpectedEOF, 1, fullBody[:15]},
		"truncated after 3":        {Fault{Kind: FaultTruncated, After: 3}, "op", false, io.ErrUnexpectedEOF, 1, fullBody[:3]},
		"truncated after too much": {Fault{Kind: FaultTruncated, After: 999}, "op", true, io.ErrUnexpectedEOF, 1, fullBody[:30]},
		"truncated before its end": {Fault{Kind: FaultTruncated}, "short", false, io.ErrUnexpectedEOF, 1, ""},
		"truncated, empty":         {Fault{Kind: FaultTruncated}, "empty", false, io.ErrUnexpectedEOF, 1, ""},
	}
	onBothNetworks(t, func(t *testing.T, serve func(*testing.T, http.Handler) *http.Client) {
		for name, tt := range tests {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				d := newDisturbed(tt.fault)
				d.known = tt.known
				client := serve(t, d.handler())
				_, body, err := request(t, client, tt.operation, "{}")
				require.ErrorIs(t, err, tt.want)
				assert.Equal(t, tt.body, body)
				assert.Equal(t, tt.processed, d.processed.Load())
				resp, _, err := request(t, client, "op", "{}")
				require.NoError(t, err, "the next request is served")
				assert.Equal(t, http.StatusOK, resp.StatusCode)
			})
		}
	})
}

func TestAnUploadCanBreakInTheMiddle(t *testing.T) {
	t.Parallel()
	onBothNetworks(t, func(t *testing.T, serve func(*testing.T, http.Handler) *http.Client) {
		d := newDisturbed(Fault{Kind: FaultResetBefore, After: 1 << 20})
		_, _, err := request(t, serve(t, d.handler()), "op", strings.Repeat("x", 16<<20))
		var op *net.OpError
		require.ErrorAs(t, err, &op, "which one depends on who sees the reset first, the reader or the writer of net/http")
		assert.Zero(t, d.processed.Load())
	})
}

func TestAnEndlessBodyFlowsUntilTheClientLeaves(t *testing.T) {
	t.Parallel()
	onBothNetworks(t, func(t *testing.T, serve func(*testing.T, http.Handler) *http.Client) {
		d := newDisturbed(Fault{Kind: FaultEndless, Body: "[1,"})
		client := serve(t, d.handler())
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+sandboxtest.Host+"/op", nil)
		require.NoError(t, err)
		resp, err := client.Do(req)
		require.NoError(t, err)
		assert.Equal(t, http.StatusOK, resp.StatusCode)
		assert.Equal(t, "application/json", resp.Header.Get("Content-Type"))
		some := make([]byte, 1<<20)
		_, err = io.ReadFull(resp.Body, some)
		require.NoError(t, err)
		assert.Equal(t, "[1,[1,", string(some[:6]))
		require.NoError(t, resp.Body.Close())
		assert.Zero(t, d.processed.Load())
	})
}

func TestLatencyAndStallsTakeTheTimeOfTheBubble(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		fault     Fault
		limit     time.Duration // time limit of the client
		took      time.Duration
		processed int32
		fails     bool
		body      string
	}{
		"latency":                   {Fault{Kind: FaultLatency, Delay: time.Minute}, time.Hour, time.Minute, 1, false, fullBody},
		"latency beyond the limit":  {Fault{Kind: FaultLatency, Delay: time.Hour}, time.Minute, time.Minute, 0, true, ""},
		"a slow error":              {Fault{Status: 503, Delay: time.Second}, time.Hour, time.Second, 0, false, "503"},
		"a stall":                   {Fault{Kind: FaultStall}, time.Minute, time.Minute, 0, true, ""},
		"a stall within the answer": {Fault{Kind: FaultStall, After: 5}, time.Minute, time.Minute, 1, true, fullBody[:5]},
	}
	for name, tt := range tests {
		for _, body := range []string{"", strings.Repeat("x", 3*memnet.BufferSize)} {
			t.Run(name+", body of "+strconv.Itoa(len(body)), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					d := newDisturbed(tt.fault)
					client := sandboxtest.InMemory(t, d.handler())
					client.Timeout = tt.limit
					start := time.Now()
					_, got, err := request(t, client, "op", body)
					assert.Equal(t, tt.took, time.Since(start))
					assert.Equal(t, tt.fails, err != nil)
					assert.Contains(t, got, tt.body)
					pass(2 * time.Hour)
					assert.LessOrEqual(t, d.processed.Load(), max(tt.processed, 1))
					if body == "" {
						assert.Equal(t, tt.processed, d.processed.Load())
					}
				})
			})
		}
	}
}

func TestFaultsAreCounted(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		faults []Fault
		calls  string // operations to call, in order
		want   string // expected statuses
	}{
		"once by default":          {[]Fault{{Operation: "a", Status: 500}}, "a a", "500 200"},
		"so many times":            {[]Fault{{Operation: "a", Status: 500, Times: 2}}, "a a a", "500 500 200"},
		"always":                   {[]Fault{{Operation: "a", Status: 500, Times: -1}}, "a a a a", "500 500 500 500"},
		"after some that pass":     {[]Fault{{Operation: "a", Status: 500, Skip: 2}}, "a a a a", "200 200 500 200"},
		"other operations pass":    {[]Fault{{Operation: "a", Status: 500}}, "b a b", "200 500 200"},
		"others are not counted":   {[]Fault{{Operation: "a", Status: 500, Skip: 1}}, "b a b a", "200 200 200 500"},
		"a star is any":            {[]Fault{{Operation: "*", Status: 500, Times: 2}}, "b a b", "500 500 200"},
		"nothing is any":           {[]Fault{{Status: 500, Times: 2}}, "b a b", "500 500 200"},
		"one after the other":      {[]Fault{{Status: 500}, {Status: 502}}, "a a a", "500 502 200"},
		"the first that matches":   {[]Fault{{Operation: "b", Status: 500}, {Status: 502, Times: 2}}, "a b a", "502 500 502"},
		"a skip counts for itself": {[]Fault{{Status: 500, Skip: 1}, {Status: 502, Skip: 1}}, "a a a a", "200 500 502 200"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDisturbed(tt.faults...)
			client := sandboxtest.InMemory(t, d.handler())
			var got []string
			for operation := range strings.FieldsSeq(tt.calls) {
				resp, _, err := request(t, client, operation, "")
				require.NoError(t, err)
				got = append(got, strconv.Itoa(resp.StatusCode))
			}
			assert.Equal(t, tt.want, strings.Join(got, " "))
		})
	}
}

func TestParallelRequestsGetEachFaultOnce(t *testing.T) {
	t.Parallel()
	d := newDisturbed(Fault{Status: 503, Times: 5, Skip: 3}, Fault{Kind: FaultResetBefore, Times: 4})
	client := sandboxtest.InMemory(t, d.handler())
	var failed, reset, served atomic.Int32
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			resp, _, err := request(t, client, "op", "")
			switch {
			case err != nil:
				reset.Add(1)
			case resp.StatusCode == http.StatusServiceUnavailable:
				failed.Add(1)
			default:
				served.Add(1)
			}
		})
	}
	wg.Wait()
	assert.Equal(t, []int32{5, 4, 11}, []int32{failed.Load(), reset.Load(), served.Load()})
}
