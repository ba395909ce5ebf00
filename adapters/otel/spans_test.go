package otel_test

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAttemptsAreSpansBelowTheirCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server, b := practicetest.New(t), newBench(t)
		client := server.Client(t, practice.WithTracer(b))
		server.Inject(practicetest.Fault{Operation: "getStaff", Status: 503, RetryAfter: "1", Delay: time.Second})
		_, err := client.Staff.Get(t.Context(), server.Firm().StaffID, practice.WithRequestID("request-1"))
		require.NoError(t, err)

		require.Len(t, b.spans.Started(), 4)
		require.Len(t, b.spans.Ended(), 4, "every span ends")
		calls, attempts := b.named("Staff.Get"), b.named("GET /staff/{id}")
		require.Len(t, calls, 1)
		require.Len(t, attempts, 2)
		call := calls[0]
		assert.Equal(t, trace.SpanKindInternal, call.SpanKind())
		assert.False(t, call.Parent().IsValid())
		assert.Equal(t, map[string]string{
			"practice.operation": "Staff.Get", "practice.request_id": "request-1", "practice.attempts": "2",
		}, attributes(call))
		assert.Equal(t, codes.Unset, call.Status().Code)

		host, port, _ := strings.Cut(hostOf(t, server), ":")
		for i, attempt := range attempts {
			assert.Equal(t, trace.SpanKindClient, attempt.SpanKind())
			assert.Equal(t, call.SpanContext().SpanID(), attempt.Parent().SpanID())
			got := attributes(attempt)
			assert.NotEmpty(t, got["http.response.body.size"])
			delete(got, "http.response.body.size")
			want := map[string]string{
				"practice.operation": "Staff.Get", "practice.request_id": "request-1",
				"http.request.method": "GET", "url.template": "/staff/{id}", "url.scheme": "http",
				"server.address": host, "server.port": port, "http.request.body.size": "0",
				"http.response.status_code": "200", "practice.reason": "success", "network.protocol.version": "1.1",
			}
			if i == 0 {
				want["http.response.status_code"], want["practice.reason"], want["error.type"] = "503", "status 503", "503"
			} else {
				want["http.request.resend_count"] = "1"
			}
			assert.Equal(t, want, got)
		}
		assert.Equal(t, codes.Error, attempts[0].Status().Code)
		assert.Equal(t, codes.Unset, attempts[1].Status().Code)
		assert.Equal(t, time.Second, attempts[0].EndTime().Sub(attempts[0].StartTime()), "without what was decided after it")
		waits := b.named("wait retry")
		require.Len(t, waits, 1)
		assert.Equal(t, call.SpanContext().SpanID(), waits[0].Parent().SpanID())
		assert.Equal(t, attempts[0].EndTime(), waits[0].StartTime(), "no gap")
		assert.Equal(t, attempts[1].StartTime(), waits[0].EndTime(), "no gap")
		assert.Equal(t, "retry", attributes(waits[0])["practice.wait"])
		assert.False(t, call.EndTime().Before(attempts[1].EndTime()))
	})
}

func hostOf(t *testing.T, server *practicetest.Server) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.BaseURL(), nil)
	require.NoError(t, err)
	return request.URL.Host
}

// requestsTo returns the requests to a part of the service.
func requestsTo(server *practicetest.Server, part string) []practicetest.RecordedRequest {
	var found []practicetest.RecordedRequest
	for _, r := range server.Requests() {
		if r.Part == part {
			found = append(found, r)
		}
	}
	return found
}

func TestTheServiceLearnsOfTheAttemptAndTheStorageOfNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server, b := practicetest.New(t, practicetest.WithWriteDelay(0)), newBench(t)
		client := server.Client(t, practice.WithTracer(b))
		server.Inject(practicetest.Fault{Operation: "createFile", Kind: practicetest.FaultRateLimit},
			practicetest.Fault{Operation: "storage.put", Status: 503})
		content := bytes.Repeat([]byte("x"), 1000)
		file, err := client.Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{Name: "a.txt", Body: bytes.NewReader(content)})
		require.NoError(t, err)
		var out bytes.Buffer
		_, err = client.Documents.Download(t.Context(), server.Firm().MatterID, file.ID, &out, practice.DownloadOptions{})
		require.NoError(t, err)
		assert.Equal(t, content, out.Bytes())

		byID := map[string]string{}
		for _, s := range b.spans.Ended() {
			byID[s.SpanContext().SpanID().String()] = s.Name()
		}
		var told []string
		for _, r := range requestsTo(server, practicetest.PartAPI) {
			parts := strings.Split(r.Header.Get("Traceparent"), "-")
			require.Len(t, parts, 4)
			told = append(told, byID[parts[2]])
		}
		const files = " /matters/{matterId}/documents/files"
		assert.Equal(t, []string{"POST" + files, "POST" + files, "GET" + files + "/{fileId}/download"}, told)
		assert.Len(t, requestsTo(server, practicetest.PartStorage), 3)
		for _, r := range append(requestsTo(server, practicetest.PartStorage), requestsTo(server, practicetest.PartToken)...) {
			assert.NotContains(t, r.Header, "Traceparent")
		}

		uploads, puts := b.named("Documents.Upload"), b.named("PUT")
		require.Len(t, uploads, 1)
		require.Len(t, puts, 2)
		for i, put := range puts {
			assert.Equal(t, uploads[0].SpanContext().SpanID(), put.Parent().SpanID())
			got := attributes(put)
			assert.Equal(t, "true", got["practice.storage"])
			assert.Equal(t, "1000", got["http.request.body.size"])
			assert.Equal(t, strconv.Itoa([]int{503, 200}[i]), got["http.response.status_code"])
			assert.NotEmpty(t, got["server.address"])
			assert.NotContains(t, got, "url.template")
		}
	})
}

