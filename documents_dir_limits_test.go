package practice_test

import (
	"fmt"
	"net/http"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

// A client with its defaults moves a directory of a thousand files through the
// limit that the service has by default: no file fails, it is as fast as the limit
// allows, and hardly a request is refused. Where the records of many files are made
// together, the limit hardly matters.
func TestADirectoryPassesTheLimitOfTheService(t *testing.T) {
	t.Parallel()
	const files, perSecond, burst = 1000, 5, 5
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		tree := fstest.MapFS{}
		for i := range files {
			tree[fmt.Sprintf("%03d/%04d.txt", i/9, i)] = &fstest.MapFile{Data: []byte{byte(i)}}
		}
		limits := &requestLimits{server: m.server, perSecond: perSecond, burst: burst}
		limits.keptBy(t, "up", func() error {
			return m.client.Documents.UploadDir(t.Context(), m.id, tree, practice.UploadDirOptions{})
		})
		limits.keptBy(t, "down", func() error {
			return m.client.Documents.DownloadDir(t.Context(), m.id, t.TempDir(), practice.DownloadDirOptions{})
		})
		wide := fstest.MapFS{}
		for i := range files {
			wide[fmt.Sprintf("wide/%04d.txt", i)] = &fstest.MapFile{Data: []byte{byte(i)}}
		}
		started := time.Now()
		require.NoError(t, m.client.Documents.UploadDir(t.Context(), m.id, wide, practice.UploadDirOptions{}))
		assert.Less(t, time.Since(started), 10*time.Second)
	}, practicetest.WithRateLimit(perSecond, burst))
}

// requestLimits compares what a client did with the limit of its service.
type requestLimits struct {
	server           *practicetest.Server
	perSecond, burst int
	seen             int // requests of the log so far
}

func (l *requestLimits) keptBy(t *testing.T, name string, work func() error) {
	t.Helper()
	started := time.Now()
	require.NoError(t, work(), name)
	took := time.Since(started).Seconds()
	accepted, refused := 0, 0
	requests := l.server.Requests()
	for _, r := range requests[l.seen:] {
		switch {
		case r.Part != practicetest.PartAPI:
		case r.Status == http.StatusTooManyRequests:
			refused++
		default:
			accepted++
		}
	}
	l.seen = len(requests)
	floor := float64(accepted-l.burst) / float64(l.perSecond)
	assert.LessOrEqual(t, took, 1.1*floor, "%s: %d requests in %.1f s", name, accepted, took)
	assert.LessOrEqual(t, float64(refused), 0.02*float64(accepted+refused), "%s: %d of %d refused", name, refused, accepted+refused)
}
