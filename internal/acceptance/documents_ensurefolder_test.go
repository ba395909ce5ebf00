package acceptance_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
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

func TestEnsuringAFolder(t *testing.T) {
	t.Parallel()
	create := func(t *testing.T, server *practicetest.Server, client *practice.Client, folder models.FolderWrite) string {
		t.Helper()
		link, err := client.Documents.CreateFolder(t.Context(), server.Firm().MatterID, folder)
		require.NoError(t, err)
		server.Settle()
		return link.TargetID()
	}
	t.Run("one of that name is used again", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
			id, err := client.Documents.EnsureFolder(t.Context(), server.Firm().MatterID, models.FolderWrite{Name: "Letters"}, practice.EnsureFolderOptions{})
			require.NoError(t, err)
			assert.Equal(t, server.Firm().FolderID, id)
			assert.Len(t, server.Requests(), 1, "nothing is written")
		})
	})
	t.Run("none is made, then used again", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
			matter := server.Firm().MatterID
			id, err := client.Documents.EnsureFolder(t.Context(), matter, models.FolderWrite{Name: "letters"}, practice.EnsureFolderOptions{})
			require.NoError(t, err)
			assert.NotEqual(t, server.Firm().FolderID, id, "case matters")
			server.Settle()
			again, err := client.Documents.EnsureFolder(t.Context(), matter, models.FolderWrite{Name: "letters"}, practice.EnsureFolderOptions{})
			require.NoError(t, err)
			assert.Equal(t, id, again)
			assert.Equal(t, 1, testkit.FoldersNamed(t, client, matter, "letters"))
		})
	})
	t.Run("only the same parent counts", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
			f := server.Firm()
			inRoot := create(t, server, client, models.FolderWrite{Name: "2025"})
			inFolder, err := client.Documents.EnsureFolder(t.Context(), f.MatterID, models.FolderWrite{Name: "2025", ParentFolderID: f.FolderID}, practice.EnsureFolderOptions{})
			require.NoError(t, err)
			assert.NotEqual(t, inRoot, inFolder)
			assert.Contains(t, testkit.EntryIDs(t, client, f.MatterID, f.FolderID), inFolder)
		})
	})
	t.Run("several are a typed error", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
			f := server.Firm()
			folder := models.FolderWrite{Name: "Twins", ParentFolderID: f.FolderID}
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
			id, err := client.Documents.EnsureFolder(t.Context(), f.MatterID, models.FolderWrite{Name: "Letters"}, practice.EnsureFolderOptions{})
			require.NoError(t, err)
			assert.NotEqual(t, f.FolderID, id)
		})
	})
	t.Run("a bad name is refused before anything is sent", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
			for _, name := range []string{"", strings.Repeat("x", practice.MaxFolderName+1)} {
				err := testkit.Discard(client.Documents.EnsureFolder(t.Context(), server.Firm().MatterID, models.FolderWrite{Name: name}, practice.EnsureFolderOptions{}))
				require.True(t, testkit.IsArgumentError(err), "%v", err)
			}
			assert.Empty(t, server.Requests())
		})
	})
	t.Run("a parent that does not exist", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
			folder := models.FolderWrite{Name: "x", ParentFolderID: testkit.UnknownID}
			require.ErrorIs(t, testkit.Discard(client.Documents.EnsureFolder(t.Context(), server.Firm().MatterID, folder, practice.EnsureFolderOptions{})), practice.ErrNotFound)
		})
	})
}

