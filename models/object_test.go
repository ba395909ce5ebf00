package models_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
)

func TestObjectsKeepTheirText(t *testing.T) {
	t.Parallel()
	o, err := models.ParseObject(` { "source" : "import" , "big" : 637981232724209301 , "price" : 1.10 , "list" : [ 1, null ] } `)
	require.NoError(t, err)
	assert.Equal(t, `{"source":"import","big":637981232724209301,"price":1.10,"list":[1,null]}`, o.String())
	assert.Equal(t, 4, o.Len())
	assert.False(t, o.IsZero())

	var names []string
	for name, value := range o.All() {
		names = append(names, name+"="+string(value))
	}
	assert.Equal(t, []string{`source="import"`, `big=637981232724209301`, `price=1.10`, `list=[1,null]`}, names)
	for range o.All() {
		break
	}
	value, ok := o.Get("price")
	assert.True(t, ok)
	assert.Equal(t, `1.10`, string(value))
	_, ok = o.Get("Price")
	assert.False(t, ok)

	var into struct {
		Big   models.Ticks
		Price models.Decimal
	}
	require.NoError(t, o.Decode(&into))
	assert.Equal(t, models.Ticks(637981232724209301), into.Big)
	assert.Equal(t, "1.10", into.Price.String())
	require.Error(t, o.Decode(&[]int{}))
}

func TestObjectsAreObjects(t *testing.T) {
	t.Parallel()
	for _, text := range []string{``, `null`, `[]`, `"a"`, `1`, `{`, `{"a":1,}`, `{"a":1,"a":2}`, `{} {}`, "{\"a\":\"\x01\"}", `{"a":{"b":1,"b":1}}`} {
		_, err := models.ParseObject(text)
		require.ErrorIs(t, err, models.ErrInvalidObject, text)
	}
	for _, v := range []any{nil, 1, "a", []int{1}} {
		_, err := models.ObjectOf(v)
		require.ErrorIs(t, err, models.ErrInvalidObject)
	}
	_, err := models.ObjectOf(func() {})
	require.Error(t, err)
}

func TestObjectsAreMadeOfMapsAndStructs(t *testing.T) {
	t.Parallel()
	o, err := models.ObjectOf(map[string]any{"b": 1, "a": []string{"x"}})
	require.NoError(t, err)
	assert.Equal(t, `{"a":["x"],"b":1}`, o.String())
	o, err = models.ObjectOf(struct {
		PageCount int `json:"pageCount"`
	}{3})
	require.NoError(t, err)
	assert.Equal(t, `{"pageCount":3}`, o.String())
	empty, err := models.ObjectOf(map[string]int{})
	require.NoError(t, err)
	assert.False(t, empty.IsZero(), "an object without members can be sent")
	assert.Zero(t, empty.Len())
}

func TestObjectsInJSON(t *testing.T) {
	t.Parallel()
	var o models.Object
	require.NoError(t, json.Unmarshal([]byte(`{ "a" : 1.0 }`), &o))
	text, err := json.Marshal(o)
	require.NoError(t, err)
	assert.Equal(t, `{"a":1.0}`, string(text))
	for _, nothing := range []string{`null`, `{}`, `{ }`} {
		require.NoError(t, o.UnmarshalJSON([]byte(nothing)))
		assert.True(t, o.IsZero())
	}
	text, err = json.Marshal(o)
	require.NoError(t, err)
	assert.Equal(t, `null`, string(text))
	require.Error(t, json.Unmarshal([]byte(`[1]`), &o))

	var absent models.Object
	assert.Empty(t, absent.String())
	assert.Zero(t, absent.Len())
	_, ok := absent.Get("a")
	assert.False(t, ok)
	into := 5
	require.NoError(t, absent.Decode(&into))
	assert.Equal(t, 5, into)
}
