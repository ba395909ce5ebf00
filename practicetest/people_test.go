package practicetest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestTags(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	c, path := call(t, s), "/contacts/"+s.Firm().ContactID+"/tags"
	assert.Equal(t, []string{"VIP", "Überweisung", "Newsletter"}, c.get(path).texts("name", "value"))
	assert.Equal(t, s.Firm().TagID, c.get(path).texts("id", "value")[0])
	assert.Equal(t, "VIP", s.Firm().TagName)

	added := c.do("POST", path, `["New","VIP","New"]`).want(201)
	assert.Equal(t, s.BaseURL()+path, added.text("href"))
	assert.Equal(t, []string{"VIP", "Überweisung", "Newsletter", "New"}, c.get(path).texts("name", "value"), "a tag is carried once")
	c.do("DELETE", path+"/"+s.Firm().TagID, "").want(202)
	c.do("DELETE", path+"/"+s.Firm().TagID, "").want(404)
	byID := c.get(path).texts("id", "value")[0]
	c.do("DELETE", path, `["New","`+byID+`","unknown"]`).want(202)
	assert.Equal(t, []string{"Newsletter"}, c.get(path).texts("name", "value"), "several are named by id or by name")
	last := c.get(path).texts("id", "value")[0]
	c.do("POST", path, `["More"]`).want(201)
	c.do("DELETE", path+"/"+last, `["More"]`).want(202)
	assert.Empty(t, c.get(path).list("value"))
}

func TestRelations(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	f := s.Firm()
	c, path := call(t, s), "/contacts/"+f.ContactID+"/relations"
	ids := c.get(path).want(200).texts("id", "value")
	require.Len(t, ids, 3)
	assert.Contains(t, ids, f.RelatedContactID)
	link := c.do("PUT", path+"/"+f.RelatedContactID, `{"businessRole":"Director"}`).want(202)
	assert.Equal(t, f.RelatedContactID, link.text("id"))
	assert.Len(t, c.get(path).list("value"), 3, "the role of a relation changes, its number does not")
	for _, id := range f.ContactIDs[5:20] {
		c.do("PUT", path+"/"+id, `{}`).want(202)
	}
	page := c.get(path + "?limit=5&offset=15").want(200)
	assert.Len(t, page.list("value"), 3)
	assert.Equal(t, s.BaseURL()+path+"?limit=5&offset=10", page.text("previous", "href"))
}

func TestAStaffMemberLeaves(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	f := s.Firm()
	before := call(t, s).get("/staff/" + f.StaffID).want(200)
	assert.Equal(t, []any{false, true, f.UserID}, []any{before.at("former"), before.at("enabled"), before.at("userId")})
	assert.NotNil(t, before.at("outOfOffice"))
	link := call(t, s).do("DELETE", "/staff/"+f.StaffID, "").want(202)
	assert.Equal(t, []any{f.StaffID, s.BaseURL() + "/staff/" + f.StaffID}, []any{link.at("id"), link.at("href")})
	after := call(t, s).get("/staff/" + f.StaffID).want(200)
	assert.Equal(t, []any{true, false, nil, nil}, []any{after.at("former"), after.at("enabled"), after.at("userId"), after.at("outOfOffice")})
	assert.NotEqual(t, before.at("versionId"), after.at("versionId"))
	call(t, s).do("DELETE", "/staff/"+f.StaffID, "").want(202)
}

func TestSomeStaffRecordsLeaveOutWhatIsEmpty(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	a := call(t, s).get("/staff/" + s.Firm().StaffIDs[2]).want(200)
	assert.Equal(t, map[string]any{}, a.at("cell"))
	assert.NotContains(t, a.json(), "title")
	assert.NotContains(t, a.json(), "rate")
	former := call(t, s).get("/staff/" + s.Firm().StaffIDs[5]).want(200)
	assert.Equal(t, true, former.at("former"))
}

func TestPortalMessages(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithClock(start), practicetest.WithWriteDelay(time.Second))
	f := s.Firm()
	path := "/matters/" + f.MatterID + "/portal/messages"
	body := `{"message":"Please sign.\nThanks","contactId":"` + f.ContactID + `","requireMFA":true}`
	a := call(t, s).asClient().with("UserId", f.UserID).with("RequestId", "r").do("POST", path, body).want(202)
	assert.Empty(t, a.Body)
	assert.Empty(t, s.PortalMessages(), "not sent yet")
	s.Clock().Advance(time.Second)
	assert.Equal(t, []practicetest.PortalMessage{{
		MatterID: f.MatterID, ContactID: f.ContactID, UserID: f.UserID, Text: "Please sign.\nThanks", RequireMFA: true,
		RequestID: "r", Sent: start.Add(time.Second),
	}}, s.PortalMessages())

	call(t, s).do("POST", path, `{"message":"x","contactId":"`+f.ContactID+`"}`).want(202)
	s.Settle()
	assert.Equal(t, s.Credentials().UserID, s.PortalMessages()[1].UserID, "a user's token needs no UserId")
	assert.Len(t, s.Tolerate(func() {
		refused := call(t, s).asClient().do("POST", path, body).want(400)
		assert.Equal(t, "UserId", refused.text("errors", 0, "field"))
	}), 1)
	call(t, s).do("POST", path, `{"message":"x"}`).want(400)
}

func TestRolesAndPolicies(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	f := s.Firm()
	role := call(t, s).get("/matters/" + f.MatterID + "/roles/" + f.RoleID + "/relationships").want(200)
	assert.Equal(t, f.ContactID, role.text("relationships", 0, "contact", "id"))
	assert.Equal(t, map[string]any{"href": "/firm/", "rel": "Firm"}, role.at("relationships", 1, "contact"))
	assert.Nil(t, role.at("relationships", 1, "representatives"))

	resource := call(t, s).get("/policies/" + f.PolicyReference).want(200)
	assert.Equal(t, []any{nil, f.MatterID}, []any{resource.at("principalId"), resource.at("resourceId")})
	assert.Equal(t, "matters/"+f.MatterID, resource.text("rules", 0, "resourceId"))
	principal := call(t, s).get("/policies/" + f.UserID).want(200)
	assert.Equal(t, []any{f.UserID, nil}, []any{principal.at("principalId"), principal.at("resourceId")})
	assert.Nil(t, principal.at("rules", 0, "principalId"))
}