// TestTextsThatAreNotUTF8AreRefused checks invalid UTF-8: the service would
// store U+FFFD for the byte, and EnsureFolder would create another folder each
// time.
func TestTextsThatAreNotUTF8AreRefused(t *testing.T) {
	t.Parallel()
	const bad = "Letters \xff"
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		ctx := t.Context()
		for name, err := range map[string]error{
			"name":         testkit.Discard(client.Documents.EnsureFolder(ctx, f.MatterID, models.FolderWrite{Name: bad}, practice.EnsureFolderOptions{})),
			"a folder":     testkit.Discard(client.Documents.CreateFolder(ctx, f.MatterID, models.FolderWrite{Name: bad})),
			"a file":       testkit.Discard(client.Documents.Upload(ctx, f.MatterID, practice.Upload{Name: bad, Body: strings.NewReader("")})),
			"a fee":        testkit.Discard(client.Fees.Patch(ctx, f.MatterID, f.FeeID, models.FeePatch{Subject: models.Some(bad)})),
			"tags":         testkit.Discard(client.Contacts.AddTags(ctx, f.ContactID, []string{"VIP", bad})),
			"a tag":        testkit.Discard(client.Contacts.RemoveTag(ctx, f.ContactID, bad)),
			"removed tags": testkit.Discard(client.Contacts.RemoveTags(ctx, f.ContactID, []string{bad})),
			"a filter":     testkit.Discard(client.Events.List(ctx, practice.EventListOptions{MatterID: bad})),
			"a query":      testkit.Discard(client.Events.List(ctx, practice.EventListOptions{}, practice.WithQuery("q", bad))),
			"a key":        testkit.Discard(client.Webhooks.Create(ctx, models.WebhookSubscriptionWrite{Name: "n", EventTypes: []models.EventType{"error"}, EventNotificationURL: "https://hooks.example.test/in", Key: models.Some(models.NewSecret(bad))})),
			"an address":   testkit.Discard(client.Webhooks.Create(ctx, models.WebhookSubscriptionWrite{Name: "n", EventTypes: []models.EventType{"error"}, EventNotificationURL: "https://hooks.example.test/\xff"})),
			"a type":       testkit.Discard(client.Webhooks.Create(ctx, models.WebhookSubscriptionWrite{Name: "n", EventTypes: []models.EventType{bad}, EventNotificationURL: "https://hooks.example.test/in"})),
		} {
			require.ErrorContains(t, err, "valid UTF-8", name)
		}
		assert.Empty(t, server.Requests())
	})
}

// TestEnsureFolderReturnsTheIDOfAFolderOrAnError checks that no success comes
// with an empty id. As the parent of other records it would mean the root
// folder.
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
			folder := models.FolderWrite{Name: "a", ParentFolderID: "0b9c8f3a-0000-4000-8000-0000000000f1"}
			id, err := client.Documents.EnsureFolder(t.Context(), "m1", folder, practice.EnsureFolderOptions{ListWait: -1})
			require.ErrorIs(t, err, test.err)
			if err != nil {
				require.ErrorContains(t, err, "practice: Documents.EnsureFolder: ")
			}
			assert.Equal(t, test.want, id)
			assert.Equal(t, test.posts, posts)
		})
	}
}

// TestEnsureFolderCreatesNothingBehindAnIncompleteList checks an empty second
// page, since the folder may have been on it.
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
		id, err := client.Documents.EnsureFolder(t.Context(), "m1", models.FolderWrite{Name: "a", ParentFolderID: "0b9c8f3a-0000-4000-8000-0000000000f1"}, practice.EnsureFolderOptions{})
		require.Error(t, err, second)
		assert.Empty(t, id)
	}
}

// kindnesses returns services whose writes become visible at different times,
// from immediately to late, with everything below an unlisted folder refused
// until then.
func kindnesses() map[string]practicetest.Option {
	slow, refusing := practicetest.Unkind(), practicetest.Unkind()
	slow.MaxDelay, slow.ListLag = 4*time.Second, 4*time.Second
	refusing.Pending = practicetest.PendingRefused
	return map[string]practicetest.Option{
		"at once":  practicetest.WithWriteDelay(0),
		"default":  practicetest.WithConsistency(practicetest.Consistency{}),
		"unkind":   practicetest.WithConsistency(practicetest.Unkind()),
		"slow":     practicetest.WithConsistency(slow),
		"refusing": practicetest.WithConsistency(refusing),
	}
}

func inEachKindness(t *testing.T, test func(t *testing.T, server *practicetest.Server, client *practice.Client), opts ...practicetest.Option) {
	t.Helper()
	for name, kindness := range kindnesses() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, test, append(opts, kindness)...)
		})
	}
}

// requireOneFolder checks that the service has exactly one folder of the path
// at the end.
func requireOneFolder(t *testing.T, server *practicetest.Server, client *practice.Client, name, id string) {
	t.Helper()
	server.Settle()
	assert.Equal(t, 1, testkit.FoldersNamed(t, client, server.Firm().MatterID, name))
	made, there := server.Folder(id)
	assert.True(t, there, id)
	assert.Equal(t, name, made.Name)
}

var tree = models.FolderWrite{Name: "Tree"}

