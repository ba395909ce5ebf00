package practicetest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

func statementsOfWrites() []statement {
	return []statement{
		{"a write is accepted first and seen later", "202, the list without it, Settle, the list with it", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(time.Hour))
			c.do("POST", w.matter("/documents/folders"), `{"name":"Later"}`).want(202)
			assert.NotContains(w.t, c.get(w.matter("/documents/folders")).Body, `"Later"`)
			w.Settle()
			assert.Contains(w.t, c.get(w.matter("/documents/folders")).Body, `"Later"`)
		}},
		{"a late failure is told by an error event", "message, resourceName, resourceId and the RequestId of its cause", func(w *witness) {
			c := w.at()
			inbox := subscribe(w.t, w.Server, "error", "fee.updated")
			w.FailWrite("patchFee", "no")
			c.with("RequestId", "r-7").do("PATCH", w.matter("/fees/"+w.Firm().FeeID), `{"subject":"s"}`).want(202)
			w.Settle()
			n := inbox.wait(1)[0]
			assert.Equal(w.t, []any{"error", "no", "fee", w.Firm().FeeID, "r-7"},
				[]any{n.at("type"), n.at("payload", "message"), n.at("payload", "resourceName"), n.at("payload", "resourceId"), n.Header.Get("RequestId")})
		}},
		{"a PATCH of a fee merges", "tax is 0 when exempt, exclusions are mistakes, a write-off needs billable", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			fee := w.matter("/fees/" + w.Firm().FeeID)
			before := c.get(fee).want(200)
			c.do("PATCH", fee, `{"taxExempt":true}`).want(202)
			assert.Equal(w.t, json.Number("0"), c.get(fee).at("tax"))
			assert.Equal(w.t, before.at("subject"), c.get(fee).at("subject"))
			c.mistake("PATCH", fee, `{"taxExempt":true,"taxOutOfScope":true}`)
			c.mistake("PATCH", fee, `{"isWrittenOff":true,"isBillable":false}`)
		}},
		{"the day of a fee is written as a day", "a date-time is refused and reported", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			fee := w.matter("/fees/" + w.Firm().FeeID)
			c.do("PATCH", fee, `{"feeDate":"2026-02-03"}`).want(202)
			assert.Equal(w.t, "2026-02-03", c.get(fee).text("feeDate"))
			c.mistake("PATCH", fee, `{"feeDate":"2026-02-03T00:00:00Z"}`)
		}},
		{"a body is UTF-8", "other bytes are refused and reported", func(w *witness) {
			w.at().mistake("POST", w.matter("/documents/folders"), "{\"name\":\"a\xff\"}")
		}},
		{"a lenient service passes over members that it does not know", "also in an object inside", func(w *witness) {
			c := w.at(practicetest.WithStrict(false))
			c.do("POST", w.matter("/documents/folders"), `{"name":"n","x":1}`).want(202)
			c.do("PATCH", w.matter("/fees/"+w.Firm().FeeID), `{"sourceItems":[{"description":"d","x":1}]}`).want(202)
		}},
		{"tags are added with 201 and removed with 202", "by id, and several by name", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			c.do("POST", w.contact("/tags"), `["one","two"]`).want(201)
			c.do("DELETE", w.contact("/tags"), `["one"]`).want(202)
			c.do("DELETE", w.contact("/tags/"+w.Firm().TagID), "").want(202)
			assert.Contains(w.t, c.get(w.contact("/tags")).texts("name", "value"), "two")
			assert.NotContains(w.t, c.get(w.contact("/tags")).texts("name", "value"), "one")
		}},
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
		{"folders of one name may lie side by side", "two are listed", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			for range 2 {
				c.do("POST", w.matter("/documents/folders"), `{"name":"Twice"}`).want(202)
			}
			assert.Equal(w.t, 2, strings.Count(c.get(w.matter("/documents/folders")).Body, `"name":"Twice"`))
		}},
		{"the name of a folder has 1 to 256 characters", "256 × é passes, 257 do not", func(w *witness) {
			c := w.at()
			c.do("POST", w.matter("/documents/folders"), fmt.Sprintf(`{"name":%q}`, strings.Repeat("é", 256))).want(202)
			c.mistake("POST", w.matter("/documents/folders"), fmt.Sprintf(`{"name":%q}`, strings.Repeat("é", 257)))
			c.mistake("POST", w.matter("/documents/folders"), `{"name":""}`)
		}},
		{"a deleted folder is empty and not listed until it is restored", "its own listing says isDeleted", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			own := w.matter("/documents/folders/" + w.Firm().FolderID)
			assert.True(w.t, w.DeleteFolder(w.Firm().FolderID))
			assert.Equal(w.t, true, c.get(own).want(200).at("isDeleted"))
			assert.Empty(w.t, c.get(own).list("value"))
			assert.NotContains(w.t, c.get(w.matter("/documents/folders")).texts("id", "value", 0, "folders"), w.Firm().FolderID)
			c.do("PATCH", own, `{"isDeleted":false}`).want(202)
			assert.Contains(w.t, c.get(w.matter("/documents/folders")).texts("id", "value", 0, "folders"), w.Firm().FolderID)
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
		{"folders come before files, one offset counts both", "a page across the border", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			parent := c.do("POST", w.matter("/documents/folders"), `{"name":"Both"}`).want(202).text("id")
			for n := range 3 {
				c.do("POST", w.matter("/documents/folders"), fmt.Sprintf(`{"name":"d%d","parentFolderId":%q}`, n, parent)).want(202)
				c.do("POST", w.matter("/documents/files"), fmt.Sprintf(`{"fileName":"f%d","folderId":%q}`, n, parent)).want(202)
			}
			page := c.get(w.matter("/documents/folders/" + parent + "?offset=2&limit=2")).want(200)
			assert.Equal(w.t, []string{"d2"}, page.texts("name", "value", 0, "folders"))
			assert.Equal(w.t, []string{"f0"}, page.texts("name", "value", 0, "files"))
			assert.Equal(w.t, json.Number("6"), page.at("size"))
		}},
	}
}

