package webhook_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

// claimed is a store with a fixed response for the event.
type claimed struct {
	*hanging
	answer webhook.Claim
}

func (c *claimed) Claim(context.Context, string, string, time.Duration) (webhook.Claim, error) {
	return c.answer, nil
}

// The stores hang as soon as the handler is done, or the event is known to need
// none.
func TestTheAnswerDoesNotWaitForTheStoresThatAreToldOfTheEvent(t *testing.T) {
	t.Parallel()
	const late = webhook.DefaultDeadline - 50*time.Millisecond
	for name, test := range map[string]struct {
		claim webhook.Claim
		lasts time.Duration // of the handler
		fail  error
		want  int
		again string // the Retry-After header
	}{
		"of its success": {webhook.ClaimNew, 0, nil, 200, ""},
		"of its failure": {webhook.ClaimNew, 0, errOwn, 500, ""},
		"of its success just before the deadline": {webhook.ClaimNew, late, nil, 200, ""},
		"of its failure just before the deadline": {webhook.ClaimNew, late, errOwn, 500, ""},
		"of its last failure before the deadline": {webhook.ClaimNew, late, webhook.Permanent(errOwn), 200, ""},
		"of a wait asked for before the deadline": {webhook.ClaimNew, late, webhook.RetryAfter(errOwn, time.Minute), 503, "60"},
		"of a repetition":                         {webhook.ClaimDone, 0, nil, 200, ""},
		"of an event that another handles":        {webhook.ClaimInProgress, 0, nil, 503, ""},
	} {
		for _, deaf := range []bool{false, true} {
			t.Run(name+map[bool]string{true: ", and are deaf"}[deaf], func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					store := &claimed{&hanging{deaf: deaf}, test.claim}
					if test.claim != webhook.ClaimNew {
						store.hangFor(time.Hour)
					}
					receiver := newReceiver(t, webhook.WithDeduplicator(store))
					webhook.OnAny(receiver, func(context.Context, *rawEvent) error {
						<-time.After(test.lasts)
						store.hangFor(time.Hour)
						return test.fail
					})
					began := time.Now()
					w := serve(receiver, signed(t, notificationOf("contact.updated", "a", "s", int64(sentTicks), `{"id":"1"}`)))
					assert.Equal(t, test.want, w.Code)
					assert.Equal(t, test.again, w.Header().Get("Retry-After"))
					assert.LessOrEqual(t, time.Since(began), min(test.lasts+100*time.Millisecond, webhook.DefaultDeadline))
					require.NoError(t, receiver.Shutdown(t.Context()), "it waits for the notes")
				})
			})
		}
	}
}
