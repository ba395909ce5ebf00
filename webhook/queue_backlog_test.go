package webhook_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

// mute is a queue that cannot measure its backlog.
type mute struct{ webhook.Queue }

func (mute) Backlog(context.Context) (webhook.Backlog, error) {
	return webhook.Backlog{}, errors.ErrUnsupported
}

func TestABacklogThatNobodyTellsIsUnsupported(t *testing.T) {
	t.Parallel()
	_, err := newReceiver(t).Backlog(t.Context())
	require.ErrorIs(t, err, errors.ErrUnsupported, "there is no queue")
	queue, err := webhook.NewMemoryQueue(1)
	require.NoError(t, err)
	_, err = newReceiver(t, webhook.WithQueue(mute{queue})).Backlog(t.Context())
	require.ErrorIs(t, err, errors.ErrUnsupported, "the queue cannot tell")
}

// unmeasured is a queue whose backlog cannot be measured at the moment.
type unmeasured struct{ *webhook.MemoryQueue }

func (unmeasured) Backlog(context.Context) (webhook.Backlog, error) { return webhook.Backlog{}, errOwn }

func TestABacklogThatCannotBeMeasuredIsAnError(t *testing.T) {
	t.Parallel()
	queue, err := webhook.NewMemoryQueue(1)
	require.NoError(t, err)
	_, err = newReceiver(t, webhook.WithQueue(unmeasured{queue})).Backlog(t.Context())
	require.ErrorIs(t, err, errOwn)
	require.ErrorIs(t, err, webhook.ErrStore)
}
