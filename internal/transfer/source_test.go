package transfer

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// plain is only an io.Reader.
type plain struct{ io.Reader }

func readSource(t *testing.T, source *Source) string {
	t.Helper()
	r, err := source.begin()
	require.NoError(t, err)
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(data)
}

func TestABodyIsReadFromWhereItStands(t *testing.T) {
	t.Parallel()
	const text = "0123456789"
	path := filepath.Join(t.TempDir(), "a.txt")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	file, err := os.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, file.Close()) })
	_, err = file.Seek(4, io.SeekStart)
	require.NoError(t, err)
	begun := strings.NewReader(text)
	_, err = begun.Seek(4, io.SeekStart)
	require.NoError(t, err)
	for name, test := range map[string]struct {
		body   io.Reader
		want   string
		inFile bool
	}{
		"a buffer":                      {bytes.NewBufferString(text), text, false},
		"a reader that can seek":        {begun, "456789", false},
		"one that can seek only":        {struct{ io.ReadSeeker }{strings.NewReader(text)}, text, false},
		"a file":                        {file, "456789", true},
		"bytes at an offset, of a size": {sized{strings.NewReader(text)}, text, false},
		"a plain reader":                {plain{strings.NewReader(text)}, text, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source, err := NewSource(t.Context(), Body{Reader: test.body})
			require.NoError(t, err)
			defer source.Close()
			assert.EqualValues(t, len(test.want), source.Size())
			assert.Equal(t, test.inFile, source.file != nil)
			for range 2 {
				assert.Equal(t, test.want, readSource(t, source), "as often as needed")
			}
		})
	}
}

// sized has ReadAt and Size but not Seek.
type sized struct{ at *strings.Reader }

func (s sized) Read([]byte) (int, error)                      { return 0, errors.New("not used") }
func (s sized) ReadAt(p []byte, off int64) (n int, err error) { return s.at.ReadAt(p, off) }
func (s sized) Size() int64                                   { return s.at.Size() }

func TestAFileThatCannotSeekIsReadOnceUnlessItIsShort(t *testing.T) {
	t.Parallel()
	for rule, test := range map[string]struct {
		size, before int
		once         bool
	}{
		"short":                          {7, 0, false},
		"short, and read from before":    {7, 3, false},
		"just too long to be kept":       {onceHead, 0, true},
		"shorter since it was read from": {onceHead + 2, 3, false},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			content := strings.Repeat("0123456789", onceHead/10+1)[:test.size]
			opened, err := fstest.MapFS{"a.txt": {Data: []byte(content)}}.Open("a.txt")
			require.NoError(t, err)
			_, err = io.CopyN(io.Discard, opened, int64(test.before))
			require.NoError(t, err)
			source, err := NewSource(t.Context(), Body{Reader: struct{ fs.File }{opened}})
			require.NoError(t, err)
			assert.Equal(t, test.once, source.once)
			assert.EqualValues(t, test.size-test.before, source.Size(), "from where it stands")
			assert.Equal(t, content[test.before:], readSource(t, source))
		})
	}
}

func TestWhatHasTheMethodsOfAFileAndCannotSeekIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, reader.Close()) })
	_, err = writer.WriteString("content")
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	source, err := NewSource(t.Context(), Body{Reader: struct{ *os.File }{reader}})
	require.NoError(t, err)
	assert.Equal(t, "content", readSource(t, source))

	for failAt := 1; failAt <= 2; failAt++ {
		source, err := NewSource(t.Context(), Body{Reader: &badSeeker{Reader: *strings.NewReader("content"), failAt: failAt}})
		require.NoError(t, err)
		assert.Equal(t, "content", readSource(t, source), "seek %d", failAt)
	}
}

func TestAFileThatTheSystemMakesUpIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	file, err := os.Open("/proc/self/stat")
	if errors.Is(err, fs.ErrNotExist) {
		file, err = os.Open(os.DevNull) // the system has no such device file
	}
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, file.Close()) })
	info, err := file.Stat()
	require.NoError(t, err)
	assert.Zero(t, info.Size(), "it tells no length")
	source, err := NewSource(t.Context(), Body{Reader: file})
	require.NoError(t, err)
	assert.EqualValues(t, len(readSource(t, source)), source.Size())
	if info.Mode().IsRegular() {
		assert.Positive(t, source.Size())
	}
}

