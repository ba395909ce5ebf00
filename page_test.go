package practice_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strconv"
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

func TestAPageHasTotalsNextAndItsResponse(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, practicetest.WithEvents(30))
	page, err := server.Client(t).Events.List(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 7}, From: time.Unix(0, 0)})
	require.NoError(t, err)
	assert.Len(t, page.Items, 7)
	assert.Equal(t, 30, page.Size.Or(0))
	assert.Equal(t, 0, page.Offset.Or(-1))
	assert.NotEmpty(t, page.Next.Href)
	assert.Equal(t, 200, page.Response.StatusCode)
	assert.NotEmpty(t, page.Response.RequestID)
}

func TestWalksOverAnOddService(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		pages  func(query url.Values) string
		walked []string
		err    error
	}{
		{
			name: "without a size, next is followed",
			pages: func(q url.Values) string {
				if o := testkit.OffsetOf(q); o < 4 {
					return testkit.Page(testkit.IDs(o, o+2), "next", testkit.LinkTo("https://api.example.test/v1/events?limit=2&offset="+strconv.Itoa(o+2)))
				}
				return testkit.Page(testkit.IDs(4, 5))
			},
			walked: testkit.IDs(0, 5),
		},
		{
			name: "without next, the size leads on",
			pages: func(q url.Values) string {
				o := testkit.OffsetOf(q)
				return testkit.Page(testkit.IDs(o, min(o+2, 5)), "size", "5", "offset", strconv.Itoa(o), "limit", "2")
			},
			walked: testkit.IDs(0, 5),
		},
		{
			name: "pages smaller than asked for",
			pages: func(q url.Values) string {
				o := testkit.OffsetOf(q)
				return testkit.Page(testkit.IDs(o, o+1), "size", "4")
			},
			walked: testkit.IDs(0, 4),
		},
		{
			name: "pages of different sizes",
			pages: func(q url.Values) string {
				switch o := testkit.OffsetOf(q); o {
				case 0:
					return testkit.Page(testkit.IDs(0, 2), "size", "6")
				case 2:
					return testkit.Page(testkit.IDs(2, 3), "size", "6")
				default:
					return testkit.Page(testkit.IDs(o, min(o+2, 6)), "size", "6")
				}
			},
			walked: testkit.IDs(0, 6),
		},
		{
			name: "an empty page in the middle with a cursor",
			pages: func(q url.Values) string {
				switch q.Get("cursor") {
				case "":
					return testkit.Page(testkit.IDs(0, 2), "next", testkit.LinkTo("/events?cursor=1"))
				case "1":
					return testkit.Page(nil, "next", testkit.LinkTo("/events?cursor=2"))
				}
				return testkit.Page(testkit.IDs(2, 3))
			},
			walked: testkit.IDs(0, 3),
		},
		{
			name: "an empty page that links over the records that it should have",
			pages: func(q url.Values) string {
				if testkit.OffsetOf(q) == 0 {
					return testkit.Page(testkit.IDs(0, 2), "next", testkit.LinkTo("/events?offset=2"))
				}
				return testkit.Page(nil, "next", testkit.LinkTo("/events?offset=4"))
			},
			walked: testkit.IDs(0, 2), err: practice.ErrRecordsSkipped,
		},
		{
			name: "a short page that links to the next whole one",
			pages: func(q url.Values) string {
				o := testkit.OffsetOf(q)
				return testkit.Page(testkit.IDs(o, o+1), "size", "9", "next", testkit.LinkTo("/events?offset="+strconv.Itoa(o+2)))
			},
			walked: testkit.IDs(0, 1), err: practice.ErrRecordsSkipped,
		},
		{
			name: "pages that alternate",
			pages: func(q url.Values) string {
				o := testkit.OffsetOf(q)
				return testkit.Page(testkit.IDs(o%4, o%4+2), "next", testkit.LinkTo("/events?offset="+strconv.Itoa(o+2)))
			},
			walked: testkit.IDs(0, 4), err: practice.ErrRepeatedPage,
		},
		{
			name: "pages that have too little that is new",
			pages: func(q url.Values) string {
				o := testkit.OffsetOf(q) / 2
				return testkit.Page(testkit.IDs(o, o+2), "size", "4")
			},
			walked: testkit.IDs(0, 3), err: practice.ErrIncomplete,
		},
		{
			name: "an empty page in the middle without one",
			pages: func(q url.Values) string {
				if testkit.OffsetOf(q) == 0 {
					return testkit.Page(testkit.IDs(0, 2), "size", "9")
				}
				return testkit.Page(nil, "size", "9")
			},
			walked: testkit.IDs(0, 2), err: practice.ErrEmptyPage,
		},
		{
			name:   "a page that comes again",
			pages:  func(url.Values) string { return testkit.Page(testkit.IDs(0, 2), "size", "9") },
			walked: testkit.IDs(0, 2), err: practice.ErrRepeatedPage,
		},
		{
			name: "a next link to the page itself",
			pages: func(url.Values) string {
				return testkit.Page(testkit.IDs(0, 2), "next", testkit.LinkTo("/events?offset=0&limit=2"))
			},
			walked: testkit.IDs(0, 2), err: practice.ErrNoProgress,
		},
		{
			name: "a next link back",
			pages: func(q url.Values) string {
				if testkit.OffsetOf(q) == 0 {
					return testkit.Page(testkit.IDs(0, 2), "next", testkit.LinkTo("/events?offset=2"))
				}
				return testkit.Page(testkit.IDs(2, 4), "next", testkit.LinkTo("/events?offset=1"))
			},
			walked: testkit.IDs(0, 4), err: practice.ErrNoProgress,
		},
		{
			name: "a next link with a broken offset",
			pages: func(url.Values) string {
				return testkit.Page(testkit.IDs(0, 2), "next", testkit.LinkTo("/events?offset=many"))
			},
			walked: testkit.IDs(0, 2), err: practice.ErrNoProgress,
		},
		{
			name: "empty pages for ever",
			pages: func(q url.Values) string {
				return testkit.Page(nil, "next", testkit.LinkTo("/events?cursor=c"+q.Get("cursor")))
			},
			err: practice.ErrNoProgress,
		},
		{
			name: "records that moved to a later page are yielded once",
			pages: func(q url.Values) string {
				switch testkit.OffsetOf(q) {
				case 0:
					return testkit.Page([]string{"e0", "e1"}, "size", "4")
				case 2:
					return testkit.Page([]string{"e1", "e2"}, "size", "5")
				}
				return testkit.Page([]string{"e3"}, "size", "5")
			},
			walked: testkit.IDs(0, 4),
		},
		{
			name: "a list that became shorter is reported after the walk",
			pages: func(q url.Values) string {
				if testkit.OffsetOf(q) == 0 {
					return testkit.Page([]string{"e0", "e1"}, "size", "4")
				}
				return testkit.Page([]string{"e3"}, "size", "3")
			},
			walked: []string{"e0", "e1", "e3"}, err: practice.ErrListChanged,
		},
		{
			name: "records without an id are all yielded",
			pages: func(q url.Values) string {
				if testkit.OffsetOf(q) == 0 {
					return testkit.Page([]string{`{"relation":"x"}`, `{"relation":"x"}`}, "size", "3")
				}
				return testkit.Page([]string{`{"relation":"x"}`}, "size", "3")
			},
			walked: []string{"", "", ""},
		},
		{
			name: "records of one id on one page, and different ones on two",
			pages: func(q url.Values) string {
				if testkit.OffsetOf(q) == 0 {
					return testkit.Page([]string{`{"id":"e0","subject":"x"}`, `{"id":"e0","subject":"x"}`}, "size", "3")
				}
				return testkit.Page([]string{`{"id":"e0","subject":"y"}`}, "size", "3")
			},
			walked: []string{"e0", "e0", "e0"},
		},
		{
			name:   "a null value",
			pages:  func(url.Values) string { return `{"value":null,"next":null,"size":0}` },
			walked: nil,
		},
	} {
		for _, prefetch := range []int{0, 1, 4} {
			t.Run(fmt.Sprintf("%s/prefetch %d", test.name, prefetch), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					service := &testkit.Scripted{Pages: test.pages, Delay: time.Millisecond}
					walked, err := testkit.WalkEvents(t.Context(), testkit.ScriptedClient(t, service), practice.WithPrefetch(prefetch))
					assert.Equal(t, test.walked, walked)
					if test.err == nil {
						require.NoError(t, err)
					} else {
						require.ErrorIs(t, err, test.err)
						fault, ok := errors.AsType[*practice.PagingError](err)
						require.True(t, ok)
						assert.Equal(t, "Events.All", fault.Operation)
						assert.NotEmpty(t, fault.RequestID)
					}
					for _, q := range service.Asked {
						assert.Equal(t, "m1", q.Get("MatterId"), "the caller's filter is on every page")
						assert.Equal(t, []string{"2"}, q["Limit"])
						assert.Len(t, q["Offset"], 1)
						assert.Empty(t, q.Get("offset"), "one spelling only")
					}
				})
			})
		}
	}
}

