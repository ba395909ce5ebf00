package replica

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/soak"
)

// life is a record of the service.
type life struct {
	version int64 // 0: it was never there
	there   bool
	deleted bool // marked
}

// history holds a record of the service and its copy.
type history struct {
	ordered, canRead bool
	is, before       life // now, and before the last change
	sent             life // in a list that was requested earlier
	sentAs, number   int64
	older            int64 // number of the last walk, if it was the first to show an older version than the copy
	copy             known
}

// steps lists the events of a history, one letter each.
var steps = map[byte]func(h *history) error{
	'c': func(h *history) error { return h.change(life{h.is.version + 1, true, false}) },       // created, changed, restored, or created again
	'b': func(h *history) error { return h.change(life{max(h.is.version-1, 1), true, false}) }, // restored from a backup
	'd': func(h *history) error { return h.change(life{h.is.version + 1, h.is.there, true}) },
	'v': func(h *history) error { return h.change(life{h.is.version, false, false}) }, // vanishes
	's': func(h *history) error { // a list is requested, and its response is late
		h.number++
		h.sent, h.sentAs = h.is, h.number
		return nil
	},
	'r': func(h *history) error { return h.list(h.sent, h.sentAs) },               // that response
	'w': func(h *history) error { h.number++; return h.list(h.is, h.number) },     // a walk
	'l': func(h *history) error { h.number++; return h.list(h.before, h.number) }, // a walk over a list that lags
	'h': func(h *history) error { return h.read(true) },                           // a read by id because of a hint
}

func (h *history) change(to life) error {
	h.before, h.is = h.is, to
	return nil
}

func (h *history) sighting(of life, number int64, byID bool) sighting {
	s := sighting{hash: strconv.FormatInt(of.version, 10), deleted: of.deleted, number: number, byID: byID}
	if h.ordered {
		s.stamp = of.version
	}
	return s
}

// list applies a complete walk over the list, as walk does.
func (h *history) list(of life, number int64) error {
	if of.there {
		twice := h.older > 0 && h.older != number
		if h.older = 0; h.ordered && of.version < h.copy.stamp && !twice {
			h.older = number
		}
		return h.apply(see(h.copy, h.sighting(of, number, false), h.canRead), number < h.copy.read, twice && !h.canRead)
	}
	if h.copy.hash == "" || h.copy.deleted || h.copy.seen >= number {
		return nil
	}
	h.older = 0
	return h.apply(absent(h.copy, h.canRead), false, false)
}

func (h *history) read(hinted bool) error {
	h.number++
	switch {
	case !h.canRead:
		return nil
	case h.is.there:
		return h.apply(see(h.copy, h.sighting(h.is, h.number, true), true), false, true)
	case h.copy.hash == "":
		return nil
	}
	v := gone(h.copy, h.number, hinted)
	v.ask = false // only the next round reads it again
	return h.apply(v, false, false)
}

// apply checks the rules that hold on the way.
func (h *history) apply(v verdict, outdated, back bool) error {
	was := h.copy
	h.copy = v.next
	fits := map[Change]bool{
		none:     was.hash == "" && !h.copy.deleted && h.copy.hash == "" || was.hash == h.copy.hash && was.deleted == h.copy.deleted || was.deleted && h.copy.deleted,
		Created:  was.hash == "" && !h.copy.deleted,
		Updated:  was.hash != "" && was.hash != h.copy.hash && !was.deleted && !h.copy.deleted,
		Deleted:  !was.deleted && h.copy.deleted,
		Restored: was.deleted && !h.copy.deleted,
	}
	switch {
	case !fits[v.change]:
		return fmt.Errorf("%q from %+v to %+v", v.change, was, h.copy)
	case h.copy.stamp < was.stamp && !back:
		return fmt.Errorf("the version went back: %+v to %+v", was, h.copy)
	case outdated && was.hash != "" && was.hash != h.copy.hash && h.copy.stamp == 0:
		return fmt.Errorf("an older list outweighs a read: %+v to %+v", was, h.copy)
	case v.ask:
		return h.read(false)
	}
	return nil
}

