package practicetest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// files returns a path below the files of the matter.
func (d tree) files(rest string) string { return "/matters/" + d.matter + "/documents/files" + rest }

func TestContentOfWhatIsNoFileIsNobodys(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	d := documents(t, s)
	content := func(id string) string {
		bytes, _ := s.FileContent(id)
		return string(bytes)
	}

	s.FailWrite("createFile", "No space left")
	failed := d.do("POST", d.files(""), `{"fileName":"a.txt"}`).want(202)
	d.storage("PUT", failed.text("uploadUrl"), "ghost", nil)
	s.Settle()
	assert.Empty(t, content(failed.text("fileId")), "content that came before the write failed")
	d.storage("PUT", failed.text("uploadUrl"), "ghost", nil)
	assert.Empty(t, content(failed.text("fileId")), "content that came afterwards")

	file := s.Firm().FileID
	before, address := content(file), d.get(d.files("/"+file+"/upload")).text("uploadUrl")
	d.do("DELETE", d.files("/"+file), "").want(202)
	s.Settle()
	changes := len(s.Changes())
	d.storage("PUT", address, "ghost", nil)
	s.Settle()
	assert.Len(t, s.Changes(), changes, "content of a file that was deleted")
	assert.Equal(t, before, content(file))
}

// TestContentThatComesTakesEffectAfterTheDelay checks that an upload takes
// effect after the delay of writes.
func TestContentThatComesTakesEffectAfterTheDelay(t *testing.T) {
	t.Parallel()
	for name, late := range map[string]bool{"of a write that takes a while": true, "at once by default": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := practicetest.Consistency{}
			if late {
				c.MinDelay, c.MaxDelay = time.Minute, time.Minute
			}
			s, d := consistent(t, c)
			file := d.files("/" + s.Firm().FileID)
			inbox := subscribe(t, s, "files.updated")
			before := d.get(file).text("versionId")
			for range 2 {
				d.storage("PUT", d.get(file+"/upload").text("uploadUrl"), "new", nil)
			}
			if late {
				assert.Equal(t, before, d.get(file).text("versionId"))
				inbox.wait(0)
				s.Clock().Advance(time.Minute)
			}
			assert.NotEqual(t, before, d.get(file).text("versionId"))
			got, stored := s.FileContent(s.Firm().FileID)
			require.True(t, stored)
			assert.Equal(t, "new", string(got))
			inbox.wait(2)
		})
	}
}
