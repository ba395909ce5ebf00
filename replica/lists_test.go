package replica

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// inPlaceOf returns a client that receives another response where of returns a
// status.
func inPlaceOf(t testing.TB, server *practicetest.Server, of func(*http.Request) (status int, body string)) *practice.Client {
	t.Helper()
	return server.Client(t, practice.WithRetries(0), practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			response, err := next.RoundTrip(r)
			if status, body := of(r); err == nil && status != 0 {
				_ = response.Body.Close()
				response.StatusCode, response.Status, response.ContentLength = status, http.StatusText(status), int64(len(body))
				response.Body = io.NopCloser(strings.NewReader(body))
				response.Header.Set("Content-Type", "application/json")
				response.Header.Del("Content-Length")
			}
			return response, err
		})
	}))
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// The service responds 404 to a list whose parent is being deleted. However many
// of them follow each other, the same round reads the others.
func TestListsWithoutTheirParentDelayNoOther(t *testing.T) {
	t.Parallel()
	const without = 5
	requests := 0
	client := inPlaceOf(t, practicetest.New(t, practicetest.WithMatters(8)), func(r *http.Request) (int, string) {
		if !strings.HasSuffix(r.URL.Path, "/fees") {
			return 0, ""
		}
		if requests++; requests > without {
			return 0, ""
		}
		return http.StatusNotFound, `{}`
	})
	c := copyOf(t, client, Options{Kinds: []string{"fees"}})
	require.NoError(t, c.Sync(t.Context()))
	fees := statusOf(t, c, "fees")
	assert.Equal(t, fees.Lists-without, fees.ListsRead)
}

// That a list is refused is a fact about its kind until it is read or its parent is
// deleted, in rounds that do not request it, too.
func TestARefusedListIsRemembered(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		kind    string
		status  int
		deleted bool
	}{{"contacts", 401, false}, {"contacts", 404, false}, {"fees", 403, false}, {"fees", 404, true}} {
		server := practicetest.New(t, small...)
		firm, refused := server.Firm(), false
		client := inPlaceOf(t, server, func(r *http.Request) (int, string) {
			if refused && (strings.HasSuffix(r.URL.Path, "/contacts") || strings.HasSuffix(r.URL.Path, firm.MatterID+"/fees")) {
				return of.status, `{}`
			}
			return 0, ""
		})
		c := copyOf(t, client, Options{Kinds: []string{"groups", of.kind}})
		w, release, err := c.write(t.Context())
		require.NoError(t, err)
		defer release()
		for _, budget := range []time.Duration{0, 0, DefaultEvery} { // below matters, the last one requests only the list of a new one
			require.NoError(t, w.round(t.Context(), budget))
			assert.Equal(t, refused, strings.Contains(statusOf(t, c, of.kind).Refused, http.StatusText(of.status)), "%+v %v", of, budget)
			assert.Equal(t, !refused, statusOf(t, c, of.kind).Complete)
			assert.Empty(t, statusOf(t, c, "groups").Refused)
			server.Clock().Advance(time.Minute)
			if refused {
				server.AddMatter(models.MatterWrite{MatterTypeID: firm.MatterTypeID, ClientIDs: []string{firm.ContactID}, Status: "Open"})
			}
			refused = true
		}
		if refused = of.deleted; refused {
			_, err = client.Matters.Delete(t.Context(), firm.MatterID)
			require.NoError(t, err)
			server.Settle()
		}
		require.NoError(t, w.round(t.Context(), 0))
		assert.Empty(t, statusOf(t, c, of.kind).Refused, of)
		assert.True(t, statusOf(t, c, of.kind).Complete)
	}
}

// Lists that always fail are requested after the others, so that the others and
// the next kinds are copied, however many lists fail.
func TestListsThatAlwaysFailKeepNoOtherFromBeingCopied(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusForbidden, http.StatusInternalServerError} {
		for _, failing := range []int{1, 3, 4} {
			server := practicetest.New(t, practicetest.WithMatters(8))
			matters := slices.Sorted(slices.Values(server.Firm().MatterIDs))
			client := inPlaceOf(t, server, func(r *http.Request) (int, string) {
				matter, is := strings.CutSuffix(r.URL.Path, "/fees")
				i := slices.IndexFunc(matters[:failing], func(id string) bool { return strings.HasSuffix(matter, id) })
				if is && i >= 0 {
					return status, `{}`
				}
				return 0, ""
			})
			c := copyOf(t, client, Options{Kinds: []string{"fees", "memos"}})
			for range 3 {
				_ = c.Sync(t.Context()) // its error is that of the lists
				server.Clock().Advance(time.Minute)
			}
			all, err := c.Status(t.Context())
			require.NoError(t, err)
			for _, of := range all[1:] {
				want := of.Lists
				if of.Kind == "fees" {
					want -= failing
				}
				assert.Equal(t, want, of.ListsRead, "%s, %d lists with status %d", of.Kind, failing, status)
				assert.Equal(t, of.Kind == "memos", of.Complete, of.Kind)
			}
		}
	}
}

