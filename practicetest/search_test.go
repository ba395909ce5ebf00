package practicetest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// searched returns the names of the files that a search finds.
func (c caller) searched(query, filters string) []string {
	c.t.Helper()
	found := []string{}
	for _, one := range c.do("POST", "/search/files", fmt.Sprintf(`{"query":%q,"filters":%s}`, query, filters)).want(200).json().([]any) {
		found = append(found, one.(map[string]any)["name"].(string))
	}
	return found
}

func TestASearchByContacts(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	f, c := s.Firm(), call(t, s)
	s.AddFile(f.MatterID, models.FileCreate{FileName: "zebra.txt"})
	other := s.AddContact(models.ContactWrite{Person: models.PersonWrite{FirstName: "A", LastName: "B"}})
	side := s.AddContact(models.ContactWrite{Person: models.PersonWrite{FirstName: "C", LastName: "D"}})
	matter := "/matters/" + f.MatterID
	for _, id := range []string{other, side} {
		assert.Empty(t, c.searched("zebra", fmt.Sprintf(`{"contactIds":[%q]}`, id)))
	}
	client := c.get(matter).text("clients", 0, "id")
	for name, one := range map[string]string{
		"a client": client, "a client in capitals": strings.ToUpper(client), "one of several": nobody + `","` + client,
	} {
		assert.Equal(t, []string{"zebra"}, c.searched("zebra", fmt.Sprintf(`{"contactIds":["%s"]}`, one)), name)
	}
	c.do("POST", matter+"/roles", fmt.Sprintf(`{"name":"Client","contactId":%q}`, other)).want(202)
	c.do("POST", matter+"/roles", fmt.Sprintf(`{"name":"OtherSide","contactId":%q}`, side)).want(202)
	assert.Equal(t, []string{"zebra"}, c.searched("zebra", fmt.Sprintf(`{"contactIds":[%q]}`, other)), "a role makes a client")
	for _, id := range []string{client, other, side} {
		found := len(c.get("/matters?ContactId="+id).want(200).list("value")) > 0
		assert.Equal(t, found, len(c.searched("zebra", fmt.Sprintf(`{"contactIds":[%q]}`, id))) > 0, "as the list of matters has it")
	}
}

// TestASearchFindsWhatTheListsHold checks that a search finds the files that
// lists contain, with the same lag.
func TestASearchFindsWhatTheListsHold(t *testing.T) {
	t.Parallel()
	s, d := consistent(t, practicetest.Consistency{ListLag: time.Hour})
	outer := s.AddFolder(d.matter, models.FolderWrite{Name: "Outer"})
	inner := s.AddFolder(d.matter, models.FolderWrite{Name: "Inner", ParentFolderID: outer})
	s.Settle()
	d.do("POST", "/matters/"+d.matter+"/documents/files", fmt.Sprintf(`{"fileName":"zebra.txt","folderId":%q}`, inner)).want(202)
	compare := func(when string, names ...string) {
		t.Helper()
		assert.ElementsMatch(t, names, d.get("/matters/"+d.matter+"/documents/files?Search=zebra").want(200).texts("name", "value"), when)
		assert.ElementsMatch(t, names, d.searched("zebra", "null"), when)
	}
	s.Clock().Advance(time.Minute)
	compare("while the lists lag")
	s.Settle()
	compare("afterwards", "zebra")
	d.do("DELETE", d.path(outer), "").want(202)
	s.Settle()
	compare("in a folder that is deleted")
}

func TestAnAuthorIsTheSameInEitherCase(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	f, d := s.Firm(), tree{call(t, s).asClient(), s.Firm().MatterID}
	id := d.do("POST", "/matters/"+d.matter+"/documents/files", fmt.Sprintf(`{"fileName":"zebra.txt","userId":%q}`, strings.ToUpper(f.UserID))).want(202).text("fileId")
	for _, author := range []string{f.UserID, strings.ToUpper(f.UserID)} {
		assert.Equal(t, []string{"zebra"}, d.searched("zebra", fmt.Sprintf(`{"authorIds":[%q]}`, author)))
	}
	assert.Equal(t, f.UserID, d.get("/matters/"+d.matter+"/documents/files/"+id).want(200).text("ownerId"))
}