// TestAPageThatSaysNothingIsNotTheEnd checks that a page without records does
// not end a walk if an earlier page announced more.
func TestAPageThatSaysNothingIsNotTheEnd(t *testing.T) {
	t.Parallel()
	first := map[string]string{
		"a size":          testkit.Page(testkit.IDs(0, 2), "size", "20"),
		"a link":          testkit.Page(testkit.IDs(0, 2), "next", testkit.LinkTo("/events?offset=2")),
		"a link, no more": testkit.Page(testkit.IDs(0, 2), "next", testkit.LinkTo("/events?cursor=2")),
		"both":            testkit.Page(testkit.IDs(0, 2), "size", "20", "next", testkit.LinkTo("/events?offset=2")),
	}
	for told, first := range first {
		for answer, want := range map[string]error{
			"": practice.ErrEmptyAnswer, " ": practice.ErrEmptyAnswer, "null": practice.ErrEmptyAnswer,
			"{}": practice.ErrEmptyPage, "[]": practice.ErrEmptyPage, `{"value":null}`: practice.ErrEmptyPage, `{"value":[]}`: practice.ErrEmptyPage,
			`{"value":[],"offset":2,"limit":2}`: practice.ErrEmptyPage, `{"value":[],"size":null,"next":null}`: practice.ErrEmptyPage, `{"value":[],"next":{}}`: practice.ErrEmptyPage,
		} {
			for _, prefetch := range []int{0, 1, 4} {
				t.Run(fmt.Sprintf("%q behind %s/prefetch %d", answer, told, prefetch), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						service := &testkit.Scripted{Delay: time.Millisecond, Pages: func(q url.Values) string {
							if testkit.OffsetOf(q) == 0 {
								return first
							}
							return answer
						}}
						walked, err := testkit.WalkEvents(t.Context(), testkit.ScriptedClient(t, service), practice.WithPrefetch(prefetch))
						require.ErrorIs(t, err, want)
						assert.Equal(t, testkit.IDs(0, 2), walked)
					})
				})
			}
		}
	}
}

