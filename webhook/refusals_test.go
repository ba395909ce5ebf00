package webhook_test

import (
	"context"
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
