package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newDatabase(t *testing.T) *copied {
	t.Helper()
	file := filepath.Join(t.TempDir(), "copy #1?.db")
	db, err := openDatabase(t.Context(), file)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "it holds keys")
	return db
}

func TestAnEventTakesEffectOnceAndNeverAfterANewerOne(t *testing.T) {
	t.Parallel()
	db := newDatabase(t)
	for _, step := range []struct {
		rule    string
		event   change
		related []string
		want    outcome
		after   []string
	}{
		{"the first", change{identity: "1", resource: "a", timestamp: 10}, []string{"x", "y"}, applied, []string{"x", "y"}},
		{"the same again", change{identity: "1", resource: "a", timestamp: 10}, []string{"z"}, repeated, []string{"x", "y"}},
		{"an older one", change{identity: "2", resource: "a", timestamp: 9}, nil, overtaken, []string{"x", "y"}},
		{"the older one again", change{identity: "2", resource: "a", timestamp: 9}, nil, repeated, []string{"x", "y"}},
		{"another of the same time", change{identity: "3", resource: "a", timestamp: 10}, []string{"z", "z"}, applied, []string{"z"}},
		{"an older one of another account", change{identity: "4", account: "b", resource: "a", timestamp: 1}, nil, applied, []string{"z"}},
		{"a contact that is gone", change{identity: "5", resource: "a", timestamp: 11}, nil, applied, nil},
	} {
		did, err := db.apply(t.Context(), step.event, step.related)
		require.NoError(t, err, step.rule)
		assert.Equal(t, step.want, did, step.rule)
		assert.ElementsMatch(t, step.after, related(t, db, "a"), step.rule)
	}
	for _, want := range []outcome{noted, repeated} {
		did, err := db.note(t.Context(), change{identity: "6", kind: "error"})
		require.NoError(t, err)
		assert.Equal(t, want, did)
	}
	events, contacts, relations, err := db.totals(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []int{6, 2, 0}, []int{events, contacts, relations})
}

func TestAnEventWhoseEffectFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	db := newDatabase(t)
	_, err := db.ExecContext(t.Context(), `CREATE TRIGGER full BEFORE INSERT ON relations BEGIN SELECT RAISE(ABORT, 'full'); END`)
	require.NoError(t, err)
	event := change{identity: "1", resource: "a", timestamp: 10}
	_, err = db.apply(t.Context(), event, []string{"x"})
	require.ErrorContains(t, err, "full")
	_, err = db.ExecContext(t.Context(), `DROP TRIGGER full`)
	require.NoError(t, err)
	did, err := db.apply(t.Context(), event, []string{"x"})
	require.NoError(t, err)
	assert.Equal(t, applied, did)
}

func TestKeysAreMadeUpOnceAndThoseOfTheEnvironmentWin(t *testing.T) {
	t.Parallel()
	db := newDatabase(t)
	first, err := db.keys(context.Background(), nothing)
	require.NoError(t, err)
	again, err := db.keys(context.Background(), nothing)
	require.NoError(t, err)
	assert.True(t, first.webhook.Equal(again.webhook))
	_, own := again.requestID.Verify(first.requestID.NewRequestID())
	assert.True(t, own)
	given, err := db.keys(context.Background(), func(name string) string {
		return map[string]string{"PRACTICE_WEBHOOK_KEY": "of the environment"}[name]
	})
	require.NoError(t, err)
	assert.Equal(t, "of the environment", given.webhook.Reveal())
}
