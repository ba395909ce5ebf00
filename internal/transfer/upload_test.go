package transfer

import (
	"context"
	"crypto/md5"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/storage"
)

func TestAnUploadIsSentAgainUntilItIsStored(t *testing.T) {
	t.Parallel()
	s := given(version{}, fault{err: errReset, after: 3}, fault{err: busy, after: -1}, fault{err: refused})
	source, err := NewSource(t.Context(), Body{Reader: strings.NewReader("content")})
	require.NoError(t, err)
	var told []int64
	sent, err := s.transfer.Upload(t.Context(), s.service.place(), source, UploadOptions{Progress: func(done, _ int64) { told = append(told, done) }})
	require.NoError(t, err)
	assert.Equal(t, Uploaded{Requests: 4}, sent)
	assert.Equal(t, "content", s.stored)
	require.Len(t, s.puts, 4)
	assert.Equal(t, s.puts[0], s.puts[2], "an address is used as long as it is good")
	assert.NotEqual(t, s.puts[2], s.puts[3], "one that was refused is not used again")
	assert.Equal(t, []int64{3, 7}, told)
}

// TestAnAddressIsReplacedWhenItsConnectionsBreakAndNothingCanBeStored checks a
// storage that refuses an address and closes the connection while the body is
// being sent, which often loses its response.
func TestAnAddressIsReplacedWhenItsConnectionsBreakAndNothingCanBeStored(t *testing.T) {
	t.Parallel()
	breaks := func(after int) fault { return fault{err: errReset, after: after} }
	for rule, test := range map[string]struct {
		faults  []fault
		renewed []bool // for each attempt, whether its address differs from the previous one
	}{
		"not after one break":               {[]fault{breaks(3)}, []bool{false}},
		"after two in a row":                {[]fault{breaks(3), breaks(6)}, []bool{false, true}},
		"not again after the next":          {[]fault{breaks(3), breaks(6), breaks(3)}, []bool{false, true, false}},
		"not when the storage says why":     {[]fault{{err: busy, after: 3}, {err: busy, after: 3}}, []bool{false, false}},
		"not when it said something since":  {[]fault{breaks(3), {err: busy, after: 3}, breaks(3)}, []bool{false, false, false}},
		"not when nothing was sent":         {[]fault{breaks(0), breaks(0)}, []bool{false, false}},
		"not when the whole may be stored":  {[]fault{breaks(-1), breaks(-1)}, []bool{false, false}},
		"not when it says it has it":        {[]fault{{after: 3}, {after: 3}}, []bool{false, false}},
		"not when it may have been the one": {[]fault{breaks(3), breaks(-1), breaks(3)}, []bool{false, false, false}},
		"not after a failure of the whole":  {[]fault{{err: busy, after: -1}, breaks(3), breaks(3)}, []bool{false, false, false}},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			s := given(version{}, test.faults...)
			_, err := s.transfer.Upload(t.Context(), s.service.place(), sourceOf("content", 7), UploadOptions{})
			require.NoError(t, err)
			var renewed []bool
			for i, address := range s.puts[1:] {
				renewed = append(renewed, address != s.puts[i])
			}
			assert.Equal(t, test.renewed, renewed)
			assert.Equal(t, "content", s.stored)
		})
	}
}

func TestAnUploadAsksForANewAddressWhenItsOwnHasExpired(t *testing.T) {
	t.Parallel()
	s := given(version{})
	source, err := NewSource(t.Context(), Body{Reader: strings.NewReader("content")})
	require.NoError(t, err)
	_, err = s.transfer.Upload(t.Context(), expired(), source, UploadOptions{})
	require.NoError(t, err)
	assert.Equal(t, 1, s.service.count())
	assert.NotContains(t, s.puts[0], "expired")
}

func TestAnUploadThatCannotGoOnIsNoSuccess(t *testing.T) {
	t.Parallel()
	for rule, test := range map[string]struct {
		begin func(*setting) Place
		is    error
	}{
		"no address at the beginning": {func(s *setting) Place { s.service.err = errReset; return expired() }, errReset},
		"no address after a refusal": {func(s *setting) Place {
			s.faults = []fault{{err: refused}}
			at := s.service.place()
			s.service.err = errReset
			return at
		}, errReset},
		"the context ends during a wait": {func(s *setting) Place {
			s.faults = []fault{{err: &storage.StatusError{Status: 503, RetryAfter: time.Minute}}}
			return s.service.place()
		}, context.Canceled},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := given(version{})
				s.transfer.Retries.MaxWait = time.Hour
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				at := test.begin(s)
				_, err := s.transfer.Upload(ctx, at, sourceOf("content", 7), UploadOptions{})
				require.ErrorIs(t, err, test.is)
				assert.Empty(t, s.stored)
			})
		})
	}
}

