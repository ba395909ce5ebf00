// Package filenames makes names of the service safe as local file names or as
// path elements, and distinct within a folder.
package filenames

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/practicesdk/practice-go/internal/partfile"
)

// MaxLocalBytes is the maximum length of a name that Local returns. Common file
// systems allow 255 bytes; the rest is for suffixes added by callers.
const MaxLocalBytes = 200

// Local returns the name of a local file for a name of the service. On every
// system the result is one path element that stays in its folder, is not a
// device, and has only one spelling:
//
//   - separators, drives and streams, wildcards and quotes (/ \ : * ? " < > |),
//     control characters, line separators, bidirectional formatting and
//     invalid UTF-8 become _;
//   - dots and spaces at the end, and spaces at the beginning, become _; this
//     includes "." and "..";
//   - a tilde before a digit becomes _, because such names can be the short
//     names of other files;
//   - a device of any system (CON, NUL, COM1 and so on, with any extension),
//     and the name of an unfinished download, get the prefix _;
//   - a name of more than MaxLocalBytes bytes keeps its beginning and its
//     extension, with a part of its hash between them;
//   - an empty name becomes _.
//
// Different names may have the same result, so a caller must not replace an
// existing file. A safe name is returned unchanged.
func Local(name string) string {
	safe := strings.Map(replaceRune, strings.ToValidUTF8(name, "_"))
	safe = replaceShortNames(safe)
	safe = replaceEnds(safe)
	if safe == "" || isDevice(safe) || strings.HasPrefix(strings.ToLower(safe), partfile.Prefix) {
		safe = "_" + safe
	}
	if len(safe) > MaxLocalBytes {
		safe = shorten(safe, name)
	}
	return safe
}

func replaceRune(r rune) rune {
	switch {
	case r < ' ', r >= 0x7f && r < 0xa0, strings.ContainsRune(`/\:*?"<>|`, r):
		return '_'
	case r == '\u2028', r == '\u2029', r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', r == '\u200e', r == '\u200f', r == '\u061c':
		return '_'
	}
	return r
}

func replaceShortNames(name string) string {
	b := []byte(name)
	for i := range len(b) - 1 {
		if b[i] == '~' && b[i+1] >= '0' && b[i+1] <= '9' {
			b[i] = '_'
		}
	}
	return string(b)
}

func replaceEnds(name string) string {
	end := strings.TrimRight(name, ". ")
	name = end + strings.Repeat("_", len(name)-len(end))
	begin := strings.TrimLeft(name, " ")
	return strings.Repeat("_", len(name)-len(begin)) + begin
}

// shorten keeps the beginning and a short extension, with a hash of the whole
// name between them.
func shorten(safe, whole string) string {
	const longestExtension = 20
	sum := sha256.Sum256([]byte(whole))
	end := "_" + hex.EncodeToString(sum[:6])
	if dot := strings.LastIndexByte(safe, '.'); dot > 0 && len(safe)-dot <= longestExtension {
		end += safe[dot:]
	}
	cut := MaxLocalBytes - len(end)
	for !utf8.RuneStart(safe[cut]) {
		cut--
	}
	return safe[:cut] + end
}

// isDevice reports whether some system opens a device under this name, with any
// extension.
func isDevice(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	}
	for _, port := range []string{"COM", "LPT"} {
		if number, ok := strings.CutPrefix(base, port); ok && utf8.RuneCountInString(number) == 1 && strings.ContainsAny(number, "0123456789¹²³") {
			return true
		}
	}
	return false
}
