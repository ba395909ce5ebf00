package acceptance_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testmain"
	"github.com/practicesdk/practice-go/practicetest"
)

// transferWorld is a service with one stored file and an empty local folder.
type transferWorld struct {
	t       *testing.T
	server  *practicetest.Server
	client  *practice.Client
	matter  string
	fileID  string // id of a file whose content is the field content
	content []byte
	fresh   []byte // another content, for uploads
	dir     string // folder for downloads
	temp    string // folder for temporary files of uploads
	files   int    // number of files of the matter before the transfer
	told    *toldProgress
	made    string // id of the file that an upload created, even if the upload failed
}

// newTransferWorld must be called in a synctest bubble.
func newTransferWorld(t *testing.T, seed uint64, size int, opts ...practice.ClientOption) *transferWorld {
	t.Helper()
	server := practicetest.New(t, practicetest.WithEvents(0), practicetest.WithMatters(1), practicetest.WithWriteDelay(0))
	folder := testmain.TempDir
	if size > faultedSize { // memory may be small
		folder = testing.TB.TempDir
	}
	w := &transferWorld{
		t: t, server: server, client: server.Client(t, opts...), matter: server.Firm().MatterID,
		content: randomBytes(seed, size), fresh: randomBytes(seed+1, size), dir: folder(t), temp: folder(t),
	}
	made, err := server.Client(t).Documents.Upload(t.Context(), w.matter, practice.Upload{Name: "stored.bin", Body: bytes.NewReader(w.content)})
	require.NoError(t, err)
	w.fileID, w.files = made.ID, w.countFiles()
	w.reset()
	return w
}

func randomBytes(seed uint64, size int) []byte {
	b := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)}).Read(b) // it never fails
	return b
}

// reset discards the recorded requests and progress.
func (w *transferWorld) reset() {
	w.server.ClearFaults()
	w.server.ResetRequests()
	w.told = newToldProgress()
}

func (w *transferWorld) countFiles() int {
	n := 0
	for entry, err := range w.server.Client(w.t).Documents.AllEntries(w.t.Context(), w.matter, "") {
		require.NoError(w.t, err)
		if entry.File != nil {
			n++
		}
	}
	return n
}

// stored returns the content of a file in the storage.
func (w *transferWorld) stored(fileID string) []byte {
	content, ok := w.server.FileContent(fileID)
	require.True(w.t, ok)
	return content
}

// left returns the names of the files in the local folders.
func (w *transferWorld) left() (names []string) {
	for _, dir := range []string{w.dir, w.temp} {
		entries, err := os.ReadDir(dir)
		require.NoError(w.t, err)
		for _, e := range entries {
			names = append(names, e.Name())
		}
	}
	return names
}

// toldProgress checks the progress that a transfer reports.
type toldProgress struct {
	mu          sync.Mutex
	last, total int64
	wrong       bool
}

func newToldProgress() *toldProgress { return &toldProgress{last: -1} }

func (p *toldProgress) report(done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wrong = p.wrong || done <= p.last || total >= 0 && done > total
	p.last, p.total = done, total
}

// transferWay is one way to transfer content.
type transferWay struct {
	name     string
	storage  string               // operation of the storage that it calls
	renewal  string               // operation of the service that returns a new address
	begin    func(*transferWorld) // nil, or what runs before move
	move     func(context.Context, *transferWorld) error
	goOn     func(context.Context, *transferWorld) error // continues the transfer after move has failed
	arrived  func(*transferWorld) bool
	newFiles int
	local    string // name of the local file that it creates
	// continues: it resumes what an earlier call left.
	continues bool
	// ranged: it requests ranges of the version that the service announced.
	ranged bool
}

// prepare runs what precedes the transfer. A failed parallel transfer has
// cancelled requests that the server may still handle: they must not consume
// the faults of the next call.
func (way transferWay) prepare(w *transferWorld) {
	if way.begin != nil {
		way.begin(w)
		synctest.Wait()
		w.reset()
	}
}

