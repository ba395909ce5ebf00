package acceptance_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

// ranges returns the ranges requested from the storage.
func (w *transferWorld) ranges() (all []string) {
	for _, r := range w.server.Requests() {
		if r.Operation == "storage.get" {
			all = append(all, r.Header.Get("Range"))
		}
	}
	return all
}

func (w *transferWorld) download(to io.Writer, options practice.DownloadOptions, opts ...practice.CallOption) (int64, error) {
	return w.client.Documents.Download(w.t.Context(), w.matter, w.fileID, to, options, opts...)
}

func TestADownloadGoesOnFromTheLastByte(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 40_000, func(t *testing.T, w *transferWorld) {
		w.server.Inject(
			practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultResetAfter, After: 10_000},
			practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultTruncated, After: 5_000},
			practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultStall, After: 20_000},
		)
		var got bytes.Buffer
		n, err := w.download(&got, practice.DownloadOptions{})
		require.NoError(t, err)
		assert.EqualValues(t, 40_000, n)
		assert.True(t, bytes.Equal(w.content, got.Bytes()))
		assert.Equal(t, []string{"", "bytes=10000-", "bytes=15000-", "bytes=35000-"}, w.ranges())
		sent := testkit.RequestsTo(w.server, practicetest.PartStorage)
		assert.Empty(t, sent[0].Header)
		for _, r := range sent[1:] {
			assert.Len(t, r.Header, 2, "Range and If-Match, nothing else")
			assert.Equal(t, sent[1].Header.Get("If-Match"), r.Header.Get("If-Match"))
			assert.NotEmpty(t, r.Header.Get("If-Match"))
		}
		assert.Len(t, w.statuses("getFileDownload"), 1)
	})
}

// TestAPageOfAProxyDoesNotEndADownload checks that a response that cannot come
// from the storage does not count as another version.
func TestAPageOfAProxyDoesNotEndADownload(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 40_000, func(t *testing.T, w *transferWorld) {
		w.server.Inject(
			practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultResetAfter, After: 10_000},
			practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultHTML, Status: 200},
			practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultEndless},
		)
		var got bytes.Buffer
		_, err := w.download(&got, practice.DownloadOptions{})
		require.NoError(t, err)
		assert.True(t, bytes.Equal(w.content, got.Bytes()))
	})
}

// TestADownloadThatMovesOnIsNotGivenUp checks that the limit of retries counts
// consecutive failures and not all failures of a long transfer.
func TestADownloadThatMovesOnIsNotGivenUp(t *testing.T) {
	t.Parallel()
	const size = 12 << 20
	inTransferWorld(t, size, func(t *testing.T, w *transferWorld) {
		w.server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultResetAfter, After: 1 << 20, Times: -1})
		var got bytes.Buffer
		_, err := w.download(&got, practice.DownloadOptions{}, practice.WithRetries(1))
		require.Error(t, err, "the last byte never comes")
		assert.Equal(t, size-1, got.Len())
		assert.True(t, bytes.HasPrefix(w.content, got.Bytes()))
	})
}

func TestAnAddressThatExpiresDuringADownloadIsRenewed(t *testing.T) {
	t.Parallel()
	for name, connections := range map[string]int{
		"download": 1, "download to a file": 1, "parallel download to a file": 4, "parallel download into an open file": 4, "reading": 1,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inTransferWorld(t, 40_000, func(t *testing.T, w *transferWorld) {
				way := wayNamed(name)
				w.server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultStall, After: 7_000, Times: connections})
				require.NoError(t, way.move(t.Context(), w))
				assertTransferred(w, way)
				assert.Len(t, w.statuses("getFileDownload"), 2, "one renewal, also for several connections")
				assert.NotContains(t, w.statuses("storage.get"), 403, "nobody tries an address that has expired")
			}, practice.WithIdleTimeout(20*time.Minute))
		})
	}
}

func wayNamed(name string) transferWay {
	for _, way := range transferWays() {
		if way.name == name {
			return way
		}
	}
	panic("no way is named " + name)
}

// replace gives the file a new version, which only a new address leads to, and
// lets the present address expire.
func (w *transferWorld) replace(content []byte) {
	_, err := w.server.Client(w.t).Documents.UploadVersion(w.t.Context(), w.matter, w.fileID, practice.Upload{Body: bytes.NewReader(content)})
	require.NoError(w.t, err)
	w.server.Clock().Advance(16 * time.Minute)
}

