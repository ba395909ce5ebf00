package practice_test

import (
	"errors"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestDoAllYieldsTheRecordsOfAllPages(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, practicetest.WithEvents(40))
	client := server.Client(t)
	events, err := practice.Collect(client.Events.All(t.Context(), practice.EventListOptions{From: time.Unix(0, 0)}))
	require.NoError(t, err)
	require.Greater(t, len(events), 14)
	server.ResetRequests()

	all := practice.Request{Method: http.MethodGet, Path: "/events", Query: url.Values{"From": {"1970-01-01T00:00:00"}}}
	var got []string
	for object, err := range client.DoAll(t.Context(), all, practice.ListOptions{Limit: 7}) {
		require.NoError(t, err)
		var event struct{ ID string }
		require.NoError(t, object.Decode(&event))
		got = append(got, event.ID)
	}
	var want []string
	for _, event := range events {
		want = append(want, event.ID)
	}
	assert.Equal(t, want, got)
	assert.Len(t, server.Requests(), (len(want)+6)/7)
}

func TestDoAllEndsAsAnyWalkDoes(t *testing.T) {
	t.Parallel()
	service := &testkit.Scripted{Pages: func(q url.Values) string {
		assert.Equal(t, []string{"Mine"}, q["Status"])
		if testkit.OffsetOf(q) == 0 {
			return testkit.Page([]string{"a", `[]`}, "size", "5")
		}
		return testkit.Page(nil, "size", "5")
	}}
	list := practice.Request{Method: http.MethodGet, Path: "/things/{id}/parts", PathValues: []string{"t/1"}, Query: url.Values{"Status": {"Mine"}}}
	_, err := practice.Collect(testkit.ScriptedClient(t, service).DoAll(t.Context(), list, practice.ListOptions{}))
	refused, is := errors.AsType[*practice.ArgumentError](err)
	require.True(t, is, "%v", err)
	assert.Equal(t, practice.ArgumentError{Operation: "DoAll /things/{id}/parts", Argument: "PathValues", Reason: "must not contain a slash or a backslash"}, *refused)

	list.PathValues = []string{"t1"}
	got, err := practice.Collect(testkit.ScriptedClient(t, service).DoAll(t.Context(), list, practice.ListOptions{Limit: 2}))
	require.ErrorIs(t, err, practice.ErrEmptyPage)
	assert.Len(t, testkit.RecordErrors(err), 1, "a record that is no object")
	assert.Equal(t, []models.Object{objectOf(t, `{"id":"a"}`)}, got)
	assert.Equal(t, "https://api.example.test/v1/things/t1/parts?Limit=2&Offset=0&Status=Mine", service.Paths[0])
}

func objectOf(t *testing.T, text string) models.Object {
	t.Helper()
	object, err := models.ParseObject(text)
	require.NoError(t, err)
	return object
}

func TestDoAllRefusesWhatItCannotWalkOver(t *testing.T) {
	t.Parallel()
	client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials())
	require.NoError(t, err)
	get := func(change func(*practice.Request)) practice.Request {
		r := practice.Request{Method: http.MethodGet, Path: "/things"}
		change(&r)
		return r
	}
	for argument, request := range map[string]practice.Request{
		"Method": get(func(r *practice.Request) { r.Method = http.MethodPost }),
		"Path":   get(func(r *practice.Request) { r.Path = "/things/{id}" }),
		"Body":   get(func(r *practice.Request) { r.Body = map[string]int{} }),
		"Query":  get(func(r *practice.Request) { r.Query = url.Values{"offset": {"5"}} }),
		"Limit":  get(func(*practice.Request) {}),
	} {
		options := practice.ListOptions{}
		if argument == "Limit" {
			options.Limit = 501
		}
		_, err := practice.Collect(client.DoAll(t.Context(), request, options))
		refused, is := errors.AsType[*practice.ArgumentError](err)
		require.True(t, is, "%v", err)
		assert.Equal(t, argument, refused.Argument)
	}
}
