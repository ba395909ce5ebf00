package practice

import "strings"

func reservedHeader(name string) bool {
	switch strings.ToLower(name) {
	case "authorization", "x-api-key", "requestid", "userid", "host", "content-type", "content-length",
		"transfer-encoding", "connection", "user-agent", "accept", "accept-encoding", "cookie", "proxy-authorization":
		return true
	}
	return false
}

func validHeaderName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`()<>@,;:\"/[]?={}`, c) >= 0 {
			return false
		}
	}
	return name != ""
}

// validHeaderValue refuses what could split a header or be changed on the
// way.
func validHeaderValue(value string) bool {
	for i := range len(value) {
		if c := value[i]; c < ' ' || c >= 0x7f {
			return false
		}
	}
	return strings.TrimSpace(value) == value
}

// validToken accepts what RFC 6750, section 2.1, and common practice send as
// a bearer credential: visible ASCII without a space.
func validToken(token string) bool {
	return token != "" && validHeaderValue(token) && !strings.Contains(token, " ")
}