func TestTwoVersionsAreNeverMixed(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1_200_000, 1_199_000} { // the new version has the length of the old one, or is shorter
		t.Run(fmt.Sprintf("into a writer, %d bytes", size), func(t *testing.T) {
			t.Parallel()
			inTransferWorld(t, 1_200_000, func(t *testing.T, w *transferWorld) {
				w.server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultResetAfter, After: 600_000})
				var got bytes.Buffer
				replaced := writerFunc(func(p []byte) (int, error) {
					if got.Len() == 0 {
						w.replace(w.fresh[:size])
					}
					return got.Write(p)
				})
				n, err := w.download(replaced, practice.DownloadOptions{})
				require.ErrorIs(t, err, practice.ErrVersionChanged)
				testkit.FailedTransfer(t, err, "Documents.Download")
				assert.EqualValues(t, got.Len(), n)
				assert.True(t, bytes.Equal(w.content[:600_000], got.Bytes()), "bytes of the old version only")
			})
		})
		for _, ranges := range []int{1, 4} {
			t.Run(fmt.Sprintf("to a file, %d bytes, %d ranges", size, ranges), func(t *testing.T) {
				t.Parallel()
				inTransferWorld(t, 1_200_000, func(t *testing.T, w *transferWorld) {
					w.server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultResetAfter, After: int64(600_000 / ranges), Times: ranges})
					var once sync.Once
					file, err := w.client.Documents.DownloadFile(t.Context(), w.matter, w.fileID, filepath.Join(w.dir, "a.bin"), practice.DownloadOptions{
						Ranges: ranges, RangeSize: 4 << 10, Progress: func(int64, int64) { once.Do(func() { w.replace(w.fresh[:size]) }) },
					})
					require.NoError(t, err)
					assert.EqualValues(t, size, file.Size)
					got, err := os.ReadFile(file.Path)
					require.NoError(t, err)
					assert.True(t, bytes.Equal(w.fresh[:size], got), "the new version, whole")
					assert.Equal(t, []string{"a.bin"}, w.left())
				})
			})
			t.Run(fmt.Sprintf("into an open file, %d bytes, %d ranges", size, ranges), func(t *testing.T) {
				t.Parallel()
				inTransferWorld(t, 1_200_000, func(t *testing.T, w *transferWorld) {
					w.server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultResetAfter, After: int64(600_000 / ranges), Times: ranges})
					var once sync.Once
					require.NoError(t, intoFile(w, "a.bin", func(f *os.File) error {
						n, err := w.download(f, practice.DownloadOptions{
							Ranges: ranges, RangeSize: 4 << 10, Progress: func(int64, int64) { once.Do(func() { w.replace(w.fresh[:size]) }) },
						})
						assert.EqualValues(t, size, n)
						return err
					}))
					got, err := os.ReadFile(filepath.Join(w.dir, "a.bin"))
					require.NoError(t, err)
					assert.True(t, bytes.Equal(w.fresh[:size], got))
				})
			})
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestAVersionOfOnesChoice(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 5_000, func(t *testing.T, w *transferWorld) {
		old := testkit.FileOf(t, w.client, w.matter, "", w.fileID).VersionID
		w.replace(w.fresh)
		var got bytes.Buffer
		_, err := w.download(&got, practice.DownloadOptions{VersionID: old})
		require.NoError(t, err)
		assert.True(t, bytes.Equal(w.content, got.Bytes()))
		got.Reset()
		_, err = w.download(&got, practice.DownloadOptions{})
		require.NoError(t, err)
		assert.True(t, bytes.Equal(w.fresh, got.Bytes()))
	})
}

func TestLargeFilesAreReadInRanges(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		size    int
		options practice.DownloadOptions
		want    []string // in any order
	}{
		{"by default below 8 MiB in one", 8<<20 - 1, practice.DownloadOptions{}, []string{""}},
		{"by default from 8 MiB on in two", 8 << 20, practice.DownloadOptions{}, []string{"bytes=0-4194303", "bytes=4194304-"}},
		{"by default in four at most", 32 << 20, practice.DownloadOptions{}, []string{
			"bytes=0-8388607", "bytes=8388608-16777215", "bytes=16777216-25165823", "bytes=25165824-",
		}},
		{"in one when one is the limit", 8 << 20, practice.DownloadOptions{Ranges: 1}, []string{""}},
		{"in as many as the smallest size allows", 100_000, practice.DownloadOptions{Ranges: 64, RangeSize: 30_000}, []string{"bytes=0-49999", "bytes=50000-"}},
		{"a byte each", 3, practice.DownloadOptions{Ranges: 64, RangeSize: 1}, []string{"bytes=0-0", "bytes=1-1", "bytes=2-"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			inTransferWorld(t, test.size, func(t *testing.T, w *transferWorld) {
				// The other parts are delayed, so that none ends before all have
				// begun. A request that takes over a part is not delayed.
				w.server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultLatency, Delay: 30 * time.Second, Skip: 1, Times: len(test.want) - 1})
				test.options.Progress = w.told.report
				started := time.Now()
				file, err := w.client.Documents.DownloadFile(t.Context(), w.matter, w.fileID, filepath.Join(w.dir, "a.bin"), test.options)
				require.NoError(t, err)
				assert.Less(t, time.Since(started), time.Minute, "all parts wait at the same time")
				got, err := os.ReadFile(file.Path)
				require.NoError(t, err)
				assert.True(t, bytes.Equal(w.content, got))
				if len(test.want) == 1 {
					assert.Equal(t, test.want, w.ranges())
				} else {
					assert.Subset(t, w.ranges(), test.want)
				}
				assert.False(t, w.told.wrong)
				assert.EqualValues(t, test.size, w.told.last)
				assert.EqualValues(t, test.size, w.told.total)
			})
		})
	}
}

