package assistant

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func TestSecretsAndSignedAddressesAreRemoved(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind         any
		given, shown string
	}{
		{models.WebhookSubscription{}, `{"id":"1","key":"s","name":"n"}`, `{"id":"1","name":"n"}`},
		{models.WebhookSubscription{}, `{"KEY":"s","Key":{"a":"s"},"key":["s"]}`, `{}`},
		{models.Plugin{}, `{"additionalData":{"apiToken":"s","a":[{"password":1,"b":2}]}}`, `{"additionalData":{"a":[{"b":2}]}}`},
		{models.Memo{}, `{"text":"see https://a.test/x?sig=1 for it"}`, `{"text":"see https://a.test/x?sig=1 for it"}`},
		{models.Memo{}, `{"text":"https://a.test/x?sig=1"}`, `{}`},
		{models.Memo{}, `{"later":"see https://a.test/x?sig=1"}`, `{}`},
		{models.Memo{}, `{"later":"see (https://a.test/x?sig=1)","other":["//a.test?x","a.test/b?sig=1","https%3A%2F%2Fa.test%2F%3Fsig%3D1","https://a.test/#token=1","is it so?"]}`, `{"other":["is it so?"]}`},
		{models.Memo{}, `{"later":"https://a.test/d/9f8a7b6c5d4e3f2a1b0c/x","text":"https://me:pw@a.test/x","other":["https://a.test/matters/47dad59d-4f50-4910-aedb-bd998950cf02/files/Letter-of-advice.pdf"]}`, `{"other":["https://a.test/matters/47dad59d-4f50-4910-aedb-bd998950cf02/files/Letter-of-advice.pdf"]}`},
		{models.Memo{}, `{"later":"{\"token\":\"s\"}","plain":"{\"a\":\"b\"}","half":"{\"secret\":\"s"}`, `{"plain":"{\"a\":\"b\"}"}`},
		{models.Memo{}, `{"id":"1","title":null,"amount":385.50,"big":12345678901234567890}`, `{"id":"1","amount":385.50,"big":12345678901234567890}`},
		{models.Memo{}, `{"title":"<b> & c"}`, `{"title":"<b> & c"}`},
		{models.Task{}, `{"href":"https://a.test","matter":{"id":"1","href":"https://a.test/matters/1","rel":"x"},"createdBy":{"href":"https://a.test/staff/2"}}`, `{"matter":{"id":"1","href":"https://a.test/matters/1"},"createdBy":{"href":"https://a.test/staff/2"}}`},
		{models.Contact{}, `{"person":{"firstName":"A","birthDate":"1990-01-01","phone":{"number":"1"},"email":"a@b.test","later":"x"}}`, `{"person":{"firstName":"A","email":"a@b.test"}}`},
		{models.Contact{}, `{"person":{"passportDetails":{"passportNumber":"1"}}}`, `{}`},
		{nil, `"https://a.test/?x=1"`, `null`},
		{nil, `[]`, `[]`},
	} {
		shown, err := cleaner{}.clean([]byte(c.given), reflect.TypeOf(c.kind))
		require.NoError(t, err, c.given)
		assert.Equal(t, c.shown, string(shown), c.given)
	}
	for _, bad := range []string{``, `{`, `{} {}`, `{"a":}`, strings.Repeat("[", 5000) + strings.Repeat("]", 5000)} {
		_, err := cleaner{}.clean([]byte(bad), nil)
		assert.Error(t, err, bad[:min(len(bad), 20)])
	}
}

// TestNoRecordShowsAMarkedSecret fills each member of each record that can be
// read, and searches what remains for those that the types mark as secret.
func TestNoRecordShowsAMarkedSecret(t *testing.T) {
	t.Parallel()
	p, searched := everything(t), 0
	for _, o := range p.operations {
		kind := kindOf(o)
		if kind == nil || kind.Kind() != reflect.Struct {
			continue
		}
		text, err := json.Marshal(filled(kind, 3))
		require.NoError(t, err)
		for _, personal := range []bool{false, true} {
			shown, err := cleaner{personal}.clean(text, kind)
			require.NoError(t, err, o.ID)
			assert.NotContains(t, string(shown), "planted", o.ID)
		}
		searched += strings.Count(string(text), "planted")
	}
	assert.Greater(t, searched, 10)
}

// filled returns an object with all members of a type, down to a depth. The
// secret ones have the text planted.
func filled(kind reflect.Type, depth int) any {
	switch kind = plain(kind); {
	case kind == nil || depth == 0:
		return map[string]any{"apiKey": "planted", "u": "https://a.test/f?sig=planted"}
	case kind.Kind() == reflect.Slice:
		return []any{filled(kind.Elem(), depth-1)}
	case kind.Kind() != reflect.Struct:
		return "x"
	}
	object := map[string]any{"unknownToken": "planted", "unknownAddress": "https://a.test/f?sig=planted"}
	for f := range kind.Fields() {
		switch name, _, _ := strings.Cut(f.Tag.Get("json"), ","); {
		case name == "" || name == "-":
		case isSecretKind(f.Type):
			object[name] = "planted"
		default:
			object[name] = filled(f.Type, depth-1)
		}
	}
	return object
}

// FuzzClean checks that what remains is JSON, stays the same when it is cleaned
// again, and has no member whose name says that it is a secret.
func FuzzClean(f *testing.F) {
	for _, o := range practice.Operations() {
		if o.Sample != "" {
			f.Add([]byte(o.Sample), true)
		}
	}
	f.Add([]byte(`{"a":"{\"b\":\"{\\\"key\\\":1}\"}","token":[{}],"x":"https://a/?b"}`), false)
	f.Fuzz(func(t *testing.T, text []byte, typed bool) {
		var kind reflect.Type
		if typed {
			kind = reflect.TypeFor[models.Contact]()
		}
		shown, err := cleaner{}.clean(text, kind)
		if !json.Valid(text) {
			require.Error(t, err)
			return
		}
		if err != nil {
			return // too deep
		}
		again, err := cleaner{}.clean(shown, kind)
		require.NoError(t, err)
		assert.Equal(t, string(shown), string(again))
		var value any
		require.NoError(t, json.Unmarshal(shown, &value))
		if kind == nil {
			noSecret(t, value)
		}
	})
}

func noSecret(t *testing.T, value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			assert.False(t, namesSecret(name), name)
			noSecret(t, member)
		}
	case []any:
		for _, element := range value {
			noSecret(t, element)
		}
	case string:
		assert.False(t, signed(value, true), value)
	}
}