func TestErrorTypes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault         practicetest.Fault
		call, attempt string
		run           func(context.Context, *practice.Client, practicetest.Firm) error
	}{
		"a refusal":                  {practicetest.Fault{Status: 404}, "404", "404", getStaff},
		"an answer that is lost":     {practicetest.Fault{Operation: "createFolder", Kind: practicetest.FaultTruncated}, "ambiguous_write", "incomplete", createFolder},
		"a server error to a create": {practicetest.Fault{Operation: "createFolder", Status: 500}, "ambiguous_write", "500", createFolder},
		"an attempt that is too slow": {practicetest.Fault{Kind: practicetest.FaultStall}, "timeout", "timeout", func(ctx context.Context, c *practice.Client, firm practicetest.Firm) error {
			return getStaff(ctx, c.With(practice.WithAttemptTimeout(time.Second)), firm)
		}},
		"a caller that leaves": {practicetest.Fault{Kind: practicetest.FaultStall}, "canceled", "canceled", func(ctx context.Context, c *practice.Client, firm practicetest.Firm) error {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(time.Second, cancel)
			return getStaff(ctx, c, firm)
		}},
		"a storage that refuses": {practicetest.Fault{Operation: "storage.get", Status: 404}, "404", "404", download},
		"a storage that stalls": {practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultStall}, "stalled", "stalled", func(ctx context.Context, c *practice.Client, firm practicetest.Firm) error {
			return download(ctx, c.With(practice.WithIdleTimeout(time.Second)), firm)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server, b := practicetest.New(t), newBench(t)
				client := server.Client(t, practice.WithTracer(b), practice.WithRetries(0))
				server.Inject(test.fault)
				require.Error(t, test.run(t.Context(), client, server.Firm()))
				ended := b.spans.Ended()
				require.GreaterOrEqual(t, len(ended), 2)
				attempt, call := ended[len(ended)-2], ended[len(ended)-1] // a call ends after its attempts
				assert.Equal(t, test.attempt, attributes(attempt)["error.type"])
				assert.Equal(t, test.call, attributes(call)["error.type"])
				assert.Equal(t, codes.Error, attempt.Status().Code)
				assert.Equal(t, codes.Error, call.Status().Code)
				assert.Empty(t, call.Status().Description)
			})
		})
	}
}

func getStaff(ctx context.Context, c *practice.Client, firm practicetest.Firm) error {
	_, err := c.Staff.Get(ctx, firm.StaffID)
	return err
}

func createFolder(ctx context.Context, c *practice.Client, firm practicetest.Firm) error {
	_, err := c.Documents.CreateFolder(ctx, firm.MatterID, models.FolderWrite{Name: "Leases"})
	return err
}

func download(ctx context.Context, c *practice.Client, firm practicetest.Firm) error {
	_, err := c.Documents.Download(ctx, firm.MatterID, firm.FileID, new(bytes.Buffer), practice.DownloadOptions{})
	return err
}

func TestAMethodThatIsNotKnownGetsTheCommonName(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	o := practice.Observation{Operation: "Do PURGE /caches", Method: "PURGE", Path: "/caches", Server: "https://api.example.test", Kind: practice.ObservedAttempt, Attempt: 1}
	b.End(b.Start(t.Context(), o, http.Header{}), o)
	require.Len(t, b.named("HTTP /caches"), 1)
	got := attributes(b.named("HTTP /caches")[0])
	assert.Equal(t, "_OTHER", got["http.request.method"])
	assert.Equal(t, "PURGE", got["http.request.method_original"])
	assert.Equal(t, "443", got["server.port"], "of the scheme")
}

func TestAnEndWithoutABeginningIsNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.End(t.Context(), practice.Observation{Operation: "Staff.Get", Kind: practice.ObservedCall})
	assert.Empty(t, b.spans.Ended())
	assert.Empty(t, b.metrics(t))
}
