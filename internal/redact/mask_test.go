package redact_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/internal/redact"
)

func TestAMaskTakesSecretsOutOfTexts(t *testing.T) {
	t.Parallel()
	mask := redact.NewMask("k-0123456789", `a/b "c" & d`, "key", "word", "short12")
	for text, want := range map[string]string{
		"the key k-0123456789 is wrong":      "the key [redacted] is wrong",
		"xk-0123456789y":                     "x[redacted]y",
		`{"got":"a/b \"c\" \u0026 d"}`:       `{"got":"[redacted]"}`,
		"secret=a%2Fb+%22c%22+%26+d&x=1":     "secret=[redacted]&x=1",
		"/a%2Fb%20%22c%22%20&%20d":           "/[redacted]",
		"a word, words and a pass-word":      "a [redacted], words and a pass-word",
		"short12":                            "[redacted]",
		"x-api-key":                          "x-api-key",
		"key":                                "key",
		"":                                   "",
		"k-0123456789k-0123456789 word,word": "[redacted][redacted] [redacted],[redacted]",
	} {
		assert.Equal(t, want, mask.Text(text))
		assert.Equal(t, want, string(mask.Bytes([]byte(text))))
	}
	assert.Equal(t, "word", redact.Mask{}.Text("word"))
	assert.Empty(t, redact.NewMask("", "abc").Text(""))
}

func TestAMaskFindsASecretWithAnyCharactersEscaped(t *testing.T) {
	t.Parallel()
	mask := redact.NewMask("key+0123/456=", "naïve 😀 key", "sh+rt")
	for text, want := range map[string]string{
		`"key\u002B0123/456="`:                          `"[redacted]"`,
		`"key\u002b0123\/456\u003D"`:                    `"[redacted]"`,
		`"\u006bey+0123/456= is bad"`:                   `"[redacted] is bad"`,
		`{"a":"{\"b\":\"key\\u002B0123/456=\"}"}`:       `{"a":"{\"b\":\"[redacted]\"}"}`,
		`key%2b0123%2f456%3d`:                           `[redacted]`,
		`"na\u00EFve \ud83d\ude00 key"`:                 `"[redacted]"`,
		`na%c3%afve%20%f0%9f%98%80%20key`:               `[redacted]`,
		`"sh\u002Brt" "xsh\u002Brt"`:                    `"[redacted]" "xsh\u002Brt"`,
		`"key\u002C0123/456="`:                          `"key\u002C0123/456="`,
		`key&#43;0123&#x2F;456&#X3d;`:                   `[redacted]`,
		`key&#0043;0123&sol;456&equals;`:                `[redacted]`,
		`key&PLUS;0123&Sol;456&EQUALS;`:                 `[redacted]`,
		`key&amp;#43;0123&amp;amp;#x2f;456&#38;equals;`: `[redacted]`,
		`key\u0026#43;0123%26%2347;456=`:                `key\u0026#43;0123%26%2347;456=`,
		`key\u0026#43;0123%26sol;456=`:                  `[redacted]`,
		`na&#239;ve &#128512; key`:                      `[redacted]`,
		`key&#43 0123/456=`:                             `key&#43 0123/456=`,
		`key&#;0123 key&; key& key&plus`:                `key&#;0123 key&; key& key&plus`,
		`key&#99999999999;0123`:                         `key&#99999999999;0123`,
		`key\u00`:                                       `key\u00`,
		`key\`:                                          `key\`,
		`key%2`:                                         `key%2`,
		`key%zz key\uzzzz`:                              `key%zz key\uzzzz`,
		`na\ud83d naïve \ud83d`:                         `na\ud83d naïve \ud83d`,
	} {
		assert.Equal(t, want, mask.Text(text))
		assert.Equal(t, want, string(mask.Bytes([]byte(text))))
	}
}

func TestAMaskFindsASecretWithAmpersandsInHTML(t *testing.T) {
	t.Parallel()
	mask := redact.NewMask("one&two&lt;three")
	for _, text := range []string{
		"one&two&lt;three", "one&amp;two&amp;lt;three", "one&#38;two&#x26;lt;three", "one&amp;amp;two&amp;amp;lt&semi;three",
	} {
		assert.Equal(t, "<[redacted]>", mask.Text("<"+text+">"), text)
	}
	for _, text := range []string{"one&two<three", "one&amp;two", "one&two&amp;three", "&amp;&amp;&"} {
		assert.Equal(t, text, mask.Text(text))
	}
}

func TestAMaskedErrorIsStillTheSameError(t *testing.T) {
	t.Parallel()
	mask := redact.NewMask("k-0123456789")
	clean := errors.New("no secret")
	assert.Same(t, clean, mask.Error(clean))
	assert.NoError(t, mask.Error(nil))
	err := mask.Error(fmt.Errorf("k-0123456789: %w", io.ErrUnexpectedEOF))
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		assert.NotContains(t, fmt.Sprintf(verb, err), "0123456789", verb)
	}
	assert.EqualError(t, err, "[redacted]: unexpected EOF")
}
