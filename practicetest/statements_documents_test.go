package practicetest_test

import (
	"fmt"
	"strings"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

func statementsOfWrites() []statement {
	return []statement{
		{"a relation is put with 202, the list holds links", "the related contact is listed once", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			last := w.Firm().ContactIDs[20]
			for range 2 {
				c.do("PUT", w.contact("/relations/"+last), `{"businessRole":"Spouse"}`).want(202)
			}
			assert.Equal(w.t, 1, strings.Count(c.get(w.contact("/relations")).Body, `"id":"`+last+`"`))
		}},
	}
}

func statementsOfFolders() []statement {
	return []statement{
		{"the name of a folder has 1 to 256 characters", "256 × é passes, 257 do not", func(w *witness) {
			c := w.at()
			c.do("POST", w.matter("/documents/folders"), fmt.Sprintf(`{"name":%q}`, strings.Repeat("é", 256))).want(202)
			c.mistake("POST", w.matter("/documents/folders"), fmt.Sprintf(`{"name":%q}`, strings.Repeat("é", 257)))
			c.mistake("POST", w.matter("/documents/folders"), `{"name":""}`)
		}},
		{"a file for a deleted folder makes a new folder", "of the same name, beside the deleted one", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			name := c.get(w.matter("/documents/folders/" + w.Firm().FolderID)).text("name")
			w.DeleteFolder(w.Firm().FolderID)
			c.do("POST", w.matter("/documents/files"), `{"fileName":"f.txt","folderId":"`+w.Firm().FolderID+`"}`).want(202)
			folders := c.get(w.matter("/documents/folders"))
			assert.Contains(w.t, folders.texts("name", "value", 0, "folders"), name)
			assert.NotContains(w.t, folders.texts("id", "value", 0, "folders"), w.Firm().FolderID)
		}},
	}
}

func statementsOfUploads() []statement {
	return []statement{
		{"a download obeys its conditions", "If-Range of another version gives the whole, the others 304 and 412; another method is a mistake", func(w *witness) {
			c := w.at()
			down := c.get(w.matter("/documents/files/" + w.Firm().FileID + "/download")).want(200).text("downloadUrl")
			whole := c.storage("GET", down, "", nil)
			tag, changed := whole.Header.Get("ETag"), whole.Header.Get("Last-Modified")
			for _, tt := range []struct {
				name, value string
				status      int
			}{
				{"If-Range", tag, 206}, {"If-Range", `"other"`, 200}, {"If-Range", changed, 206}, {"If-Range", "Mon, 01 Jan 2001 00:00:00 GMT", 200},
				{"If-None-Match", tag, 304}, {"If-None-Match", `"other"`, 206}, {"If-Modified-Since", changed, 304},
				{"If-Modified-Since", "Mon, 01 Jan 2001 00:00:00 GMT", 206}, {"If-Unmodified-Since", "Mon, 01 Jan 2001 00:00:00 GMT", 412}, {"If-Unmodified-Since", changed, 206},
				{"If-Match", tag, 206}, {"If-Match", `"other"`, 412},
			} {
				got := c.storage("GET", down, "", map[string]string{tt.name: tt.value, "Range": "bytes=0-1"})
				assert.Equal(w.t, tt.status, got.Status, "%s: %s", tt.name, tt.value)
			}
			assert.Equal(w.t, 1, w.noticed(func() { assert.Equal(w.t, 403, c.storage("PUT", down, "x", nil).Status) }))
		}},
	}
}