func TestOneFolderIsMade(t *testing.T) {
	t.Parallel()
	ensure := func(ctx context.Context, s *practicetest.Server, c *practice.Client, options practice.EnsureFolderOptions) (string, error) {
		return c.Documents.EnsureFolder(ctx, s.Firm().MatterID, tree, options)
	}
	for rule, test := range map[string]func(t *testing.T, s *practicetest.Server, c *practice.Client) (id string, err error){
		"ensured twice in a row": func(t *testing.T, s *practicetest.Server, c *practice.Client) (string, error) {
			first, err := ensure(t.Context(), s, c, practice.EnsureFolderOptions{})
			require.NoError(t, err)
			second, err := ensure(t.Context(), s, c, practice.EnsureFolderOptions{})
			assert.Equal(t, first, second)
			return second, err
		},
		"ensured twice without waiting": func(t *testing.T, s *practicetest.Server, c *practice.Client) (string, error) {
			first, err := ensure(t.Context(), s, c, practice.EnsureFolderOptions{ListWait: -1})
			require.NoError(t, err)
			second, err := ensure(t.Context(), s, c, practice.EnsureFolderOptions{ListWait: -1})
			assert.Equal(t, first, second)
			return second, err
		},
		"created, then ensured": func(t *testing.T, s *practicetest.Server, c *practice.Client) (string, error) {
			link, err := c.Documents.CreateFolder(t.Context(), s.Firm().MatterID, tree)
			require.NoError(t, err)
			id, err := ensure(t.Context(), s, c, practice.EnsureFolderOptions{})
			assert.Equal(t, link.TargetID(), id)
			return id, err
		},
		"created without an answer, then ensured, as the documentation has it": func(t *testing.T, s *practicetest.Server, c *practice.Client) (string, error) {
			s.Inject(practicetest.Fault{Operation: "createFolder", Kind: practicetest.FaultResetAfter})
			err := testkit.Discard(c.Documents.CreateFolder(t.Context(), s.Firm().MatterID, tree))
			_, unknown := errors.AsType[*practice.AmbiguousWriteError](err)
			require.True(t, unknown, "%v", err)
			return ensure(t.Context(), s, c, practice.EnsureFolderOptions{})
		},
		"the same by a client for another user, in other capitals of the ids": func(t *testing.T, s *practicetest.Server, c *practice.Client) (string, error) {
			s.Inject(practicetest.Fault{Operation: "createFolder", Kind: practicetest.FaultResetAfter})
			folder := models.FolderWrite{Name: "Tree"}
			require.Error(t, testkit.Discard(c.With(practice.WithRetries(0)).Documents.CreateFolder(t.Context(), strings.ToUpper(s.Firm().MatterID), folder)))
			return ensure(t.Context(), s, c.With(practice.WithTimeout(time.Minute)), practice.EnsureFolderOptions{})
		},
		"ensured by many at once": func(t *testing.T, s *practicetest.Server, c *practice.Client) (id string, err error) {
			var all sync.WaitGroup
			ids := make([]string, 12)
			for i := range ids {
				all.Go(func() {
					<-time.After(time.Duration(i%4) * 60 * time.Millisecond)
					var err error
					ids[i], err = ensure(t.Context(), s, c, practice.EnsureFolderOptions{ListWait: time.Duration(i%3-1) * 20 * time.Second})
					assert.NoError(t, err)
				})
			}
			all.Wait()
			for _, id := range ids {
				assert.Equal(t, ids[0], id)
			}
			return ids[0], nil
		},
		"given up, then ensured": func(t *testing.T, s *practicetest.Server, c *practice.Client) (string, error) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			_, _ = ensure(ctx, s, c, practice.EnsureFolderOptions{})
			return ensure(t.Context(), s, c, practice.EnsureFolderOptions{})
		},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			inEachKindness(t, func(t *testing.T, s *practicetest.Server, c *practice.Client) {
				id, err := test(t, s, c)
				require.NoError(t, err)
				requireOneFolder(t, s, c, "Tree", id)
			})
		})
	}
}

