package otel_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

// counts returns the non-zero points of a counter as lines.
func counts(t *testing.T, m metricdata.Metrics) []string {
	t.Helper()
	sum, ok := m.Data.(metricdata.Sum[int64])
	require.True(t, ok, "%T", m.Data)
	assert.True(t, sum.IsMonotonic)
	var lines []string
	for _, p := range sum.DataPoints {
		if p.Value != 0 {
			lines = append(lines, fmt.Sprint(p.Attributes.Encoded(attribute.DefaultEncoder()), ": ", p.Value))
		}
	}
	slices.Sort(lines)
	return lines
}

// measured returns the points of a histogram as lines: the count, and the sum
// if it is predictable.
func measured[N int64 | float64](t *testing.T, m metricdata.Metrics, keep ...attribute.Key) []string {
	t.Helper()
	histogram, ok := m.Data.(metricdata.Histogram[N])
	require.True(t, ok, "%T", m.Data)
	var lines []string
	for _, p := range histogram.DataPoints {
		kept, _ := p.Attributes.Filter(func(a attribute.KeyValue) bool { return slices.Contains(keep, a.Key) })
		lines = append(lines, fmt.Sprint(kept.Encoded(attribute.DefaultEncoder()), ": ", p.Count))
	}
	slices.Sort(lines)
	return lines
}

func TestMetricsOfAClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server, b := practicetest.New(t, practicetest.WithEvents(1200)), newBench(t)
		client, ctx, firm := server.Client(t, practice.WithTracer(b)), t.Context(), server.Firm()
		server.Inject(practicetest.Fault{Operation: "getStaff", Status: 503}, practicetest.Fault{Operation: "getStaff", Kind: practicetest.FaultRateLimit},
			practicetest.Fault{Operation: "storage.put", Status: 503})
		require.NoError(t, getStaff(ctx, client, firm))
		require.Error(t, getStaff(ctx, client, practicetest.Firm{StaffID: "00000000-0000-4000-8000-000000000000"}))
		_, err := client.Documents.Upload(ctx, firm.MatterID, practice.Upload{Name: "a.txt", Body: bytes.NewReader(make([]byte, 1000))})
		require.NoError(t, err)
		_, err = practice.Collect(client.Documents.AllEntries(ctx, firm.MatterID, ""))
		require.NoError(t, err)

		got := b.metrics(t)
		assert.Equal(t, []string{"practice.operation=Documents.Upload: 1", "practice.operation=Staff.Get: 2"}, counts(t, got["practice.client.retries"]))
		assert.Equal(t, []string{"practice.operation=Staff.Get: 1"}, counts(t, got["practice.client.rate_limited"]))
		assert.Equal(t, []string{"practice.operation=Documents.AllEntries: 1"}, counts(t, got["practice.client.pages"]))
		assert.Equal(t, []string{
			"error.type=404,practice.operation=Staff.Get: 1", "practice.operation=Documents.AllEntries: 1", "practice.operation=Documents.CreateFile: 1",
			"practice.operation=Documents.Upload: 1", "practice.operation=Staff.Get: 1",
		}, measured[float64](t, got["practice.client.call.duration"], "practice.operation", "error.type"))
		assert.Equal(t, "s", got["http.client.request.duration"].Unit)
		assert.Equal(t, []string{
			"error.type=404,http.request.method=GET,http.response.status_code=404,url.template=/staff/{id}: 1",
			"error.type=429,http.request.method=GET,http.response.status_code=429,url.template=/staff/{id}: 1",
			"error.type=503,http.request.method=GET,http.response.status_code=503,url.template=/staff/{id}: 1",
			"error.type=503,http.request.method=PUT,http.response.status_code=503: 1",
			"http.request.method=GET,http.response.status_code=200,url.template=/matters/{matterId}/documents/folders: 1",
			"http.request.method=GET,http.response.status_code=200,url.template=/staff/{id}: 1",
			"http.request.method=POST,http.response.status_code=202,url.template=/matters/{matterId}/documents/files: 1",
			"http.request.method=PUT,http.response.status_code=200: 1",
		}, measured[float64](t, got["http.client.request.duration"], "error.type", "http.request.method", "http.response.status_code", "url.template"))

		sent := got["http.client.request.body.size"]
		assert.Equal(t, "By", sent.Unit)
		var bytesToStorage int64
		for _, p := range sent.Data.(metricdata.Histogram[int64]).DataPoints {
			if method, _ := p.Attributes.Value("http.request.method"); method.AsString() == "PUT" {
				bytesToStorage += p.Sum
			}
			address, ok := p.Attributes.Value("server.address")
			assert.True(t, ok && address.AsString() != "")
		}
		assert.EqualValues(t, 2000, bytesToStorage, "both attempts")
		assert.NotEmpty(t, measured[int64](t, got["http.client.response.body.size"]))
	})
}
