package main

import (
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
)

// firmField returns the field of practicetest.Firm for a parameter of a path.
func firmField(document *description.Document, path, parameter string) string {
	before, _, _ := strings.Cut(path, "/{"+parameter+"}")
	record := ""
	if get := document.At("GET", before+"/{"+parameter+"}"); get != nil && get.Answer != nil && get.Answer.Ref != nil {
		record = get.Answer.Ref.GoName
	}
	return operations.FieldIn(path, parameter, record)
}
