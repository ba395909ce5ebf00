package practice_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestEnsuringAFolder(t *testing.T) {
	t.Parallel()
	create := func(t *testing.T, server *practicetest.Server, client *practice.Client, folder models.FolderCreate) string {
		t.Helper()
		link, err := client.Documents.CreateFolder(t.Context(), server.Firm().MatterID, folder)
		require.NoError(t, err)
		server.Settle()
		return link.TargetID()
	}
	t.Run("one of that name is used again", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
			id, err := client.Documents.EnsureFolder(t.Context(), server.Firm().MatterID, models.FolderCreate{Name: "Letters"}, practice.EnsureFolderOptions{})
			require.NoError(t, err)
			assert.Equal(t, server.Firm().FolderID, id)
			assert.Len(t, server.Requests(), 1, "nothing is written")
		})
	})
	t.Run("none is made, then used again", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
			matter := server.Firm().MatterID
			id, err := client.Documents.EnsureFolder(t.Context(), matter, models.FolderCreate{Name: "letters"}, practice.EnsureFolderOptions{})
			require.NoError(t, err)
			assert.NotEqual(t, server.Firm().FolderID, id, "case matters")
			server.Settle()
			again, err := client.Documents.EnsureFolder(t.Context(), matter, models.FolderCreate{Name: "letters"}, practice.EnsureFolderOptions{})
			require.NoError(t, err)
			assert.Equal(t, id, again)
			assert.Equal(t, 1, testkit.FoldersNamed(t, client, matter, "letters"))
		})
	})
	t.Run("only the same parent counts", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
			f := server.Firm()
			inRoot := create(t, server, client, models.FolderCreate{Name: "2025"})
			inFolder, err := client.Documents.EnsureFolder(t.Context(), f.MatterID, models.FolderCreate{Name: "2025", ParentFolderID: f.FolderID}, practice.EnsureFolderOptions{})
			require.NoError(t, err)
			assert.NotEqual(t, inRoot, inFolder)
			assert.Contains(t, idsOf(t, client, f.MatterID, f.FolderID), inFolder)
		})
	})
	t.Run("several are a typed error", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
			f := server.Firm()
			folder := models.FolderCreate{Name: "Twins", ParentFolderID: f.FolderID}
			twins := []string{create(t, server, client, folder), create(t, server, client, folder)}
			server.ResetRequests()
			err := testkit.Discard(client.Documents.EnsureFolder(t.Context(), f.MatterID, folder, practice.EnsureFolderOptions{}))
			several, ok := errors.AsType[*practice.AmbiguousFolderError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, practice.AmbiguousFolderError{Name: "Twins", ParentID: f.FolderID, IDs: twins}, *several)
			assert.EqualError(t, err, `practice: 2 folders are named "Twins"`)
			assert.Len(t, server.Requests(), 1, "nothing is written")

			for rule, test := range map[string]struct {
				policy practice.AmbiguityPolicy
				want   string
			}{
				"the first":                  {practice.FirstListed, twins[0]},
				"another one":                {func(_ string, ids []string) string { return strings.ToUpper(ids[1]) }, twins[1]},
				"none":                       {func(string, []string) string { return "" }, ""},
				"one that is not among them": {func(string, []string) string { return f.FolderID }, ""},
			} {
				id, err := client.Documents.EnsureFolder(t.Context(), f.MatterID, folder, practice.EnsureFolderOptions{Ambiguous: test.policy})
				assert.Equal(t, test.want, id, rule)
				_, several := errors.AsType[*practice.AmbiguousFolderError](err)
				assert.Equal(t, test.want == "", several, rule)
			}
		})
	})
	t.Run("a deleted one does not count", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
			f := server.Firm()
			require.True(t, server.DeleteFolder(f.FolderID))
			id, err := client.Documents.EnsureFolder(t.Context(), f.MatterID, models.FolderCreate{Name: "Letters"}, practice.EnsureFolderOptions{})
			require.NoError(t, err)
			assert.NotEqual(t, f.FolderID, id)
		})
	})
	t.Run("a bad name is refused before anything is sent", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
			for _, name := range []string{"", strings.Repeat("x", practice.MaxFolderName+1)} {
				err := testkit.Discard(client.Documents.EnsureFolder(t.Context(), server.Firm().MatterID, models.FolderCreate{Name: name}, practice.EnsureFolderOptions{}))
				require.True(t, testkit.IsArgumentError(err), "%v", err)
			}
			assert.Empty(t, server.Requests())
		})
	})
	t.Run("a parent that does not exist", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
			folder := models.FolderCreate{Name: "x", ParentFolderID: unknownID}
			require.ErrorIs(t, testkit.Discard(client.Documents.EnsureFolder(t.Context(), server.Firm().MatterID, folder, practice.EnsureFolderOptions{})), practice.ErrNotFound)
		})
	})
}

