package models

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAFreeValueIsATextOrTheJSONOfAnotherValue(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		text string
		is   bool
	}{
		`"import"`: {"import", true}, `""`: {"", true}, `"2"`: {"2", true}, `"\u00e9\n\""`: {"é\n\"", true}, `"null"`: {"null", true},
		`2`: {"2", false}, `2.50`: {"2.50", false}, `1e400`: {"1e400", false}, `true`: {"true", false}, `null`: {"null", false},
		`{"a":[1]}`: {`{"a":[1]}`, false}, `[]`: {"[]", false},
	} {
		var value FreeValue
		require.NoError(t, json.Unmarshal([]byte(text), &value), text)
		got, is := value.Text()
		assert.Equal(t, want.is, is, text)
		assert.Equal(t, want.text, value.String(), text)
		assert.Equal(t, want.text, fmt.Sprint(value), text)
		if is {
			assert.Equal(t, want.text, got)
			assert.Equal(t, FreeText(got), value)
		}
		written, err := json.Marshal(value)
		require.NoError(t, err)
		assert.Equal(t, text == `"\u00e9\n\""`, text != string(written), "%s", written)
		var again FreeValue
		require.NoError(t, json.Unmarshal(written, &again))
		assert.Equal(t, value, again)
	}
	assert.NotEqual(t, FreeValue{"2", true}, FreeText("2"))
	assert.Error(t, json.Unmarshal([]byte(`{`), new(FreeValue)))
}

func TestAnObjectIsAMapOfItsMembers(t *testing.T) {
	t.Parallel()
	object, err := ParseObject(`{"source":"import","pageCount":2,"isSigned":false,"none":null}`)
	require.NoError(t, err)
	assert.Equal(t, map[string]FreeValue{"source": FreeText("import"), "pageCount": {"2", true}, "isSigned": {"false", true}, "none": {"null", true}}, object.Map())
	assert.Nil(t, Object{}.Map())
	empty, err := ParseObject("{}")
	require.NoError(t, err)
	assert.Empty(t, empty.Map())
}
