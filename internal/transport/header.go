package transport

import "strings"

// ValidHeaderValue reports whether v is a header value that neither splits the
// header nor is changed on the way.
func ValidHeaderValue(value string) bool {
	for i := range len(value) {
		if c := value[i]; c < ' ' || c >= 0x7f {
			return false
		}
	}
	return strings.TrimSpace(value) == value
}

// ValidToken accepts what RFC 6750, section 2.1, and common practice send as
// a bearer credential: visible ASCII without a space.
func ValidToken(token string) bool {
	return token != "" && ValidHeaderValue(token) && !strings.Contains(token, " ")
}
