package command

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
)

// longList serves a list of n records as fast as possible.
func longList(t testing.TB, n int) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		offset, _ := strconv.Atoi(r.URL.Query().Get("Offset"))
		limit := 500
		if text := r.URL.Query().Get("Limit"); text != "" {
			limit, _ = strconv.Atoi(text)
		}
		var b strings.Builder
		fmt.Fprintf(&b, `{"offset":%d,"limit":%d,"size":%d,"value":[`, offset, limit, n)
		for i := offset; i < min(offset+limit, n); i++ {
			if i > offset {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"id":"%08d-4f50-4910-aedb-bd998950cf02","title":"%d - Varga - Sale of a home","status":"Open","amount":12345.60,"self":{"id":null,"relation":"self"}}`, i, i)
		}
		b.WriteString("]}")
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, b.String())
	}))
	t.Cleanup(server.Close)
	return server
}

// counter is an io.Writer that counts lines.
type counter struct{ lines, bytes int }

func (c *counter) Write(p []byte) (int, error) {
	c.lines += strings.Count(string(p), "\n")
	c.bytes += len(p)
	return len(p), nil
}

func environmentOf(t testing.TB, base string) func(string) string {
	return variables(t, map[string]string{"PRACTICE_BASE_URL": base, "PRACTICE_API_KEY": "key", "PRACTICE_ACCESS_TOKEN": "token"})
}

func TestAWholeListIsPrintedRecordByRecord(t *testing.T) {
	n := soak.Times(3_000, 1_000_000)
	server := longList(t, n)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	sink := &counter{}
	var said strings.Builder
	code := Run(t.Context(), []string{"matters", "list", "--all", "--limit", "500", "-o", "jsonl"}, Streams{strings.NewReader(""), sink, &said}, environmentOf(t, server.URL))
	require.Equal(t, exitDone, code, said.String())
	assert.Equal(t, n, sink.lines)
	runtime.ReadMemStats(&after)
	held := int64(after.HeapSys) - int64(before.HeapSys)
	t.Logf("%d records, %d bytes: the heap grew by %d KiB", n, sink.bytes, held>>10)
	assert.Less(t, held, int64(64<<20), "of the list only a few pages are held")
}

// TestAListThatEndsEarlySaysSo fails at each page in turn. If the first page
// fails, nothing was printed, and the exit code is that of the failure.
func TestAListThatEndsEarlySaysSo(t *testing.T) {
	for _, row := range []struct{ fails, status, code, lines int }{
		{0, http.StatusForbidden, exitNotAllowed, 0},
		{500, http.StatusForbidden, exitIncomplete, 500},
		{1000, http.StatusNotFound, exitIncomplete, 1000},
		{1500, http.StatusBadRequest, exitDone, 1200},
	} {
		list := longList(t, 1200).Config.Handler
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if offset, _ := strconv.Atoi(r.URL.Query().Get("Offset")); offset == row.fails {
				w.WriteHeader(row.status)
				return
			}
			list.ServeHTTP(w, r)
		}))
		t.Cleanup(server.Close)
		for _, format := range []string{formatLines, formatJSON} {
			sink, said := &counter{}, &strings.Builder{}
			code := Run(t.Context(), []string{"matters", "list", "--all", "-o", format}, Streams{strings.NewReader(""), sink, said}, environmentOf(t, server.URL))
			assert.Equal(t, row.code, code, "page %d: %s", row.fails, said)
			if format == formatLines {
				assert.Equal(t, row.lines, sink.lines, "page %d", row.fails)
			}
		}
	}
}

// TestAWholeListGoesOnAfterARecordThatCannotBeRead prints the other records in
// every format, no sum, and the place of the first that is missing.
func TestAWholeListGoesOnAfterARecordThatCannotBeRead(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"offset":0,"limit":500,"size":4,"value":[{"id":"a","title":"first"},5,"x",{"id":"d","title":"last"}]}`)
	}))
	t.Cleanup(server.Close)
	for _, format := range []string{formatTable, formatCSV, formatLines, formatJSON} {
		var out, said strings.Builder
		code := Run(t.Context(), []string{"matters", "list", "--all", "--jq", "{title}", "-o", format}, Streams{strings.NewReader(""), &out, &said}, environmentOf(t, server.URL))
		assert.Equal(t, exitIncomplete, code, said.String())
		assert.Contains(t, out.String(), "first")
		assert.Contains(t, out.String(), "last")
		assert.Contains(t, said.String(), "value[1]")
		assert.Equal(t, format == formatJSON, json.Valid([]byte(out.String())), out.String())
	}
}

// BenchmarkWholeList compares --all -o jsonl with a walk of the library over
// the same records to the same sink:
//
//	go test -run '^$' -bench WholeList -benchtime 3x ./internal/command
func BenchmarkWholeList(b *testing.B) {
	n := soak.Times(100_000, 1_000_000)
	server := longList(b, n)
	b.Run("practice", func(b *testing.B) {
		for range b.N {
			sink := &counter{}
			code := Run(b.Context(), []string{"matters", "list", "--all", "--limit", "500", "-o", "jsonl"}, Streams{strings.NewReader(""), sink, io.Discard}, environmentOf(b, server.URL))
			require.Equal(b, exitDone, code)
			require.Equal(b, n, sink.lines)
		}
	})
	b.Run("library", func(b *testing.B) {
		for range b.N {
			sink := &counter{}
			require.NoError(b, walkLibrary(b, server.URL, sink))
			require.Equal(b, n, sink.lines)
		}
	})
}

func walkLibrary(b testing.TB, base string, sink io.Writer) error {
	client, err := practice.NewClient(base, practice.WithAPIKey("key"), practice.WithAccessToken("token"))
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	for record, err := range client.DoAll(b.Context(), practice.Request{Method: http.MethodGet, Path: "/matters"}, practice.ListOptions{Limit: 500}) {
		if err != nil {
			return err
		}
		if _, err := io.WriteString(sink, record.String()+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// TestAWholeListIsNearlyAsFastAsTheLibrary runs both alternately, so that the
// load of the machine affects both.
func TestAWholeListIsNearlyAsFastAsTheLibrary(t *testing.T) {
	soak.Only(t, "it compares two times")
	const n = 200_000
	server := longList(t, n)
	best := [2]time.Duration{1 << 62, 1 << 62}
	for range 5 {
		begun := time.Now()
		code := Run(t.Context(), []string{"matters", "list", "--all", "--limit", "500", "-o", "jsonl"}, Streams{strings.NewReader(""), &counter{}, io.Discard}, environmentOf(t, server.URL))
		require.Equal(t, exitDone, code)
		best[0] = min(best[0], time.Since(begun))
		begun = time.Now()
		require.NoError(t, walkLibrary(t, server.URL, &counter{}))
		best[1] = min(best[1], time.Since(begun))
	}
	ratio := best[1].Seconds() / best[0].Seconds()
	t.Logf("%d records: practice %v, the library %v, %.2f of its speed", n, best[0], best[1], ratio)
	assert.GreaterOrEqual(t, ratio, 0.8)
}
