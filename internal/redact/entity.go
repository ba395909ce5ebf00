package redact

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// longestEntity is the maximum length of a character reference, without its
// ampersand.
const longestEntity = len("DiacriticalGrave;")

// entityAt returns the character of the HTML reference at the start of text,
// which follows the ampersand, and its length. character is "" if there is
// none.
func entityAt(text string) (character string, length int) {
	name, _, closed := strings.Cut(text[:min(len(text), longestEntity)], ";")
	if !closed {
		return "", 0
	}
	length = len(name) + 1
	number, numeric := strings.CutPrefix(name, "#")
	if !numeric {
		character = entities[strings.ToLower(name)]
		return character, length * len(character)
	}
	base := 10
	if hex := strings.TrimLeft(number, "xX"); len(hex) == len(number)-1 {
		number, base = hex, 16
	}
	code, err := strconv.ParseUint(number, base, 32)
	if err != nil || code == 0 || !utf8.ValidRune(rune(code)) {
		return "", 0
	}
	return string(rune(code)), length
}

// entities maps the names of ASCII characters in lower case to the characters.
// It must not be modified.
var entities = map[string]string{
	"tab": "\t", "newline": "\n", "excl": "!", "quot": `"`, "num": "#", "dollar": "$", "percnt": "%", "amp": "&", "apos": "'",
	"lpar": "(", "rpar": ")", "ast": "*", "midast": "*", "plus": "+", "comma": ",", "period": ".", "sol": "/", "colon": ":",
	"semi": ";", "lt": "<", "equals": "=", "gt": ">", "quest": "?", "commat": "@", "lsqb": "[", "lbrack": "[", "bsol": `\`,
	"rsqb": "]", "rbrack": "]", "hat": "^", "lowbar": "_", "underbar": "_", "grave": "`", "diacriticalgrave": "`", "lcub": "{",
	"lbrace": "{", "verbar": "|", "vert": "|", "verticalline": "|", "rcub": "}", "rbrace": "}",
}
