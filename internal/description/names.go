package description

import (
	"strings"
	"unicode"
)

// initialisms lists words that are upper case in Go names.
var initialisms = []string{"id", "ids", "url", "uri", "utc", "html", "pdf", "mfa", "utbms", "dx", "voi", "abn", "acn", "ein", "bsb", "poa"}

// GoName returns the Go name of a member: StaffID for staffId.
func GoName(name string) string {
	var b strings.Builder
	for _, word := range words(name) {
		b.WriteString(goWord(word))
	}
	return b.String()
}

func goWord(word string) string {
	lower := strings.ToLower(word)
	for _, initialism := range initialisms {
		switch {
		case lower != initialism:
		case lower == "ids":
			return "IDs"
		default:
			return strings.ToUpper(lower)
		}
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// words splits a name in camel case: created, Date, Utc for createdDateUtc.
func words(name string) []string {
	var found []string
	start := 0
	letters := []rune(name)
	for i := 1; i < len(letters); i++ {
		if unicode.IsUpper(letters[i]) && !unicode.IsUpper(letters[i-1]) {
			found = append(found, string(letters[start:i]))
			start = i
		}
	}
	return append(found, string(letters[start:]))
}
