package models_test

import (
	"go/ast"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestNoFieldIsAPointer checks that a member that may be omitted or null is an
// Opt, or a type that can be absent, so that callers need no helpers for
// pointers.
func TestNoFieldIsAPointer(t *testing.T) {
	t.Parallel()
	fields := 0
	for _, file := range packageFiles(t) {
		for _, spec := range structsOf(file) {
			for _, field := range spec.Type.(*ast.StructType).Fields.List {
				for _, name := range field.Names {
					_, pointer := field.Type.(*ast.StarExpr)
					assert.False(t, pointer && name.IsExported(), "%s.%s", spec.Name.Name, name.Name)
					fields++
				}
			}
		}
	}
	assert.Greater(t, fields, 200)
}
