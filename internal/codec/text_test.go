package codec_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
)

func TestStringsAreRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`"plain"`:                            "plain",
		`"\"\\\/\b\f\n\r\t"`:                 "\"\\/\b\f\n\r\t",
		`"\u0041\u00e9\u20AC"`:               "Aé€",
		`"\ud83d\ude00"`:                     "😀",
		`"\u0000"`:                           "\x00",
		`"é€😀"`:                              "é€😀",
		`"\u007f` + "\x7f" + `"`:             "\x7f\x7f",
		`"a\ud800b"`:                         "a\ufffdb",
		`"\udc00"`:                           "\ufffd",
		`"\ud800\ud800\udc00"`:               "\ufffd\U00010000",
		`"\ud800\u0041"`:                     "\ufffdA",
		`"\ud800\n"`:                         "\ufffd\n",
		`"\ufffd"`:                           "\ufffd",
		"\"a\xffb\"":                         "a\ufffdb",
		"\"\xf0\x9f\x98\"":                   "\ufffd\ufffd\ufffd",
		"\"\xed\xa0\x80\"":                   "\ufffd\ufffd\ufffd",
		"\"\xc0\x80\"":                       "\ufffd\ufffd",
		"\"\xff\\n\"":                        "\ufffd\n",
		`"` + strings.Repeat("x", 100) + `"`: strings.Repeat("x", 100),
	} {
		assert.Equal(t, want, decodeThing(t, `{"name":`+text+`}`).Name, text)
		var reference string
		require.NoError(t, json.Unmarshal([]byte(text), &reference))
		assert.Equal(t, want, reference, "encoding/json reads the same")
	}
}

func TestEveryPlaceInAWordIsSeen(t *testing.T) {
	t.Parallel()
	for length := range 3*8 + 2 { // bytes of three words, and more
		plain := strings.Repeat("x", length)
		assert.Equal(t, plain, decodeThing(t, `{"name":"`+plain+`"}`).Name)
		for at := range length {
			before, after := plain[:at], plain[at+1:]
			for c := range 256 {
				text := `{"name":"` + before + string([]byte{byte(c)}) + after + `"}`
				var want struct{ Name string }
				err := decodeError(text)
				if json.Unmarshal([]byte(text), &want) != nil {
					require.Error(t, err, text)
					continue
				}
				assert.Equal(t, want.Name, decodeThing(t, text).Name)
			}
		}
	}
}

func TestStringsAreWritten(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "plain", "\"\\/", "\x00\x01\x1f\b\f\n\r\t\x7f", "é€😀", "<a href='b'>&</a>", "\u2028\u2029",
		"a\xffb", "\xed\xa0\x80", strings.Repeat("x", 50) + "\"" + strings.Repeat("é", 50),
	} {
		written, err := codec.Marshal(thing{Name: text, Flag: true}, own{})
		require.NoError(t, err)
		require.True(t, json.Valid(written), "%s", written)
		assert.Equal(t, string([]rune(text)), decodeThing(t, string(written)).Name)
	}
	written, err := codec.Marshal(thing{Name: "a<b>\x01\n\""}, own{})
	require.NoError(t, err)
	assert.Equal(t, `{"name":"a<b>\u0001\n\""}`, string(written))
}