// The service would get U+FFFD in place of the byte, and EnsureFolder would
// make another folder each time.
func TestTextsThatAreNotUTF8AreRefused(t *testing.T) {
	t.Parallel()
	const bad = "Letters \xff"
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		ctx := t.Context()
		for name, err := range map[string]error{
			"name":         testkit.Discard(client.Documents.EnsureFolder(ctx, f.MatterID, models.FolderCreate{Name: bad}, practice.EnsureFolderOptions{})),
			"a folder":     testkit.Discard(client.Documents.CreateFolder(ctx, f.MatterID, models.FolderCreate{Name: bad})),
			"a file":       testkit.Discard(client.Documents.Upload(ctx, f.MatterID, practice.Upload{Name: bad, Body: strings.NewReader("")})),
			"a fee":        testkit.Discard(client.Fees.Patch(ctx, f.MatterID, f.FeeID, models.FeePatch{Subject: models.Some(bad)})),
			"tags":         testkit.Discard(client.Contacts.AddTags(ctx, f.ContactID, []string{"VIP", bad})),
			"a tag":        testkit.Discard(client.Contacts.RemoveTag(ctx, f.ContactID, bad)),
			"removed tags": testkit.Discard(client.Contacts.RemoveTags(ctx, f.ContactID, []string{bad})),
			"a filter":     testkit.Discard(client.Events.List(ctx, practice.EventListOptions{MatterID: bad})),
			"a query":      testkit.Discard(client.Events.List(ctx, practice.EventListOptions{}, practice.WithQuery("q", bad))),
			"a key":        testkit.Discard(client.Webhooks.Create(ctx, models.WebhookWrite{Name: "n", EventTypes: []models.EventType{"error"}, EventNotificationURL: "https://hooks.example.test/in", Key: models.Some(models.NewSecret(bad))})),
			"an address":   testkit.Discard(client.Webhooks.Create(ctx, models.WebhookWrite{Name: "n", EventTypes: []models.EventType{"error"}, EventNotificationURL: "https://hooks.example.test/\xff"})),
			"a type":       testkit.Discard(client.Webhooks.Create(ctx, models.WebhookWrite{Name: "n", EventTypes: []models.EventType{bad}, EventNotificationURL: "https://hooks.example.test/in"})),
		} {
			require.ErrorContains(t, err, "valid UTF-8", name)
		}
		assert.Empty(t, server.Requests())
	})
}

