package practicetest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// tree holds the documents of a matter as seen by a client.
type tree struct {
	caller
	matter string
}

func documents(t *testing.T, s *practicetest.Server) tree {
	t.Helper()
	return tree{call(t, s), s.Firm().MatterID}
}

func (d tree) path(folder string) string {
	return strings.TrimSuffix("/matters/"+d.matter+"/documents/folders/"+folder, "/")
}

// names returns the names of the entries of a folder. An empty id means the
// root folder.
func (d tree) names(folder string) (folders, files []string) {
	d.t.Helper()
	a := d.get(d.path(folder)).want(200)
	return a.texts("name", "value", 0, "folders"), a.texts("name", "value", 0, "files")
}

func (d tree) create(name, parent string) string {
	d.t.Helper()
	body := map[string]any{"name": name}
	if parent != "" {
		body["parentFolderId"] = parent
	}
	raw, err := json.Marshal(body)
	require.NoError(d.t, err)
	a := d.do("POST", d.path(""), string(raw)).want(202)
	assert.Equal(d.t, d.server.BaseURL()+d.path(a.text("id")), a.text("href"))
	return a.text("id")
}

func TestARootListing(t *testing.T) {
	t.Parallel()
	d := documents(t, practicetest.New(t))
	a := d.get(d.path("")).want(200)
	assert.Nil(t, a.at("parentId"))
	assert.Nil(t, a.at("name"))
	assert.Equal(t, json.Number("6"), a.at("size"))
	assert.Nil(t, a.at("next"))
	folders, files := d.names("")
	assert.Equal(t, []string{"Letters", "Contracts", "Court", "Evidence"}, folders)
	assert.Equal(t, []string{"1. Agenda", "Contract of sale (signed)"}, files)
	assert.Equal(t, map[string]any{}, a.at("value", 0, "files", 0, "folder"), "a file of the root has an empty folder")
	assert.Nil(t, a.at("value", 0, "folders", 0, "parentId"))
}

func TestAFolderIsPagedOverFoldersAndFiles(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	d, f := documents(t, s), s.Firm()
	folders, files := d.names(f.FolderID)
	require.Len(t, folders, 3)
	require.Greater(t, len(files), 20)
	whole := append(folders, files...)
	for _, limit := range []int{1, 2, 3, 4, 7, len(whole), 500} {
		var walked []string
		for next := fmt.Sprintf("%s?limit=%d", d.path(f.FolderID), limit); next != ""; {
			a := d.get(next).want(200)
			assert.Equal(t, json.Number(fmt.Sprint(len(whole))), a.at("size"))
			assert.Equal(t, json.Number(fmt.Sprint(limit)), a.at("limit"))
			entries := append(a.texts("name", "value", 0, "folders"), a.texts("name", "value", 0, "files")...)
			assert.LessOrEqual(t, len(entries), limit)
			walked = append(walked, entries...)
			next = ""
			if a.at("next") != nil {
				next = strings.TrimPrefix(a.text("next", "href"), s.BaseURL())
				assert.Equal(t, "collection", a.text("next", "rel"))
			}
		}
		assert.Equal(t, whole, walked, "limit %d", limit)
	}
	past := d.get(d.path(f.FolderID) + "?offset=1000&limit=10").want(200)
	assert.Empty(t, past.list("value", 0, "files"))
	assert.Nil(t, past.at("next"))
	first := d.get(d.path(f.FolderID) + "?limit=10").want(200)
	assert.Nil(t, first.at("previous"))
	assert.Equal(t, s.BaseURL()+d.path(f.FolderID), first.text("first", "href"))
	assert.Equal(t, s.BaseURL()+d.path(f.FolderID)+"?limit=10&offset=20", first.text("last", "href"))
	assert.Equal(t, "Letters", first.text("name"))
	middle := d.get(d.path(f.FolderID) + "?limit=10&offset=15").want(200)
	assert.Equal(t, s.BaseURL()+d.path(f.FolderID)+"?limit=10&offset=5", middle.text("previous", "href"))
}

func TestADeletedFolder(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	d, f := documents(t, s), s.Firm()
	require.True(t, s.DeleteFolder(f.FolderID))
	assert.False(t, s.DeleteFolder("nothing"))

	folders, _ := d.names("")
	assert.NotContains(t, folders, "Letters", "it leaves the listing of its parent")
	own := d.get(d.path(f.FolderID)).want(200)
	assert.Equal(t, true, own.at("isDeleted"))
	assert.Equal(t, "Letters", own.text("name"))
	assert.Empty(t, own.list("value"))
	assert.Equal(t, json.Number("0"), own.at("size"))

	d.mistake("PATCH", d.path(f.FolderID), `{"isDeleted":true}`)
	d.do("PATCH", d.path(f.FolderID), `{"isDeleted":false}`).want(202)
	folders, _ = d.names("")
	assert.Contains(t, folders, "Letters")
	folders, _ = d.names(f.FolderID)
	assert.Len(t, folders, 3, "with all that was in it")
}

func TestFoldersAreRenamedAndMoved(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	d, letters := documents(t, s), s.Firm().FolderID
	outer := d.create("Outer", "")
	inner := d.create("Inner", outer)
	d.do("PATCH", d.path(letters), fmt.Sprintf(`{"name":"Mail","parentFolderId":%q}`, strings.ToUpper(inner))).want(202)
	a := d.get(d.path(letters)).want(200)
	assert.Equal(t, "Mail", a.text("name"))
	assert.Equal(t, inner, a.text("parentId"))
	folders, _ := d.names(inner)
	assert.Equal(t, []string{"Mail"}, folders)
	d.do("PATCH", d.path(outer), fmt.Sprintf(`{"parentFolderId":%q}`, letters)).want(400)
	d.do("PATCH", d.path(letters), `{"parentFolderId":null}`).want(202)
	folders, _ = d.names("")
	assert.Equal(t, []string{"Contracts", "Court", "Evidence", "Outer", "Mail"}, folders)
}

func TestTwoMovesThatTogetherMakeACircleFailLater(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(time.Hour))
	d := documents(t, s)
	a, b := d.create("A", ""), d.create("B", "")
	s.Settle()
	inbox := subscribe(t, s, "error")
	d.do("PATCH", d.path(a), fmt.Sprintf(`{"parentFolderId":%q}`, b)).want(202)
	d.do("PATCH", d.path(b), fmt.Sprintf(`{"parentFolderId":%q}`, a)).want(202)
	s.Settle()
	folders, _ := d.names(b)
	assert.Equal(t, []string{"A"}, folders)
	assert.Equal(t, b, inbox.wait(1)[0].text("payload", "resourceId"))
}