// However slow the service is, a round reads at least one list of each kind.
func TestARoundWithoutTimeReadsAListOfEachKind(t *testing.T) {
	t.Parallel()
	c := copyOf(t, practicetest.New(t, small...).Client(t), Options{Kinds: []string{"fees", "memos"}})
	w, release, err := c.write(t.Context())
	require.NoError(t, err)
	defer release()
	for n := 1; n <= 2; n++ {
		require.NoError(t, w.round(t.Context(), 1))
		assert.Equal(t, [2]int{n, n}, [2]int{statusOf(t, c, "fees").ListsRead, statusOf(t, c, "memos").ListsRead})
	}
}

// Records that only lists show are not deleted when all their lists are empty,
// even if each has too few records for ErrManyMissing.
func TestListsThatAreAllEmptyDeleteNothing(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, practicetest.WithMatters(16))
	empty := false
	client := inPlaceOf(t, server, func(r *http.Request) (int, string) {
		if empty && strings.HasSuffix(r.URL.Path, "/roles") {
			return http.StatusNotFound, `{}`
		}
		return 0, ""
	})
	c := copyOf(t, client, Options{Kinds: []string{"roles"}})
	require.NoError(t, c.Sync(t.Context()))
	want := stored(t, c)
	require.Greater(t, len(server.Firm().MatterIDs), many)
	empty = true
	for round := range 4 {
		server.Clock().Advance(25 * time.Hour)
		if err := c.Sync(t.Context()); round > 0 {
			require.ErrorIs(t, err, ErrManyMissing)
		}
		require.Equal(t, want, stored(t, c), round)
	}
	empty = false
	require.NoError(t, c.Sync(t.Context()))
	assert.Equal(t, want, stored(t, c))
}

func TestAFirmWithoutAnIDIsNoFirm(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	c := copyOf(t, server.Client(t), Options{Kinds: []string{"groups"}})
	for _, body := range []string{`{}`, `{"id":""}`, `{"name":"A firm"}`, `{"name":"A firm","id":""}`} {
		server.Inject(practicetest.Fault{Operation: "getFirm", Status: http.StatusOK, Body: body})
		err := c.Sync(t.Context())
		require.Error(t, err, body)
		require.NotErrorIs(t, err, ErrAnotherFirm)
	}
	status, err := c.Status(t.Context())
	require.NoError(t, err)
	assert.Empty(t, status)
	require.NoError(t, c.Sync(t.Context()))
	server.Inject(practicetest.Fault{Operation: "getFirm", Status: http.StatusOK, Body: `{}`})
	require.NotErrorIs(t, c.Sync(t.Context()), ErrAnotherFirm, "it would end Run")
}

// The mark of a list advances only after the records that it did not have were
// read by their ids. One that is hidden by its id, too, is kept.
func TestAnAbsentRecordThatCannotBeReadIsKept(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusForbidden, http.StatusInternalServerError} {
		server := practicetest.New(t, small...)
		c := copyOf(t, server.Client(t, practice.WithRetries(0)), Options{Kinds: []string{"events"}})
		require.NoError(t, c.Sync(t.Context()))
		before, want, absent := statusOf(t, c, "events").TrueAt, stored(t, c), server.EventIDs()[0]
		server.ForgetEvent(absent)
		server.Clock().Advance(25 * time.Hour)
		server.Inject(practicetest.Fault{Operation: "getEvent", Status: status, Times: -1})
		hidden := c.Sync(t.Context()) == nil
		assert.Equal(t, status == http.StatusForbidden, hidden)
		assert.Equal(t, hidden, statusOf(t, c, "events").TrueAt.After(before))
		assert.Empty(t, statusOf(t, c, "events").Refused)
		assert.Equal(t, want, stored(t, c))
		server.ClearFaults()
		server.Clock().Advance(25 * time.Hour)
		require.NoError(t, c.Sync(t.Context()))
		assert.NotContains(t, stored(t, c), "events "+absent)
	}
}
