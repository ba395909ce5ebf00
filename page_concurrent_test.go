package practice_test

import (
	"context"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestFiveRequestsInFlight(t *testing.T) {
	t.Parallel()
	for prefetch, want := range map[int]time.Duration{0: 40 * 60 * time.Millisecond, 4: (1 + 8) * 60 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			service := &testkit.Scripted{Delay: 60 * time.Millisecond, Pages: func(q url.Values) string {
				o := testkit.OffsetOf(q)
				return testkit.Page(testkit.IDs(o, o+2), "size", "80")
			}}
			started := time.Now()
			walked, err := walkEvents(t.Context(), testkit.ScriptedClient(t, service), practice.WithPrefetch(prefetch))
			require.NoError(t, err)
			assert.Equal(t, testkit.IDs(0, 80), walked)
			assert.EqualValues(t, prefetch+1, service.Most.Load())
			assert.LessOrEqual(t, time.Since(started), want)
		})
	}
}

func TestASlowConsumerPaysItsOwnTimeOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := &testkit.Scripted{Delay: 60 * time.Millisecond, Pages: func(q url.Values) string {
			o := testkit.OffsetOf(q)
			return testkit.Page(testkit.IDs(o, o+2), "size", "20")
		}}
		started := time.Now()
		for _, err := range testkit.ScriptedClient(t, service).Events.All(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 2}}) {
			require.NoError(t, err)
			<-time.After(100 * time.Millisecond)
		}
		assert.Equal(t, 60*time.Millisecond+20*100*time.Millisecond, time.Since(started), "the first page, then its own time")
	})
}

func TestWalksEndWithTheirContextAndTheirConsumer(t *testing.T) {
	t.Parallel()
	endless := func() *testkit.Scripted {
		return &testkit.Scripted{Delay: 10 * time.Millisecond, Pages: func(q url.Values) string {
			o := testkit.OffsetOf(q)
			return testkit.Page(testkit.IDs(o, o+2), "size", "100000")
		}}
	}
	t.Run("the consumer breaks", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			service := endless()
			for range testkit.ScriptedClient(t, service).Events.All(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 2}}, practice.WithPrefetch(8)) {
				break
			}
			assert.Zero(t, service.Flying.Load(), "no request is left behind")
		})
	})
	t.Run("the context ends", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 55*time.Millisecond)
			defer cancel()
			service := endless()
			_, err := walkEvents(ctx, testkit.ScriptedClient(t, service))
			require.ErrorIs(t, err, context.DeadlineExceeded)
			assert.Zero(t, service.Flying.Load())
		})
	})
	t.Run("the consumer panics", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			service := endless()
			assert.Panics(t, func() {
				for range testkit.ScriptedClient(t, service).Events.All(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 2}}) {
					panic("consumer")
				}
			})
			assert.Zero(t, service.Flying.Load())
		})
	})
	t.Run("a page fails", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			server := practicetest.New(t, practicetest.WithEvents(50))
			server.Inject(practicetest.Fault{Operation: "listEvents", Skip: 2, Times: -1, Status: 400})
			walked := 0
			var failed error
			for _, err := range server.Client(t).Events.All(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 10}, From: time.Unix(0, 0)}, practice.WithPrefetch(0)) {
				if failed = err; err == nil {
					walked++
				}
			}
			require.ErrorIs(t, failed, practice.ErrBadRequest)
			assert.Equal(t, 20, walked)
		})
	})
}

func TestOptionsThatMakeNoSenseOnAWalk(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	var response practice.Response
	for _, opt := range []practice.CallOption{practice.WithRequestID("one"), practice.WithResponse(&response), practice.WithPrefetch(-1), nil} {
		_, err := practice.Collect(server.Client(t).Events.All(t.Context(), practice.EventListOptions{}, opt))
		require.Error(t, err)
	}
	for _, position := range []practice.ListOptions{{Offset: -1}, {Limit: 501}, {Limit: -1}} {
		_, err := practice.Collect(server.Client(t).Events.All(t.Context(), practice.EventListOptions{ListOptions: position}))
		assert.True(t, testkit.IsArgumentError(err))
	}
	assert.Empty(t, server.Requests())
}

func TestAWalkCanBeRunTwice(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, practicetest.WithEvents(12))
	walk := server.Client(t).Events.All(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 5}, From: time.Unix(0, 0)})
	for range 2 {
		walked, err := practice.Collect(walk)
		require.NoError(t, err)
		assert.Len(t, walked, 12)
	}
}
