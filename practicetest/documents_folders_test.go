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

func TestAFolderThatIsMovedIsTheLastOfItsFolder(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	d := documents(t, s)
	for _, parent := range []string{`"` + d.create("Outer", "") + `"`, "null"} {
		d.do("PATCH", d.path(s.Firm().FolderID), `{"parentFolderId":`+parent+`}`).want(202)
	}
	folders, _ := d.names("")
	assert.Equal(t, []string{"Contracts", "Court", "Evidence", "Outer", "Letters"}, folders)
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
