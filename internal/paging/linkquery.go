package paging

import (
	"net/url"
	"strings"
)

// LinkQuery parses the query of a link like a browser. net/url drops a
// parameter with a semicolon or an invalid percent escape, but without one of
// its filters a list is a different list.
func LinkQuery(raw string) url.Values {
	values := url.Values{}
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(strings.ReplaceAll(pair, "+", " "), "=")
		name = unescaped(name)
		values[name] = append(values[name], unescaped(value))
	}
	return values
}

// unescaped decodes percent escapes. It keeps a percent sign that is not part
// of one.
func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	var plain strings.Builder
	for text != "" {
		width := min(len("%20"), len(text))
		one, err := url.PathUnescape(text[:width])
		if text[0] != '%' || err != nil {
			one, width = text[:1], 1
		}
		plain.WriteString(one)
		text = text[width:]
	}
	return plain.String()
}
