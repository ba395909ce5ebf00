package rows

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/soak"
)

var (
	errLost    = errors.New("the response was lost")
	errRefused = errors.New("refused")
)

// killed ends a life in the middle of a request.
type killed struct{}

// fate is what becomes of a request, or another event of a history.
type fate string

const (
	executed    fate = "executed"
	lostAfter   fate = "executed, response lost"
	lostBefore  fate = "not executed, response lost"
	refused     fate = "refused"
	killAfter   fate = "executed, killed"
	killBefore  fate = "not executed, killed"
	unread      fate = "the record cannot be read"
	dryRun      fate = "dry run"
	colleague   fate = "a colleague edits"
	colleaguesW fate = "a colleague writes the same"
)

// there is a record with one member, which a row sets to "ours".
type there struct {
	value  string
	edits  int
	fates  []fate // of the requests of a life, in turn; then executed
	writes []string
	unread bool
}

func (w *there) view() View {
	return Write{Body: map[string]any{"a": "ours"}}.View(map[string]any{"a": w.value, "versionId": fmt.Sprint(w.edits)}, false)
}

func (w *there) edit(value string) { w.value, w.edits = value, w.edits+1 }

func (w *there) send(context.Context) error {
	next := executed
	if len(w.fates) > 0 {
		next, w.fates = w.fates[0], w.fates[1:]
	}
	switch next {
	case executed, lostAfter, killAfter:
		w.writes = append(w.writes, w.value)
		w.edit("ours")
	}
	switch next {
	case executed:
		return nil
	case refused:
		return errRefused
	case killAfter, killBefore:
		panic(killed{})
	}
	return errLost
}

// live runs a row in a process of its own, and returns what it reports; nil if
// it was killed.
func (w *there) live(t *testing.T, path string, fates ...fate) (result *Result) {
	t.Helper()
	j, err := Open(t.Context(), path, "a run", false)
	require.NoError(t, err)
	defer func() {
		require.NoError(t, j.Close())
		if broken := recover(); broken != nil && broken != (killed{}) {
			panic(broken)
		}
	}()
	w.fates = fates
	r := j.Change(t.Context(), Change{
		Key: "c:1", Send: w.send, Unclear: func(err error) bool { return errors.Is(err, errLost) },
		Look: func(context.Context) (View, error) {
			if w.unread {
				return View{}, errRefused
			}
			return w.view(), nil
		},
	})
	return &r
}

// TestAllSmallHistoriesOfAChange tries every sequence of up to three events. It
// writes only onto what was seen first, reports what is so, and is done in the
// end unless someone else has edited the record.
func TestAllSmallHistoriesOfAChange(t *testing.T) {
	t.Parallel()
	events := []fate{executed, lostAfter, lostBefore, refused, killAfter, killBefore, unread, dryRun, colleague, colleaguesW}
	histories := [][]fate{nil}
	for begin := 0; len(histories[begin]) < 3; begin++ {
		for _, event := range events {
			histories = append(histories, append(append([]fate{}, histories[begin]...), event))
		}
	}
	histories = soak.Slice(t, 8, histories, func(history []fate) string { return fmt.Sprint(history) })
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		for n, history := range histories {
			judgeChange(t, filepath.Join(dir, fmt.Sprint(n)), history)
		}
	})
	assert.GreaterOrEqual(t, len(histories), soak.Least(100))
}

func judgeChange(t *testing.T, path string, history []fate) {
	t.Helper()
	w := &there{value: "theirs"}
	var seen string // what the journal saw first; it was noted before each request
	edited, done := false, false
	for _, event := range history {
		switch event {
		case colleague, colleaguesW:
			value := "edited"
			if event == colleaguesW {
				value = "ours"
			}
			w.edit(value)
			edited = edited || seen != ""
			continue
		case dryRun:
			j, err := Open(t.Context(), path, "a run", false)
			require.NoError(t, err)
			before, err := j.See(t.Context(), "c:1", w.view())
			require.NoError(t, err)
			assert.Equal(t, done, before, history)
			if s, err := j.file.Load(t.Context(), "c:1"); err == nil && !stateOf(s).sent {
				seen, edited = w.value, false
			}
			require.NoError(t, j.Close())
			continue
		}
		wrote, value, old := len(w.writes), w.value, w.edits
		w.unread = event == unread
		r := w.live(t, path, event)
		w.unread = false
		if seen == "" && event != unread && event != refused {
			seen = value
		}
		if edited && !done {
			assert.Len(t, w.writes, wrote, "%q: written onto what someone else has edited", history)
		}
		if r == nil {
			continue
		}
		switch r.Status {
		case Accepted:
			assert.True(t, len(w.writes) > 0 || value == "ours", "%q: accepted, and never written", history)
			assert.Equal(t, done, r.Before, history)
			done = true
		case Failed, Changed:
			assert.Equal(t, old, w.edits, "%q: %s, and written", history, r.Status)
			assert.Empty(t, w.writes, "%q: %s, and written before", history, r.Status)
		case Unknown:
			assert.False(t, done, history)
		}
	}
	was, wrote := w.value, len(w.writes)
	r := w.live(t, path)
	require.NotNil(t, r)
	switch {
	case done:
		assert.Len(t, w.writes, wrote, "%q: what is done is not repeated", history)
		assert.True(t, r.Before, history)
	case !edited:
		assert.Equal(t, Accepted, r.Status, "%q: %v", history, r.Err)
		assert.Equal(t, "ours", w.value, history)
	default:
		assert.Len(t, w.writes, wrote, history)
		assert.Equal(t, was, w.value, history)
		assert.True(t, r.Status != Accepted || was == "ours", "%q: %s", history, r.Status)
	}
}

func TestAChangeThatCannotBeReadIsSentOnce(t *testing.T) {
	t.Parallel()
	j, err := Open(t.Context(), filepath.Join(t.TempDir(), "journal"), "a run", false)
	require.NoError(t, err)
	sent := 0
	change := Change{Key: "c:1", Unclear: func(error) bool { return true }, Send: func(context.Context) error {
		sent++
		return errLost
	}}
	for range 3 {
		assert.Equal(t, Unknown, j.Change(t.Context(), change).Status)
	}
	assert.Equal(t, 1, sent)
	change.Key, change.Unclear = "c:2", func(error) bool { return false }
	for range 2 {
		assert.Equal(t, Failed, j.Change(t.Context(), change).Status)
	}
	assert.Equal(t, 3, sent, "what was certainly not executed is sent again")
	require.NoError(t, j.Close())
}
