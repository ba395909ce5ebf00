package replica

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

// statusOf returns the status of a kind.
func statusOf(t *testing.T, c *Copy, kind string) KindStatus {
	t.Helper()
	all, err := c.Status(t.Context())
	require.NoError(t, err)
	i := slices.IndexFunc(all, func(of KindStatus) bool { return of.Kind == kind })
	require.GreaterOrEqual(t, i, 0, kind)
	return all[i]
}

// Lists below the parents that are known are not all lists while the list of the
// parents was not read to its end.
func TestAKindBelowAnIncompleteListIsNotComplete(t *testing.T) {
	t.Parallel()
	list := madeOf("/matters", practice.MaxPageSize+10)
	client := inPlaceOf(t, practicetest.New(t, small...), func(r *http.Request) (int, string) {
		if strings.HasSuffix(r.URL.Path, "/fees") {
			return http.StatusOK, pageOf(nil, 0)
		}
		return list.serve(r)
	})
	list.broken = true
	c := copyOf(t, client, Options{Kinds: []string{"fees"}})
	require.Error(t, c.Sync(t.Context()))
	fees := statusOf(t, c, "fees")
	assert.Equal(t, KindStatus{Kind: "fees", Lists: practice.MaxPageSize, ListsRead: practice.MaxPageSize}, fees)
	list.broken = false
	require.NoError(t, c.Sync(t.Context()))
	fees = statusOf(t, c, "fees")
	assert.True(t, fees.Complete)
	assert.Equal(t, len(list.ids), fees.ListsRead)
	assert.Equal(t, statusOf(t, c, "matters").TrueAt, fees.TrueAt)
}

// A list of a matter that nobody has seen yet may have records, so a kind is as
// late as the list of its parents.
func TestAKindIsAsLateAsTheListOfItsParents(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	c := copyOf(t, server.Client(t), Options{Kinds: []string{"fees"}})
	require.NoError(t, c.Sync(t.Context()))
	before := statusOf(t, c, "matters").TrueAt
	server.Inject(practicetest.Fault{Operation: "listMatters", Status: http.StatusForbidden, Times: -1})
	server.Clock().Advance(25 * time.Hour)
	require.NoError(t, c.Sync(t.Context()))
	assert.Equal(t, before, statusOf(t, c, "matters").TrueAt)
	assert.Equal(t, before, statusOf(t, c, "fees").TrueAt)
}