// TestTheLastByteOfABodyThatFailsIsNotSent checks that a failing body is not
// stored: a storage has the content as soon as it has the last byte.
func TestTheLastByteOfABodyThatFailsIsNotSent(t *testing.T) {
	t.Parallel()
	for rule, source := range map[string]*Source{
		"it has grown":              sourceOf("contents", 7),
		"it has shrunk":             sourceOf("conten", 7),
		"it fails":                  sourceThat(errReset, "conten"),
		"it fails behind its end":   sourceThat(errReset, "content"),
		"an empty one that has not": sourceOf("c", 0),
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			b := &sentBody{reader: first(source), source: source, left: source.size, progress: newProgress(nil, source.size)}
			if b.left == 0 {
				b.end()
			}
			sent, err := io.ReadAll(b)
			require.Error(t, err)
			assert.Less(t, len(sent), 7)
			for range 2 {
				n, err := b.Read(make([]byte, 9))
				require.ErrorIs(t, err, b.failed, "it stays so")
				assert.Zero(t, n)
			}
			file, _, ahead := b.Ahead()
			assert.Nil(t, file)
			assert.LessOrEqual(t, ahead, int64(0))
		})
	}
}

func first(source *Source) io.Reader {
	reader, _ := source.begin()
	return reader
}

// TestAFileIsSentByTheSystemOnlyWhenNobodyNeedsItsBytes checks that a file is
// not sent by the operating system if its bytes must be hashed or checked.
func TestAFileIsSentByTheSystemOnlyWhenNobodyNeedsItsBytes(t *testing.T) {
	t.Parallel()
	root, _ := folder(t)
	file, err := root.Create("a.bin")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, file.Close()) })
	source := &Source{file: file, size: 2 * readAnyway}
	for rule, test := range map[string]struct {
		body  sentBody
		ahead bool
	}{
		"it does":                {sentBody{source: source}, true},
		"its sum is asked for":   {sentBody{source: source, sum: md5.New()}, false},
		"it failed":              {sentBody{source: source, failed: errReset}, false},
		"it does not lie in one": {sentBody{source: &Source{size: 2 * readAnyway}}, false},
	} {
		test.body.left = 2 * readAnyway
		got, _, n := test.body.Ahead()
		assert.Equal(t, test.ahead, got != nil, rule)
		assert.Equal(t, test.ahead, n > 0, rule)
	}
}

func TestAnUploadThatIsCheckedGoesOnAfterFailures(t *testing.T) {
	t.Parallel()
	s := given(version{}, fault{err: refused, after: 3}, fault{err: busy, after: 3})
	s.tag = `"9a0364b9e99bb480dd25e1f0284c8555"` // MD5 of "content"
	sent, err := s.transfer.Upload(t.Context(), s.service.place(), sourceOf("content", 7), UploadOptions{CheckMD5: true})
	require.NoError(t, err)
	assert.Equal(t, Uploaded{ETag: s.tag, Requests: 3}, sent)
	assert.Equal(t, 2, s.service.count(), "its first address was used, and one after it was refused")
}

