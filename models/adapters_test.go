package models

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
)

func TestAdaptersReadAndWriteTheirFields(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		field         value
		text, written string
		zero          bool
	}{
		"a day is written as a day":                {field: new(dayOrInstant), text: `"2026-07-01"`, written: `"2026-07-01"`},
		"an instant beside a day":                  {field: new(dayOrInstant), text: `"2026-07-01T10:00:00+02:00"`, written: `"2026-07-01T10:00:00+02:00"`},
		"no day":                                   {field: new(dayOrInstant), text: `null`, written: `null`, zero: true},
		"any value is kept as its compact text":    {field: new(anyValue), text: `{"b": [1, 2.50], "a": null}`, written: `{"b":[1,2.50],"a":null}`},
		"any value may be a text":                  {field: new(anyValue), text: `"a"`, written: `"a"`},
		"no value":                                 {field: new(anyValue), text: `null`, written: `null`, zero: true},
		"texts by name are written in their order": {field: new(textMap), text: `{"b":"2","a":"1","":"\""}`, written: `{"":"\"","a":"1","b":"2"}`},
		"free values keep what they are":           {field: new(freeMap), text: `{"b":2.50,"a":"1\n","c":null,"d":[true, {"e":1e400}],"":false}`, written: `{"":false,"a":"1\n","b":2.50,"c":null,"d":[true,{"e":1e400}]}`},
		"no free values":                           {field: new(freeMap), text: `null`, written: `{}`, zero: true},
		"no texts":                                 {field: new(textMap), text: `null`, written: `{}`, zero: true},
		"lists by name are written in their order": {field: new(listMap[Link]), text: `{"b":[],"a":[{"id":"1"},{"id":"2"}]}`, written: `{"a":[{"id":"1"},{"id":"2"}],"b":[]}`},
		"no lists":                                 {field: new(listMap[Link]), text: `null`, written: `{}`, zero: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := codec.Decode([]byte(c.text), c.field, Wire)
			require.NoError(t, err)
			assert.Equal(t, c.zero, c.field.IsZero())
			assert.Equal(t, c.written, written(c.field))
		})
	}
}

func TestADayForAnInstantIsItsMidnightInUTC(t *testing.T) {
	t.Parallel()
	var d dayOrInstant
	_, err := codec.Decode([]byte(`"2026-07-01"`), &d, Wire)
	require.NoError(t, err)
	assert.Equal(t, time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC), DateTime(d).Time())
}

func TestAdaptersRefuseWhatTheirFieldsCannotHold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		field value
		text  string
	}{
		"neither a day nor an instant": {new(dayOrInstant), `"tomorrow"`},
		"a number for a day":           {new(dayOrInstant), `20260701`},
		"a number among texts":         {new(textMap), `{"a":1}`},
		"a list for free values":       {new(freeMap), `["a"]`},
		"a broken free value":          {new(freeMap), `{"a":tru}`},
		"a list for texts":             {new(textMap), `["a"]`},
		"a text for a list":            {new(listMap[Link]), `{"a":"b"}`},
		"a name twice":                 {new(textMap), `{"a":"1","a":"2"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := codec.Decode([]byte(c.text), c.field, Wire)
			assert.Error(t, err)
		})
	}
}

func TestAValueThatIsNoJSONIsNotWritten(t *testing.T) {
	t.Parallel()
	broken := anyValue(`{"a":`)
	_, err := codec.AppendRequest(nil, &broken, Wire)
	assert.Error(t, err)
}
