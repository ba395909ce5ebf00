package practice_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

// turns answers each request with the next body.
type turns struct {
	bodies []string
	served int
}

func (s *turns) RoundTrip(*http.Request) (*http.Response, error) {
	body := s.bodies[s.served%len(s.bodies)]
	s.served++
	return testkit.AnswerOf(http.StatusOK, body), nil
}

// The memory of an answer is used again for the next one: nothing that a
// caller was given may stand in it.
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

// A page is read around its records first; a record that is no JSON shows when
// its turn comes.
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
			walked, err := walkEvents(t.Context(), testkit.ScriptedClient(t, service), practice.WithPrefetch(prefetch))
			assert.Equal(t, testkit.IDs(0, 3), walked, "what came before was whole")
			undecoded, ok := errors.AsType[*practice.DecodeError](err)
			require.True(t, ok, "%v", err)
			assert.Contains(t, string(undecoded.Body), `{"id":"e3",}`)
		})
	}
}
