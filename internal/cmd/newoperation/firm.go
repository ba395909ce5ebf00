package main

import (
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
)

// firmField returns the field of practicetest.Firm for a parameter of a path:
// MemoID for the id of /matters/{matterId}/memos/{id}. If Firm has no such
// field, the name derives from the collection.
func firmField(document *description.Document, path, parameter string) string {
	before, _, _ := strings.Cut(path, "/{"+parameter+"}")
	var words []string
	for _, segment := range strings.Split(before, "/") {
		if !strings.HasPrefix(segment, "{") {
			words = append(words, singular(strings.ReplaceAll(segment, "-", "")))
		}
	}
	above, last := strings.Join(words, ""), words[len(words)-1]
	record := ""
	if get := document.At("GET", before+"/{"+parameter+"}"); get != nil && get.Answer != nil && get.Answer.Ref != nil {
		record = get.Answer.Ref.GoName
	}
	for _, name := range []string{above + "ID", above + parameter, parameter, record + "ID"} {
		if field := operations.FieldFor(name); field != "" {
			return field
		}
	}
	return strings.ToUpper(last[:1]) + last[1:] + "ID"
}

// singular returns the singular of a plural: memo of memos, policy of policies.
func singular(several string) string {
	if one, found := strings.CutSuffix(several, "ies"); found {
		return one + "y"
	}
	return strings.TrimSuffix(several, "s")
}