func TestAReaderWhoseSizeIsToldIsSentAsItIsRead(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", onceHead+5)
	source, err := NewSource(t.Context(), Body{Reader: plain{strings.NewReader(long)}, Size: int64(len(long)), TempDir: filepath.Join(t.TempDir(), "none")})
	require.NoError(t, err)
	assert.True(t, source.once)
	assert.EqualValues(t, len(long), source.Size())
	assert.Equal(t, long, readSource(t, source))

	for rule, reader := range map[string]io.Reader{
		"a short one is kept":    plain{strings.NewReader("content")},
		"one that tells its own": strings.NewReader("content"),
	} {
		source, err = NewSource(t.Context(), Body{Reader: reader, Size: 7})
		require.NoError(t, err, rule)
		for range 2 {
			assert.Equal(t, "content", readSource(t, source), rule)
		}
	}
}

func TestASizeThatIsWrongIsRefusedBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	for rule, body := range map[string]Body{
		"shorter":                  {Reader: plain{strings.NewReader("content")}, Size: 8},
		"longer":                   {Reader: plain{strings.NewReader("content")}, Size: 6},
		"longer than what is kept": {Reader: plain{strings.NewReader(strings.Repeat("x", 2*onceHead))}, Size: 6},
	} {
		_, err := NewSource(t.Context(), body)
		require.ErrorIs(t, err, ErrSizeMismatch, rule)
	}
	for rule, body := range map[string]Body{
		"negative":              {Reader: strings.NewReader(""), Size: -1},
		"another than it tells": {Reader: strings.NewReader("content"), Size: 8},
		"less than it tells":    {Reader: strings.NewReader("content"), Size: 6},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			_, err := NewSource(t.Context(), body)
			argumentError(t, err, "Size")
		})
	}
}

func TestALongPlainReaderIsSpooledIntoATemporaryFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := strings.Repeat("x", spoolLimit+1)
	source, err := NewSource(t.Context(), Body{Reader: plain{strings.NewReader(text)}, TempDir: dir})
	require.NoError(t, err)
	assert.NotNil(t, source.file)
	assert.Equal(t, text, readSource(t, source))
	source.Close()
	assert.Empty(t, namesIn(t, dir), "nothing is left of it")
	_, err = source.file.Seek(0, io.SeekStart)
	require.ErrorIs(t, err, os.ErrClosed, "or its place on the disk would stay taken")
}

func TestABodyThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	closed, err := os.Open(os.DevNull)
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	for name, body := range map[string]io.Reader{
		"none":                     nil,
		"a closed file":            closed,
		"one that loses its place": &badSeeker{failAt: 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := NewSource(t.Context(), Body{Reader: body})
			argumentError(t, err, "Body")
		})
	}
}

// badSeeker fails at one of its calls of Seek.
type badSeeker struct {
	strings.Reader
	seeks, failAt int
}

func (b *badSeeker) Seek(int64, int) (int64, error) {
	if b.seeks++; b.seeks == b.failAt {
		return 0, errors.New("cannot")
	}
	return 0, nil
}

func TestSpoolingFails(t *testing.T) {
	t.Parallel()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		ctx  context.Context
		body io.Reader
		dir  string
		size int64 // size given by the caller
		is   error
	}{
		"when the body does":        {t.Context(), plain{&failingReader{errReset}}, "", 0, errReset},
		"although its size is said": {t.Context(), plain{&failingReader{errReset}}, "", 7, errReset},
		"when the body does late":   {t.Context(), plain{io.MultiReader(strings.NewReader(strings.Repeat("x", spoolLimit+1)), &failingReader{errReset})}, t.TempDir(), 0, errReset},
		"when the context ends":     {cancelled, plain{strings.NewReader("x")}, "", 0, context.Canceled},
		"without the folder":        {t.Context(), plain{strings.NewReader(strings.Repeat("x", spoolLimit+1))}, filepath.Join(t.TempDir(), "none"), 0, fs.ErrNotExist},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := NewSource(test.ctx, Body{Reader: test.body, Size: test.size, TempDir: test.dir})
			require.ErrorIs(t, err, test.is)
			_, ok := errors.AsType[*Error](err)
			assert.True(t, ok)
			if test.dir != "" && !errors.Is(test.is, fs.ErrNotExist) {
				assert.Empty(t, namesIn(t, test.dir))
			}
		})
	}
}
