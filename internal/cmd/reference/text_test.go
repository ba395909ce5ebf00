package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestShortMembersShareLines(t *testing.T) {
	t.Parallel()
	long := `"` + strings.Repeat("x", 110) + `"`
	for name, test := range map[string]struct{ given, want string }{
		"what fits is one line":              {`{"a":1,"b":[true,null]}`, `{"a": 1, "b": [true, null]}`},
		"members keep their order":           {`{"b":1,"a":2}`, `{"b": 1, "a": 2}`},
		"numbers keep their digits":          {`{"a":1.10}`, `{"a": 1.10}`},
		"one record of a list":               {`[{"a":1},{"a":2}]`, `[{"a": 1}]`},
		"one record of a page":               {`{"size":2,"value":[{"a":1},{"a":2}]}`, `{"size": 2, "value": [{"a": 1}]}`},
		"all of a list of texts":             {`["a","b"]`, `["a", "b"]`},
		"empty ones":                         {`{"a":{},"b":[]}`, `{"a": {}, "b": []}`},
		"a long member has a line":           {`{"a":1,"b":` + long + `,"c":2,"d":3}`, "{\n  \"a\": 1,\n  \"b\": " + long + ",\n  \"c\": 2, \"d\": 3\n}"},
		"a long object within is broken too": {`{"a":{"b":` + long + `,"c":1}}`, "{\n  \"a\": {\n    \"b\": " + long + ",\n    \"c\": 1\n  }\n}"},
		"no JSON":                            {`%PDF`, ``},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := shown([]byte(test.given))
			require.NoError(t, err)
			assert.Equal(t, test.want, got)
		})
	}
}

func TestACommandIsFoldedBetweenItsWords(t *testing.T) {
	t.Parallel()
	word := strings.Repeat("x", 70)
	for name, test := range map[string]struct{ given, want string }{
		"what fits is one line":   {"practice matters list", "practice matters list"},
		"long ones are folded":    {word + " " + word + " --yes", word + " \\\n  " + word + " --yes"},
		"a quoted word stays one": {word + " 'a " + word + " b' --yes", word + " \\\n  'a " + word + " b' --yes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.want, shellLines(test.given))
		})
	}
}