// TestAFolderThatIsNoLongerThereIsMadeAgain checks that the next call creates
// another folder if the first one was deleted, renamed or moved meanwhile.
func TestAFolderThatIsNoLongerThereIsMadeAgain(t *testing.T) {
	t.Parallel()
	for rule, change := range map[string]func(t *testing.T, s *practicetest.Server, c *practice.Client, id string){
		"deleted": func(_ *testing.T, s *practicetest.Server, _ *practice.Client, id string) { s.DeleteFolder(id) },
		"renamed": func(t *testing.T, s *practicetest.Server, c *practice.Client, id string) {
			require.NoError(t, testkit.Discard(c.Documents.PatchFolder(t.Context(), s.Firm().MatterID, id, models.FolderPatch{Name: models.Some("Other")})))
			s.Settle()
		},
		"moved": func(t *testing.T, s *practicetest.Server, c *practice.Client, id string) {
			require.NoError(t, testkit.Discard(c.Documents.PatchFolder(t.Context(), s.Firm().MatterID, id, models.FolderPatch{ParentFolderID: models.Some(s.Firm().FolderID)})))
			s.Settle()
		},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, s *practicetest.Server, c *practice.Client) {
				first, err := c.Documents.EnsureFolder(t.Context(), s.Firm().MatterID, tree, practice.EnsureFolderOptions{})
				require.NoError(t, err)
				change(t, s, c, first)
				began := time.Now()
				second, err := c.Documents.EnsureFolder(t.Context(), s.Firm().MatterID, tree, practice.EnsureFolderOptions{})
				require.NoError(t, err)
				assert.NotEqual(t, first, second)
				assert.Less(t, time.Since(began), time.Second)
				requireOneFolder(t, s, c, "Tree", second)
			})
		})
	}
}

// TestAFolderIsNotMadeAgainForAnotherOne checks a response that does not name
// the folder, such as that of the root folder: it shows no new name.
func TestAFolderIsNotMadeAgainForAnotherOne(t *testing.T) {
	t.Parallel()
	posts := 0
	client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{
		Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			if r.Method == http.MethodGet {
				return testkit.AnswerOf(200, listing(nil, nil)), nil
			}
			posts++
			return testkit.AnswerOf(202, `{"id":"f1"}`), nil
		}),
	}))
	require.NoError(t, err)
	for range 2 {
		id, err := client.Documents.EnsureFolder(t.Context(), "m1", models.FolderWrite{Name: "a"}, practice.EnsureFolderOptions{ListWait: -1})
		require.NoError(t, err)
		assert.Equal(t, "f1", id)
	}
	assert.Equal(t, 1, posts)
}

// TestTheWaitForAFolderHasABound checks that both the wait and the memory of a
// create are limited. Afterwards the folder is created again, since the service
// may have failed to create it.
func TestTheWaitForAFolderHasABound(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule         string
		settle, want time.Duration
	}{
		{"unless it is chosen", 0, practice.DefaultListWait},
		{"a chosen one", 40 * time.Second, 40 * time.Second},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, s *practicetest.Server, c *practice.Client) {
				s.FailWrite("createFolder", "No space left")
				ctx, matter, options := t.Context(), s.Firm().MatterID, practice.EnsureFolderOptions{ListWait: test.settle}
				began := time.Now()
				lost, err := c.Documents.EnsureFolder(ctx, matter, tree, options)
				require.EqualError(t, err, "practice: Documents.EnsureFolder: "+practice.ErrNotVisibleYet.Error())
				require.ErrorIs(t, err, practice.ErrNotVisibleYet)
				assert.NotEmpty(t, lost, "it was accepted")
				assert.InDelta(t, test.want.Seconds(), time.Since(began).Seconds(), 0.5)

				made, err := c.Documents.EnsureFolder(ctx, matter, tree, options)
				require.NoError(t, err)
				assert.NotEqual(t, lost, made)
				requireOneFolder(t, s, c, "Tree", made)
			})
		})
	}
	t.Run("without a wait, an uncertain create is reported and not repeated", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, s *practicetest.Server, c *practice.Client) {
			ctx, matter, options := t.Context(), s.Firm().MatterID, practice.EnsureFolderOptions{ListWait: -1}
			s.Inject(practicetest.Fault{Operation: "createFolder", Kind: practicetest.FaultResetBefore, After: 1})
			_, err := c.Documents.EnsureFolder(ctx, matter, tree, options)
			unknown, ok := errors.AsType[*practice.AmbiguousWriteError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, "Documents.EnsureFolder", unknown.Operation)
			_, err = c.Documents.EnsureFolder(ctx, matter, tree, options)
			require.ErrorIs(t, err, practice.ErrNotVisibleYet)
			<-time.After(practice.DefaultListWait)
			id, err := c.Documents.EnsureFolder(ctx, matter, tree, options)
			require.NoError(t, err)
			requireOneFolder(t, s, c, "Tree", id)
		})
	})
	t.Run("the context ends it", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, s *practicetest.Server, c *practice.Client) {
			s.FailWrite("createFolder", "No space left")
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			began := time.Now()
			id, err := c.Documents.EnsureFolder(ctx, s.Firm().MatterID, tree, practice.EnsureFolderOptions{})
			require.ErrorIs(t, err, context.DeadlineExceeded)
			assert.NotEmpty(t, id)
			assert.Equal(t, 3*time.Second, time.Since(began))
		})
	})
}

