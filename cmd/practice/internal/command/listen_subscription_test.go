package command

import (
	"context"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/once"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestOnlyOwnSubscriptionsAreRemoved has subscriptions that look like those of a
// listener.
func TestOnlyOwnSubscriptionsAreRemoved(t *testing.T) {
	b := newBooth(t)
	first, second := b.listen(), b.listen()
	var mine models.WebhookSubscription
	for _, s := range b.subscriptions() {
		if s.EventNotificationURL == second.address {
			mine = s
		}
	}
	write := models.WebhookSubscriptionWrite{Name: mine.Name, EventTypes: mine.EventTypes, EventNotificationURL: mine.EventNotificationURL + "/", Key: models.Null[models.Secret]()}
	_, err := b.client.Webhooks.Create(t.Context(), write)
	require.NoError(t, err)
	_, err = b.client.Webhooks.Update(t.Context(), mine.ID, write) // somebody takes it
	require.NoError(t, err)
	others := slices.DeleteFunc(b.subscriptions(), func(s models.WebhookSubscription) bool { return s.EventNotificationURL == first.address })
	second.stop()
	b.Emit(personal)
	require.NoError(t, b.Flush(t.Context()))
	third := b.listen()
	third.stop()
	assert.Len(t, b.subscriptions(), len(others)+1, "the first still runs")
	assert.Len(t, b.received, 1)
	first.stop()
	assert.Equal(t, others, b.subscriptions())
	assert.Empty(t, b.notes())
}

// TestAFaultAtAnyRequestLeavesNothingBehind loses each request of a start in
// turn, or its response. The next start removes what was left.
func TestAFaultAtAnyRequestLeavesNothingBehind(t *testing.T) {
	b := newBooth(t)
	others := b.subscriptions()
	for _, operation := range []string{"listWebhookTypes", "createWebhook", "listWebhooks", "getWebhook", "deleteWebhook"} {
		for name, fault := range map[string]practicetest.Fault{
			"lost response": {Kind: practicetest.FaultResetAfter},
			"cut response":  {Kind: practicetest.FaultTruncated},
			"forbidden":     {Status: 403},
		} {
			fault.Operation = operation
			before := b.notes()
			b.Inject(fault)
			first := b.listen().stop()
			assert.Empty(t, b.Faults(), "%s: %s", operation, name)
			if first.code == exitDone {
				assert.Equal(t, before, b.notes(), "%s: %s", operation, name)
			}
			again := b.listen().stop()
			assert.Equal(t, exitDone, again.code, "%s: %s: %s", operation, name, again.err)
			assert.Equal(t, others, b.subscriptions(), "%s: %s: %s", operation, name, first.err)
		}
	}
}

// TestACreateThatDidNotArriveIsLookedFor interrupts the search.
func TestACreateThatDidNotArriveIsLookedFor(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := newBooth(t, practicetest.WithRequestHandler(func(r practicetest.RecordedRequest) {
		if r.Operation == "listWebhooks" {
			cancel()
		}
	}))
	b.Inject(practicetest.Fault{Operation: "createWebhook", Kind: practicetest.FaultResetBefore})
	var errs locked
	env := variables(t, map[string]string{"PRACTICE_CONFIG_DIR": b.folder})
	code := Run(ctx, []string{"--sandbox=" + b.file, "webhooks", "listen", "--forward-to", b.program.URL}, Streams{strings.NewReader(""), io.Discard, &errs}, env)
	assert.Equal(t, exitUnknown, code, errs.String())
	assert.Contains(t, errs.String(), "webhooks list")
	assert.Len(t, b.notes(), 2, "a later start looks again")
}

// TestNotesOfKilledStarts has notes of starts that were killed at some time.
func TestNotesOfKilledStarts(t *testing.T) {
	b := newBooth(t)
	firm := "sandbox " + b.file
	for name, row := range map[string]struct {
		firm          string
		age           time.Duration
		subscribed    bool
		held          bool // the start still runs
		kept, removed bool
	}{
		"killed before the create":      {firm: firm, age: time.Minute, kept: true},
		"long ago":                      {firm: firm, age: 2 * time.Hour},
		"killed after the create":       {firm: firm, age: time.Minute, subscribed: true, removed: true},
		"long ago, after the create":    {firm: firm, age: 2 * time.Hour, subscribed: true, removed: true},
		"still running":                 {firm: firm, age: 2 * time.Hour, subscribed: true, held: true, kept: true},
		"of another firm":               {firm: "another", age: 2 * time.Hour, subscribed: true, kept: true},
		"killed before the note itself": {},
	} {
		require.NoError(t, os.MkdirAll(filepath.Join(b.folder, "listeners"), 0o700))
		path := filepath.Join(b.folder, "listeners", "OLD.journal")
		journal, err := once.Open(path)
		require.NoError(t, err)
		own := note{Firm: row.firm, Address: "http://127.0.0.1:1/" + url.PathEscape(name)}
		if row.firm != "" {
			require.NoError(t, journal.Store(t.Context(), noteKey, once.Entry{}, once.Entry{Intent: once.Intent{At: time.Now().Add(-row.age)}, ID: string(encode(own))}))
		}
		if !row.held {
			require.NoError(t, journal.Close())
		}
		if row.subscribed {
			_, err := b.client.Webhooks.Create(t.Context(), models.WebhookSubscriptionWrite{
				Name: "x", EventTypes: []models.EventType{"matter.updated"}, EventNotificationURL: own.Address, Key: models.Null[models.Secret](),
			})
			require.NoError(t, err)
		}
		before := len(b.subscriptions())
		assert.Equal(t, exitDone, b.listen().stop().code, name)
		if row.removed {
			before--
		}
		assert.Len(t, b.subscriptions(), before, name)
		_, err = os.Stat(path)
		assert.Equal(t, row.kept, err == nil, name)
		_ = journal.Close() // it may be closed already
		require.NoError(t, os.RemoveAll(filepath.Join(b.folder, "listeners")))
	}
}