func statementsOfUploads() []statement {
	return []statement{
		{"a file is added in two steps", "created, put, listed as uploaded, downloaded", func(w *witness) {
			c := w.at(practicetest.WithWriteDelay(0))
			address, id := w.upload(c)
			assert.Equal(w.t, 200, c.storage("PUT", address, "content", nil).Status)
			down := c.get(w.matter("/documents/files/" + id + "/download")).want(200)
			assert.Equal(w.t, "content", c.storage("GET", down.text("downloadUrl"), "", nil).Body)
		}},
		{"an address ends at its expiry", "15 minutes, which Expires in the address says too, then 403", func(w *witness) {
			c := w.at(practicetest.WithVirtualClock(start), practicetest.WithTokenLifetime(24*time.Hour))
			address, _ := w.upload(c)
			assert.Contains(w.t, address, fmt.Sprint("Expires=", start.Add(15*time.Minute).Unix()))
			w.Clock().Advance(15*time.Minute - time.Second)
			assert.Equal(w.t, 200, c.storage("PUT", address, "x", nil).Status)
			w.Clock().Advance(2 * time.Second)
			assert.Equal(w.t, 403, c.storage("PUT", address, "x", nil).Status)
		}},
		{"an upload has no Content-Type, or an empty one", "both are taken, a value is refused and reported", func(w *witness) {
			c := w.at()
			address, _ := w.upload(c)
			at := "PUT " + address + " HTTP/1.1\r\nHost: " + strings.Split(strings.TrimPrefix(address, "http://"), "/")[0] + "\r\nConnection: close\r\nContent-Length: 1\r\n"
			assert.Equal(w.t, 200, w.raw(w.StorageURL(), at, "x"))
			assert.Equal(w.t, 200, w.raw(w.StorageURL(), at+"Content-Type:\r\n", "x"))
			assert.Equal(w.t, 1, w.noticed(func() { assert.Equal(w.t, 403, w.raw(w.StorageURL(), at+"Content-Type: text/plain\r\n", "x")) }))
		}},
		{"an upload carries nothing but its content", "no credential, no chunks, no checksum, no rights", func(w *witness) {
			c := w.at()
			address, _ := w.upload(c)
			for name, status := range map[string]int{"Authorization": 400, "x-api-key": 400, "UserId": 400, "Content-MD5": 403, "x-store-acl": 403, "x-store-meta-colour": 403} {
				assert.Equal(w.t, 1, w.noticed(func() {
					assert.Equal(w.t, status, c.storage("PUT", address, "x", map[string]string{name: "v"}).Status)
				}), name)
			}
			assert.Equal(w.t, 1, w.noticed(func() {
				at := "PUT " + address + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n"
				assert.Equal(w.t, 501, w.raw(w.StorageURL(), at, "1\r\nx\r\n0\r\n\r\n"))
			}))
		}},
		{"a download obeys its conditions", "If-Range of another version gives the whole, the others 304 and 412", func(w *witness) {
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
		}},
		{"nothing of an upload is seen before it is whole", "a PUT that breaks off leaves the version before", func(w *witness) {
			synctest.Test(w.t, func(t *testing.T) {
				w := &witness{t: t}
				c := w.at(practicetest.WithWriteDelay(0))
				before, _ := w.FileContent(w.Firm().FileID)
				address := c.get(w.matter("/documents/files/" + w.Firm().FileID + "/upload")).want(200).text("uploadUrl")
				w.Inject(practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultResetBefore, After: 3})
				request, err := http.NewRequestWithContext(t.Context(), "PUT", address, strings.NewReader("a new version"))
				assert.NoError(t, err)
				_, err = w.HTTPClient().Do(request)
				assert.Error(t, err)
				after, _ := w.FileContent(w.Firm().FileID)
				assert.Equal(t, before, after)
			})
		}},
	}
}
