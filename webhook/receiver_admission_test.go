package webhook_test

import (
	"bufio"
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

func TestNoMoreDeliveriesThanAllowedAreHandledAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		receiver := newReceiver(t, webhook.WithMaxDeliveries(2))
		release := make(chan struct{})
		webhook.On(receiver, models.EventTypeMatterUpdated, func(context.Context, *matterEvent) error {
			<-release
			return nil
		})
		deliver := func() int { return serve(receiver, signed(t, sample(t, "matter-updated"))).Code }
		codes := make(chan int, 2)
		for range 2 {
			go func() { codes <- deliver() }()
		}
		synctest.Wait()
		assert.Equal(t, 503, deliver())
		assert.Equal(t, 401, serve(receiver, signedWith(t, "a forgery", clock(), "", nil)).Code, "it takes nobody's place")
		assert.Equal(t, uint64(1), receiver.Refusals()[webhook.ErrBusy])

		assert.Equal(t, []int{503, 503}, []int{<-codes, <-codes}, "their time is over")
		assert.Equal(t, 503, deliver(), "and their handlers are still running")
		close(release)
		require.NoError(t, receiver.Shutdown(t.Context()))
		for range 5 {
			assert.Equal(t, 200, deliver())
			assert.Equal(t, 200, serve(receiver, signed(t, sample(t, "unknown-type"))).Code, "nobody handles it")
			assert.Equal(t, 400, serve(receiver, signed(t, []byte("no JSON"))).Code)
		}
	})
}

func TestASecondBodyIsRefusedWhenTheHookSaysSo(t *testing.T) {
	t.Parallel()
	for name, refuse := range map[string]bool{"it says so": true, "it does not": false} {
		raised, want := 0, map[bool]int{true: 401, false: 200}[refuse]
		receiver := newReceiver(t, webhook.WithAlarmHook(func(context.Context, webhook.Alarm) bool { raised++; return refuse }))
		called := handleRest(receiver)
		require.Equal(t, 200, serve(receiver, signed(t, sample(t, "matter-updated"))).Code, name)
		require.Equal(t, want, serve(receiver, signed(t, sample(t, "unknown-type"))).Code, name)
		require.Equal(t, 200, serve(receiver, signed(t, sample(t, "matter-updated"))).Code, "the first body is as good as it was")
		require.Equal(t, 400, serve(receiver, signedWith(t, key, clock(), "another", []byte("no JSON"))).Code)
		assert.Equal(t, refuse, len(*called) == 2)
		assert.Equal(t, refuse, receiver.Refusals()[webhook.ErrSecondBody] == 1)
		assert.Equal(t, uint64(1), receiver.Stats().Alarms)
		assert.Equal(t, 1, raised)
	}
}

// A sender that sends slowly forever keeps its connection only until the
// deadline, even if the server has none.
func TestABodyMustComeInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		receiver := newReceiver(t)
		called := handleRest(receiver)
		server, pipes := serverOnPipes(receiver)
		server.Start()
		defer server.Close()
		began := time.Now()
		connection := sendHead(t, pipes, "Content-Length: 100\r\n\r\n{")
		defer connection.Close()
		answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
		require.NoError(t, err)
		defer answer.Body.Close()
		assert.Equal(t, 400, answer.StatusCode)
		assert.Equal(t, webhook.DefaultDeadline, time.Since(began))
		assert.Equal(t, uint64(1), receiver.Refusals()[webhook.ErrBodyUnreadable])
		assert.Empty(t, *called)
	})
}

func TestTheLimitOfReadingDoesNotLastBeyondTheBody(t *testing.T) {
	t.Parallel()
	for name, timeout := range map[string]time.Duration{"a server without a limit": 0, "a stricter server": time.Second, "a laxer one": time.Minute} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				receiver := newReceiver(t, webhook.WithDeadline(9*time.Second))
				handleRest(receiver)
				server, pipes := serverOnPipes(receiver)
				server.Config.ReadTimeout = timeout
				server.Start()
				defer server.Close()
				client := clientOf(server, pipes)
				for range 3 { // over one connection
					req := signed(t, sample(t, "matter-updated"))
					sent, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, req.Body)
					require.NoError(t, err)
					sent.Header = req.Header
					answer, err := client.Do(sent)
					require.NoError(t, err)
					require.NoError(t, answer.Body.Close())
					assert.Equal(t, 200, answer.StatusCode)
				}
			})
		})
	}
}

func TestAConnectionOutlivesTheDeadlinesOfItsDeliveries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server, pipes := serverOnPipes(newReceiver(t))
		server.Start()
		defer server.Close()
		connection, err := pipes.dial()
		require.NoError(t, err)
		defer connection.Close()
		answers := bufio.NewReader(connection)
		for range 3 {
			req := signed(t, []byte(`{"type":"x.y"}`))
			require.NoError(t, req.Write(connection))
			answer, err := http.ReadResponse(answers, nil)
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
			assert.Equal(t, 200, answer.StatusCode)
			<-time.After(2 * webhook.DefaultDeadline)
		}
	})
}
