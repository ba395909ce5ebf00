package storage

import (
	"net/http"
	"strings"
)

// refusal is an error document of a storage. It is parsed without encoding/xml,
// which takes a twentieth of this library's compile time.
type refusal struct{ code, message string }

// readRefusal reports whether a document is a refusal, regardless of the
// status.
func readRefusal(document []byte) (r refusal, ok bool) {
	text := string(document)
	root, ok := rootOf(text)
	if !ok || root != "Error" && root != "ErrorResponse" {
		return r, false
	}
	r = refusal{code: elementOf(text, "Code"), message: elementOf(text, "Message")}
	if len(r.code) > longestCode || strings.Trim(r.code, codeCharacters) != "" {
		r.code = "" // not a code, and codes appear in errors and logs
	}
	return r, true
}

// ErrorDocument returns a *StatusError if a document that came with a success
// status is an error document of a storage.
func ErrorDocument(status int, document []byte) error {
	if said, ok := readRefusal(document); ok {
		return &StatusError{Status: status, Code: said.code, Message: said.message}
	}
	return nil
}

// isPage reports whether a document begins as an HTML page.
func isPage(document []byte) bool {
	const doctype = "<!doctype html"
	text := strings.TrimSpace(strings.TrimPrefix(string(document), "\ufeff"))
	root, _ := rootOf(text)
	return strings.HasPrefix(text, "<") && strings.HasPrefix(http.DetectContentType([]byte("<"+root+">")), "text/html") ||
		strings.HasPrefix(strings.ToLower(text[:min(len(text), len(doctype))]), doctype)
}

// A code is a name, such as "AccessDenied".
const (
	longestCode    = 100
	codeCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
)

// rootOf returns the name of the root element without its prefix, and false if
// there is no root.
func rootOf(text string) (name string, ok bool) {
	for {
		_, tag, found := strings.Cut(text, "<")
		if !found {
			return "", false
		}
		var end string
		switch {
		case strings.HasPrefix(tag, "?"):
			end = "?>"
		case strings.HasPrefix(tag, "!--"):
			end = "-->"
		case strings.HasPrefix(tag, "!"):
			end = ">"
		default:
			if i := strings.IndexAny(tag, " \t\r\n/>"); i >= 0 {
				tag = tag[:i]
			}
			return tag[strings.LastIndexByte(tag, ':')+1:], true
		}
		if _, text, found = strings.Cut(tag, end); !found {
			return "", false
		}
	}
}

// elementOf returns the text of the first element with a name and without
// attributes.
func elementOf(text, name string) string {
	_, rest, _ := strings.Cut(text, "<"+name+">")
	content, _, found := strings.Cut(rest, "</"+name+">")
	if !found {
		return ""
	}
	return strings.TrimSpace(content)
}