func TestAnUploadFails(t *testing.T) {
	t.Parallel()
	gone := errors.New("gone")
	for _, test := range []struct {
		name     string
		source   *Source
		faults   []fault
		is       error
		attempts int
	}{
		{"when the retries are used up", sourceOf("content", 7), []fault{{err: busy}, {err: busy}, {err: busy}, {err: busy}}, busy, 4},
		{"when the storage refuses it", sourceOf("content", 7), []fault{{err: missing}}, missing, 1},
		{"when the body has shrunk", sourceOf("cont", 7), nil, ErrSizeMismatch, 1},
		{"when the body has grown", sourceOf("contents", 7), nil, ErrSizeMismatch, 1},
		{"when an empty body has grown", sourceOf("c", 0), nil, ErrSizeMismatch, 1},
		{"when the body cannot be read", &Source{size: 7, begin: func() (io.Reader, error) { return &failingReader{gone}, nil }}, nil, gone, 1},
		{"when nobody can see whether the body has grown", sourceThat(gone, "content"), nil, gone, 1},
		{"when the body cannot be begun", &Source{size: 7, begin: func() (io.Reader, error) { return nil, gone }}, nil, gone, 1},
		{"when the storage does not wait for it", sourceOf("content", 7), []fault{{after: 3}, {after: 3}, {after: 3}, {after: 3}}, storage.ErrAnswer, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := given(version{}, test.faults...)
			_, err := s.transfer.Upload(t.Context(), s.service.place(), test.source, UploadOptions{})
			require.ErrorIs(t, err, test.is)
			failure, ok := errors.AsType[*Error](err)
			require.True(t, ok)
			assert.Len(t, failure.Attempts, test.attempts)
			if test.source.size == 0 {
				assert.Empty(t, s.puts, "no byte would show the storage that the body failed")
			}
		})
	}
}

// sourceThat returns a source that fails after its content.
func sourceThat(fails error, content string) *Source {
	return &Source{size: int64(len(content)), begin: func() (io.Reader, error) {
		return io.MultiReader(strings.NewReader(content), &failingReader{fails}), nil
	}}
}

// sourceOf returns a source that announces size, whatever the content is.
func sourceOf(content string, size int64) *Source {
	return &Source{size: size, begin: func() (io.Reader, error) { return strings.NewReader(content), nil }}
}

func TestABodyThatCanBeReadOnceIsSentAgainOnlyWhenNothingWasRead(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		read int // bytes read in the first attempt
		is   error
	}{
		{"nothing was read", 0, nil},
		{"something was read", 1, ErrNotRewindable},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			file, err := fstest.MapFS{"a.txt": {Data: []byte("content")}}.Open("a.txt")
			require.NoError(t, err)
			source := &Source{size: 7, once: true, begin: func() (io.Reader, error) { return file, nil }}
			s := given(version{}, fault{err: busy, after: test.read})
			_, err = s.transfer.Upload(t.Context(), s.service.place(), source, UploadOptions{})
			require.ErrorIs(t, err, test.is)
			if test.is != nil {
				failure, _ := errors.AsType[*Error](err)
				require.Len(t, failure.Attempts, 1)
				assert.Equal(t, ErrNotRewindable.Error(), failure.Attempts[0].Reason)
				require.ErrorIs(t, err, busy)
			}
		})
	}
}

func TestTheEndOfAFileIsReadBeforeItIsSent(t *testing.T) {
	t.Parallel()
	root, _ := folder(t)
	file, err := root.Create("a.bin")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, file.Close()) })
	_, err = file.WriteString(strings.Repeat("x", readAnyway) + "0123456789")
	require.NoError(t, err)
	var told []int64
	source := &Source{file: file, start: 4, size: readAnyway + 6}
	b := &sentBody{source: source, reader: io.NewSectionReader(file, 4, 1<<20), left: source.size, progress: newProgress(func(done, _ int64) { told = append(told, done) }, source.size)}
	_, offset, ahead := b.Ahead()
	assert.EqualValues(t, 4, offset)
	assert.EqualValues(t, 6, ahead, "the rest is read")
	b.Sent(6)
	assert.Equal(t, []int64{6}, told)
	_, offset, ahead = b.Ahead()
	assert.EqualValues(t, 10, offset)
	assert.LessOrEqual(t, ahead, int64(0))
	rest, err := io.ReadAll(b)
	require.NoError(t, err)
	assert.True(t, strings.HasSuffix(string(rest), "0123456789"))
	assert.Len(t, rest, readAnyway)
}

