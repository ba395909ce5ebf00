package acceptance_test

import (
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook/subscribe"
)

func TestAnAnswerWithoutAListIsNoEmptyList(t *testing.T) {
	t.Parallel()
	forEveryOperation(t, func(t *operationRow, server *practicetest.Server) {
		form := t.op.Method().Out(0).String()
		if !strings.HasPrefix(form, "*practice.Page[") && form != "*practice.FolderPage" {
			return
		}
		method := t.op.Name
		for _, body := range testkit.Listless {
			err := t.op.Call(t.Context(), server.Client(t, practice.WithMiddleware(answersAlways(body))), server.Firm())
			if strings.HasSuffix(method, "CreateFiles") {
				require.NoError(t, err, "%s has created its files, whatever it answers", method)
				continue
			}
			fault, ok := errors.AsType[*practice.DecodeError](err)
			require.True(t, ok, "%s: %s: %v", method, body, err)
			require.ErrorIs(t, err, practice.ErrEmptyPage, "%s: %s", method, body)
			assert.Equal(t, body, string(fault.Body))
		}
		empty := []string{`{"value":[]}`, `{"value":[],"size":null}`, `{"value":null,"size":0}`, `{"size":0}`, `{"value":null,"offset":7,"size":7}`, `{"name":"Letters","value":null}`}
		if form != "*practice.FolderPage" {
			empty = append(empty, testkit.NullLists...)
		}
		for _, body := range empty {
			err := t.op.Call(t.Context(), server.Client(t, practice.WithMiddleware(answersAlways(body))), server.Firm())
			assert.NoError(t, err, "%s: %s", method, body)
		}
	})
}

func TestAWalkOverAnAnswerWithoutAListIsNoWalkOverAnEmptyOne(t *testing.T) {
	t.Parallel()
	for _, body := range testkit.Listless {
		for _, first := range []string{"", testkit.Page(testkit.IDs(0, 2)), testkit.Page(testkit.IDs(0, 2), "size", "2", "next", testkit.LinkTo("/events?offset=2"))} {
			service := &testkit.Scripted{Pages: func(q url.Values) string {
				if first != "" && testkit.OffsetOf(q) == 0 {
					return first
				}
				return body
			}}
			client := testkit.ScriptedClient(t, service)
			_, err := practice.Collect(client.Events.All(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 2}}))
			require.ErrorIs(t, err, practice.ErrEmptyPage, "%s behind %q", body, first)
			_, err = practice.Collect(client.DoAll(t.Context(), practice.Request{Method: http.MethodGet, Path: "/others"}, practice.ListOptions{Limit: 2}))
			require.ErrorIs(t, err, practice.ErrEmptyPage, "%s behind %q", body, first)
		}
	}
}

func TestAWalkOverAListThatIsNullIsEmptyUnlessThereWasMore(t *testing.T) {
	t.Parallel()
	for _, body := range testkit.NullLists {
		for first, complete := range map[string]bool{
			"": true,
			testkit.Page(testkit.IDs(0, 2), "size", "4"):                                             false,
			testkit.Page(testkit.IDs(0, 2), "next", testkit.LinkTo("/events?offset=2")):              false,
			testkit.Page(testkit.IDs(0, 2), "size", "4", "next", testkit.LinkTo("/events?offset=2")): false,
			testkit.Page(testkit.IDs(0, 2)):                                                          true, // a full page; an empty one after it is the end
		} {
			service := &testkit.Scripted{Pages: func(q url.Values) string {
				if first != "" && testkit.OffsetOf(q) == 0 {
					return first
				}
				return body
			}}
			client := testkit.ScriptedClient(t, service)
			_, err := practice.Collect(client.Events.All(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 2}}))
			if complete {
				require.NoError(t, err, "%s behind %q", body, first)
				continue
			}
			require.ErrorIs(t, err, practice.ErrEmptyPage, "%s behind %q", body, first)
		}
	}
}

// TestNothingIsDoneToAMatterOrADirectoryOnTheWordOfAPageWithoutAList checks
// that a response without a list, or a bare list in place of a folder's page,
// changes nothing in a matter or a directory.
func TestNothingIsDoneToAMatterOrADirectoryOnTheWordOfAPageWithoutAList(t *testing.T) {
	t.Parallel()
	const folder = "0b9c8f3a-0000-4000-8000-0000000000f1"
	for _, body := range slices.Concat([]string{"[]"}, testkit.NullLists, testkit.Listless) {
		client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{
			Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
				assert.Equal(t, http.MethodGet, r.Method, "nothing is made for %s", body)
				return testkit.AnswerOf(200, body), nil
			}),
		}))
		require.NoError(t, err)
		dir := t.TempDir()
		kept := filepath.Join(dir, "kept.txt")
		require.NoError(t, os.WriteFile(kept, []byte("kept"), 0o600))

		_, err = practice.Collect(client.Documents.AllEntries(t.Context(), "m1", ""))
		require.ErrorIs(t, err, practice.ErrEmptyPage, body)
		require.Error(t, mirror.Pull(t.Context(), client, "m1", dir, mirror.Options{Delete: true}), body)
		assert.FileExists(t, kept, body)
		require.Error(t, mirror.Push(t.Context(), client, "m1", "", mirror.Options{Tree: fstest.MapFS{"a/b": {}}, FolderID: folder, ListWait: -1}), body)
		_, err = client.Documents.EnsureFolder(t.Context(), "m1", models.FolderWrite{Name: "a", ParentFolderID: folder}, practice.EnsureFolderOptions{})
		require.ErrorIs(t, err, practice.ErrEmptyPage, body)
		if body != "[]" && !slices.Contains(testkit.NullLists, body) {
			_, err = subscribe.Ensure(t.Context(), client, subscribe.Spec{
				Name: "Matters", EventNotificationURL: "https://hooks.example.test/in", EventTypes: []models.EventType{"matter.updated"},
			})
			require.ErrorIs(t, err, practice.ErrEmptyPage, body)
		}
	}
}

func TestADeletedFolderNeedsNoList(t *testing.T) {
	t.Parallel()
	client := testkit.ScriptedClient(t, &testkit.Scripted{Pages: func(url.Values) string { return `{"isDeleted":true}` }})
	listed, err := client.Documents.ListFolder(t.Context(), "m1", "f1", practice.FolderListOptions{})
	require.NoError(t, err)
	assert.Empty(t, listed.Items)
	_, err = practice.Collect(client.Documents.AllEntries(t.Context(), "m1", "f1"))
	require.ErrorIs(t, err, practice.ErrFolderDeleted)
}
