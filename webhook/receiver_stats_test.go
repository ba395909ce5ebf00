package webhook_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

func TestAPanicOfAStoreIsCountedLikeOneOfAHandler(t *testing.T) {
	t.Parallel()
	receiver := newReceiver(t, webhook.WithDeduplicator(struct{ webhook.Deduplicator }{})) // calls nil
	webhook.On(receiver, models.EventTypeMatterUpdated, func(context.Context, *webhook.Event[models.MatterPayload]) error { return nil })
	require.Equal(t, 500, serve(receiver, signed(t, sample(t, "matter-updated"))).Code)
	assert.Equal(t, map[error]uint64{webhook.ErrHandler: 1}, receiver.Refusals())
}

// A receiver counts what it refuses, and why.
func ExampleReceiver_Refusals() {
	receiver, err := webhook.NewReceiver("client0001", webhook.Keys("k-0123456789"))
	if err != nil {
		log.Panic(err)
	}
	forged := httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(`{"type":"matter.updated"}`))
	receiver.ServeHTTP(httptest.NewRecorder(), forged)
	fmt.Println(receiver.Stats().Refused, "refused,", receiver.Refusals()[webhook.ErrNoSignature], "not signed")
	// Output: 1 refused, 1 not signed
}
