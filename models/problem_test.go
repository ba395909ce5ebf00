package models_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

func TestProblemReadsEveryShapeOfErrors(t *testing.T) {
	t.Parallel()
	raw := func(text string) json.RawMessage { return json.RawMessage(text) }
	for name, tt := range map[string]struct {
		errors string
		want   []models.FieldError
	}{
		"null says nothing":      {errors: `null`},
		"an empty object":        {errors: `{}`},
		"an empty list":          {errors: `[]`},
		"a text is one entry":    {errors: `"bad"`, want: []models.FieldError{{Message: "bad", Raw: raw(`"bad"`)}}},
		"a number is one entry":  {errors: `7`, want: []models.FieldError{{Message: "7", Raw: raw(`7`)}}},
		"a list of texts":        {errors: `["a",null,"b"]`, want: []models.FieldError{{Message: "a", Raw: raw(`"a"`)}, {Message: "b", Raw: raw(`"b"`)}}},
		"a list of a list":       {errors: `[["a"]]`, want: []models.FieldError{{Message: `["a"]`, Raw: raw(`["a"]`)}}},
		"an object of a text":    {errors: `{"name":"required"}`, want: []models.FieldError{{Field: "name", Message: "required", Raw: raw(`"required"`)}}},
		"an object of null":      {errors: `{"name":null}`},
		"an object of a boolean": {errors: `{"name":false}`, want: []models.FieldError{{Field: "name", Message: "false", Raw: raw(`false`)}}},
		"an object of lists of texts": {
			errors: `{"name":["a","b"],"id":[]}`,
			want:   []models.FieldError{{Field: "name", Message: "a", Raw: raw(`"a"`)}, {Field: "name", Message: "b", Raw: raw(`"b"`)}},
		},
		"an object of objects": {
			errors: `{"name":{"code":12,"message":"x"}}`,
			want:   []models.FieldError{{Field: "name", Code: "12", Message: "x", Raw: raw(`{"code":12,"message":"x"}`)}},
		},
		"a list of objects": {
			errors: `[{"Field":"name","errorCode":"NotEmpty","Message":"required","more":1}]`,
			want: []models.FieldError{{
				Field: "name", Code: "NotEmpty", Message: "required",
				Raw: raw(`{"Field":"name","errorCode":"NotEmpty","Message":"required","more":1}`),
			}},
		},
		"a list of an object without known members": {
			errors: `[{"x":1}]`,
			want:   []models.FieldError{{Raw: raw(`{"x":1}`)}},
		},
		"the first of two names for one part wins": {
			errors: `[{"message":"a","detail":"b","code":null}]`,
			want:   []models.FieldError{{Message: "a", Raw: raw(`{"message":"a","detail":"b","code":null}`)}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := decodeProblem(t, `{"status":400,"errors":`+tt.errors+`}`)
			assert.Equal(t, tt.want, p.Errors)
			assert.Equal(t, 400, p.Status.Or(0))
		})
	}
}

func TestProblemSamples(t *testing.T) {
	t.Parallel()
	object := decodeProblem(t, string(readSample(t, "errors/problem-errors-object.json")))
	require.Len(t, object.Errors, 2)
	assert.Equal(t, "Limit: Limit: 1 to 500", object.Errors[0].String())
	assert.Equal(t, "folderId: not a UUID", object.Errors[1].String())
	trace, ok := object.Extra.Get("traceId")
	assert.True(t, ok, "an unknown member is kept")
	assert.JSONEq(t, `"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"`, string(trace))

	list := decodeProblem(t, string(readSample(t, "errors/problem-errors-array.json")))
	require.Len(t, list.Errors, 2)
	assert.Equal(t, "name", list.Errors[0].Field)
	assert.Equal(t, "NotEmpty", list.Errors[0].Code)
	assert.Equal(t, "name: too long", list.Errors[1].String())
	assert.Equal(t, "See errors.", list.Message())
}

