package redact

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// longestEntity is the length of the longest reference that is read, without
// its ampersand.
const longestEntity = len("DiacriticalGrave;")

// entityAt returns the character of the reference of HTML of which text is what
// follows the ampersand, and the length of that: it is empty for none.
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

// entities are the names of the ASCII characters that have any, in lower case.
// It is only read.
var entities = map[string]string{
	"tab": "\t", "newline": "\n", "excl": "!", "quot": `"`, "num": "#", "dollar": "$", "percnt": "%", "amp": "&", "apos": "'",
	"lpar": "(", "rpar": ")", "ast": "*", "midast": "*", "plus": "+", "comma": ",", "period": ".", "sol": "/", "colon": ":",
	"semi": ";", "lt": "<", "equals": "=", "gt": ">", "quest": "?", "commat": "@", "lsqb": "[", "lbrack": "[", "bsol": `\`,
	"rsqb": "]", "rbrack": "]", "hat": "^", "lowbar": "_", "underbar": "_", "grave": "`", "diacriticalgrave": "`", "lcub": "{",
	"lbrace": "{", "verbar": "|", "vert": "|", "verticalline": "|", "rcub": "}", "rbrace": "}",
}
