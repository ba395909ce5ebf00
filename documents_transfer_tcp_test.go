package practice_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestBrokenConnectionsOverTCP repeats the faults that a network in memory
// cannot show as the system does.
func TestBrokenConnectionsOverTCP(t *testing.T) {
	t.Parallel()
	const size = 3 << 20
	for _, test := range []struct {
		name  string
		fault practicetest.Fault
	}{
		{"none", practicetest.Fault{Kind: practicetest.FaultLatency}},
		{"an upload is reset at its beginning", practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultResetBefore}},
		{"an upload is reset in the middle", practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultResetBefore, After: size / 2}},
		{"an upload is refused before it was read", practicetest.Fault{Operation: "storage.put", Status: 503}},
		{"an address is refused before the body was read", practicetest.Fault{Operation: "storage.put", Status: 403}},
		{"an upload gets no answer", practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultStall}},
		{"a download is reset at its beginning", practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultResetBefore, Times: 2}},
		{"a download is reset in the middle", practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultResetAfter, After: size / 8, Times: 3}},
		{"a download is cut short", practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultTruncated, Times: 2}},
		{"a download stalls", practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultStall, After: 100_000, Times: 2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server, err := practicetest.Start(practicetest.WithEvents(0), practicetest.WithMatters(1), practicetest.WithWriteDelay(0), practicetest.WithStrict(true))
			require.NoError(t, err)
			t.Cleanup(func() { assert.NoError(t, server.Close()) })
			server.Inject(test.fault)
			client := server.Client(t, practice.WithMaxRetryWait(10*time.Millisecond), practice.WithIdleTimeout(time.Second))
			content := contentOf(t, size)
			matter, dir := server.Firm().MatterID, t.TempDir()
			file, err := client.Documents.Upload(t.Context(), matter, practice.Upload{
				Name: "a.bin", Body: plainReader{bytes.NewReader(content)}, TempDir: dir,
			})
			require.NoError(t, err)
			stored, _ := server.FileContent(file.ID)
			require.True(t, bytes.Equal(content, stored))

			local, err := client.Documents.DownloadFile(t.Context(), matter, file.ID, dir, practice.DownloadOptions{RangeSize: 1 << 19})
			require.NoError(t, err)
			got, err := os.ReadFile(local.Path)
			require.NoError(t, err)
			assert.True(t, bytes.Equal(content, got))
			left, err := filepath.Glob(filepath.Join(dir, "*"))
			require.NoError(t, err)
			assert.Equal(t, []string{local.Path}, left)
			var read bytes.Buffer
			_, err = client.Documents.Download(t.Context(), matter, file.ID, &read, practice.DownloadOptions{})
			require.NoError(t, err)
			assert.True(t, bytes.Equal(content, read.Bytes()))
			assert.Empty(t, server.Violations())
		})
	}
}
