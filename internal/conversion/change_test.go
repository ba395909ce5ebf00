package conversion

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAMemberIsDecidedWhenTheCallerSetsItOrTakesAwayItsObject(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before, after, path string
		want                bool
	}{
		"set":                                  {`{}`, `{"a":"x"}`, "a", true},
		"set to null":                          {`{}`, `{"a":null}`, "a", true},
		"left out":                             {`{}`, `{"b":1}`, "a", false},
		"set inside":                           {`{"a":{"c":1}}`, `{"a":{"b":1}}`, "a.b", true},
		"left out inside":                      {`{"a":{"c":1}}`, `{"a":{"c":1}}`, "a.b", false},
		"the object is taken away":             {`{"a":{"c":1}}`, `{}`, "a.b", true},
		"the object is null":                   {`{"a":{"c":1}}`, `{"a":null}`, "a.b", true},
		"the object was empty and is left out": {`{}`, `{}`, "a.b", false},
		"an object in it was empty":            {`{"a":{"x":1}}`, `{"a":{"x":1}}`, "a.c.b", false},
		"the object above it is taken away":    {`{"a":{"x":1}}`, `{}`, "a.c.b", true},
		"set in every element":                 {`{"a":[{},{}]}`, `{"a":[{"b":1},{"b":2}]}`, "a.b", true},
		"left out in one element":              {`{"a":[{},{}]}`, `{"a":[{"b":1},{}]}`, "a.b", false},
		"the list is emptied":                  {`{"a":[{}]}`, `{"a":[]}`, "a.b", true},
		"the object of every element":          {`{"a":[{"c":{"x":1}}]}`, `{"a":[{}]}`, "a.c.b", true},
		"one element moved to another's place": {`{"a":[{"c":{"x":1}},{}]}`, `{"a":[{}]}`, "a.c.b", false},
		"the object of one element":            {`{"a":[{"c":{"x":1}},{"c":{"x":2}}]}`, `{"a":[{},{"c":{"x":2}}]}`, "a.c.b", false},
	} {
		assert.Equal(t, test.want, decided([]any{Parse([]byte(test.before))}, Parse([]byte(test.after)), strings.Split(test.path, ".")), name)
	}
}

func TestWhatIsAllowedOrSetIsNotLost(t *testing.T) {
	t.Parallel()
	members := []Member{{name: "email"}, {in: "phone.", name: "number"}, {in: "phone.", name: "number"}, {in: "fax.", name: "number"}, {name: "name"}, {name: "vat.rate", unknown: true}}
	c := Change{Before: Parse([]byte(`{"fax":{"areaCode":"02"}}`)), After: Parse([]byte(`{"name":"Firm","phone":{"areaCode":"02"}}`))}
	for allowed, want := range map[string]string{
		"": "email phone.number vat.rate", "email vat.rate": "phone.number", "email phone.number vat.rate": "", "number rate": "email phone.number vat.rate",
	} {
		assert.Equal(t, want, strings.Join(c.Cleared(members, strings.Fields(allowed)), " "), "allowed: %s", allowed)
	}
}

func TestWhatTheRecordHasIsTakenOver(t *testing.T) {
	t.Parallel()
	inner := Table{{to: "c", from: "c", form: "="}, {to: "secret", form: "unreadable"}}
	outer := Table{{to: "a", from: "a", form: "="}, {to: "n", from: "n", form: "="}, {to: "list", from: "list", form: "objects", of: &inner}}
	c := Change{
		From:   &outer,
		Before: Parse([]byte(`{"a":["x","y"],"n":12.50,"list":[{"c":""},{"c":"y"}],"set":""}`)),
		After:  Parse([]byte(`{"a":["x","z"],"n":12.50,"list":[{"c":""},{"c":"z"}],"set":""}`)),
	}
	for path, want := range map[string]bool{
		"a": false, "a[0]": true, "a[1]": false, "n": true, "list[0].c": true, "list[1].c": false, "list[2].c": true, "list[0].secret": false, "set": false, "new": false,
	} {
		assert.Equal(t, want, c.TookOver(path), path)
	}
}
