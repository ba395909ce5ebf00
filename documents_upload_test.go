package practice_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

// Over TCP the system may send a file by itself. What is true of a body that
// is read must be true of it as well.
func TestAFileThatIsSentByTheSystem(t *testing.T) {
	t.Parallel()
	const size = 12 << 20
	for _, test := range []struct {
		name   string
		change func(t *testing.T, file *os.File) // as soon as some of it was sent
		wrong  error
	}{
		{"stays as it is", func(*testing.T, *os.File) {}, nil},
		{"shrinks", func(t *testing.T, file *os.File) { assert.NoError(t, file.Truncate(size-1)) }, practice.ErrSizeMismatch},
		{"shrinks to nothing", func(t *testing.T, file *os.File) { assert.NoError(t, file.Truncate(0)) }, practice.ErrSizeMismatch},
		{"grows", func(t *testing.T, file *os.File) {
			_, err := file.WriteAt([]byte("x"), size)
			assert.NoError(t, err)
		}, practice.ErrSizeMismatch},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server, err := practicetest.Start(practicetest.WithEvents(0), practicetest.WithMatters(1), practicetest.WithWriteDelay(0), practicetest.WithStrict(true))
			require.NoError(t, err)
			t.Cleanup(func() { assert.NoError(t, server.Close()) })
			content := contentOf(t, size)
			file, err := os.Create(filepath.Join(t.TempDir(), "a.bin"))
			require.NoError(t, err)
			t.Cleanup(func() { assert.NoError(t, file.Close()) })
			_, err = file.Write(content)
			require.NoError(t, err)
			_, err = file.Seek(7, io.SeekStart)
			require.NoError(t, err)
			var change sync.Once
			last := int64(-1)
			stored, err := server.Client(t).Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{
				Name: "a.bin", Body: file, Progress: func(done, total int64) {
					change.Do(func() { test.change(t, file) })
					assert.Greater(t, done, last)
					assert.EqualValues(t, size-7, total)
					last = done
				},
			})
			at, seekErr := file.Seek(0, io.SeekCurrent)
			require.NoError(t, seekErr)
			assert.EqualValues(t, 7, at, "the file stands where it stood")
			if test.wrong != nil {
				require.ErrorIs(t, err, test.wrong)
				_, ok := server.FileContent(failedTransfer(t, err, "Documents.Upload").FileID)
				assert.False(t, ok, "half a file is not stored")
				return
			}
			require.NoError(t, err)
			got, _ := server.FileContent(stored.ID)
			assert.True(t, bytes.Equal(content[7:], got))
			assert.EqualValues(t, size-7, last)
		})
	}
}
