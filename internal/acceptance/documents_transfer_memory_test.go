package acceptance_test

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestMemoryDoesNotGrowWithTheFile transfers a large file in every way and
// measures all allocations meanwhile, on both sides. At night the file has more
// bytes than 32 bits can count. It does not run in parallel.
func TestMemoryDoesNotGrowWithTheFile(t *testing.T) {
	soak.NotWithRaceDetector(t, "it counts allocations")
	// A garbage collection would empty the pools of buffers.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	size, allowed := int64(soak.Times(32, 4097))<<20, uint64(soak.Times(6, 24))<<20
	server := practicetest.New(t, practicetest.WithEvents(0), practicetest.WithMatters(1), practicetest.WithWriteDelay(0), practicetest.WithRequestLog(0))
	client, matter := server.Client(t), server.Firm().MatterID
	file, err := client.Documents.Upload(t.Context(), matter, practice.Upload{Name: "a.bin", Body: practicetest.NewContent(1, 1000)})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "a.bin")
	for _, way := range []struct {
		name string
		move func(t *testing.T)
	}{
		{"upload", func(t *testing.T) {
			_, err := client.Documents.UploadVersion(t.Context(), matter, file.ID, practice.Upload{Body: practicetest.NewContent(7, size)})
			require.NoError(t, err)
		}},
		{"download to a file", func(t *testing.T) {
			_, err := client.Documents.DownloadFile(t.Context(), matter, file.ID, path, practice.DownloadOptions{})
			require.NoError(t, err)
		}},
		{"upload of a file", func(t *testing.T) {
			_, err := client.Documents.UploadFile(t.Context(), matter, path, practice.Upload{})
			require.NoError(t, err)
		}},
		{"upload of a plain reader", func(t *testing.T) {
			_, err := client.Documents.UploadVersion(t.Context(), matter, file.ID, practice.Upload{
				Body: plainReader{practicetest.NewContent(8, size)}, TempDir: t.TempDir(),
			})
			require.NoError(t, err)
		}},
		{"download", func(t *testing.T) {
			n, err := client.Documents.Download(t.Context(), matter, file.ID, io.Discard, practice.DownloadOptions{})
			require.NoError(t, err)
			assert.Equal(t, size, n)
		}},
		{"reading", func(t *testing.T) {
			r, err := client.Documents.Open(t.Context(), matter, file.ID, practice.OpenOptions{})
			require.NoError(t, err)
			n, err := io.Copy(io.Discard, r)
			require.NoError(t, err)
			assert.Equal(t, size, n)
			require.NoError(t, r.Close())
		}},
	} {
		t.Run(way.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			way.move(t)
			runtime.ReadMemStats(&after)
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, allowed)
			t.Log(after.TotalAlloc - before.TotalAlloc)
		})
	}
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, size, info.Size())
}
