package mirror_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// pushTree pushes a tree without a directory or manifest.
func pushTree(ctx context.Context, client *practice.Client, matterID string, tree fs.FS, options mirror.Options, opts ...practice.CallOption) error {
	options.Tree = tree
	return mirror.Push(ctx, client, matterID, "", options, opts...)
}

// testMatter is a matter for a test.
type testMatter struct {
	server *practicetest.Server
	client *practice.Client
	id     string
}

// inEmptyMatter runs a test with a matter without folders and files.
func inEmptyMatter(t *testing.T, test func(t *testing.T, m *testMatter), opts ...practicetest.Option) {
	t.Helper()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		m := &testMatter{server: server, client: client, id: server.Firm().MatterIDs[1]}
		for entry, err := range client.Documents.AllEntries(t.Context(), m.id, "") {
			require.NoError(t, err)
			if entry.Folder != nil {
				server.DeleteFolder(entry.ID())
			} else {
				server.DeleteFile(entry.ID())
			}
		}
		server.ResetRequests()
		test(t, m)
	}, opts...)
}

// folder creates a folder and returns its id; an empty parent is the root.
func (m *testMatter) folder(t *testing.T, parentID, name string) string {
	t.Helper()
	link, err := m.client.Documents.CreateFolder(t.Context(), m.id, models.FolderWrite{Name: name, ParentFolderID: parentID})
	require.NoError(t, err)
	m.server.Settle()
	m.server.ResetRequests()
	return link.TargetID()
}

// file creates a file and returns its id.
func (m *testMatter) file(t *testing.T, folderID, name, content string) string {
	t.Helper()
	file, err := m.client.Documents.Upload(t.Context(), m.id, practice.Upload{Name: name, FolderID: folderID, Body: strings.NewReader(content)})
	require.NoError(t, err)
	m.server.Settle()
	m.server.ResetRequests()
	return file.ID
}

// fsTree returns the files of a tree, and its folders with a slash.
func fsTree(t *testing.T, fsys fs.FS) map[string]string {
	t.Helper()
	tree := map[string]string{}
	require.NoError(t, fs.WalkDir(fsys, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			tree[path+"/"] = ""
			return nil
		}
		content, err := fs.ReadFile(fsys, path)
		tree[path] = string(content)
		return err
	}))
	return tree
}

func mustReadDir(t *testing.T, fsys fs.FS, dir string) []fs.DirEntry {
	t.Helper()
	list, err := fs.ReadDir(fsys, dir)
	require.NoError(t, err)
	return list
}

// cursorsOf returns the cursors of events files.updated from now on.
func cursorsOf(t *testing.T, server *practicetest.Server) <-chan string {
	t.Helper()
	cursors := make(chan string, 1000)
	address, err := server.Mount(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		var event struct{ Payload struct{ Cursor string } }
		assert.NoError(t, json.Unmarshal(text, &event))
		cursors <- event.Payload.Cursor
		w.WriteHeader(http.StatusOK)
	}))
	require.NoError(t, err)
	require.NoError(t, testkit.Discard(server.Client(t).Webhooks.Create(t.Context(), models.WebhookSubscriptionWrite{
		Name: "Files", EventTypes: []models.EventType{"files.updated"}, EventNotificationURL: address,
	})))
	return cursors
}

// always returns a policy with a fixed choice.
func always(choice mirror.Choice) func(string, *models.File) mirror.Choice {
	return func(string, *models.File) mirror.Choice { return choice }
}
func listing(folders, files []string, members ...string) string {
	records := func(names []string) string {
		var list []string
		for _, name := range names {
			if !strings.HasPrefix(name, "{") {
				name = fmt.Sprintf(`{"id":%q,"name":%q}`, name, name)
			}
			list = append(list, name)
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	return testkit.Page([]string{`{"folders":` + records(folders) + `,"files":` + records(files) + `}`}, members...)
}
func quoted(text string) string {
	encoded, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return string(encoded)
}

const unknownID = "00000000-0000-4000-8000-00000000dead"

// oddMatter is a handwritten service: the response of each folder by id.
type oddMatter map[string]string

func (o oddMatter) RoundTrip(req *http.Request) (*http.Response, error) {
	_, id, _ := strings.Cut(req.URL.Path, "/documents/folders")
	body, known := o[strings.TrimPrefix(id, "/")]
	if !known {
		return testkit.AnswerOf(404, `{"title":"Not found"}`), nil
	}
	return testkit.AnswerOf(200, body), nil
}

func fileOf(t *testing.T, client *practice.Client, matterID, folderID, fileID string) *models.File {
	t.Helper()
	for entry, err := range client.Documents.AllEntries(t.Context(), matterID, folderID) {
		require.NoError(t, err)
		if entry.File != nil && entry.File.ID == fileID {
			return entry.File
		}
	}
	require.Fail(t, "the file is not listed")
	return nil
}
func contentOf(t *testing.T, size int64) []byte {
	t.Helper()
	data, err := io.ReadAll(practicetest.NewContent(7, size))
	require.NoError(t, err)
	return data
}
