// Package idfield finds the field of a firm that holds the id for a parameter of a
// path. It reads no description, so that the sandbox links no parser of one.
package idfield

import "strings"

// Of returns the field that holds the id for a parameter of a path: MemoID
// for the id of /matters/{matterId}/memos/{id}. record is the Go name of the
// record that the parameter identifies; it may be empty. If there is no such
// field, the name derives from the collection.
func Of(fields []string, path, parameter, record string) string {
	before, _, _ := strings.Cut(path, "/{"+parameter+"}")
	var words []string
	for segment := range strings.SplitSeq(before, "/") {
		if !strings.HasPrefix(segment, "{") {
			words = append(words, Singular(strings.ReplaceAll(segment, "-", "")))
		}
	}
	above, last := strings.Join(words, ""), words[len(words)-1]
	for _, name := range []string{above + "ID", above + parameter, parameter, record + "ID"} {
		if field := LongestEnd(fields, name); field != "" {
			return field
		}
	}
	return strings.ToUpper(last[:1]) + last[1:] + "ID"
}

// LongestEnd returns the longest field that a name ends with, ignoring case, or
// "".
func LongestEnd(fields []string, name string) (longest string) {
	for _, field := range fields {
		if len(field) > len(longest) && strings.HasSuffix(strings.ToLower(name), strings.ToLower(field)) {
			longest = field
		}
	}
	return longest
}

// Singular returns the singular of a plural: memo of memos, policy of policies.
func Singular(several string) string {
	if one, found := strings.CutSuffix(several, "ies"); found {
		return one + "y"
	}
	return strings.TrimSuffix(several, "s")
}
