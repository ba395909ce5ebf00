package transfer

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/storage"
)

func TestAGenerationIsKnownBetterButNeverChanges(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		known generation
		later generation
		same  bool
	}{
		{"nothing is known", generation{-1, ""}, generation{5, "v1"}, true},
		{"the same", generation{5, "v1"}, generation{5, "v1"}, true},
		{"the size becomes known", generation{-1, "v1"}, generation{5, "v1"}, true},
		{"the tag becomes known", generation{5, ""}, generation{5, "v1"}, true},
		{"the size is not repeated", generation{5, "v1"}, generation{-1, "v1"}, true},
		{"another size", generation{5, ""}, generation{9, ""}, false},
		{"another size, longer than nothing", generation{0, ""}, generation{9, ""}, false},
		{"nothing, after something", generation{9, ""}, generation{0, ""}, false},
		{"another tag", generation{5, "v1"}, generation{5, "v2"}, false},
		{"no tag any more", generation{5, "v1"}, generation{5, ""}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.same, test.known.admits(test.later))
		})
	}
}

// TestAVersionThatComesBeforeTheFirstByteIsReadWholeOrRefused checks a longer
// and a shorter version stored between the announcement of the size and the
// first byte: the storage already has it, and the service announces it with the
// next address.
func TestAVersionThatComesBeforeTheFirstByteIsReadWholeOrRefused(t *testing.T) {
	t.Parallel()
	const announced = "draft"
	for name, now := range map[string]string{"longer": "the whole document", "shorter": "two", "empty": ""} {
		for how, place := range map[string]func(Place) Place{
			"the address is good":     func(p Place) Place { return p },
			"the address has expired": func(p Place) Place { return Place{Address: expired().Address, Expiry: expired().Expiry, Size: p.Size} },
		} {
			for way, read := range ways() {
				for _, etag := range []string{"v2", ""} {
					t.Run(name+"/"+how+"/"+way+"/tag "+etag, func(t *testing.T) {
						t.Parallel()
						s := given(version{announced, "v1"})
						o := s.transfer.Object(place(s.service.place()), Options{Ranges: 3, RangeSize: 1})
						s.publish(version{now, etag})
						s.service.announce(len(now))
						content, err := read(t, o)
						if err != nil {
							assert.True(t, errors.Is(err, ErrVersionChanged) || etag == "" && errors.Is(err, ErrNotResumable), err)
							assert.Contains(t, way, "reader", "a transfer that can start over does so")
							return
						}
						assert.Equal(t, now, content)
					})
				}
			}
		}
	}
}

// ways returns the ways of reading an object.
func ways() map[string]func(*testing.T, *Object) (string, error) {
	return map[string]func(*testing.T, *Object) (string, error){
		"writer": func(t *testing.T, o *Object) (string, error) {
			var out bytes.Buffer
			_, err := o.CopyTo(t.Context(), &out)
			return out.String(), err
		},
		"open file": func(t *testing.T, o *Object) (string, error) {
			file, err := os.Create(filepath.Join(t.TempDir(), "f"))
			require.NoError(t, err)
			defer func() { _ = file.Close() }()
			if _, err := o.CopyTo(t.Context(), file); err != nil {
				return "", err
			}
			content, err := os.ReadFile(file.Name())
			return string(content), err
		},
		"file": func(t *testing.T, o *Object) (string, error) {
			root, err := os.OpenRoot(t.TempDir())
			require.NoError(t, err)
			defer func() { _ = root.Close() }()
			if _, err := o.ToFile(t.Context(), root, "f", false); err != nil {
				return "", err
			}
			content, err := root.ReadFile("f")
			return string(content), err
		},
		"reader": func(t *testing.T, o *Object) (string, error) {
			return throughReader(t, o, func(r *Reader) ([]byte, error) { return io.ReadAll(r) })
		},
		"reader, at": func(t *testing.T, o *Object) (string, error) {
			return throughReader(t, o, func(r *Reader) ([]byte, error) {
				p := make([]byte, r.Size())
				_, err := r.ReadAt(p, 0)
				return p, err
			})
		},
		"reader, in the middle": func(t *testing.T, o *Object) (string, error) {
			return throughReader(t, o, func(r *Reader) ([]byte, error) {
				_, err := r.ReadAt(make([]byte, 1), 2)
				if err != nil {
					return nil, err
				}
				return io.ReadAll(r)
			})
		},
	}
}

