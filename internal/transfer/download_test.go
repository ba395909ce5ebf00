package transfer

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/internal/transport"
)

func TestADownloadContinuesAfterTheLastByteReceived(t *testing.T) {
	t.Parallel()
	s := given(version{"0123456789", "v1"}, fault{after: 4}, fault{err: busy}, fault{after: 3})
	var got strings.Builder
	n, err := s.object().CopyTo(t.Context(), &got)
	require.NoError(t, err)
	assert.EqualValues(t, 10, n)
	assert.Equal(t, "0123456789", got.String())
	assert.Equal(t, []storage.Part{
		{}, {From: 4, ETag: "v1"}, {From: 4, ETag: "v1"}, {From: 7, ETag: "v1"},
	}, s.asked(), "from the last byte on, and of the same version")
	assert.Equal(t, 1, s.service.count(), "an address is used as long as it is good")
}

func TestADownloadOverALineThatAlwaysBreaksIsFinished(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789abcdef", 10<<20/16)
	for way, read := range ways() {
		for rule, ranges := range map[string]int{"one stream": 1, "each of four ranges": 4} {
			t.Run(way+"/"+rule, func(t *testing.T) {
				t.Parallel()
				s := given(version{text, "v1"}, slices.Repeat([]fault{{after: 200 << 10}}, 100)...)
				got, err := read(t, s.ranged(ranges, 1<<20))
				require.NoError(t, err)
				assert.Zero(t, strings.Compare(text, got), "the whole content")
			})
		}
	}
}

// TestAShortContentOverALineThatAlwaysBreaksIsFinished checks that a share of a
// short content counts as progress.
func TestAShortContentOverALineThatAlwaysBreaksIsFinished(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789abcdef", 1600/16)
	for way, read := range ways() {
		for size, known := range map[int64]string{1600: "announced", -1: "unknown at first"} {
			t.Run(way+"/"+known, func(t *testing.T) {
				t.Parallel()
				s := given(version{text, "v1"}, slices.Repeat([]fault{{after: 1600 / portions}}, 100)...)
				s.service.size = size
				s.transfer.Retries.Max = 1
				got, err := read(t, s.object())
				require.NoError(t, err)
				assert.Equal(t, text, got)
			})
		}
	}
}

func TestAStorageThatHardlySendsAnythingIsNotAskedWithoutEnd(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789abcdef", 10<<20/16)
	for way, read := range ways() {
		for rule, ranges := range map[string]int{"one stream": 1, "each of four ranges": 4} {
			t.Run(way+"/"+rule, func(t *testing.T) {
				t.Parallel()
				s := given(version{text, "v1"}, slices.Repeat([]fault{{after: 1}}, 10_000)...)
				_, err := read(t, s.ranged(ranges, 1<<20))
				require.ErrorIs(t, err, errReset)
				const readers = 2 // one of the ways reads twice
				assert.LessOrEqual(t, len(s.asked()), max(ranges, readers)*(1+s.transfer.Retries.Max))
			})
		}
	}
}

