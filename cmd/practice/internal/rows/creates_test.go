package rows

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/cmd/practice/internal/finders"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/once"
)

// created is a service whose records a finder tells apart by their group only.
// late records are listed after the search limit of a life.
type created struct {
	records []record
	fates   map[string][]fate // by content; then executed
	again   bool
}

type record struct {
	id, group, content string
	listed             time.Time
}

const executedLate fate = "executed, response lost, listed late"

func (w *created) row(key, group, content string) Create {
	return Create{
		Key: key, Group: group, Content: content, Settle: time.Minute, Again: w.again,
		Send: func(context.Context, once.Intent) (string, error) { return w.send(group, content) },
		Find: func(_ context.Context, since time.Time) (ids []string, err error) {
			for _, r := range w.records {
				if r.group == group && !r.listed.After(time.Now()) && !r.listed.Before(since) {
					ids = append(ids, r.id)
				}
			}
			return ids, nil
		},
	}
}

func (w *created) send(group, content string) (string, error) {
	next := executed
	if fates := w.fates[content]; len(fates) > 0 {
		next, w.fates[content] = fates[0], fates[1:]
	}
	id, listed := fmt.Sprintf("id %d", len(w.records)), time.Now()
	if next == executedLate {
		listed = listed.Add(10 * time.Minute)
	}
	switch next {
	case executed, lostAfter, killAfter, executedLate:
		w.records = append(w.records, record{id, group, content, listed})
	}
	switch next {
	case executed:
		return id, nil
	case refused:
		return "", &practice.Error{StatusCode: 400}
	case killAfter, killBefore:
		panic(killed{})
	}
	return "", errLost
}

// live runs the rows in a process, one after the other, and returns the results
// of those that ended.
func (w *created) live(t *testing.T, path string, rows []Create) (results map[string]Result) {
	t.Helper()
	results = map[string]Result{}
	j, err := Open(t.Context(), path, "a run", false)
	require.NoError(t, err)
	defer func() {
		require.NoError(t, j.Close())
		if broken := recover(); broken != nil && broken != (killed{}) {
			panic(broken)
		}
	}()
	for _, r := range rows {
		require.NoError(t, j.Begun(t.Context(), r.Key, r.Group, r.Content))
	}
	for _, r := range rows {
		results[r.Key] = j.Create(t.Context(), r)
	}
	return results
}

// TestAllSmallHistoriesOfCreates tries three rows, whose records a finder may
// confuse, with every fate of their first requests, twice: no content has two
// records, no row has the record of another content, and a report is true.
func TestAllSmallHistoriesOfCreates(t *testing.T) {
	t.Parallel()
	fates := []fate{executed, lostAfter, lostBefore, executedLate, refused, killAfter, killBefore}
	type history struct {
		name  string
		fates map[string][]fate
	}
	var all []history
	for _, a := range fates {
		for _, b := range fates {
			for _, again := range fates {
				all = append(all,
					history{fmt.Sprint(a, "/", b, "/", again, "/executed"), map[string][]fate{"a": {a, again}, "b": {b}}},
					history{fmt.Sprint(a, "/", b, "/executed/", again), map[string][]fate{"a": {a}, "b": {b, again}}})
			}
		}
	}
	all = soak.Slice(t, 6, all, func(h history) string { return h.name })
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		for n, h := range all {
			w := &created{fates: h.fates}
			judgeCreates(t, filepath.Join(dir, fmt.Sprint(n)), h.name, w)
		}
	})
	assert.GreaterOrEqual(t, len(all), soak.Least(80))
}

func judgeCreates(t *testing.T, path, name string, w *created) {
	t.Helper()
	rows := []Create{w.row("c:a", "g", "a"), w.row("c:b", "g", "b"), w.row("c:c", "other", "c")}
	accepted := map[string]string{}
	for range 4 {
		for key, r := range w.live(t, path, rows) {
			content := strings.TrimPrefix(key, "c:")
			mine := slices.IndexFunc(w.records, func(r record) bool { return r.content == content })
			switch r.Status {
			case Accepted:
				require.GreaterOrEqual(t, mine, 0, "%s: %s is accepted, and has no record", name, key)
				assert.Equal(t, w.records[mine].id, r.ID, "%s: %s has the record of another row", name, key)
				if old, twice := accepted[key]; twice {
					assert.Equal(t, old, r.ID, "%s: %s", name, key)
					assert.True(t, r.Before, name)
				}
				accepted[key] = r.ID
			case Failed:
				assert.Negative(t, mine, "%s: %s failed, and has a record", name, key)
			default:
				assert.Empty(t, accepted[key], "%s: %s was accepted before", name, key)
			}
		}
	}
	counts := map[string]int{}
	for _, r := range w.records {
		counts[r.content]++
		assert.Equal(t, 1, counts[r.content], "%s: %s was created twice", name, r.content)
	}
	assert.Equal(t, 1, counts["c"], "%s: a row that nothing befell", name)
}