// TestAWalkKeepsItsFilter checks that a walk does not read a slice of the caller
// again, which the caller may use for another request meanwhile.
func TestAWalkKeepsItsFilter(t *testing.T) {
	t.Parallel()
	service := &testkit.Scripted{Pages: func(q url.Values) string {
		return testkit.Page(testkit.IDs(testkit.OffsetOf(q), testkit.OffsetOf(q)+1), "size", "3")
	}}
	search := []string{"smith"}
	for _, err := range testkit.ScriptedClient(t, service).Contacts.All(t.Context(), practice.ContactListOptions{ListOptions: practice.ListOptions{Limit: 1}, Search: search}) {
		require.NoError(t, err)
		search[0] = "jones"
	}
	require.Len(t, service.Asked, 3)
	for _, asked := range service.Asked {
		assert.Equal(t, []string{"smith"}, asked["Search"])
	}
}

func TestAnEmptyListIsTheEndOnItsFirstPage(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"[]", `{"size":0}`, `{"value":null,"size":0}`, `{"value":[]}`, `{"value":[],"size":0}`, `{"value":[],"size":0,"next":{"href":"/events?offset=2"}}`} {
		service := &testkit.Scripted{Pages: func(url.Values) string { return answer }}
		walked, err := testkit.WalkEvents(t.Context(), testkit.ScriptedClient(t, service))
		require.NoError(t, err, answer)
		assert.Empty(t, walked)
		assert.Len(t, service.Asked, 1)
	}
}

func TestALinksParametersGoOutWithAllTheirValues(t *testing.T) {
	t.Parallel()
	service := &testkit.Scripted{Pages: func(q url.Values) string {
		if testkit.OffsetOf(q) == 0 {
			return testkit.Page(testkit.IDs(0, 2), "size", "6", "next", testkit.LinkTo("/events?offset=2&tag=a&tag=b&flag="))
		}
		o := testkit.OffsetOf(q)
		return testkit.Page(testkit.IDs(o, o+2), "size", "6")
	}}
	_, err := testkit.WalkEvents(t.Context(), testkit.ScriptedClient(t, service), practice.WithPrefetch(0))
	require.NoError(t, err)
	require.Len(t, service.Asked, 3)
	for _, q := range service.Asked[1:] {
		assert.Equal(t, []string{"a", "b"}, q["tag"])
		assert.Equal(t, []string{""}, q["flag"])
	}
}

