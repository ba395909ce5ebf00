package models_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
)

func TestOptIsOmittedNullOrAValue(t *testing.T) {
	t.Parallel()
	var omitted models.Opt[int]
	for name, c := range map[string]struct {
		opt                models.Opt[int]
		value              int
		some, null, isZero bool
		or                 int
	}{
		"omitted": {omitted, 0, false, false, true, 9},
		"null":    {models.Null[int](), 0, false, true, false, 9},
		"zero":    {models.Some(0), 0, true, false, false, 0},
		"value":   {models.Some(5), 5, true, false, false, 5},
	} {
		value, ok := c.opt.Get()
		assert.Equal(t, c.value, value, name)
		assert.Equal(t, c.some, ok, name)
		assert.Equal(t, c.null, c.opt.IsNull(), name)
		assert.Equal(t, c.isZero, c.opt.IsZero(), name)
		assert.Equal(t, c.or, c.opt.Or(9), name)
	}
}

// plain is a struct without generated methods.
type plain struct {
	Number models.Opt[int]            `json:"number,omitzero"`
	Text   models.Opt[string]         `json:"text,omitzero"`
	Amount models.Opt[models.Decimal] `json:"amount,omitzero"`
	Link   models.Opt[models.Link]    `json:"link,omitzero"`
	List   models.Opt[[]string]       `json:"list,omitzero"`
}

func TestOptWorksWithEncodingJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]plain{
		`{}`: {},
		`{"number":null,"text":null,"amount":null,"link":null,"list":null}`: {
			models.Null[int](), models.Null[string](), models.Null[models.Decimal](), models.Null[models.Link](), models.Null[[]string](),
		},
		`{"number":0,"text":"","amount":0.10,"link":{},"list":[]}`: {
			models.Some(0), models.Some(""), models.Some(models.MustDecimal("0.10")), models.Some(models.Link{}), models.Some([]string{}),
		},
		`{"number":7,"text":"a","link":{"id":"b"},"list":["c"]}`: {
			Number: models.Some(7), Text: models.Some("a"), Link: models.Some(models.Link{ID: "b"}), List: models.Some([]string{"c"}),
		},
	} {
		var got plain
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		assert.Equal(t, want, got)
		encoded, err := json.Marshal(got)
		require.NoError(t, err)
		assert.Equal(t, text, string(encoded))
	}
	var number models.Opt[int]
	require.Error(t, json.Unmarshal([]byte(`"a"`), &number))
	encoded, err := json.Marshal([]models.Opt[int]{{}})
	require.NoError(t, err)
	assert.Equal(t, `[null]`, string(encoded), "what cannot be left out is null")
	_, err = json.Marshal(models.Some(func() {}))
	require.Error(t, err)
}

func TestOptInRecordsComesBackAsItCame(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{}`, `{"isDeleted":null}`, `{"isDeleted":false}`, `{"isDeleted":true}`} {
		var folder models.Folder
		require.NoError(t, json.Unmarshal([]byte(text), &folder))
		encoded, err := json.Marshal(folder)
		require.NoError(t, err)
		assert.Equal(t, text, string(encoded))
	}
}