// quiet checks the copy after the last change.
func (h *history) quiet() error {
	for range 3 {
		if err := steps['w'](h); err != nil {
			return err
		}
	}
	live := h.copy.hash != "" && !h.copy.deleted
	if live != (h.is.there && !h.is.deleted) || h.is.there && h.copy.hash != strconv.FormatInt(h.is.version, 10) {
		return fmt.Errorf("the service has %+v, the copy %+v", h.is, h.copy)
	}
	return nil
}

// TestEverySmallHistoryEndsWithTheTruth tries every sequence of steps.
func TestEverySmallHistoryEndsWithTheTruth(t *testing.T) {
	t.Parallel()
	tried := 0
	var extend func(h history, done string, left int)
	extend = func(h history, done string, left int) {
		tried++
		end := h
		require.NoError(t, end.quiet(), "%s, ordered %v, read by id %v", done, h.ordered, h.canRead)
		if left == 0 {
			return
		}
		for step, do := range steps {
			next := h
			require.NoError(t, do(&next), "%s%c, ordered %v, read by id %v", done, step, h.ordered, h.canRead)
			extend(next, done+string(step), left-1)
		}
	}
	for _, h := range []history{{}, {ordered: true}, {canRead: true}, {ordered: true, canRead: true}} {
		extend(h, "", soak.Times(5, 7))
	}
	t.Log(tried, "histories")
}

// A record that a list does not have is deleted only if it is not found by its
// id, or if two walks in a row did not have it.
func TestAbsentIsNotDeleted(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		canRead bool
		steps   string
		want    bool
	}{
		"absent from one walk that nothing can confirm":    {false, "cwvw", false},
		"absent, and not found":                            {true, "cwvw", true},
		"absent from a list that lags, and found":          {true, "cwvcl", false},
		"absent from two walks":                            {false, "cwvww", true},
		"absent twice, but not in a row":                   {false, "cwvwcwvw", false},
		"marked":                                           {false, "cwdw", true},
		"marked and restored":                              {false, "cwdwcw", false},
		"not found because of a hint":                      {true, "cwvh", false},
		"not found because of a hint, and again":           {true, "cwvhh", true},
		"not found because of two hints, listed between":   {true, "cwvhcwvh", false},
		"not found because of a hint, and absent":          {true, "cwvhw", true},
		"a list that still has it, after it was not found": {true, "cwvwl", true},
	} {
		h := history{canRead: test.canRead}
		for _, step := range []byte(test.steps) {
			require.NoError(t, steps[step](&h), name)
		}
		require.Equal(t, test.want, h.copy.deleted, name)
	}
}

// If a read by id did not find a record, and a list later marks it as deleted, the
// tombstone takes the content from the list.
func TestATombstoneHasTheContentOfTheMarkedRecord(t *testing.T) {
	t.Parallel()
	h := history{canRead: true}
	for _, step := range []byte("cwvwcdw") {
		require.NoError(t, steps[step](&h))
	}
	require.Equal(t, known{hash: "3", deleted: true, proven: true, seen: 4, read: 3}, h.copy)
}

// An older version is accepted when a read by id shows it or, if nothing can be
// read by id, two walks in a row.
func TestAnOlderVersionIsConfirmed(t *testing.T) {
	t.Parallel()
	for done, want := range map[string]known{
		"ccwlbw":    {stamp: 1, hash: "1", seen: 4, read: 5}, // by id
		"ccwbww":    {stamp: 1, hash: "1", seen: 3},
		"ccwbsrr":   {stamp: 2, hash: "2", missed: -1, seen: 2}, // twice in one walk
		"ccwbwlw":   {stamp: 2, hash: "2", missed: -1, seen: 4},
		"ccwbwvw":   {stamp: 2, hash: "2", missed: 1, seen: 2},
		"ccwvwwbw":  {stamp: 2, hash: "2", deleted: true, missed: -1, seen: 4},
		"ccwvwwbww": {stamp: 1, hash: "1", seen: 5},
	} {
		h := history{ordered: true, canRead: want.read > 0}
		for _, step := range []byte(done) {
			require.NoError(t, steps[step](&h), done)
		}
		require.Equal(t, want, h.copy, done)
	}
}