// TestOptionsForOneRequestAreRefused checks that options for a single request
// are refused. With a start position, for example, a walk would miss entries.
func TestOptionsForOneRequestAreRefused(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, s *practicetest.Server, c *practice.Client) {
		for name, opt := range map[string]practice.CallOption{
			"WithPosition": practice.WithPosition(&practice.WalkPosition{}), "WithRequestID": practice.WithRequestID(testkit.UnknownID),
			"WithResponse": practice.WithResponse(new(practice.Response)),
		} {
			err := testkit.Discard(c.Documents.EnsurePath(t.Context(), s.Firm().MatterID, "Letters/2026", practice.EnsureFolderOptions{}, opt))
			require.True(t, testkit.IsArgumentError(err), "%v", err)
			require.ErrorContains(t, err, "practice: Documents.EnsurePath: "+name)
		}
		assert.Empty(t, s.Requests())
	})
}

func TestErrorsOfEnsureFolderNameIt(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]practicetest.Fault{
		"the list":         {Operation: "getRootFolder", Status: http.StatusForbidden},
		"a broken list":    {Operation: "getRootFolder", Status: http.StatusOK, Body: "{}"},
		"the create":       {Operation: "createFolder", Status: http.StatusForbidden},
		"a lost answer":    {Operation: "createFolder", Status: http.StatusBadGateway},
		"an answer of his": {Operation: "createFolder", Status: http.StatusAccepted, Body: "nonsense"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var calls []string
				server := practicetest.New(t)
				client := server.Client(t, practice.WithObserver(func(_ context.Context, o practice.Observation) {
					if !o.Kind.IsAttempt() {
						calls = append(calls, o.Operation)
					}
				}))
				server.Inject(fault)
				err := testkit.Discard(client.Documents.EnsureFolder(t.Context(), server.Firm().MatterID, tree, practice.EnsureFolderOptions{ListWait: -1}))
				require.ErrorContains(t, err, "practice: Documents.EnsureFolder: ")
				assert.NotContains(t, err.Error(), "AllEntries")
				assert.NotContains(t, err.Error(), "CreateFolder")
				assert.Equal(t, "Documents.EnsureFolder", calls[len(calls)-1])
				assert.Contains(t, calls, "Documents.AllEntries", "observations name each part")
			})
		})
	}
}

// TestNoEndOfEnsureFolderHidesALostCreate ends the call at each moment after a
// create: the error still reports that the folder may exist.
func TestNoEndOfEnsureFolderHidesALostCreate(t *testing.T) {
	t.Parallel()
	for _, kind := range []practicetest.FaultKind{practicetest.FaultResetAfter, practicetest.FaultLatency} {
		for list := range 4 { // 0: during a wait
			for _, cancelled := range []bool{true, false} {
				if list == 0 && !cancelled {
					continue
				}
				t.Run(fmt.Sprint(kind, list, cancelled), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						ctx, cancel := context.WithCancel(t.Context())
						defer cancel()
						var lists atomic.Int64
						var created atomic.Bool
						server := practicetest.New(t, practicetest.WithWriteDelay(10*time.Second),
							practicetest.WithRequestHandler(func(r practicetest.RecordedRequest) {
								if r.Operation == "createFolder" {
									created.Store(true)
								} else if created.Load() && int(lists.Add(1)) == list && cancelled {
									cancel()
								}
							}))
						server.Inject(practicetest.Fault{Operation: "createFolder", Kind: kind})
						switch {
						case list == 0:
							time.AfterFunc(350*time.Millisecond, cancel)
						case !cancelled:
							server.Inject(practicetest.Fault{Operation: "getFolder", Status: http.StatusForbidden, Skip: list})
						}
						folder := models.FolderWrite{Name: "Incoming", ParentFolderID: server.Firm().FolderID}
						id, err := server.Client(t).Documents.EnsureFolder(ctx, server.Firm().MatterID, folder, practice.EnsureFolderOptions{ListWait: time.Minute})
						require.Error(t, err)
						if kind == practicetest.FaultResetAfter {
							assert.True(t, testkit.IsAmbiguous(err), "%v", err)
						} else {
							require.ErrorIs(t, err, practice.ErrNotVisibleYet)
							assert.NotEmpty(t, id)
						}
						if cancelled {
							require.ErrorIs(t, err, context.Canceled)
						} else {
							require.ErrorIs(t, err, practice.ErrForbidden)
						}
					})
				})
			}
		}
	}
}