func TestProblemMessage(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ body, want string }{
		"the detail comes first":        {`{"title":"t","detail":"d","message":"m"}`, "d"},
		"then the message of a gateway": {`{"message":"Forbidden"}`, "Forbidden"},
		"written large":                 {`{"Message":"Forbidden"}`, "Forbidden"},
		"then the title":                {`{"title":"Bad Request","errors":["x"]}`, "Bad Request"},
		"an older body":                 {`{"message":"m","detail":"d"}`, "d"},
		"the description of a token error": {
			`{"error":"invalid_grant","error_description":"expired"}`, "invalid_grant: expired",
		},
		"the code of a token error":     {`{"error":"invalid_grant"}`, "invalid_grant"},
		"an error object of a gateway":  {`{"error":{"code":429,"message":"slow down"}}`, "slow down"},
		"the first entry of the errors": {`{"errors":{"name":["required","short"]}}`, "name: required"},
		"nothing to say":                {`{"x":1}`, ""},
		"only nulls":                    {`{"title":null,"detail":null,"message":null,"error":null}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, decodeProblem(t, tt.body).Message())
		})
	}
}

// TestProblemKeepsMembersOfTheWrongKind checks that an error body with a member
// of the wrong type is still read, because it describes another failure.
func TestProblemKeepsMembersOfTheWrongKind(t *testing.T) {
	t.Parallel()
	body := `{"type":{"a":1},"title":["t"],"status":"error","detail":7,"instance":false,"message":"m"}`
	p := decodeProblem(t, body)
	assert.Empty(t, p.Type)
	assert.Empty(t, p.Title)
	assert.True(t, p.Status.IsZero())
	assert.Empty(t, p.Detail)
	assert.Equal(t, "m", p.Message())

	encoded, err := json.Marshal(p)
	require.NoError(t, err)
	assert.JSONEq(t, body, string(encoded))
}

func TestProblemReadsTheStatusAsDigits(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]models.Opt[int]{
		`{"status":404}`:                  models.Some(404),
		`{"status":"404"}`:                {},
		`{"status":404.5}`:                {},
		`{"status":99999999999999999999}`: {},
		`{"status":null}`:                 {},
		`{}`:                              {},
	} {
		assert.Equal(t, want, decodeProblem(t, body).Status, body)
	}
}

func TestProblemRefusesWhatIsNotAnObject(t *testing.T) {
	t.Parallel()
	for _, body := range []string{``, `[]`, `"text"`, `7`, `{`, `{"a":1}x`, `{"a":1,"a":2}`, "{\"a\":\"\n\"}"} {
		_, err := codec.Decode([]byte(body), &models.Problem{}, models.Wire)
		assert.Error(t, err, body)
	}
}

func decodeProblem(tb testing.TB, body string) models.Problem {
	tb.Helper()
	var p models.Problem
	faults, err := codec.Decode([]byte(body), &p, models.Wire)
	require.NoError(tb, err)
	require.Empty(tb, faults)
	return p
}

func FuzzProblem(f *testing.F) {
	for _, name := range []string{"problem-400", "problem-errors-array", "problem-errors-object", "gateway-forbidden", "token-error", "not-json", "empty-body"} {
		f.Add(readSample(f, "errors/"+name+".json"))
	}
	f.Add([]byte(`{"status":"x","errors":[null,[1],{"Field":{}}],"error":{"message":{}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var p models.Problem
		if _, err := codec.Decode(text, &p, models.Wire); err != nil {
			return
		}
		assert.True(t, json.Valid(text), "a strict parser accepts what was read")
		_ = p.Message()
		for _, e := range p.Errors {
			assert.True(t, json.Valid(e.Raw))
			_ = e.String()
		}
		encoded, err := codec.AppendRequest(nil, &p, models.Wire)
		require.NoError(t, err)
		var again models.Problem
		_, err = codec.Decode(encoded, &again, models.Wire)
		require.NoError(t, err)
		assert.Equal(t, p.Message(), again.Message())
		assert.Equal(t, p.Status, again.Status)
		assert.Len(t, again.Errors, len(p.Errors))
	})
}
