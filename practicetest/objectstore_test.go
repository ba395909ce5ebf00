package practicetest_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/practicetest/internal/objectstore"
)

// outside is an external object store on loopback.
type outside struct {
	*objectstore.Store
	url   string
	ahead atomic.Int64 // nanoseconds by which its clock is ahead
	down  atomic.Bool  // does not respond
	mute  atomic.Bool  // returns no addresses
}

func newOutside(t *testing.T) *outside {
	t.Helper()
	o := &outside{}
	o.Store = objectstore.New(func() time.Time { return time.Now().Add(time.Duration(o.ahead.Load())) }, []byte("outside"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if o.down.Load() {
			panic(http.ErrAbortHandler)
		}
		o.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	o.url = server.URL
	return o
}

func (o *outside) sign(r practicetest.PresignRequest) (string, error) {
	if o.mute.Load() {
		return "", errors.New("no key")
	}
	return o.Presign(r.Method, r.Key, r.Expiry, o.url, r.Query.Get(objectstore.DispositionQuery)), nil
}

// onOwnStore runs a test with both kinds of services, which keep content in an
// external store.
func onOwnStore(t *testing.T, test func(t *testing.T, s *practicetest.Server, o *outside)) {
	t.Helper()
	options := func(o *outside) []practicetest.Option {
		return []practicetest.Option{
			practicetest.WithObjectStore(o.sign), practicetest.WithSeed(1), practicetest.WithMatters(1), practicetest.WithEvents(0),
			practicetest.WithWriteDelay(0), practicetest.WithStrict(true),
		}
	}
	t.Run("in memory", func(t *testing.T) {
		t.Parallel()
		o := newOutside(t)
		test(t, practicetest.New(t, options(o)...), o)
	})
	t.Run("over TCP", func(t *testing.T) {
		t.Parallel()
		o := newOutside(t)
		s, err := practicetest.Start(options(o)...)
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, s.Close()) })
		test(t, s, o)
	})
}

func TestContentLiesInAStoreOfOnesOwn(t *testing.T) {
	t.Parallel()
	onOwnStore(t, func(t *testing.T, s *practicetest.Server, o *outside) {
		client, matter := s.Client(t), s.Firm().MatterID
		seeded, err := client.Documents.GetDownloadURL(t.Context(), matter, s.Firm().FileID, practice.DownloadURLOptions{})
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(seeded.DownloadURL.Reveal(), o.url+"/"))
		var got bytes.Buffer
		_, err = client.Documents.Download(t.Context(), matter, s.Firm().FileID, &got, practice.DownloadOptions{})
		require.NoError(t, err)
		content, ok := s.FileContent(s.Firm().FileID)
		require.True(t, ok)
		assert.Equal(t, string(content), got.String())
		inside := objectstore.New(time.Now, objectstore.SigningKey(1))
		for key := range o.Objects() {
			address := inside.Presign(http.MethodGet, key, time.Now().Add(time.Hour), s.StorageURL(), "")
			assert.Equal(t, http.StatusNotFound, call(t, s).storage(http.MethodGet, address, "", nil).Status, "nothing lies inside")
		}

		made, err := client.Documents.Upload(t.Context(), matter, practice.Upload{Name: "a.txt", Body: strings.NewReader("first")})
		require.NoError(t, err)
		entries := map[string]int64{}
		for entry, err := range client.Documents.AllEntries(t.Context(), matter, "") {
			require.NoError(t, err)
			if entry.File != nil && entry.File.IsUploaded.Or(false) {
				entries[entry.ID()] = entry.File.SizeBytes.Or(-1)
			}
		}
		assert.Equal(t, int64(5), entries[made.ID], "the listing knows what has arrived")
		_, err = client.Documents.UploadVersion(t.Context(), matter, made.ID, practice.Upload{Body: strings.NewReader("second!")})
		require.NoError(t, err)
		content, ok = s.FileContent(made.ID)
		require.True(t, ok)
		assert.Equal(t, "second!", string(content))
		assert.Empty(t, s.Violations())
	})
}