// TestAFileThatIsWrittenToWhileItIsSentIsNotStored checks a file that is
// modified in place without changing its size, as a mailbox or a database may
// be.
func TestAFileThatIsWrittenToWhileItIsSentIsNotStored(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	root, _ := folder(t)
	file, err := root.Create("mailbox")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, file.Close()) })
	_, err = file.WriteString(strings.Repeat("a", size))
	require.NoError(t, err)
	_, err = file.Seek(0, io.SeekStart)
	require.NoError(t, err)
	long := time.Now().Add(-time.Hour)
	require.NoError(t, root.Chtimes("mailbox", long, long))
	s := given(version{})
	source, err := NewSource(t.Context(), Body{Reader: file})
	require.NoError(t, err)
	written := false
	_, err = s.transfer.Upload(t.Context(), s.service.place(), source, UploadOptions{Progress: func(int64, int64) {
		if !written {
			written = true
			_, err := file.WriteAt([]byte("b"), 0)
			assert.NoError(t, err)
		}
	}})
	require.ErrorIs(t, err, ErrBodyChanged)
	assert.Empty(t, s.stored, "the storage waits for the last bytes")
	_, err = s.transfer.Upload(t.Context(), s.service.place(), source, UploadOptions{})
	require.NoError(t, err)
	assert.Equal(t, "b"+strings.Repeat("a", size-1), s.stored, "and once it is left alone it is sent")
	s.transfer.Storage = bySystem{s.fakeStorage, func() { assert.NoError(t, root.Chtimes("mailbox", long, long)) }}
	_, err = s.transfer.Upload(t.Context(), s.service.place(), source, UploadOptions{})
	require.ErrorIs(t, err, ErrBodyChanged, "the system may have read it later")
}

// bySystem is a storage to which the system sends the bytes of a file. The file
// is changed before they have left.
type bySystem struct {
	*fakeStorage
	change func()
}

func (s bySystem) Put(ctx context.Context, to storage.Target, body io.Reader, size int64) (string, error) {
	file := body.(storage.InFile)
	_, _, n := file.Ahead()
	file.Sent(n)
	defer s.change()
	return s.fakeStorage.Put(ctx, to, body, size)
}

// growing is a file that somebody appends to when a read has reached its end:
// the read does not show it, only the length of the file does.
type growing struct{ *os.File }

func (g growing) ReadAt(p []byte, off int64) (int, error) {
	n, err := g.File.ReadAt(p, off)
	if errors.Is(err, io.EOF) {
		info, _ := g.Stat()
		_, _ = g.WriteAt([]byte("x"), info.Size())
	}
	return n, err
}

// TestAFileThatGrowsHasOneError appends to a file before its last bytes are
// read, and after that.
func TestAFileThatGrowsHasOneError(t *testing.T) {
	t.Parallel()
	for name, late := range map[string]bool{"before its end is read": false, "after its end was read": true} {
		file, err := os.Create(filepath.Join(t.TempDir(), "log"))
		require.NoError(t, err)
		defer func() { _ = file.Close() }()
		_, err = file.WriteString("content")
		require.NoError(t, err)
		_, err = file.Seek(0, io.SeekStart)
		require.NoError(t, err)
		s := given(version{})
		var body io.Reader = file
		if late {
			body = growing{file}
		}
		source, err := NewSource(t.Context(), Body{Reader: body})
		require.NoError(t, err)
		if !late {
			_, err = file.WriteAt([]byte("x"), 7)
			require.NoError(t, err)
		}
		sent, err := s.transfer.Upload(t.Context(), s.service.place(), source, UploadOptions{})
		require.ErrorIs(t, err, ErrBodyChanged, name)
		require.ErrorIs(t, err, ErrSizeMismatch, name)
		assert.Equal(t, 1, sent.Requests, "it is not tried again")
		assert.Empty(t, s.stored, name)
	}
}

func TestTheStorageConfirmsWhatItStored(t *testing.T) {
	t.Parallel()
	const sum = `"9a0364b9e99bb480dd25e1f0284c8555"` // MD5 of "content"
	for rule, test := range map[string]struct {
		tag   string
		check bool
		is    error
	}{
		"the same":                 {sum, true, nil},
		"in capitals":              {strings.ToUpper(sum), true, nil},
		"another":                  {`"9a0364b9e99bb480dd25e1f0284c8556"`, true, ErrNotConfirmed},
		"none":                     {"", true, ErrNotConfirmed},
		"another, and nobody asks": {`"v1"`, false, nil},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			s := given(version{})
			s.tag = test.tag
			sent, err := s.transfer.Upload(t.Context(), s.service.place(), sourceOf("content", 7), UploadOptions{CheckMD5: test.check})
			require.ErrorIs(t, err, test.is)
			assert.Equal(t, test.tag, sent.ETag)
			if test.is != nil {
				assert.Equal(t, 4, sent.Requests, "it may pass")
			}
		})
	}
}
