package practicetest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestTheIDOfAMatterTypeIsTheSameInEitherCase checks that the case does not
// matter: the id consists of a UUID and a location, which the service writes in
// lower or upper case.
func TestTheIDOfAMatterTypeIsTheSameInEitherCase(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	f, c := s.Firm(), call(t, s)
	number, location, _ := strings.Cut(f.MatterTypeID, "_")
	filtered := func(path, id string) any { return c.get(path + id).want(200).at("size") }
	for name, id := range map[string]string{
		"as it is written": f.MatterTypeID, "all in capitals": strings.ToUpper(f.MatterTypeID),
		"all in small letters": strings.ToLower(f.MatterTypeID), "a number in capitals": strings.ToUpper(number) + "_" + strings.ToLower(location),
	} {
		assert.Equal(t, f.MatterTypeID, c.get("/mattertypes/"+id).want(200).text("id"), name)
		assert.Equal(t, filtered("/matters?MatterTypeId=", f.MatterTypeID), filtered("/matters?MatterTypeId=", id), name)
		assert.Equal(t, filtered("/intake/forms?matterTypeId=", f.MatterTypeID), filtered("/intake/forms?matterTypeId=", id), name)
		assert.Equal(t, c.get("/layouts/"+f.LayoutDesignID+"?matterTypeId="+f.MatterTypeID).Body, c.get("/layouts/"+f.LayoutDesignID+"?matterTypeId="+id).want(200).Body, name)
		made := c.do("POST", "/matters", fmt.Sprintf(`{"clientIds":[%q],"matterTypeId":%q,"status":"Open"}`, f.ContactID, id)).want(202).text("id")
		assert.Contains(t, c.get("/matters?Limit=500&MatterTypeId="+f.MatterTypeID).texts("id", "value"), made, name)
	}
	assert.NotZero(t, filtered("/intake/forms?matterTypeId=", f.MatterTypeID))
	c.get("/mattertypes/" + number + "_NSW").want(404)
}

func TestARecordThatIsPlacedIsFoundByItsIDInEitherCase(t *testing.T) {
	t.Parallel()
	const id = "ABCDEF00-0000-4000-8000-00000000000A"
	s := practicetest.New(t)
	s.AddMatterType(models.MatterType{ID: id + "_il", Name: "Placed"})
	assert.Equal(t, strings.ToLower(id), s.AddLayoutDesign(models.LayoutDesign{ID: id, Name: "Placed"}))
	for _, path := range []string{"/mattertypes/" + id + "_il", "/layouts/" + id} {
		for _, one := range []string{path, strings.ToLower(path), strings.ReplaceAll(path, "_il", "_IL")} {
			assert.Equal(t, "Placed", call(t, s).get(one).want(200).text("name"), one)
		}
	}
}