func TestAnAddressOfAStoreOfOnesOwnIsGoodMoreThanOnce(t *testing.T) {
	t.Parallel()
	onOwnStore(t, func(t *testing.T, s *practicetest.Server, _ *outside) {
		client, matter := s.Client(t), s.Firm().MatterID
		to, err := client.Documents.GetUploadURL(t.Context(), matter, s.Firm().FileID)
		require.NoError(t, err)
		for _, content := range []string{"once", "once more"} {
			call(t, s).storage(http.MethodPut, to.UploadURL.Reveal(), content, nil)
			from, err := client.Documents.GetDownloadURL(t.Context(), matter, strings.ToUpper(s.Firm().FileID), practice.DownloadURLOptions{})
			require.NoError(t, err)
			assert.EqualValues(t, len(content), from.SizeBytes.Or(-1))
			got := call(t, s).storage(http.MethodGet, from.DownloadURL.Reveal(), "", nil)
			assert.Equal(t, content, got.Body)
			assert.Contains(t, got.Header.Get("Content-Disposition"), "1. Agenda.docx")
		}
	})
}

func TestVersionsFollowEachOtherAsTheyArrive(t *testing.T) {
	t.Parallel()
	onOwnStore(t, func(t *testing.T, s *practicetest.Server, o *outside) {
		client, matter, file := s.Client(t), s.Firm().MatterID, s.Firm().FileID
		addresses := make([]string, 3)
		for i := range addresses {
			to, err := client.Documents.GetUploadURL(t.Context(), matter, file)
			require.NoError(t, err)
			addresses[i] = to.UploadURL.Reveal()
		}
		for _, i := range []int{2, 0, 1} {
			call(t, s).storage(http.MethodPut, addresses[i], strings.Repeat("x", 10+i), nil)
			o.ahead.Add(int64(time.Second))
		}
		from, err := client.Documents.GetDownloadURL(t.Context(), matter, file, practice.DownloadURLOptions{})
		require.NoError(t, err)
		assert.EqualValues(t, 11, from.SizeBytes.Or(-1), "the one that came last")
	})
}

func TestAStoreOfOnesOwnThatIsAway(t *testing.T) {
	t.Parallel()
	onOwnStore(t, func(t *testing.T, s *practicetest.Server, o *outside) {
		client, matter := s.Client(t, practice.WithRetries(0)), s.Firm().MatterID
		made, err := client.Documents.CreateFile(t.Context(), matter, models.FileCreate{FileName: "a.txt"})
		require.NoError(t, err)
		o.down.Store(true)
		_, err = client.Documents.GetDownloadURL(t.Context(), matter, made.FileID, practice.DownloadURLOptions{})
		unavailable(t, err, "The object store does not respond")
		_, ok := s.FileContent(made.FileID)
		assert.False(t, ok)
		_, err = client.Staff.Get(t.Context(), s.Firm().StaffID)
		require.NoError(t, err, "the rest of the service needs no store")

		o.down.Store(false)
		o.mute.Store(true)
		_, err = client.Documents.GetUploadURL(t.Context(), matter, s.Firm().FileID)
		unavailable(t, err, "no key")
		_, err = client.Documents.CreateFile(t.Context(), matter, models.FileCreate{FileName: "b.txt"})
		unavailable(t, err, "no key")
	})
}

// unavailable requires a 503 whose message contains the reason but no address.
func unavailable(t *testing.T, err error, reason string) {
	t.Helper()
	require.ErrorIs(t, err, practice.ErrServer)
	require.ErrorContains(t, err, "503")
	require.ErrorContains(t, err, reason)
	assert.NotContains(t, err.Error(), "Signature=")
}

func TestAServiceDoesNotStartWithoutItsStore(t *testing.T) {
	t.Parallel()
	o := newOutside(t)
	o.down.Store(true)
	_, err := practicetest.Start(practicetest.WithObjectStore(o.sign))
	require.ErrorContains(t, err, "practicetest: cannot copy the initial files to the object store: ")
	assert.NotContains(t, err.Error(), "Signature=")
	o.down.Store(false)
	_, err = practicetest.Start(practicetest.WithObjectStore(func(r practicetest.PresignRequest) (string, error) {
		return objectstore.New(time.Now, []byte("wrong")).Presign(r.Method, r.Key, r.Expiry, o.url, ""), nil
	}))
	require.ErrorContains(t, err, "PUT returned 403 Forbidden")
	_, err = practicetest.Start(practicetest.WithObjectStore(func(practicetest.PresignRequest) (string, error) { return ":", nil }))
	require.Error(t, err)
}
