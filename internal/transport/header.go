package transport

import "strings"

// ValidHeaderValue reports whether v is a valid header value that is not
// changed in transit.
func ValidHeaderValue(value string) bool {
	for i := range len(value) {
		if c := value[i]; c < ' ' || c >= 0x7f {
			return false
		}
	}
	return strings.TrimSpace(value) == value
}

// ValidToken reports whether a token can be a bearer credential by RFC 6750,
// section 2.1, and common practice: visible ASCII without spaces.
func ValidToken(token string) bool {
	return token != "" && ValidHeaderValue(token) && !strings.Contains(token, " ")
}