func TestNextLinksAreReadAndNeverRequested(t *testing.T) {
	t.Parallel()
	service := &testkit.Scripted{Pages: func(q url.Values) string {
		if testkit.OffsetOf(q) == 0 {
			return testkit.Page(testkit.IDs(0, 2), "next", testkit.LinkTo("https://elsewhere.example.test/admin?OFFSET=2&LIMIT=100&matterid=other&cursor=c1"))
		}
		return testkit.Page(testkit.IDs(2, 3))
	}}
	walked, err := testkit.WalkEvents(t.Context(), testkit.ScriptedClient(t, service))
	require.NoError(t, err)
	assert.Equal(t, testkit.IDs(0, 3), walked)
	require.Len(t, service.Paths, 2)
	assert.Equal(t, "https://api.example.test/v1/events?Limit=2&MatterId=m1&Offset=2&cursor=c1", service.Paths[1],
		"own host, own filter, own limit; what the link adds is kept")
}

func TestEveryPageHasTheCursorOfItsLinkAndTheQueryOfTheCaller(t *testing.T) {
	t.Parallel()
	service := &testkit.Scripted{Pages: func(q url.Values) string {
		o := testkit.OffsetOf(q)
		if o == 6 {
			return testkit.Page(testkit.IDs(6, 7))
		}
		return testkit.Page(testkit.IDs(o, o+2), "next", testkit.LinkTo(fmt.Sprintf("/events?offset=%d&cursor=c%d&status=All", o+2, o+2)))
	}}
	walked, err := testkit.WalkEvents(t.Context(), testkit.ScriptedClient(t, service), practice.WithQuery("Status", "Mine"))
	require.NoError(t, err)
	assert.Equal(t, testkit.IDs(0, 7), walked)
	for i, q := range service.Asked {
		assert.Equal(t, []string{"Mine"}, q["Status"], "page %d", i)
		assert.NotContains(t, q, "status")
		assert.Equal(t, map[bool]string{true: "c" + strconv.Itoa(2*i)}[i > 0], q.Get("cursor"), "page %d", i)
	}
}

func TestOneUnreadableRecordCostsThatRecordOnly(t *testing.T) {
	t.Parallel()
	pages := func(q url.Values) string {
		if testkit.OffsetOf(q) == 0 {
			return testkit.Page([]string{"e0", `{"id":"e1","allDay":"no"}`}, "size", "4", "offset", "0")
		}
		return testkit.Page([]string{`[1]`, "e3"}, "size", "4", "offset", "2")
	}
	var order []string
	for event, err := range testkit.ScriptedClient(t, &testkit.Scripted{Pages: pages}).Events.All(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 2}}) {
		if err == nil {
			order = append(order, event.ID)
			continue
		}
		fault, ok := errors.AsType[*practice.RecordError](err)
		require.True(t, ok, "%v", err)
		order = append(order, fmt.Sprintf("%d %s %s", fault.Index, fault.Path, fault.Raw))
	}
	assert.Equal(t, []string{"e0", `1 value[1] {"id":"e1","allDay":"no"}`, `2 value[0] [1]`, "e3"}, order)

	listed, err := testkit.ScriptedClient(t, &testkit.Scripted{Pages: pages}).Events.List(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 2}})
	require.Error(t, err, "a page with a missing record is not silent about it")
	require.NotNil(t, listed)
	assert.Len(t, listed.Items, 1)
}

// TestAPageIsReadAndWrittenLikeACollection checks that a Page, which does not
// embed models.Collection, is encoded, decoded and logged like one: as a value
// and a pointer, with unknown members, and without its records in a log.
func TestAPageIsReadAndWrittenLikeACollection(t *testing.T) {
	t.Parallel()
	const text = `{"href":"h","self":{"href":"s"},"id":"7","value":[{"id":"1","description":"Mallory"}],"offset":0,"limit":5,"size":1,"next":{"href":"n"},"later":true}`
	var page practice.Page[models.ActivityCode]
	var collection models.Collection[models.ActivityCode]
	require.NoError(t, json.Unmarshal([]byte(text), &page))
	require.NoError(t, json.Unmarshal([]byte(text), &collection))
	same := models.Collection[models.ActivityCode]{
		Hypermedia: page.Hypermedia, ID: page.ID, Items: page.Items, Paging: page.Paging, Extra: page.Extra,
	}
	assert.Equal(t, collection, same)
	for name, written := range map[string]any{"value": page, "pointer": &page, "embedded": struct {
		*practice.Page[models.ActivityCode]
	}{&page}} {
		t.Run(name, func(t *testing.T) {
			got, err := json.Marshal(written)
			require.NoError(t, err)
			assert.JSONEq(t, text, string(got))
			var logged bytes.Buffer
			slog.New(slog.NewJSONHandler(&logged, nil)).Info("read", "page", written)
			assert.NotContains(t, logged.String(), "Mallory")
			assert.Contains(t, logged.String(), `"items":1`)
		})
	}
}
