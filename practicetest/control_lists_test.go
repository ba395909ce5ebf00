package practicetest_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAListIsReadInParts(t *testing.T) {
	t.Parallel()
	s := controlled(t, practicetest.WithEvents(250), practicetest.WithWriteDelay(time.Hour))
	seen := map[any]bool{}
	for _, skip := range []string{"0", "100", "200", "300"} {
		var part struct {
			Value []map[string]any
			Total int
		}
		command(t, s, "GET", "/records/list?path=/events&skip="+skip, "").want(200).into(&part)
		assert.Equal(t, 250, part.Total)
		for _, event := range part.Value {
			seen[event["id"]] = true
		}
	}
	assert.Len(t, seen, 250)
	assert.Contains(t, command(t, s, "GET", "/records/lists", "").want(200).Body, `{"path":"/firm","single":true},{"path":"/firmusers","single":false}`)
	assert.NotContains(t, command(t, s, "GET", "/records/list?path=/matters/"+s.Firm().MatterIDs[1]+"/fees", "").want(200).Body, s.Firm().FeeID)
	assert.Empty(t, s.Requests())

	for query, says := range map[string]string{
		"": "path", "?path=/staff/" + s.Firm().StaffID: "not contain a list", "?path=/staff&skip=-1": "non-negative", "?path=/staff&skip=one": "non-negative",
		"?path=/nothing": "not contain a list",
	} {
		assert.Contains(t, command(t, s, "GET", "/records/list"+query, "").want(400).Body, says, query)
	}
}

func TestTheLatestOfSeveralAreAnswered(t *testing.T) {
	t.Parallel()
	s := controlled(t)
	c := call(t, s)
	for range 3 {
		c.get("/staff/" + s.Firm().StaffID)
	}
	c.get("/matters/" + s.Firm().MatterID)
	all := func(query string) []string {
		var list struct{ Value []struct{ Operation string } }
		command(t, s, "GET", "/requests"+query, "").want(200).into(&list)
		var names []string
		for _, one := range list.Value {
			names = append(names, one.Operation)
		}
		return names
	}
	assert.Equal(t, []string{"getStaff", "getMatter"}, all("?last=2"))
	assert.Empty(t, all("?last=0"))
	assert.Len(t, all("?last=9"), 4)
	assert.Len(t, all(""), 4)
	command(t, s, "GET", "/requests?last=-1", "").want(400)
}

func TestRequestsAreAnsweredWithoutTheirBodies(t *testing.T) {
	t.Parallel()
	s := controlled(t)
	_, err := s.Client(t).ActivityCodes.Create(t.Context(), models.ActivityCodeWrite{Code: "ADV"})
	require.NoError(t, err)
	of := func(query string) map[string]any {
		var list struct{ Value []map[string]any }
		command(t, s, "GET", "/requests?last=1"+query, "").want(200).into(&list)
		require.Len(t, list.Value, 1)
		return list.Value[0]
	}

	whole, bare := of("&bodies=true"), of("&bodies=false")
	assert.Contains(t, whole["body"], "ADV")
	assert.Equal(t, whole, of(""))
	delete(whole, "body")
	assert.Equal(t, whole, bare, "everything else is answered")
	command(t, s, "GET", "/requests?bodies=perhaps", "").want(400)
}

// into decodes the body into v.
func (a answer) into(v any) {
	a.t.Helper()
	require.NoError(a.t, json.Unmarshal([]byte(a.Body), v), a.Body)
}
