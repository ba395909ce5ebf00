package practicetest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestValuesOfEachKind checks which of the given JSON values each kind of value
// accepts.
func TestValuesOfEachKind(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		value value
		right []string
		wrong map[string]string // part of the message
	}{
		"any": {value{kind: kindAny}, []string{`1`, `"x"`, `{}`, `[null]`}, nil},
		"text": {
			value{kind: kindText, shortest: 1, longest: 3},
			[]string{`"a"`, `"äöü"`},
			map[string]string{`""`: "at least 1", `"abcd"`: "at most 3", `1`: "must be a string", `null`: "must be a string"},
		},
		"text of a form": {value{kind: kindText, form: "^[a-z]+$"}, []string{`"abc"`}, map[string]string{`"A"`: "does not match"}},
		"enumeration of texts": {
			value{kind: kindText, oneOf: []string{"On", "Off"}},
			[]string{`"On"`}, map[string]string{`"on"`: "must be one of On, Off", `1`: "must be a string"},
		},
		"enumeration of numbers": {
			value{kind: kindInteger, oneOf: []string{"0", "1"}},
			[]string{`0`, `1`}, map[string]string{`2`: "must be one of 0, 1", `"1"`: "must be an integer"},
		},
		"UUID": {
			value{kind: kindUUID},
			[]string{`"8E6F0a4e-0a3c-4b8e-9d5e-0a3c4b8e9d5e"`},
			map[string]string{`"x"`: "must be a UUID", `"8e6f0a4e00a3c-4b8e-9d5e-0a3c4b8e9d5e"`: "must be a UUID", `"8e6f0a4e-0a3c-4b8e-9d5e-0a3c4b8e9d5g"`: "must be a UUID"},
		},
		"integer": {
			value{kind: kindInteger, least: "-5", most: "5"},
			[]string{`-5`, `0`, `5`},
			map[string]string{`-6`: "must be between -5 and 5", `6`: "must be between -5 and 5", `1.0`: "must be an integer", `9223372036854775808`: "must be an integer"},
		},
		"decimal": {
			value{kind: kindDecimal, least: "0.01"},
			[]string{`0.01`, `1e3`, `12345.6789`},
			map[string]string{`0.009`: "must be at least 0.01", `"1"`: "must be a number", `1e400`: "must be a number"},
		},
		"decimal up to": {value{kind: kindDecimal, most: "100"}, []string{`100`, `-7`}, map[string]string{`100.1`: "must be at most 100"}},
		"boolean":       {value{kind: kindBoolean}, []string{`true`, `false`}, map[string]string{`"true"`: "must be true or false", `1`: "must be true or false"}},
		"instant": {
			value{kind: kindInstant},
			[]string{`"2026-03-02T09:30:00Z"`, `"2026-03-02T09:30:00.1234567+11:00"`},
			map[string]string{`"2026-03-02T09:30:00"`: "date-time", `"2026-03-02T09:30:00.5"`: "date-time", `"2026-03-02T09:30:00,5Z"`: "date-time", `"2026-03-02"`: "date-time", `1`: "must be a string"},
		},
		"instant of any zone": {value{kind: kindInstant, anyZone: true}, []string{`"2026-03-02T09:30:00"`, `"2026-03-02T09:30:00Z"`}, map[string]string{`"now"`: "date-time"}},
		"day":                 {value{kind: kindDay}, []string{`"2026-02-28"`}, map[string]string{`"2026-02-29"`: "YYYY-MM-DD", `"2026-02-28T00:00:00"`: "YYYY-MM-DD"}},
		"day or instant":      {value{kind: kindDayOrInstant}, []string{`"2026-02-28"`, `"2026-02-28T00:00:00Z"`}, map[string]string{`"soon"`: "date"}},
		"local time": {
			value{kind: kindLocalTime},
			[]string{`"2026-03-02T09:30:00"`, `"2026-03-02T09:30:00.5"`},
			map[string]string{`"2026-03-02T09:30:00Z"`: "YYYY-MM-DDThh:mm:ss", `"2026-03-02T09:30:00.5Z"`: "YYYY-MM-DDThh:mm:ss", `"2026-03-02T25:30:00.5"`: "YYYY-MM-DDThh:mm:ss"},
		},
		"ticks": {
			value{kind: kindTicks},
			[]string{`638912345678901234`, `599266080000000000`, `693937152000000000`},
			map[string]string{
				`599266079999999999`: "not before 1900", `1772443800`: "not before 1900", `9999999999999999999`: "not before 1900",
				`693937152000000001`: "before 2200", `1764000000000000000`: "nanoseconds", `9000000000000000000`: "before 2200",
			},
		},
		"ticks or local time": {
			value{kind: kindTicksOrLocalTime},
			[]string{`"638912345678901234"`, `"2026-03-02T09:30:00"`},
			map[string]string{`"1764000000000000000"`: "nanoseconds", `"1772443800"`: "not before 1900", `"soon"`: "YYYY-MM-DD"},
		},
		"text or integer": {value{kind: kindTextOrInteger}, []string{`"a"`, `1`}, map[string]string{`1.5`: "must be an integer", `true`: "must be an integer"}},
		"object of any members": {
			value{kind: kindObject}, []string{`{}`, `{"a":[1]}`},
			map[string]string{`[]`: "must be an object", `null`: "must be an object", `{"a":1,"a":2}`: "must be an object"},
		},
		"object of known members": {
			value{kind: kindObject, object: "FeeSourceItemWrite"}, []string{`{}`, `{"description":null,"duration":6}`},
			map[string]string{`{"minutes":6}`: "minutes: is not a member of the object", `{"duration":null}`: "duration: must not be null"},
		},
		"map": {
			value{kind: kindMap, elem: &value{kind: kindText}}, []string{`{}`, `{"a":"b"}`},
			map[string]string{`{"b":1,"a":2}`: "a: must be a string", `[]`: "must be an object"},
		},
		"list": {
			value{kind: kindList, longest: 2, elem: &value{kind: kindUUID}}, []string{`[]`, `["8e6f0a4e-0a3c-4b8e-9d5e-0a3c4b8e9d5e"]`},
			map[string]string{`["x"]`: "element 0: must be a UUID", `[1,2,3]`: "at most 2 elements", `{}`: "must be an array"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, raw := range tt.right {
				assert.Empty(t, tt.value.fault(json.RawMessage(raw), true), raw)
			}
			for raw, says := range tt.wrong {
				assert.Contains(t, tt.value.fault(json.RawMessage(raw), true), says, raw)
			}
		})
	}
}

