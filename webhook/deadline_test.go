package webhook_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

type matterEvent = webhook.Event[models.MatterPayload]

type rawEvent = webhook.Event[json.RawMessage]

func TestHandlersSeeADeadlineBelowThatOfTheService(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		options []webhook.Option
		want    time.Duration
	}{
		"by default": {nil, 8 * time.Second},
		"as told":    {[]webhook.Option{webhook.WithDeadline(3 * time.Second)}, 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var reported []*webhook.DeliveryError
				receiver := newReceiver(t, append(test.options, failures(&reported))...)
				began := time.Now()
				webhook.On(receiver, models.EventTypeMatterUpdated, func(ctx context.Context, _ *matterEvent) error {
					<-ctx.Done()
					return ctx.Err()
				})
				w := serve(receiver, signed(t, sample(t, "matter-updated")))
				assert.Equal(t, 503, w.Code)
				assert.Equal(t, test.want, time.Since(began))
				require.NoError(t, receiver.Shutdown(t.Context()))
				require.Len(t, reported, 1, "that the time was over is reported once")
				require.ErrorIs(t, reported[0], webhook.ErrUnfinished)
				require.ErrorIs(t, reported[0], context.DeadlineExceeded)
			})
		})
	}
}

func TestHandlersThatIgnoreTheDeadlineDoNotDelayTheAnswer(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		end  func() error
		late error // reported after the response
	}{
		"and succeed late": {func() error { return nil }, nil},
		"and fail late":    {func() error { return errOwn }, errOwn},
		"and panic late":   {func() error { panic(errOwn) }, errOwn},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var reported []*webhook.DeliveryError
				receiver := newReceiver(t, failures(&reported))
				release := make(chan struct{})
				webhook.On(receiver, models.EventTypeMatterUpdated, func(context.Context, *matterEvent) error {
					<-release
					return test.end()
				})
				began := time.Now()
				assert.Equal(t, 503, serve(receiver, signed(t, sample(t, "matter-updated"))).Code)
				assert.Equal(t, webhook.DefaultDeadline, time.Since(began))
				require.Len(t, reported, 1)
				require.ErrorIs(t, reported[0], webhook.ErrUnfinished)

				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				require.ErrorIs(t, receiver.Shutdown(ctx), context.DeadlineExceeded, "the handler is still at work")
				close(release)
				require.NoError(t, receiver.Shutdown(t.Context()))
				if test.late == nil {
					assert.Len(t, reported, 1)
					return
				}
				require.Len(t, reported, 2)
				require.ErrorIs(t, reported[1], test.late)
				require.ErrorIs(t, reported[1], webhook.ErrHandler)
				assert.Equal(t, 503, reported[1].Status, "what the sender was told")
			})
		})
	}
}

func TestEveryShutdownReturnsWhenTheHandlersHaveEnded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		receiver := newReceiver(t)
		webhook.OnAny(receiver, func(context.Context, *rawEvent) error {
			<-time.After(5 * time.Second)
			return nil
		})
		var all sync.WaitGroup
		all.Go(func() { serve(receiver, signed(t, sample(t, "matter-updated"))) })
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for range 3 {
			all.Go(func() { assert.NoError(t, receiver.Shutdown(ctx)) })
			synctest.Wait()
		}
		all.Wait()
	})
}

func TestShutdownOfAnIdleReceiverReturnsAtOnce(t *testing.T) {
	t.Parallel()
	receiver := newReceiver(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, receiver.Shutdown(ctx))
}

func TestHandlersEndWhenTheSenderHangsUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var reported []*webhook.DeliveryError
		receiver := newReceiver(t, failures(&reported))
		ctx, hangUp := context.WithCancel(t.Context())
		webhook.On(receiver, models.EventTypeMatterUpdated, func(ctx context.Context, _ *matterEvent) error {
			hangUp()
			<-ctx.Done()
			return ctx.Err()
		})
		assert.Equal(t, 503, serve(receiver, signed(t, sample(t, "matter-updated")).WithContext(ctx)).Code)
		require.NoError(t, receiver.Shutdown(t.Context()))
		require.Len(t, reported, 1)
		require.ErrorIs(t, reported[0], context.Canceled)
		require.ErrorIs(t, reported[0], webhook.ErrUnfinished)
	})
}

func TestABodyThatTakesTheWholeTimeIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var reported []*webhook.DeliveryError
		receiver := newReceiver(t, failures(&reported))
		events := handle(receiver, models.EventTypeMatterUpdated)
		req := signed(t, sample(t, "matter-updated"))
		body := req.Body
		req.Body = io.NopCloser(readerFunc(func(p []byte) (int, error) {
			<-time.After(webhook.DefaultDeadline + 1)
			return body.Read(p)
		}))
		assert.Equal(t, 400, serve(receiver, req).Code)
		assert.Empty(t, *events)
		require.Len(t, reported, 1)
		require.ErrorIs(t, reported[0], webhook.ErrBodyUnreadable)
	})
}

func TestTheAnswerIsWholeWhileTheHandlerIsAtWork(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*httptest.Server){
		"HTTP/1.1": (*httptest.Server).StartTLS,
		"HTTP/2":   func(s *httptest.Server) { s.EnableHTTP2 = true; s.StartTLS() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				receiver, release := newReceiver(t), make(chan struct{})
				webhook.On(receiver, models.EventTypeMatterUpdated, func(context.Context, *matterEvent) error {
					<-release
					return nil
				})
				server, pipes := serverOnPipes(receiver)
				start(server)
				defer server.Close()

				req := signed(t, sample(t, "matter-updated"))
				out, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, req.Body)
				require.NoError(t, err)
				out.Header = req.Header
				res, err := clientOf(server, pipes).Do(out)
				require.NoError(t, err)
				text, err := io.ReadAll(res.Body)
				require.NoError(t, errors.Join(err, res.Body.Close()))
				assert.Equal(t, name, map[int]string{1: "HTTP/1.1", 2: "HTTP/2"}[res.ProtoMajor])
				assert.Equal(t, 503, res.StatusCode)
				assert.Equal(t, "Service Unavailable\n", string(text))
				close(release)
				require.NoError(t, receiver.Shutdown(t.Context()))
			})
		})
	}
}