func transferWays() []transferWay {
	parallel := practice.DownloadOptions{Ranges: 4, RangeSize: 4 << 10}
	single := practice.DownloadOptions{Ranges: 1}
	upload := func(name string, body func(*transferWorld) io.Reader) transferWay {
		return transferWay{
			name: name, storage: "storage.put", renewal: "getFileUpload", newFiles: 1,
			move: func(ctx context.Context, w *transferWorld) error {
				file, err := w.client.Documents.Upload(ctx, w.matter, practice.Upload{
					Name: "new.bin", Body: body(w), Progress: w.told.report, TempDir: w.temp,
				})
				if err == nil {
					w.made = file.ID
				} else if failed, ok := errors.AsType[*practice.TransferError](err); ok {
					w.made = failed.FileID
				}
				return err
			},
			goOn: func(ctx context.Context, w *transferWorld) error {
				_, err := w.client.Documents.ResumeUpload(ctx, w.matter, w.made, practice.Upload{
					Body: body(w), Progress: w.told.report, TempDir: w.temp,
				})
				return err
			},
			arrived: func(w *transferWorld) bool { return bytes.Equal(w.fresh, w.stored(w.made)) },
		}
	}
	version := func(ctx context.Context, w *transferWorld) error {
		_, err := w.client.Documents.UploadVersion(ctx, w.matter, w.fileID, practice.Upload{Body: bytes.NewReader(w.fresh), Progress: w.told.report})
		return err
	}
	download := func(name, local string, move func(context.Context, *transferWorld) error) transferWay {
		return transferWay{
			name: name, storage: "storage.get", renewal: "getFileDownload", local: local, move: move, goOn: move,
			arrived: func(w *transferWorld) bool {
				got, err := os.ReadFile(filepath.Join(w.dir, local))
				return assert.NoError(w.t, err) && bytes.Equal(w.content, got)
			},
		}
	}
	toPath := func(options practice.DownloadOptions) func(context.Context, *transferWorld) error {
		return func(ctx context.Context, w *transferWorld) error {
			options := options
			options.Progress = w.told.report
			_, err := w.client.Documents.DownloadFile(ctx, w.matter, w.fileID, filepath.Join(w.dir, "local.bin"), options)
			return err
		}
	}
	whole := upload("upload", func(w *transferWorld) io.Reader { return bytes.NewReader(w.fresh) })
	return []transferWay{
		whole,
		whole.resumed("resumed upload", whole.move),
		upload("upload of a plain reader", func(w *transferWorld) io.Reader { return plainReader{bytes.NewReader(w.fresh)} }),
		{
			name: "new version", storage: "storage.put", renewal: "getFileUpload", move: version, goOn: version,
			arrived: func(w *transferWorld) bool { return bytes.Equal(w.fresh, w.stored(w.fileID)) },
		},
		download("download", "stream.bin", func(ctx context.Context, w *transferWorld) error {
			return intoFile(w, "stream.bin", func(f *os.File) error {
				n, err := w.client.Documents.Download(ctx, w.matter, w.fileID, plainWriter{f}, practice.DownloadOptions{Progress: w.told.report})
				info, statErr := f.Stat()
				require.NoError(w.t, statErr)
				assert.Equal(w.t, info.Size(), n, "what is said to be written is written")
				return err
			})
		}),
		download("download to a file", "local.bin", toPath(single)),
		download("download to a file", "local.bin", toPath(single)).resumed("resumed download to a file", toPath(single)),
		download("parallel download to a file", "local.bin", toPath(parallel)).inRanges(),
		download("parallel download to a file", "local.bin", toPath(parallel)).resumed("resumed parallel download to a file", toPath(single)),
		download("parallel download into an open file", "open.bin", func(ctx context.Context, w *transferWorld) error {
			return intoFile(w, "open.bin", func(f *os.File) error {
				options := parallel
				options.Progress = w.told.report
				n, err := w.client.Documents.Download(ctx, w.matter, w.fileID, f, options)
				got, readErr := os.ReadFile(f.Name())
				require.NoError(w.t, readErr)
				if !errors.Is(err, practice.ErrSizeMismatch) { // the storage sent another content
					assert.True(w.t, bytes.Equal(w.content[:n], got), "the file holds the first bytes, also after an error")
				}
				return err
			})
		}).inRanges(),
		download("reading", "read.bin", func(ctx context.Context, w *transferWorld) error {
			return intoFile(w, "read.bin", func(f *os.File) error {
				r, err := w.client.Documents.Open(ctx, w.matter, w.fileID, practice.OpenOptions{})
				if err != nil {
					return err
				}
				defer func() { assert.NoError(w.t, r.Close()) }()
				_, err = io.Copy(f, r)
				return err
			})
		}),
	}
}

// inRanges returns a variant of the way that requests ranges.
func (way transferWay) inRanges() transferWay {
	way.ranged = true
	return way
}

// resumed returns the way that resumes what a first call left: half of the
// content, or nothing of an upload. The first call reads in one stream, because
// a parallel download that fails may leave nothing.
func (way transferWay) resumed(name string, first func(context.Context, *transferWorld) error) transferWay {
	way.name, way.move, way.continues = name, way.goOn, way.local != ""
	way.begin = func(w *transferWorld) {
		w.server.Inject(
			practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultResetAfter, After: int64(len(w.content)/2 + 1)},
			practicetest.Fault{Operation: way.storage, Status: 404, Times: -1},
		)
		err := first(w.t.Context(), w)
		require.True(w.t, err != nil || len(w.content) < 2, "there is a first half")
		if err != nil {
			assert.Len(w.t, w.left(), unfinished(w.left()))
		}
	}
	return way
}

// intoFile creates the local file for a way that needs an open one, and removes
// it when the way fails.
func intoFile(w *transferWorld, name string, write func(*os.File) error) error {
	f, err := os.Create(filepath.Join(w.dir, name))
	require.NoError(w.t, err)
	err = write(f)
	require.NoError(w.t, f.Close())
	if err != nil {
		require.NoError(w.t, os.Remove(f.Name()))
	}
	return err
}

type plainReader struct{ r io.Reader }

func (p plainReader) Read(b []byte) (int, error) { return p.r.Read(b) }

type plainWriter struct{ w io.Writer }

func (p plainWriter) Write(b []byte) (int, error) { return p.w.Write(b) }

// unfinished returns the number of partial files that downloads left.
func unfinished(names []string) int {
	n := 0
	for _, name := range names {
		if strings.HasPrefix(name, ".practice-") && strings.HasSuffix(name, ".part") {
			n++
		}
	}
	return n
}
