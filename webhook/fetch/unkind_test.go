package fetch_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
	"github.com/practicesdk/practice-go/webhook/fetch"
	"github.com/practicesdk/practice-go/webhook/subscribe"
)

// contacts is a copy of the contacts and matters of a firm, updated by handlers
// as in the package documentation.
type contacts struct {
	mu      sync.Mutex
	known   map[string]string // names by id
	matters map[string]string // descriptions by id
	fees    map[string]string // subjects by id
}

func (c *contacts) handleFee(_ context.Context, e *fetch.Event[models.Fee]) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fees[e.ID] = e.Record.Subject
	return nil
}

func (c *contacts) handleMatter(_ context.Context, e *fetch.Event[models.Matter]) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.matters[e.ID] = e.Record.Description
	return nil
}

func (c *contacts) handle(_ context.Context, e *fetch.Event[models.Contact]) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case e.Gone(), e.Record.IsDeleted.Or(false):
		delete(c.known, e.ID)
	default:
		c.known[e.ID] = e.Record.Company.Name
	}
	return nil
}

// follow updates a copy from an unkind service, whose events arrive before
// their records change and in any order.
func follow(t *testing.T, options ...webhook.Option) (*practicetest.Server, *practice.Client, *contacts) {
	t.Helper()
	server := practicetest.New(t, practicetest.WithConsistency(practicetest.Unkind()))
	client := server.Client(t)
	receiver, err := webhook.NewReceiver(server.Credentials().ClientID, webhook.Keys(key), options...)
	require.NoError(t, err)
	c := &contacts{known: map[string]string{}, matters: map[string]string{}, fees: map[string]string{}}
	for _, eventType := range []models.EventOf[models.Contact]{
		models.EventTypeContactCreated, models.EventTypeContactUpdated, models.EventTypeContactDeleted, models.EventTypeContactRestored,
	} {
		fetch.On(receiver, fetch.From(client), eventType, c.handle)
	}
	fetch.On(receiver, fetch.From(client), models.EventTypeMatterUpdated, c.handleMatter)
	fetch.On(receiver, fetch.From(client), models.EventTypeFeeUpdated, c.handleFee)
	mux := http.NewServeMux()
	mux.Handle("POST /hooks", receiver)
	address, err := server.Mount(mux)
	require.NoError(t, err)
	_, err = subscribe.Ensure(t.Context(), client, subscribe.Spec{
		Name: "Contacts", EventNotificationURL: address + "/hooks", Key: models.NewSecret(key), EventTypes: models.EventTypes(),
	})
	require.NoError(t, err)
	if len(options) > 0 {
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- receiver.Run(ctx) }()
		t.Cleanup(func() { stop(); assert.NoError(t, <-done) })
	}
	return server, client, c
}

// settle waits for all writes, their events and the handlers.
func settle(t *testing.T, server *practicetest.Server) {
	t.Helper()
	<-time.After(time.Minute)
	synctest.Wait()
	require.NoError(t, server.Flush(t.Context()))
}

func TestACopyFollowsAnUnkindService(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]func(*testing.T) []webhook.Option{
		"within requests": func(*testing.T) []webhook.Option { return nil },
		"from a queue": func(t *testing.T) []webhook.Option {
			queue, err := webhook.NewMemoryQueue(1000)
			require.NoError(t, err)
			return []webhook.Option{webhook.WithQueue(queue), webhook.WithSerialRecords()}
		},
		"from a queue that tries once": func(t *testing.T) []webhook.Option {
			queue, err := webhook.NewMemoryQueue(1000)
			require.NoError(t, err)
			return []webhook.Option{
				webhook.WithQueue(queue), webhook.WithRetryPolicy(webhook.RetryPolicy{Attempts: 1, First: time.Second, Max: time.Second}),
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { copyFollows(t, options(t)...) })
		})
	}
}

func copyFollows(t *testing.T, options ...webhook.Option) {
	const count = 30
	server, client, c := follow(t, options...)
	company := func(i int, what string) models.ContactWrite {
		return models.ContactWrite{Company: models.CompanyWrite{Name: fmt.Sprintf("%s %d Ltd", what, i)}}
	}
	var ids []string
	for i := range count {
		created, err := client.Contacts.Create(t.Context(), company(i, "New"))
		require.NoError(t, err)
		ids = append(ids, created.ID)
	}
	settle(t, server)
	require.Len(t, c.known, count, "created")
	for i, id := range ids {
		assert.Equal(t, fmt.Sprintf("New %d Ltd", i), c.known[id])
		_, err := client.Contacts.Update(t.Context(), id, company(i, "Changed"))
		require.NoError(t, err)
	}
	for _, id := range server.Firm().MatterIDs {
		_, err := client.Matters.Patch(t.Context(), id, models.MatterPatch{Description: models.Some("Changed")})
		require.NoError(t, err)
	}
	fees := map[string]string{}
	for fee, err := range client.Fees.All(t.Context(), server.Firm().MatterIDs[0], practice.FeeListOptions{}) {
		require.NoError(t, err)
		_, err = client.Fees.Patch(t.Context(), server.Firm().MatterIDs[0], fee.ID, models.FeePatch{Subject: models.Some("Changed")})
		require.NoError(t, err)
		fees[fee.ID] = "Changed"
	}
	settle(t, server)
	require.NotEmpty(t, fees)
	assert.Equal(t, fees, c.fees)
	assert.Len(t, c.matters, len(server.Firm().MatterIDs))
	for id, description := range c.matters {
		assert.Equal(t, "Changed", description, id)
	}
	for i, id := range ids {
		assert.Equal(t, fmt.Sprintf("Changed %d Ltd", i), c.known[id])
		_, err := client.Contacts.Delete(t.Context(), id)
		require.NoError(t, err)
	}
	settle(t, server)
	assert.Empty(t, c.known, "deleted")
}