func TestADownloadEndsWhenItCannotGoOn(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	for _, test := range []struct {
		name   string
		faults []fault
		stored version
		to     io.Writer
		is     error
	}{
		{"the retries are used up", []fault{{err: busy}, {err: busy}, {err: busy}, {err: busy}}, version{"content", "v1"}, nil, busy},
		{"the object is not there", []fault{{err: missing}}, version{"content", "v1"}, nil, missing},
		{"the version has no name", []fault{{after: 4}}, version{"content", ""}, nil, ErrNotResumable},
		{"the writer fails", nil, version{"content", "v1"}, failingWriter{full}, full},
		{"the writer takes less than it is given", nil, version{"content", "v1"}, shortWriter{}, io.ErrShortWrite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := given(test.stored, test.faults...)
			if test.to == nil {
				test.to = new(discard)
			}
			_, err := s.object().CopyTo(t.Context(), test.to)
			require.ErrorIs(t, err, test.is)
			_, ok := errors.AsType[*Error](err)
			assert.True(t, ok)
			assert.Zero(t, s.stillOpen(), "answers")
		})
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// shortWriter accepts one byte and reports no error.
type shortWriter struct{}

func (shortWriter) Write([]byte) (int, error) { return 1, nil }

func TestVersionsAreNotMixed(t *testing.T) {
	t.Parallel()
	s := given(version{"old content", "v1"}, fault{after: 4})
	w := &publishing{s: s, then: version{"new content", "v2"}}
	n, err := s.object().CopyTo(t.Context(), w)
	require.ErrorIs(t, err, ErrVersionChanged)
	assert.EqualValues(t, 4, n)
	assert.Equal(t, "old ", w.got.String())
}

func TestAFileIsBegunAgainForAnotherVersion(t *testing.T) {
	t.Parallel()
	s := given(version{"old content", "v1"}, fault{after: 4})
	path := filepath.Join(t.TempDir(), "a.txt")
	file, err := os.Create(path)
	require.NoError(t, err)
	_, err = file.WriteString("head ")
	require.NoError(t, err)
	s.transfer.Watch = func(ctx context.Context, begun Exchange) (context.Context, func(int, transport.Attempt)) {
		if begun.Number == 2 { // the attempt that resumes
			s.service.size = int64(len("newer content"))
			s.publish(version{"newer content", "v2"})
		}
		return ctx, nil
	}
	n, err := s.object().CopyTo(t.Context(), file)
	require.NoError(t, err)
	assert.EqualValues(t, 13, n)
	require.NoError(t, file.Close())
	assert.Equal(t, "head newer content", contentOf(t, path), "the bytes before stay")
}

func TestAFileKeepsThePartWithoutAGap(t *testing.T) {
	t.Parallel()
	s := given(version{"0123456789", "v1"}, fault{after: 4}, fault{err: missing})
	path := filepath.Join(t.TempDir(), "a.txt")
	file, err := os.Create(path)
	require.NoError(t, err)
	n, err := s.object().CopyTo(t.Context(), file)
	require.ErrorIs(t, err, missing)
	assert.EqualValues(t, 4, n)
	at, err := file.Seek(0, io.SeekCurrent)
	require.NoError(t, err)
	assert.EqualValues(t, 4, at, "another download can go on there")
	require.NoError(t, file.Close())
	assert.Equal(t, "0123", contentOf(t, path))
}

func TestADownloadDoesNotStartOverForEver(t *testing.T) {
	t.Parallel()
	s := given(version{"0123456789", ""}, slices.Repeat([]fault{{after: 4}}, 20)...)
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	defer file.Close()
	_, err = s.object().CopyTo(t.Context(), file)
	require.ErrorIs(t, err, ErrNotResumable, "the version has no name")
	assert.Len(t, s.asked(), 1+s.transfer.Retries.Max)
}

// TestADownloadThatIsToStartOverAndCannotFails checks a storage that sends more
// than the service announced.
func TestADownloadThatIsToStartOverAndCannotFails(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		meanwhile func(s *setting, cancel func())
		is        error
	}{
		"the service names no address":     {func(s *setting, _ func()) { s.service.err = errReset }, errReset},
		"the context ends":                 {func(_ *setting, cancel func()) { cancel() }, ErrSizeMismatch},
		"the context ends during the wait": {func(_ *setting, cancel func()) { time.AfterFunc(time.Nanosecond, cancel) }, ErrSizeMismatch},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				s := given(version{"0123456789", "v1"})
				s.service.size, s.noSize = 5, true
				s.transfer.Retries.FirstWait, s.transfer.Retries.MaxWait = time.Hour, time.Hour
				s.transfer.Watch = func(ctx context.Context, _ Exchange) (context.Context, func(int, transport.Attempt)) {
					return ctx, func(int, transport.Attempt) { test.meanwhile(s, cancel) }
				}
				path := filepath.Join(t.TempDir(), "a.txt")
				require.NoError(t, os.WriteFile(path, []byte("head "), 0o600))
				file, err := os.OpenFile(path, os.O_RDWR, 0)
				require.NoError(t, err)
				_, err = file.Seek(0, io.SeekEnd)
				require.NoError(t, err)
				n, err := s.object().CopyTo(ctx, file)
				require.ErrorIs(t, err, test.is)
				require.NoError(t, file.Close())
				assert.Equal(t, "head 01234"[:5+n], contentOf(t, path))
			})
		})
	}
}