func throughReader(t *testing.T, o *Object, read func(*Reader) ([]byte, error)) (string, error) {
	t.Helper()
	r, err := o.Reader(t.Context())
	if err != nil {
		return "", err
	}
	defer func() { require.NoError(t, r.Close()) }()
	content, err := read(r)
	return string(content), err
}

// TestAStorageWithATagForEachPartIsReadOverOneConnection reads a content that
// was uploaded in parts, whose ranges have tags of their own.
func TestAStorageWithATagForEachPartIsReadOverOneConnection(t *testing.T) {
	t.Parallel()
	for _, ignores := range []bool{false, true} {
		for way, read := range ways() {
			t.Run(fmt.Sprint(way, ", the tag is ignored: ", ignores), func(t *testing.T) {
				t.Parallel()
				s := given(version{"the whole document", "whole"})
				s.tags, s.ignores = true, ignores
				content, err := read(t, s.ranged(3, 1))
				require.NoError(t, err)
				assert.Equal(t, "the whole document", content)
			})
		}
	}
}

// TestRangesWithTagsOfTheirOwnAreNoOtherVersion reads parts of a content that
// was uploaded in parts, whose ranges have tags of their own, and cannot be told
// from two versions. The error says that, unless no second range is needed.
func TestRangesWithTagsOfTheirOwnAreNoOtherVersion(t *testing.T) {
	t.Parallel()
	const far = 5 * smallWindow
	content := someContent(2 * far)
	at := func(r io.ReaderAt, off int64, n int) error {
		p := make([]byte, n)
		n, err := r.ReadAt(p, off)
		if string(p[:n]) != content[off:][:n] {
			return errors.New("other bytes")
		}
		return err
	}
	seek := func(r io.ReadSeeker, off int64, n int) error {
		p := make([]byte, n)
		_, err := r.Seek(off, io.SeekStart)
		if err == nil {
			n, err = io.ReadFull(r, p)
		}
		if string(p[:n]) != content[off:][:n] {
			return errors.New("other bytes")
		}
		return err
	}
	for name, test := range map[string]struct {
		read   func(*Reader) error
		whole  bool // one connection suffices
		breaks bool // the first connection breaks
	}{
		"at one place":              {read: func(r *Reader) error { return at(r, far, 10) }, whole: true},
		"from the beginning":        {read: func(r *Reader) error { return seek(r, 0, 2*far) }, whole: true},
		"at two places":             {read: func(r *Reader) error { return cmp.Or(at(r, 3, 10), at(r, far, 10)) }},
		"backwards":                 {read: func(r *Reader) error { return cmp.Or(at(r, far, 10), at(r, 3, 10)) }},
		"large ranges":              {read: func(r *Reader) error { return cmp.Or(at(r, far, smallWindow), at(r, 3, smallWindow)) }},
		"from two positions sought": {read: func(r *Reader) error { return cmp.Or(seek(r, 3, 10), seek(r, far, 10)) }},
		"a stream, then a place":    {read: func(r *Reader) error { return cmp.Or(seek(r, 0, 10), at(r, far, 10)) }},
		"through sections": {read: func(r *Reader) error {
			first, second := io.NewSectionReader(r, 3, 10), io.NewSectionReader(r, far, 10)
			_, err := io.ReadAll(first)
			_, other := io.ReadAll(second)
			return cmp.Or(err, other)
		}},
		"at two places at once": {read: func(r *Reader) error {
			errs := make(chan error)
			for _, off := range []int64{3, far} {
				go func() { errs <- at(r, off, 10) }()
			}
			return cmp.Or(<-errs, <-errs)
		}},
		"a stream that breaks":         {read: func(r *Reader) error { return seek(r, 0, 2*far) }, breaks: true},
		"a place where it breaks":      {read: func(r *Reader) error { return at(r, far, smallWindow) }, breaks: true},
		"a download whose end is lost": {read: func(r *Reader) error { _, err := r.object.CopyTo(t.Context(), io.Discard); return err }, breaks: true},
	} {
		for _, ignores := range []bool{false, true} {
			for _, announced := range []bool{false, true} {
				t.Run(fmt.Sprint(name, ", the tag is ignored: ", ignores, ", the size is announced: ", announced), func(t *testing.T) {
					t.Parallel()
					s := given(version{content, "whole"})
					s.tags, s.ignores = true, ignores
					if !announced {
						s.service.size = -1
					}
					r := reader(t, s)
					if test.breaks {
						s.faulty(fault{after: 20})
					}
					err := test.read(r)
					require.NotErrorIs(t, err, ErrVersionChanged)
					if err != nil || !test.whole {
						require.ErrorIs(t, err, ErrNotResumable)
						assert.False(t, test.whole && announced, "one connection suffices")
					}
					require.NoError(t, r.Close())
					assert.Zero(t, s.stillOpen())
				})
			}
		}
	}
}

