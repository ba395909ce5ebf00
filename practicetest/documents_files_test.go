package practicetest_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestAFolderPathMakesWhatIsMissing(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	d := documents(t, s)
	d.do("POST", "/matters/"+d.matter+"/documents/files", `{"fileName":"a","folderPath":"/Letters/2030/New"}`).want(202)
	folders, _ := d.names(s.Firm().FolderID)
	assert.Equal(t, []string{"2024", "2025", "2026", "2030"}, folders)
	folders, _ = d.names("")
	assert.Len(t, folders, 4)
}

// put uploads content to an unchanged upload address.
func (c caller) put(address, content string) answer {
	c.t.Helper()
	return c.storage("PUT", address, content, nil)
}

func TestAFileIsUploadedInTwoSteps(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithPresignedLifetime(time.Minute))
	d, files := documents(t, s), "/matters/"+s.Firm().MatterID+"/documents/files"
	made := d.do("POST", files, `{"fileName":"Letter.v2.docx","dateCreated":"2026-01-02T03:04:05.1234567Z","fileAdditionalData":{"n":1.10}}`).want(202)
	id := made.text("fileId")
	assert.Equal(t, "2026-03-02T09:31:00Z", made.text("expiry"))
	address, err := url.Parse(made.text("uploadUrl"))
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(made.text("uploadUrl"), s.StorageURL()+"/"))
	assert.Equal(t, "1772443860", address.Query().Get("Expires"), "the expiry of the answer is that of the address")

	assert.Equal(t, 200, d.put(made.text("uploadUrl"), "first").Status)
	d.get(files + "/" + id + "/download").want(404)
	s.Settle()
	got := d.get(files + "/" + id + "/download").want(200)
	assert.Equal(t, []any{"Letter.v2", ".docx", json.Number("5")}, []any{got.at("name"), got.at("fileExtension"), got.at("sizeBytes")})
	assert.Equal(t, "first", d.storage("GET", got.text("downloadUrl"), "", nil).Body)
	content, there := s.FileContent(id)
	assert.True(t, there)
	assert.Equal(t, "first", string(content))

	record := func() map[string]any {
		items := d.get(d.path("")).list("value", 0, "files")
		return items[len(items)-1].(map[string]any)
	}
	first := record()
	assert.Equal(t, "2026-01-02T03:04:05.1234567Z", first["dateCreated"])
	assert.Equal(t, "2026-03-02T09:30:00.1234567Z", first["dateModified"])
	assert.Equal(t, map[string]any{"n": json.Number("1.10")}, first["additionalData"])
	assert.Equal(t, true, first["isUploaded"])

	// A new version has its own address. The old version is still available by
	// its id.
	second := d.get(files + "/" + id + "/upload").want(200)
	assert.Equal(t, 200, d.put(second.text("uploadUrl"), "second!").Status)
	assert.NotEqual(t, first["versionId"], record()["versionId"])
	assert.Equal(t, json.Number("7"), d.get(files+"/"+id+"/download").at("sizeBytes"))
	old := d.get(files + "/" + id + "/download?versionId=" + first["versionId"].(string)).want(200)
	assert.Equal(t, "first", d.storage("GET", old.text("downloadUrl"), "", nil).Body)

	// Until the first address expires, it can replace the content of its
	// version.
	assert.Equal(t, 200, d.put(made.text("uploadUrl"), "again").Status)
	assert.Equal(t, "again", d.storage("GET", old.text("downloadUrl"), "", nil).Body)
	assert.Equal(t, json.Number("7"), d.get(files+"/"+id+"/download").at("sizeBytes"))
	s.Clock().Advance(2 * time.Minute)
	assert.Equal(t, 403, d.put(made.text("uploadUrl"), "late").Status)
	assert.Equal(t, 403, d.storage("GET", old.text("downloadUrl"), "", nil).Status)
}

func TestAFileThatWasNotUploaded(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	d, files := documents(t, s).asClient(), "/matters/"+s.Firm().MatterID+"/documents/files"
	made := d.do("POST", files, `{"fileName":".profile"}`).want(202)
	items := d.get("/matters/"+s.Firm().MatterID+"/documents/folders").list("value", 0, "files")
	file := items[len(items)-1].(map[string]any)
	assert.Equal(t, []any{".profile", "", false, json.Number("0"), nil, nil},
		[]any{file["name"], file["fileExtension"], file["isUploaded"], file["sizeBytes"], file["versionId"], file["ownerId"]})
	d.get(files + "/" + made.text("fileId") + "/download").want(404)
	d.get(files + "/" + made.text("fileId") + "/upload").want(200)
	_, there := s.FileContent(made.text("fileId"))
	assert.False(t, there)
}