func TestALenientServicePassesOverUnknownMembersAtEveryDepth(t *testing.T) {
	t.Parallel()
	item := value{kind: kindList, elem: &value{kind: kindObject, object: "FeeSourceItemWrite"}}
	raw := json.RawMessage(`[{"minutes":6}]`)
	assert.Equal(t, "element 0: minutes: is not a member of the object", item.fault(raw, true))
	assert.Empty(t, item.fault(raw, false))
	assert.NotEmpty(t, item.fault(json.RawMessage(`[{"duration":"6"}]`), false), "known members are checked")
}

func TestTheFaultsOfAnObjectHaveAnOrder(t *testing.T) {
	t.Parallel()
	body := map[string]json.RawMessage{}
	for _, name := range strings.Split("zebra,apple,userId,mango", ",") {
		body[name] = json.RawMessage(`1`)
	}
	for range 20 {
		assert.Equal(t, "name: is required; userId: must be a string; apple: is not a member of the object; mango: is not a member of the object; zebra: is not a member of the object",
			sentence(schemas["FolderWrite"].faults(body, true)))
	}
}

// TestWhatIsGivenForAParameter checks parameter values, which are texts. Only a
// list accepts several.
func TestWhatIsGivenForAParameter(t *testing.T) {
	t.Parallel()
	one, needed := value{name: "p", kind: kindBoolean}, value{name: "p", kind: kindText, required: true}
	list := value{name: "p", kind: kindList, elem: &value{kind: kindText, oneOf: []string{"Open", "Closed"}}}
	assert.Nil(t, one.parameterFault(nil, true))
	assert.Nil(t, one.parameterFault([]string{"TRUE"}, true), "a boolean has no case")
	assert.Equal(t, "must not occur more than once", one.parameterFault([]string{"true", "false"}, true).Message)
	assert.Nil(t, one.parameterFault([]string{"true", "x"}, false), "a lenient service takes the first")
	assert.Equal(t, "is required", needed.parameterFault(nil, false).Message)
	assert.Nil(t, list.parameterFault([]string{"Open", "Closed"}, true))
	assert.Equal(t, `must be one of Open, Closed, not "open"`, list.parameterFault([]string{"Open", "open"}, true).Message)
}