// TestEqualRowsMayHaveEachOthersRecords loses the responses of rows with one
// content, which were numbered.
func TestEqualRowsMayHaveEachOthersRecords(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &created{fates: map[string][]fate{"a": {lostAfter, executed, lostAfter}}}
		rows := []Create{w.row("c:a", "g", "a"), w.row("c:a#2", "g", "a"), w.row("c:a#3", "g", "a")}
		results := w.live(t, filepath.Join(t.TempDir(), "journal"), rows)
		ids := map[string]bool{}
		for key, r := range results {
			require.Equal(t, Accepted, r.Status, "%s: %v", key, r.Err)
			ids[r.ID] = true
		}
		assert.Len(t, ids, 3)
		assert.Len(t, w.records, 3)
	})
}

// TestRowsOfAGroupWaitForEachOther counts the requests under way: a kill then
// leaves one row of the group whose outcome is unknown.
func TestRowsOfAGroupWaitForEachOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		j, err := Open(t.Context(), filepath.Join(t.TempDir(), "journal"), "a run", false)
		require.NoError(t, err)
		var under, most atomic.Int64
		var working sync.WaitGroup
		for n := range 4 {
			working.Go(func() {
				r := j.Create(t.Context(), Create{Key: fmt.Sprint(n), Group: "g", Content: fmt.Sprint(n), Send: func(context.Context, once.Intent) (string, error) {
					most.Store(max(most.Load(), under.Add(1)))
					<-time.After(time.Second)
					under.Add(-1)
					return fmt.Sprint(n), nil
				}})
				assert.Equal(t, Accepted, r.Status)
			})
		}
		working.Wait()
		assert.Equal(t, int64(1), most.Load())
		require.NoError(t, j.Close())
	})
}

// TestWithAgainARowThatIsNotFoundIsCreated lets a request be lost on the way.
func TestWithAgainARowThatIsNotFoundIsCreated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &created{fates: map[string][]fate{"a": {killBefore}}}
		path := filepath.Join(t.TempDir(), "journal")
		assert.Empty(t, w.live(t, path, []Create{w.row("c:a", "g", "a")}))
		assert.Equal(t, Unknown, w.live(t, path, []Create{w.row("c:a", "g", "a")})["c:a"].Status)
		w.again = true
		assert.Equal(t, Accepted, w.live(t, path, []Create{w.row("c:a", "g", "a")})["c:a"].Status)
		assert.Len(t, w.records, 1)
	})
}

func TestACreateWithoutAFinderIsNeverRepeated(t *testing.T) {
	t.Parallel()
	w := &created{fates: map[string][]fate{"a": {lostBefore}}, again: true}
	path := filepath.Join(t.TempDir(), "journal")
	row := w.row("c:a", "g", "a")
	row.Find = nil
	for range 3 {
		r := w.live(t, path, []Create{row})["c:a"]
		assert.Equal(t, Unknown, r.Status)
		require.ErrorIs(t, r.Err, finders.ErrNone)
	}
	assert.Empty(t, w.records)
}

func TestAJournalIsThatOfOneRun(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	for _, noted := range []string{"createFee, firm 2", "createFee, firm 1"} { // only a dry run of the same rows counts
		j, err := Open(t.Context(), path, noted, true)
		require.NoError(t, err)
		_, err = j.See(t.Context(), "k:0", View{Version: noted})
		require.NoError(t, err)
		require.NoError(t, j.Close())
	}
	j, err := Open(t.Context(), path, "createFee, firm 1", false)
	require.NoError(t, err)
	assert.False(t, j.Resumed())
	seen, err := j.file.Load(t.Context(), "k:0")
	require.NoError(t, err)
	assert.Equal(t, "createFee, firm 1", stateOf(seen).seen)
	require.NoError(t, j.Claim(t.Context(), "k:1", "content"))
	require.NoError(t, j.Claim(t.Context(), "k:1", "corrected before it was sent"))
	w := &created{}
	row := w.row("k:1", "g", "a")
	require.Equal(t, Accepted, j.Create(t.Context(), row).Status)
	require.NoError(t, j.Claim(t.Context(), "k:1", "corrected before it was sent"))
	require.ErrorIs(t, j.Claim(t.Context(), "k:1", "another"), ErrOtherValues)
	require.NoError(t, j.Close())
	_, err = Open(t.Context(), path, "createFee, firm 2", false)
	require.ErrorIs(t, err, ErrOtherRun)
	j, err = Open(t.Context(), path, "createFee, firm 1", false)
	require.NoError(t, err)
	assert.True(t, j.Resumed())
	require.NoError(t, j.Close())
	require.NoError(t, os.Remove(path))
}