// TestAResumeThatIsRefusedStartsOver checks that an unfinished file does not
// make a download fail that would succeed from the beginning.
func TestAResumeThatIsRefusedStartsOver(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		now     version
		faults  []fault
		ignores bool // ignores the requested version
	}{
		"another version":              {now: version{"the whole document", "v2"}},
		"another size of the version":  {now: version{"the whole document", "v1"}},
		"no version any more":          {now: version{"contents", ""}},
		"a refusal of the range":       {now: version{"contents", "v1"}, faults: []fault{{err: &storage.StatusError{Status: 416}}}},
		"the version is gone":          {now: version{"contents", "v1"}, faults: []fault{{err: missing}}},
		"a bad request":                {now: version{"contents", "v1"}, faults: []fault{{err: &storage.StatusError{Status: 400}}}},
		"no version is named any more": {now: version{"contents", ""}, ignores: true},
		"another one than asked for":   {now: version{"the whole document", "v2"}, ignores: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, err := os.OpenRoot(t.TempDir())
			require.NoError(t, err)
			defer func() { _ = root.Close() }()
			s := given(version{"contents", "v1"}, fault{after: 4})
			s.transfer.Retries.Max = 0
			_, err = s.object().ToFile(t.Context(), root, "f", false)
			require.ErrorIs(t, err, errReset, "half of it is there")

			s.publish(test.now)
			s.service.announce(len(test.now.content))
			s.faulty(test.faults...)
			s.ignores = test.ignores
			_, err = s.object().ToFile(t.Context(), root, "f", false)
			require.NoError(t, err)
			content, err := root.ReadFile("f")
			require.NoError(t, err)
			assert.Equal(t, test.now.content, string(content))
		})
	}
}

// TestAResumeThatFailsForAWhileKeepsItsPart checks that the partial file is
// kept while no download succeeds.
func TestAResumeThatFailsForAWhileKeepsItsPart(t *testing.T) {
	t.Parallel()
	root, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	defer func() { _ = root.Close() }()
	s := given(version{"contents", "v1"}, fault{after: 4})
	s.transfer.Retries.Max = 0
	for _, fails := range []error{
		missing, busy, errReset, &storage.StatusError{Status: http.StatusTooManyRequests}, &storage.StatusError{Status: http.StatusNotImplemented},
	} {
		_, err = s.object().ToFile(context.Background(), root, "f", false)
		require.Error(t, err)
		_, err = root.Stat("f")
		require.ErrorIs(t, err, fs.ErrNotExist, "a part is no file")
		s.faulty(slices.Repeat([]fault{{err: fails}}, 4)...)
	}
	_, err = s.object().ToFile(context.Background(), root, "f", false)
	require.Error(t, err)
	s.faulty()
	file, err := s.object().ToFile(t.Context(), root, "f", false)
	require.NoError(t, err)
	assert.Equal(t, File{Size: 8, Resumed: 4, ETag: "v1", Requests: 1}, file)
}

// TestAResumeThatIsRefusedAndCannotStartOverFails checks a partial file of an
// old version when the service returns no address for the present one.
func TestAResumeThatIsRefusedAndCannotStartOverFails(t *testing.T) {
	t.Parallel()
	root, dir := folder(t)
	s := given(version{"contents", "v1"}, fault{after: 4})
	s.transfer.Retries.Max = 0
	_, err := s.object().ToFile(t.Context(), root, "f", false)
	require.ErrorIs(t, err, errReset)
	left := namesIn(t, dir)

	s.publish(version{"the whole document", "v2"})
	o := s.object()
	s.service.err = missing
	_, err = o.ToFile(t.Context(), root, "f", false)
	require.ErrorIs(t, err, missing)
	assert.Equal(t, left, namesIn(t, dir), "a part is no file")
}
