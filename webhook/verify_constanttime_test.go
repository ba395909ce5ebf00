package webhook_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A clock cannot reliably show whether a comparison takes the same time for all
// signatures, so this test examines the implementation: it uses crypto/subtle
// with every key, and does not stop early.
func TestSignaturesAreComparedInConstantTime(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "verify.go", nil, 0)
	require.NoError(t, err)
	var loop *ast.RangeStmt
	for _, declaration := range file.Decls {
		if function, ok := declaration.(*ast.FuncDecl); ok && function.Name.Name == "match" {
			for _, statement := range function.Body.List {
				if found, ok := statement.(*ast.RangeStmt); ok {
					loop = found
				}
			}
		}
	}
	require.NotNil(t, loop, "match tries the keys one by one")
	var calls []string
	ast.Inspect(loop.Body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			if of, ok := node.X.(*ast.Ident); ok {
				calls = append(calls, of.Name+"."+node.Sel.Name)
			}
		case *ast.IfStmt, *ast.SwitchStmt, *ast.BranchStmt, *ast.ReturnStmt, *ast.BinaryExpr:
			assert.Failf(t, "a way to end early", "%T in match", node)
		}
		return true
	})
	assert.Equal(t, []string{"subtle.ConstantTimeCompare", "subtle.ConstantTimeSelect"}, calls)
}
