package acceptance_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
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
			walked, err := testkit.WalkEvents(t.Context(), testkit.ScriptedClient(t, service), practice.WithPrefetch(prefetch))
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
			_, err := testkit.WalkEvents(ctx, testkit.ScriptedClient(t, service))
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

// turns is a service that responds to each request with the next body.
type turns struct {
	bodies []string
	served int
}

func (s *turns) RoundTrip(*http.Request) (*http.Response, error) {
	body := s.bodies[s.served%len(s.bodies)]
	s.served++
	return testkit.AnswerOf(http.StatusOK, body), nil
}

// TestWhatACallerWasGivenOutlivesTheMemoryOfItsAnswer checks that nothing
// returned to a caller refers to the buffer of a response, which is reused.
func TestWhatACallerWasGivenOutlivesTheMemoryOfItsAnswer(t *testing.T) {
	t.Parallel()
	for name, look := range map[string]func(client *practice.Client, t *testing.T) (read func() string){
		"the text itself": func(client *practice.Client, t *testing.T) func() string {
			var text []byte
			require.NoError(t, client.Do(t.Context(), practice.Request{Method: http.MethodGet, Path: "/x"}, &text))
			return func() string { return string(text) }
		},
		"a record and its unknown members": func(client *practice.Client, t *testing.T) func() string {
			var record models.StaffMember
			require.NoError(t, client.Do(t.Context(), practice.Request{Method: http.MethodGet, Path: "/x"}, &record))
			return func() string { return record.ID + record.Extra.String() }
		},
		"the header": func(client *practice.Client, t *testing.T) func() string {
			var response practice.Response
			require.NoError(t, client.Do(t.Context(), practice.Request{Method: http.MethodGet, Path: "/x"}, nil, practice.WithResponse(&response)))
			return func() string { return fmt.Sprint(response.Header) }
		},
		"the body of an answer that cannot be read": func(client *practice.Client, t *testing.T) func() string {
			_, err := client.Staff.Get(t.Context(), "s1")
			undecoded, ok := errors.AsType[*practice.DecodeError](err)
			require.True(t, ok, "%v", err)
			return func() string { return string(undecoded.Body) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := &turns{bodies: []string{`{"id":"first","x":{"y":"first"}}`}}
			if strings.Contains(name, "cannot be read") {
				service.bodies[0] = `{"id":["first"]}`
			}
			client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{Transport: service}))
			require.NoError(t, err)
			read := look(client, t)
			before := read()

			service.bodies = []string{strings.ReplaceAll(service.bodies[0], "first", "other")}
			for range 5 {
				_, _ = client.Staff.Get(t.Context(), "s1")
			}
			assert.Equal(t, before, read())
		})
	}
}

func TestRecordsOfAWalkOutliveTheMemoryOfTheirPages(t *testing.T) {
	t.Parallel()
	const size = 40
	service := &testkit.Scripted{Pages: func(q url.Values) string {
		o := testkit.OffsetOf(q)
		return testkit.Page([]string{
			fmt.Sprintf(`{"id":"e%03d","subject":"subject %03d","x":"extra %03d"}`, o, o, o),
			fmt.Sprintf(`{"id":"e%03d","subject":"subject %03d","x":"extra %03d"}`, o+1, o+1, o+1),
		}, "size", fmt.Sprint(size))
	}}
	events, err := practice.Collect(testkit.ScriptedClient(t, service).Events.All(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 2}, MatterID: "m1"}, practice.WithPrefetch(4)))
	require.NoError(t, err)
	require.Len(t, events, size)
	for i, event := range events {
		assert.Equal(t, fmt.Sprintf("e%03d", i), event.ID)
		assert.Equal(t, fmt.Sprintf("subject %03d", i), event.Subject)
		assert.Equal(t, fmt.Sprintf(`{"x":"extra %03d"}`, i), event.Extra.String())
	}
}

// TestARecordThatIsNoJSONEndsTheWalkInItsPlace checks that records are decoded
// as they are consumed, so that invalid JSON is noticed at its turn.
func TestARecordThatIsNoJSONEndsTheWalkInItsPlace(t *testing.T) {
	t.Parallel()
	for _, prefetch := range []int{0, 3} {
		synctest.Test(t, func(t *testing.T) {
			service := &testkit.Scripted{Pages: func(q url.Values) string {
				if testkit.OffsetOf(q) == 2 {
					return testkit.Page([]string{"e2", `{"id":"e3",}`}, "size", "8")
				}
				return testkit.Page(testkit.IDs(testkit.OffsetOf(q), testkit.OffsetOf(q)+2), "size", "8")
			}}
			walked, err := testkit.WalkEvents(t.Context(), testkit.ScriptedClient(t, service), practice.WithPrefetch(prefetch))
			assert.Equal(t, testkit.IDs(0, 3), walked, "what came before was whole")
			undecoded, ok := errors.AsType[*practice.DecodeError](err)
			require.True(t, ok, "%v", err)
			assert.Contains(t, string(undecoded.Body), `{"id":"e3",}`)
		})
	}
}
