package testkit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

// Scripted is a transport that serves handwritten pages, such as those of an
// unusual service.
type Scripted struct {
	mu     sync.Mutex
	Pages  func(query url.Values) string
	Asked  []url.Values
	Paths  []string
	Flying atomic.Int32
	Most   atomic.Int32
	Delay  time.Duration
}

// RoundTrip returns the page for the query of req.
func (s *Scripted) RoundTrip(req *http.Request) (*http.Response, error) {
	s.Most.Store(max(s.Most.Load(), s.Flying.Add(1)))
	defer s.Flying.Add(-1)
	if s.Delay > 0 {
		select {
		case <-time.After(s.Delay):
		case <-req.Context().Done():
			return nil, req.Context().Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Asked = append(s.Asked, req.URL.Query())
	s.Paths = append(s.Paths, req.URL.String())
	return AnswerOf(http.StatusOK, s.Pages(req.URL.Query())), nil
}

// ScriptedClient returns a client that reads the pages of s.
func ScriptedClient(t *testing.T, s *Scripted) *practice.Client {
	t.Helper()
	client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{Transport: s}))
	require.NoError(t, err)
	return client
}

// Page returns a page of events. members are alternating names and values of
// further members.
func Page(ids []string, members ...string) string {
	var b strings.Builder
	b.WriteString(`{"value":[`)
	for i, id := range ids {
		if i > 0 {
			b.WriteByte(',')
		}
		if strings.HasPrefix(id, "{") || strings.HasPrefix(id, "[") {
			b.WriteString(id)
			continue
		}
		fmt.Fprintf(&b, `{"id":%q}`, id)
	}
	b.WriteByte(']')
	for i := 0; i+1 < len(members); i += 2 {
		fmt.Fprintf(&b, `,%q:%s`, members[i], members[i+1])
	}
	return b.String() + "}"
}

// LinkTo returns a link in the form of the service.
func LinkTo(href string) string {
	text, _ := json.Marshal(map[string]string{"href": href, "rel": "collection"})
	return string(text)
}

// IDs returns ids of events, e0 and so on.
func IDs(from, to int) []string {
	var list []string
	for i := from; i < to; i++ {
		list = append(list, "e"+strconv.Itoa(i))
	}
	return list
}

// OffsetOf returns the offset in a query.
func OffsetOf(query url.Values) int {
	offset, _ := strconv.Atoi(query.Get("Offset"))
	return offset
}

// WalkEvents walks in pages of two. It returns the ids and the error that ended
// the walk.
func WalkEvents(ctx context.Context, client *practice.Client, opts ...practice.CallOption) (walked []string, err error) {
	for event, fault := range client.Events.All(ctx, practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 2}, MatterID: "m1"}, opts...) {
		if fault != nil {
			err = errors.Join(err, fault)
			continue
		}
		walked = append(walked, event.ID)
	}
	return walked, err
}