// The answer of EnsureFolder is used as the parent of other records, and an
// empty id means the root folder there.
func TestEnsureFolderReturnsTheIDOfAFolderOrAnError(t *testing.T) {
	t.Parallel()
	none := listing(nil, nil)
	listed := func(folder string) string { return `{"value":[{"folders":[` + folder + `]}],"size":1}` }
	for _, test := range []struct {
		name, list, made, want string
		err                    error
		posts                  int
	}{
		{name: "created, with an id", list: none, made: `{"id":"f1"}`, want: "f1", posts: 1},
		{name: "created, with an address", list: none, made: `{"href":"https://api.example.test/v1/matters/m1/documents/folders/f1?x=y"}`, want: "f1", posts: 1},
		{name: "created, with the address and a slash", list: none, made: `{"href":"/matters/m1/documents/folders/f1/"}`, want: "f1", posts: 1},
		{name: "created, and no body", list: none, made: ``, err: practice.ErrNoID, posts: 1},
		{name: "created, and null", list: none, made: `null`, err: practice.ErrNoID, posts: 1},
		{name: "created, and nothing said", list: none, made: `{}`, err: practice.ErrNoID, posts: 1},
		{name: "created, with an empty address", list: none, made: `{"href":""}`, err: practice.ErrNoID, posts: 1},
		{name: "created, with the address of all", list: none, made: `{"href":"/matters/m1/documents/folders/"}`, err: practice.ErrNoID, posts: 1},
		{name: "created, with the address of all in capitals", list: none, made: `{"href":"/matters/m1/documents/Folders"}`, err: practice.ErrNoID, posts: 1},
		{name: "created, with the address of the matter", list: none, made: `{"href":"/matters/m1"}`, err: practice.ErrNoID, posts: 1},
		{name: "created, with the address of the parent", list: none, made: `{"href":"/matters/m1/documents/folders/0b9c8f3a-0000-4000-8000-0000000000f1"}`, err: practice.ErrNoID, posts: 1},
		{name: "created, with what is no id", list: none, made: `{"id":".."}`, err: practice.ErrNoID, posts: 1},
		{name: "listed", list: listed(`{"id":"f1","name":"a"}`), want: "f1"},
		{name: "listed without an id", list: listed(`{"name":"a"}`), err: practice.ErrNoID},
		{name: "listed as deleted", list: listed(`{"id":"f0","name":"a","isDeleted":true}`), made: `{"id":"f1"}`, want: "f1", posts: 1},
		{name: "listed by a page without a body", list: ``, err: practice.ErrEmptyAnswer},
		{name: "listed by null", list: `null`, err: practice.ErrEmptyAnswer},
		{name: "listed by a page that lacks records", list: `{"value":[],"size":1}`, err: practice.ErrEmptyPage},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			posts := 0
			client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{
				Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
					if r.Method == http.MethodGet {
						return testkit.AnswerOf(200, test.list), nil
					}
					posts++
					return testkit.AnswerOf(202, test.made), nil
				}),
			}))
			require.NoError(t, err)
			id, err := client.Documents.EnsureFolder(t.Context(), "m1", models.FolderCreate{Name: "a", ParentFolderID: "0b9c8f3a-0000-4000-8000-0000000000f1"}, practice.EnsureFolderOptions{})
			require.ErrorIs(t, err, test.err)
			assert.Equal(t, test.want, id)
			assert.Equal(t, test.posts, posts)
		})
	}
}

// A second page that says nothing may have had the folder.
func TestEnsureFolderCreatesNothingBehindAnIncompleteList(t *testing.T) {
	t.Parallel()
	for _, second := range []string{"", "null", "{}", "[]", `{"value":null}`, `{"value":[]}`, `{"value":[{"folders":[],"files":[]}]}`, `{"value":[{"files":[{"id":"x2"}]}],"next":{"href":"?offset=19"}}`} {
		client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{
			Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
				assert.Equal(t, http.MethodGet, r.Method, "nothing is made")
				if r.URL.Query().Get("offset") == "0" {
					return testkit.AnswerOf(200, `{"value":[{"files":[{"id":"x0"},{"id":"x1"}]}],"size":20}`), nil
				}
				return testkit.AnswerOf(200, second), nil
			}),
		}))
		require.NoError(t, err)
		id, err := client.Documents.EnsureFolder(t.Context(), "m1", models.FolderCreate{Name: "a", ParentFolderID: "0b9c8f3a-0000-4000-8000-0000000000f1"}, practice.EnsureFolderOptions{})
		require.Error(t, err, second)
		assert.Empty(t, id)
		require.Error(t, client.Documents.UploadDir(t.Context(), "m1", fstest.MapFS{"a/b": {}}, practice.UploadDirOptions{FolderID: "0b9c8f3a-0000-4000-8000-0000000000f1", Settle: -1}), second)
	}
}
