package practicetest_test

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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/practicetest/internal/memnet"
)

type fault = practicetest.Fault

const fullBody = `{"value":["one","two","three"]}`

// disturbed is a service with faults, in which a handler of the test responds
// to each request for the API.
type disturbed struct {
	*practicetest.Server
	t         *testing.T
	limit     time.Duration // time limit of the client
	known     bool          // the handler sends a Content-Length
	processed atomic.Int32
	read      atomic.Int64
}

func (d *disturbed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
}

func disturb(t *testing.T, s *practicetest.Server, injected ...fault) *disturbed {
	t.Helper()
	d := &disturbed{Server: s, t: t}
	s.Stub("/", d)
	t.Cleanup(s.ClearStubs) // some faults keep every request from it
	s.Inject(injected...)
	return d
}

// request sends a POST, which net/http does not retry, and reads the response.
func (d *disturbed) request(address, body string) (*http.Response, string, error) {
	d.t.Helper()
	req, err := http.NewRequestWithContext(d.t.Context(), http.MethodPost, address, strings.NewReader(body))
	require.NoError(d.t, err)
	client := d.HTTPClient()
	client.Timeout = d.limit
	resp, err := client.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	return resp, string(got), err
}

func TestAnswersMadeUp(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		fault                      fault
		part                       string
		status                     int
		contentType, contains, age string
	}{
		"a status":            {fault{Status: 503}, practicetest.PartAPI, 503, "application/problem+json", `"status":503`, ""},
		"the zero value":      {fault{}, practicetest.PartAPI, 500, "application/problem+json", `"title":"Internal Server Error"`, ""},
		"a kind nobody knows": {fault{Kind: 99}, practicetest.PartAPI, 500, "application/problem+json", `"status":500`, ""},
		"a body of one's own": {fault{Status: 400, Body: "no", ContentType: "text/plain"}, practicetest.PartAPI, 400, "text/plain", "no", ""},
		"a rate limit":        {fault{Kind: practicetest.FaultRateLimit}, practicetest.PartAPI, 429, "application/problem+json", `"status":429`, ""},
		"a rate limit that says when": {
			fault{Kind: practicetest.FaultRateLimit, RetryAfter: "7"}, practicetest.PartAPI, 429, "application/problem+json", "Too Many", "7",
		},
		"a rate limit of a gateway": {
			fault{Kind: practicetest.FaultRateLimit, Body: `{"message":"Limit Exceeded"}`, ContentType: "application/json"},
			practicetest.PartAPI, 429, "application/json", `"message"`, "",
		},
		"a page":            {fault{Kind: practicetest.FaultHTML}, practicetest.PartAPI, 502, "text/html; charset=utf-8", "<html>", ""},
		"a page with a 200": {fault{Kind: practicetest.FaultHTML, Status: 200}, practicetest.PartAPI, 200, "text/html; charset=utf-8", "<html>", ""},
		"of the token endpoint": {
			fault{Status: 503}, practicetest.PartToken, 503, "application/json", `"error":"temporarily_unavailable"`, "",
		},
		"of the storage": {fault{Status: 503}, practicetest.PartStorage, 503, "application/xml", "<Code>InternalError</Code>", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := disturb(t, practicetest.New(t), tt.fault)
			resp, body, err := d.request(map[string]string{
				practicetest.PartAPI: d.BaseURL() + "/op", practicetest.PartToken: d.TokenURL(), practicetest.PartStorage: d.StorageURL(),
			}[tt.part], "{}")
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
		fault     fault
		path      string
		known     bool
		want      error
		processed int32
		body      string // part of the body that was received
	}{
		"reset before":             {fault{Kind: practicetest.FaultResetBefore}, "/op", false, syscall.ECONNRESET, 0, ""},
		"reset after":              {fault{Kind: practicetest.FaultResetAfter}, "/op", false, syscall.ECONNRESET, 1, ""},
		"reset in the answer":      {fault{Kind: practicetest.FaultResetAfter, After: 9}, "/op", true, syscall.ECONNRESET, 1, fullBody[:9]},
		"reset at the last byte":   {fault{Kind: practicetest.FaultResetAfter, After: 31}, "/op", true, syscall.ECONNRESET, 1, fullBody[:30]},
		"truncated":                {fault{Kind: practicetest.FaultTruncated}, "/op", false, io.ErrUnexpectedEOF, 1, fullBody[:15]},
		"truncated, known length":  {fault{Kind: practicetest.FaultTruncated}, "/op", true, io.ErrUnexpectedEOF, 1, fullBody[:15]},
		"truncated after 3":        {fault{Kind: practicetest.FaultTruncated, After: 3}, "/op", false, io.ErrUnexpectedEOF, 1, fullBody[:3]},
		"truncated after too much": {fault{Kind: practicetest.FaultTruncated, After: 999}, "/op", true, io.ErrUnexpectedEOF, 1, fullBody[:30]},
		"truncated before its end": {fault{Kind: practicetest.FaultTruncated}, "/short", false, io.ErrUnexpectedEOF, 1, ""},
		"truncated, empty":         {fault{Kind: practicetest.FaultTruncated}, "/empty", false, io.ErrUnexpectedEOF, 1, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inMemoryAndOverTCP(t, func(t *testing.T, s *practicetest.Server) {
				d := disturb(t, s, tt.fault)
				d.known = tt.known
				_, body, err := d.request(d.BaseURL()+tt.path, "{}")
				require.ErrorIs(t, err, tt.want)
				assert.Equal(t, tt.body, body)
				assert.Equal(t, tt.processed, d.processed.Load())
				resp, _, err := d.request(d.BaseURL()+"/op", "{}")
				require.NoError(t, err, "the next request is served")
				assert.Equal(t, http.StatusOK, resp.StatusCode)
			})
		})
	}
}

