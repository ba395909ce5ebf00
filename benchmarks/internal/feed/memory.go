package feed

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// Memory is a service without a network. It implements http.RoundTripper.
type Memory struct {
	Answers  *Answers
	Calendar *Calendar
	Latency  time.Duration // latency of each response
	Limit    *rate.Limiter // requests beyond it get a 429; nil: no limit

	Refused atomic.Int64 // number of requests refused by the limit

	buffers sync.Pool
}

var jsonHeader = http.Header{"Content-Type": {"application/json"}}

// RoundTrip returns the response to a request.
func (m *Memory) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		_ = req.Body.Close() // closing a body in memory cannot fail
	}
	if req.URL.Host == "auth.example.test" {
		return answer(req, http.StatusOK, Token), nil
	}
	if m.Limit != nil && !m.Limit.Allow() {
		m.Refused.Add(1)
		return answer(req, http.StatusTooManyRequests, problem(http.StatusTooManyRequests)), nil
	}
	asked := time.Now()
	resp := m.served(req) // the latency includes the time of the work
	if err := m.wait(req.Context(), m.Latency-time.Since(asked)); err != nil {
		_ = resp.Body.Close() // closing a body in memory cannot fail
		return nil, err
	}
	return resp, nil
}

func (m *Memory) served(req *http.Request) *http.Response {
	if strings.HasSuffix(req.URL.Path, "/events") {
		return m.page(req)
	}
	return answer(req, http.StatusOK, m.Answers.Staff)
}

// Token is a response of the token endpoint.
var Token = []byte(`{"access_token":"eyJhbGciOiJSUzI1NiJ9.bench.bench","token_type":"Bearer","expires_in":3600}`)

func problem(status int) []byte {
	return []byte(`{"type":"about:blank","title":"` + http.StatusText(status) + `","status":` + strconv.Itoa(status) + `}`)
}

func (m *Memory) wait(ctx context.Context, rest time.Duration) error {
	if m.Latency == 0 {
		return nil
	}
	timer := time.NewTimer(rest)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func answer(req *http.Request, status int, body []byte) *http.Response {
	return &http.Response{
		StatusCode: status, Header: jsonHeader, Request: req, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}
}

// page writes a page into a buffer that the next page reuses, so that only the
// allocations of the walk are measured.
func (m *Memory) page(req *http.Request) *http.Response {
	query := req.URL.Query()
	buffer, _ := m.buffers.Get().(*pageBuffer)
	if buffer == nil {
		buffer = &pageBuffer{pool: &m.buffers}
	}
	buffer.text = m.Calendar.AppendPage(buffer.text[:0], numberOf(query, "offset", 0), numberOf(query, "limit", PageSize))
	buffer.Reset(buffer.text)
	resp := answer(req, http.StatusOK, nil)
	resp.Body, resp.ContentLength = &pageBody{buffer}, int64(len(buffer.text))
	return resp
}

func numberOf(query url.Values, name string, otherwise int) int {
	for key, values := range query {
		if strings.EqualFold(key, name) {
			if n, err := strconv.Atoi(values[0]); err == nil {
				return n
			}
		}
	}
	return otherwise
}

type pageBuffer struct {
	bytes.Reader
	text []byte
	pool *sync.Pool
}

// pageBody is one use of a buffer. A second Close has no effect.
type pageBody struct{ *pageBuffer }

func (b *pageBody) Read(p []byte) (int, error) {
	if b.pageBuffer == nil {
		return 0, http.ErrBodyReadAfterClose
	}
	return b.pageBuffer.Read(p)
}

func (b *pageBody) Close() error {
	if b.pageBuffer != nil {
		b.pool.Put(b.pageBuffer)
		b.pageBuffer = nil
	}
	return nil
}
