package practicetest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestValuesAreJudgedWhenTheWriteTakesEffect(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		query, values string
		refused       string // message of the error event; empty if accepted
	}{
		"a field that the design has not":                {"", `[{"key":"NoSuchField","value":"x"}]`, "values[0].key: must be a field of the layout"},
		"a value that the field does not take":           {"", `[{"key":"Lots[0]/Number","value":"many"}]`, "values[0].value: must be a number"},
		"a value that the field takes":                   {"", `[{"key":"Lots[0]/Number","value":"5"}]`, ""},
		"the same, when nobody wants the values checked": {"?skipFieldValidation=true", `[{"key":"NoSuchField","value":"x"}]`, ""},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			s := practicetest.New(t, practicetest.WithVirtualClock(start))
			f := s.Firm()
			told := subscribe(t, s, "error")
			layouts := "/matters/" + f.MatterID + "/layouts"
			id := call(t, s).do("POST", layouts, `{"layoutDesignId":"`+f.LayoutDesignID+`"}`).want(202).text("id")
			call(t, s).do("PATCH", layouts+"/"+id+tt.query, `{"values":`+tt.values+`}`).want(202)
			s.Settle()
			item, known := s.LayoutItem(id)
			assert.True(t, known)
			if tt.refused == "" {
				assert.Len(t, item.Values, 1)
				told.wait(0)
				return
			}
			assert.Empty(t, item.Values)
			assert.Equal(t, tt.refused, told.wait(1)[0].text("payload", "message"))
		})
	}
}