func TestAnUploadCanBreakInTheMiddle(t *testing.T) {
	t.Parallel()
	inMemoryAndOverTCP(t, func(t *testing.T, s *practicetest.Server) {
		d := disturb(t, s, fault{Kind: practicetest.FaultResetBefore, After: 1 << 20})
		_, _, err := d.request(d.BaseURL()+"/op", strings.Repeat("x", 16<<20))
		var op *net.OpError
		require.ErrorAs(t, err, &op, "which one depends on who sees the reset first, the reader or the writer of net/http")
		assert.Zero(t, d.processed.Load())
	})
}

func TestAnEndlessBodyFlowsUntilTheClientLeaves(t *testing.T) {
	t.Parallel()
	inMemoryAndOverTCP(t, func(t *testing.T, s *practicetest.Server) {
		d := disturb(t, s, fault{Kind: practicetest.FaultEndless, Body: "[1,"})
		resp, err := d.HTTPClient().Get(d.BaseURL() + "/op")
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
		fault     fault
		limit     time.Duration // time limit of the client
		took      time.Duration
		processed int32
		fails     bool
		body      string
	}{
		"latency":                   {fault{Kind: practicetest.FaultLatency, Delay: time.Minute}, time.Hour, time.Minute, 1, false, fullBody},
		"latency beyond the limit":  {fault{Kind: practicetest.FaultLatency, Delay: time.Hour}, time.Minute, time.Minute, 0, true, ""},
		"a slow error":              {fault{Status: 503, Delay: time.Second}, time.Hour, time.Second, 0, false, "503"},
		"a stall":                   {fault{Kind: practicetest.FaultStall}, time.Minute, time.Minute, 0, true, ""},
		"a stall within the answer": {fault{Kind: practicetest.FaultStall, After: 5}, time.Minute, time.Minute, 1, true, fullBody[:5]},
	}
	for name, tt := range tests {
		for _, body := range []string{"", strings.Repeat("x", 3*memnet.BufferSize)} {
			t.Run(name+", body of "+strconv.Itoa(len(body)), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					d := disturb(t, practicetest.New(t), tt.fault)
					d.limit = tt.limit
					start := time.Now()
					_, got, err := d.request(d.BaseURL()+"/op", body)
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
	const a, b = "createContact", "createTask"
	tests := map[string]struct {
		faults []fault
		calls  string // operations to call, in order
		want   string // expected statuses
	}{
		"once by default":          {[]fault{{Operation: a, Status: 500}}, "a a", "500 200"},
		"so many times":            {[]fault{{Operation: a, Status: 500, Times: 2}}, "a a a", "500 500 200"},
		"always":                   {[]fault{{Operation: a, Status: 500, Times: -1}}, "a a a a", "500 500 500 500"},
		"after some that pass":     {[]fault{{Operation: a, Status: 500, Skip: 2}}, "a a a a", "200 200 500 200"},
		"other operations pass":    {[]fault{{Operation: a, Status: 500}}, "b a b", "200 500 200"},
		"others are not counted":   {[]fault{{Operation: a, Status: 500, Skip: 1}}, "b a b a", "200 200 200 500"},
		"a star is any":            {[]fault{{Operation: "*", Status: 500, Times: 2}}, "b a b", "500 500 200"},
		"nothing is any":           {[]fault{{Status: 500, Times: 2}}, "b a b", "500 500 200"},
		"one after the other":      {[]fault{{Status: 500}, {Status: 502}}, "a a a", "500 502 200"},
		"the first that matches":   {[]fault{{Operation: b, Status: 500}, {Status: 502, Times: 2}}, "a b a", "502 500 502"},
		"a skip counts for itself": {[]fault{{Status: 500, Skip: 1}, {Status: 502, Skip: 1}}, "a a a a", "200 500 502 200"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := disturb(t, practicetest.New(t), tt.faults...)
			var got []string
			for name := range strings.FieldsSeq(tt.calls) {
				resp, _, err := d.request(d.BaseURL()+map[string]string{"a": "/contacts", "b": "/tasks"}[name], "")
				require.NoError(t, err)
				got = append(got, strconv.Itoa(resp.StatusCode))
			}
			assert.Equal(t, tt.want, strings.Join(got, " "))
		})
	}
}

func TestParallelRequestsGetEachFaultOnce(t *testing.T) {
	t.Parallel()
	d := disturb(t, practicetest.New(t), fault{Status: 503, Times: 5, Skip: 3}, fault{Kind: practicetest.FaultResetBefore, Times: 4})
	var failed, reset, served atomic.Int32
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			resp, _, err := d.request(d.BaseURL()+"/op", "")
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
