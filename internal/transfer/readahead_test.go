package transfer

import (
	"bytes"
	"crypto/sha256"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/storage"
)

// someContent returns a content of that length without repetition.
func someContent(length int) string {
	content := make([]byte, length)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(content)
	return string(content)
}

// contentHash identifies a content that is too long to be printed.
func contentHash(content string) [sha256.Size]byte { return sha256.Sum256([]byte(content)) }

func TestReadsAtPlacesFetchMoreThanTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	const kib = 1 << 10
	content := someContent(4096 * kib)
	type read struct{ at, length int }
	for _, test := range []struct {
		name  string
		reads []read
		asked []storage.Part // requests for a content of 4 MiB
	}{
		{"a small read fetches 64 KiB", []read{{5, 1}}, []storage.Part{{From: 5, To: 5 + 64*kib}}},
		{"the rest of it is there", []read{{5, 1}, {4000, 9}, {64 * kib, 5}}, []storage.Part{{From: 5, To: 5 + 64*kib}}},
		{"a large read fetches itself", []read{{5, 64 * kib}}, []storage.Part{{From: 5, To: 5 + 64*kib}}},
		{"and is not kept", []read{{5, 64 * kib}, {5, 64 * kib}}, []storage.Part{{From: 5, To: 5 + 64*kib}, {From: 5, To: 5 + 64*kib, ETag: "v1"}}},
		{
			"the end comes with what lies before it", []read{{4096*kib - 22, 22}, {4032 * kib, 9}},
			[]storage.Part{{From: 4032 * kib}},
		},
		{
			"reading on fetches more and more", []read{{0, 64*kib - 1}, {64*kib - 1, 8}, {200 * kib, 9}, {320 * kib, 1}, {1343 * kib, 2000}},
			[]storage.Part{{To: 64 * kib}, {From: 64 * kib, To: 320 * kib, ETag: "v1"}, {From: 320 * kib, To: 1344 * kib, ETag: "v1"}, {From: 1344 * kib, To: 2368 * kib, ETag: "v1"}},
		},
		{
			"two that take turns do not disturb each other", []read{{0, 9}, {1024 * kib, 9}, {9, 9}, {1024*kib + 9, 9}},
			[]storage.Part{{To: 64 * kib}, {From: 1024 * kib, To: 1088 * kib, ETag: "v1"}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := given(version{content, "v1"})
			r := reader(t, s)
			for _, one := range test.reads {
				p := make([]byte, one.length)
				n, err := r.ReadAt(p, int64(one.at))
				require.NoError(t, err)
				require.Equal(t, content[one.at:one.at+one.length], string(p[:n]))
			}
			assert.Equal(t, test.asked, s.asked())
			require.NoError(t, r.Close())
		})
	}
}

func TestReadAtEndsWithTheContent(t *testing.T) {
	t.Parallel()
	s := given(version{"0123456789", "v1"})
	r := reader(t, s)
	p := make([]byte, 3)
	n, err := r.ReadAt(p, 8)
	require.ErrorIs(t, err, io.EOF)
	assert.Equal(t, "89", string(p[:n]))
	_, err = r.ReadAt(p, 10)
	require.ErrorIs(t, err, io.EOF)
	_, err = r.ReadAt(p, 1<<60)
	require.ErrorIs(t, err, io.EOF)
	assert.Equal(t, []storage.Part{{}}, s.asked())
	require.NoError(t, r.Close())
}

// TestReadAfterSeekGoesOverToAStream checks that the size of requests grows,
// since after a Seek a caller may want a few bytes or everything.
func TestReadAfterSeekGoesOverToAStream(t *testing.T) {
	t.Parallel()
	content := someContent(6 << 20)
	s := given(version{content, "v1"})
	r := reader(t, s)
	_, err := r.Seek(100, io.SeekStart)
	require.NoError(t, err)
	first := make([]byte, 10)
	_, err = io.ReadFull(r, first)
	require.NoError(t, err)
	assert.Equal(t, []storage.Part{{From: 100, To: 100 + 64<<10}}, s.asked(), "a few bytes")
	var rest strings.Builder
	_, err = io.Copy(struct{ io.Writer }{&rest}, r)
	require.NoError(t, err)
	assert.Equal(t, contentHash(content[100:]), contentHash(string(first)+rest.String()))
	assert.Len(t, s.asked(), 4, "64 KiB, 256 KiB, 1 MiB, and the rest as one stream")
	require.NoError(t, r.Close())
}

func TestWhatIsKeptHasALimit(t *testing.T) {
	t.Parallel()
	r := reader(t, given(version{someContent(8 << 20), "v1"}))
	for at := int64(0); at < 8<<20; at += 1 << 10 {
		_, err := r.ReadAt(make([]byte, 1<<10), at)
		require.NoError(t, err)
		sum := 0
		for _, w := range r.ahead.all() {
			sum += len(w.data)
		}
		require.LessOrEqual(t, sum, windowsKept)
	}
	require.NoError(t, r.Close())
}

// TestRandomReadsBringTheContent checks reads of every length at every offset,
// sequential and concurrent, over connections that break.
func TestRandomReadsBringTheContent(t *testing.T) {
	t.Parallel()
	content := someContent(700_000)
	const seeds, reads = 4, 300
	s := given(version{content, "v1"})
	s.transfer.Retries.Max = seeds * reads // one read may meet all faults
	r := reader(t, s)
	var readers sync.WaitGroup
	for seed := range uint64(seeds) {
		readers.Go(func() {
			random := rand.New(rand.NewPCG(seed, 1))
			for range reads {
				s.faulty(fault{after: random.IntN(70_000)})
				at, p := random.IntN(len(content)), make([]byte, 1+random.IntN(1<<random.IntN(18)))
				n, err := r.ReadAt(p, int64(at))
				if n < len(p) {
					assert.ErrorIs(t, err, io.EOF)
				} else {
					assert.NoError(t, err)
				}
				assert.Equal(t, contentHash(content[at:min(at+len(p), len(content))]), contentHash(string(p[:n])), "%d bytes at %d", len(p), at)
			}
		})
	}
	readers.Go(func() { seekAndRead(t, r, content) })
	readers.Wait()
	require.NoError(t, r.Close())
}

// seekAndRead compares Seek and Read with those of a strings.Reader.
func seekAndRead(t *testing.T, r io.ReadSeeker, content string) {
	t.Helper()
	oracle, random := bytes.NewReader([]byte(content)), rand.New(rand.NewPCG(9, 9))
	for range 300 {
		to, whence := int64(random.IntN(len(content))), io.SeekStart
		if random.IntN(3) == 0 {
			to, whence = 0, io.SeekCurrent
		}
		want, err := oracle.Seek(to, whence)
		assert.NoError(t, err)
		at, err := r.Seek(to, whence)
		assert.NoError(t, err)
		assert.Equal(t, want, at)
		p := make([]byte, 1+random.IntN(1<<random.IntN(18)))
		expected := make([]byte, len(p))
		n, err := io.ReadFull(r, p)
		m, wantErr := io.ReadFull(oracle, expected)
		assert.Equal(t, wantErr, err)
		assert.Equal(t, contentHash(string(expected[:m])), contentHash(string(p[:n])), "%d bytes at %d", len(p), at)
	}
}