// TestASlowConnectionLosesItsPart checks that fast connections take over what a
// slow one has not begun.
func TestASlowConnectionLosesItsPart(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 1<<20, func(t *testing.T, w *transferWorld) {
		w.server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultLatency, Delay: 30 * time.Second, Skip: 1})
		started := time.Now()
		var done time.Duration
		var fetched int64
		_, err := w.client.Documents.DownloadFile(t.Context(), w.matter, w.fileID, filepath.Join(w.dir, "a.bin"), practice.DownloadOptions{
			Ranges: 2, RangeSize: 64 << 10, Progress: func(n, _ int64) {
				if time.Since(started) < 30*time.Second {
					done, fetched = time.Since(started), n
				}
			},
		})
		require.NoError(t, err)
		assert.Greater(t, fetched, int64(3<<18), "%d of 1 MiB after %v", fetched, done)
		assert.Equal(t, 30*time.Second, time.Since(started))
	})
}

func TestWhatAnOpenFileHoldsIsLeftAlone(t *testing.T) {
	t.Parallel()
	options := practice.DownloadOptions{Ranges: 4, RangeSize: 1000}
	for _, test := range []struct {
		name         string
		flags        int
		at           int64
		before, want string // around the content, which C stands for
	}{
		{"an empty file", os.O_RDWR, 0, "", "C"},
		{"behind what is there", os.O_RDWR, 5, "first", "firstC"},
		{"for appending", os.O_WRONLY | os.O_APPEND, 5, "first", "firstC"},
		{"over what is there", os.O_RDWR, 0, string(bytes.Repeat([]byte("x"), 20_000)), "C" + string(bytes.Repeat([]byte("x"), 10_000))},
		{"behind the end", os.O_RDWR, 10, "first", "first\x00\x00\x00\x00\x00C"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			inTransferWorld(t, 10_000, func(t *testing.T, w *transferWorld) {
				path := filepath.Join(w.dir, "a.bin")
				require.NoError(t, os.WriteFile(path, []byte(test.before), 0o600))
				f, err := os.OpenFile(path, test.flags, 0)
				require.NoError(t, err)
				_, err = f.Seek(test.at, io.SeekStart)
				require.NoError(t, err)
				_, err = w.download(f, options)
				require.NoError(t, err)
				position, err := f.Seek(0, io.SeekCurrent)
				require.NoError(t, err)
				require.NoError(t, f.Close())
				assert.Equal(t, test.at+10_000, position, "the next write follows")
				got, err := os.ReadFile(path)
				require.NoError(t, err)
				assert.True(t, bytes.Equal(bytes.Replace([]byte(test.want), []byte("C"), w.content, 1), got))
			})
		})
	}
}

func TestADownloadThatFailsTakesNothingAway(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 10_000, func(t *testing.T, w *transferWorld) {
		w.server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultResetAfter, After: 600, Times: -1})
		path := filepath.Join(w.dir, "a.bin")
		before := bytes.Repeat([]byte("x"), 20_000)
		require.NoError(t, os.WriteFile(path, before, 0o600))
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		require.NoError(t, err)
		n, err := w.download(f, inFour, practice.WithRetries(0))
		require.Error(t, err)
		require.NoError(t, f.Close())
		assert.EqualValues(t, 600, n)
		assert.True(t, bytes.Equal(append(bytes.Clone(w.content[:600]), before[600:]...), w.onDisk(path)))
	})
}

func TestAFileThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 10_000, func(t *testing.T, w *transferWorld) {
		path := filepath.Join(w.dir, "a.bin")
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		f, err := os.Open(path)
		require.NoError(t, err)
		_, err = w.download(f, practice.DownloadOptions{Ranges: 4, RangeSize: 1000})
		testkit.FailedTransfer(t, err, "Documents.Download")
		require.NoError(t, f.Close())
		_, err = w.download(f, practice.DownloadOptions{})
		testkit.FailedTransfer(t, err, "Documents.Download")
		assert.LessOrEqual(t, len(w.ranges()), 6, "no other attempt would help")
	})
}

func TestBadDownloadOptionsAreRefused(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 10, func(t *testing.T, w *transferWorld) {
		for _, bad := range []practice.DownloadOptions{{Ranges: -1}, {Ranges: 65}, {RangeSize: -1}} {
			_, err := w.download(io.Discard, bad)
			assert.True(t, testkit.IsArgumentError(err), "%v", err)
		}
		_, err := w.client.Documents.Download(t.Context(), w.matter, w.fileID, nil, practice.DownloadOptions{})
		assert.True(t, testkit.IsArgumentError(err), "%v", err)
		assert.Empty(t, w.server.Requests())
	})
}
