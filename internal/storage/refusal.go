package storage

import (
	"net/http"
	"strings"
)

// ErrorDocument returns the error of a document that came with a status, or nil
// if it is no error document of a storage. It is parsed without encoding/xml,
// which takes a twentieth of this library's compile time.
func ErrorDocument(status int, document []byte) *StatusError {
	text := string(document)
	if root := rootOf(text); root != "Error" && root != "ErrorResponse" {
		return nil
	}
	e := &StatusError{Status: status, Code: elementOf(text, "Code"), Message: elementOf(text, "Message")}
	if len(e.Code) > longestCode || strings.Trim(e.Code, codeCharacters) != "" {
		e.Code = "" // not a code, and codes appear in errors and logs
	}
	return e
}

// isPage reports whether a document begins as an HTML page.
func isPage(document []byte) bool {
	text := strings.TrimSpace(strings.TrimPrefix(string(document), "\ufeff"))
	return strings.HasPrefix(text, "<") && strings.HasPrefix(http.DetectContentType([]byte("<"+rootOf(text)+">")), "text/html")
}

// A code is a name, such as "AccessDenied".
const (
	longestCode    = 100
	codeCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
)

// rootOf returns the name of the root element, which a document type may
// contain already, without its prefix, or "" if there is no root.
func rootOf(text string) string {
	for {
		_, tag, found := strings.Cut(text, "<")
		if !found {
			return ""
		}
		var end string
		switch {
		case strings.HasPrefix(tag, "?"):
			end = "?>"
		case strings.HasPrefix(tag, "!--"):
			end = "-->"
		default:
			if n := len("!doctype"); len(tag) > n && strings.EqualFold(tag[:n], "!doctype") {
				tag = strings.TrimSpace(tag[n:])
			}
			if i := strings.IndexAny(tag, " \t\r\n/>"); i >= 0 {
				tag = tag[:i]
			}
			return tag[strings.LastIndexByte(tag, ':')+1:]
		}
		_, text, _ = strings.Cut(tag, end)
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
