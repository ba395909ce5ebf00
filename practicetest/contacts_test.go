package practicetest_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// TestTagsOfNothingAreReported checks that blank tags are accepted but
// reported, because the API does not document a refusal. It has a sample of an
// empty list.
func TestTagsOfNothingAreReported(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	f := s.Firm()
	contact, matter := "/contacts/"+f.ContactID+"/tags", "/matters/"+f.MatterID+"/tags"
	for name, test := range map[string]struct {
		method, path, body string
		status             int
		violations         []string
	}{
		"no tag of a contact":                  {"POST", contact, `[]`, 201, nil},
		"blank tags of a contact among others": {"POST", contact, `["New"," ","\t\n"]`, 201, []string{"[1]: must not be blank", "[2]: must not be blank"}},
		"an empty tag to remove":               {"DELETE", contact, `[""]`, 202, []string{"[0]: must not be blank"}},
		"no tag besides that of the path":      {"DELETE", contact + "/" + f.TagID, `[]`, 202, nil},
		"no tag of a matter":                   {"POST", matter, `[]`, 201, nil},
		"a tag of a matter without a name":     {"POST", matter, `[{}]`, 201, []string{"[0].name: must not be blank"}},
		"an empty tag of a matter":             {"POST", matter, `[{"name":"New"},{"name":""}]`, 201, []string{"[1].name: must not be blank"}},
		"a tag of a matter":                    {"POST", matter, `[{"name":"New"}]`, 201, nil},
		"a staff member as a tag":              {"POST", matter, `[{"type":"Staff","id":"` + f.StaffID + `"}]`, 201, nil},
	} {
		t.Run(name, func(t *testing.T) {
			found := s.Tolerate(func() { call(t, s).do(test.method, test.path, test.body).want(test.status) })
			require.Len(t, found, len(test.violations), "%v", found)
			for i, text := range test.violations {
				assert.Contains(t, found[i], text)
			}
		})
	}
}

func TestARestoredContactIsToldAsRestored(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	c, path := call(t, s), "/contacts/"+s.Firm().ContactID
	inbox := subscribe(t, s, "contact.deleted", "contact.restored", "contact.updated")
	c.do("DELETE", path, "").want(202)
	c.do("PUT", path, `{"trust":{"name":"Deleted"}}`).want(404)
	c.do("PUT", path, `{"trust":{"name":"Back"},"isDeleted":false}`).want(202)
	var types []string
	for _, n := range inbox.wait(2) {
		types = append(types, n.text("type"))
	}
	assert.ElementsMatch(t, []string{"contact.deleted", "contact.restored"}, types)
	back := c.get(path).want(200)
	assert.Equal(t, false, back.at("isDeleted"))
	assert.Equal(t, "Back", back.text("trust", "name"))
	assert.Nil(t, back.at("person"), "a contact is one of four kinds")
}

func TestNumbersOfIdentityPapersAreNotShown(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	made := call(t, s).do("POST", "/contacts", `{"person":{"lastName":"Example","identificationDetails":{"medicareNumber":"M-1"}}}`).want(202)
	assert.NotContains(t, call(t, s).get("/contacts/"+made.text("id")).want(200).Body, "M-1")
}

// TestASearchFindsWhatALookAtEachContactFinds compares the search with a
// comparison of each contact, while contacts are added and changed.
func TestASearchFindsWhatALookAtEachContactFinds(t *testing.T) {
	t.Parallel()
	s, chance := practicetest.New(t, practicetest.WithWriteDelay(0)), rand.New(rand.NewPCG(1, 2))
	pick := func(of ...string) string { return of[chance.IntN(len(of))] }
	texts := map[string][]string{}
	write := func(method, path string) {
		first, last, mail, phone := pick("Zoë", "ZOLTAN", "Zita"), pick("Quax", "Quill", "Zoquu"), pick("", "z@quax.test", "q@zo.test"), pick("", "5550100", "0155")
		body := fmt.Sprintf(`{"person":{"firstName":%q,"lastName":%q,"email":%q,"phone":{"areaCode":"312","number":%q}}}`, first, last, mail, phone)
		id := call(t, s).do(method, path, body).want(202).text("id")
		texts[id] = []string{first + " " + last, mail, "312" + phone}
	}
	for range 12 {
		write("POST", "/contacts")
	}
	for range 300 {
		if chance.IntN(6) == 0 {
			write("PUT", "/contacts/"+pick(slices.Sorted(maps.Keys(texts))...))
		}
		wanted := pick("zo", "ZO", "ë q", "quax", "z@", "quax.TEST", "2555", "2015", "zita q", "q@zo", "zoquuz", "quaxz@", "\x00", "testtest")
		found := call(t, s).get("/contacts?Limit=500&Search=" + url.QueryEscape(wanted)).Body
		for id, all := range texts {
			holds := slices.ContainsFunc(all, func(text string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(wanted)) })
			assert.Equal(t, holds, strings.Contains(found, `"id":"`+id+`"`), "%q in %q", wanted, all)
		}
	}
}