func TestADownloadStartsOverWhenTheStorageSendsMoreThanAnnounced(t *testing.T) {
	t.Parallel()
	s := given(version{"0123456789", "v1"})
	o := s.object()
	s.publish(version{"0123456789abc", "v2"})
	s.noSize = true
	s.service.announce(13)
	got, err := intoFile(t, o)
	require.NoError(t, err)
	assert.Equal(t, "0123456789abc", got)
}

// TestBytesBehindAGapAreTakenBack checks a failure of the first of several
// ranges after the later bytes have arrived.
func TestBytesBehindAGapAreTakenBack(t *testing.T) {
	t.Parallel()
	s := given(version{strings.Repeat("0123456789", 4), "v1"}, fault{after: 4})
	arrived := make(chan struct{})
	whole := sync.OnceFunc(func() { close(arrived) })
	s.transfer.Storage = &gapStorage{s.fakeStorage, arrived}
	path := filepath.Join(t.TempDir(), "a.txt")
	require.NoError(t, os.WriteFile(path, []byte("head "), 0o600))
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	_, err = file.Seek(0, io.SeekEnd)
	require.NoError(t, err)
	o := s.transfer.Object(s.service.place(), Options{Ranges: 4, RangeSize: 10, Progress: func(done, _ int64) {
		if done >= 30 {
			whole()
		}
	}})
	n, err := o.CopyTo(t.Context(), file)
	require.ErrorIs(t, err, missing)
	assert.EqualValues(t, 4, n)
	at, err := file.Seek(0, io.SeekCurrent)
	require.NoError(t, err)
	assert.EqualValues(t, 9, at)
	require.NoError(t, file.Close())
	assert.Equal(t, "head 0123", contentOf(t, path))
}

// gapStorage no longer has the bytes after byte 4 once all other ranges have
// arrived.
type gapStorage struct {
	*fakeStorage
	arrived <-chan struct{}
}

func (s *gapStorage) Get(ctx context.Context, from storage.Target, part storage.Part) (*storage.Object, error) {
	if part.From == 4 {
		<-s.arrived
		return nil, missing
	}
	return s.fakeStorage.Get(ctx, from, part)
}

func TestADownloadGoesIntoAPipe(t *testing.T) {
	t.Parallel()
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	n, err := given(version{"0123456789", "v1"}).ranged(3, 1).CopyTo(t.Context(), writer)
	require.NoError(t, err)
	assert.EqualValues(t, 10, n)
	require.NoError(t, writer.Close())
	got, err := io.ReadAll(reader)
	require.NoError(t, err)
	assert.Equal(t, "0123456789", string(got))
	require.NoError(t, reader.Close())
}

func TestOnlyAWholeDownloadTellsThatAllHasMoved(t *testing.T) {
	t.Parallel()
	for rule, test := range map[string]struct {
		content string
		faults  []fault
		told    [][2]int64
	}{
		"an empty content is told once":   {"", nil, [][2]int64{{0, 0}}},
		"what breaks off is told so far":  {"0123456789", []fault{{after: 4}, {err: missing}}, [][2]int64{{4, 10}}},
		"what never begins is not told":   {"0123456789", []fault{{err: missing}}, nil},
		"nor is one that nobody measures": {"", []fault{{err: missing}}, nil},
	} {
		for way, read := range ways() {
			if strings.HasPrefix(way, "reader") {
				continue
			}
			t.Run(rule+"/"+way, func(t *testing.T) {
				t.Parallel()
				s := given(version{test.content, "v1"}, test.faults...)
				var told [][2]int64
				o := s.transfer.Object(s.service.place(), Options{Ranges: 1, RangeSize: 1, Progress: func(done, total int64) { told = append(told, [2]int64{done, total}) }})
				_, err := read(t, o)
				assert.Equal(t, test.faults != nil, errors.Is(err, missing), "%v", err)
				assert.Equal(t, test.told, told)
			})
		}
	}
}

// publishing stores another version when the first bytes are written to it.
type publishing struct {
	s    *setting
	then version
	got  strings.Builder
}

func (p *publishing) Write(b []byte) (int, error) {
	p.s.publish(p.then)
	return p.got.Write(b)
}

func contentOf(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}
