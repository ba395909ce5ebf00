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

// plain is a reader and nothing else.
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
			source, err := NewSource(t.Context(), test.body, "")
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

// sized has ReadAt and Size, and cannot seek.
type sized struct{ at *strings.Reader }

func (s sized) Read([]byte) (int, error)                      { return 0, errors.New("not used") }
func (s sized) ReadAt(p []byte, off int64) (n int, err error) { return s.at.ReadAt(p, off) }
func (s sized) Size() int64                                   { return s.at.Size() }

func TestAFileThatCannotSeekIsReadOnce(t *testing.T) {
	t.Parallel()
	opened, err := fstest.MapFS{"a.txt": {Data: []byte("content")}}.Open("a.txt")
	require.NoError(t, err)
	source, err := NewSource(t.Context(), struct{ fs.File }{opened}, "")
	require.NoError(t, err)
	assert.True(t, source.once)
	assert.EqualValues(t, 7, source.Size())
	assert.Equal(t, "content", readSource(t, source))
}

func TestALongPlainReaderIsSpooledIntoATemporaryFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := strings.Repeat("x", spoolLimit+1)
	source, err := NewSource(t.Context(), plain{strings.NewReader(text)}, dir)
	require.NoError(t, err)
	assert.NotNil(t, source.file)
	assert.Equal(t, text, readSource(t, source))
	source.Close()
	assert.Empty(t, namesIn(t, dir), "nothing is left of it")
}

func TestABodyThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	closed, err := os.Open(os.DevNull)
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	for name, body := range map[string]io.Reader{
		"none":                  nil,
		"a closed file":         closed,
		"one that cannot seek":  &badSeeker{failAt: 1},
		"nor to its end":        &badSeeker{failAt: 2},
		"nor to where it stood": &badSeeker{failAt: 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := NewSource(t.Context(), body, "")
			argumentError(t, err, "Body")
		})
	}
}

// badSeeker fails at one of its seeks.
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
		is   error
	}{
		"when the body does":      {t.Context(), plain{&failingReader{errReset}}, "", errReset},
		"when the body does late": {t.Context(), plain{io.MultiReader(strings.NewReader(strings.Repeat("x", spoolLimit+1)), &failingReader{errReset})}, t.TempDir(), errReset},
		"when the context ends":   {cancelled, plain{strings.NewReader("x")}, "", context.Canceled},
		"without the folder":      {t.Context(), plain{strings.NewReader(strings.Repeat("x", spoolLimit+1))}, filepath.Join(t.TempDir(), "none"), fs.ErrNotExist},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := NewSource(test.ctx, test.body, test.dir)
			require.ErrorIs(t, err, test.is)
			_, ok := errors.AsType[*Error](err)
			assert.True(t, ok)
			if test.dir != "" && !errors.Is(test.is, fs.ErrNotExist) {
				assert.Empty(t, namesIn(t, test.dir))
			}
		})
	}
}
