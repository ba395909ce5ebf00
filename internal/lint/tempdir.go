package lint

import (
	"go/ast"
	"go/constant"

	"golang.org/x/tools/go/analysis"
)

// tempdirAnalyzer requires tests to write only below t.TempDir, because sources
// may be read-only and other directories are not cleaned up. It allows golden
// files behind a flag of the test. Examples, which have no t, may use
// os.MkdirTemp.
func tempdirAnalyzer() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "tempdir",
		Doc:  "a test never writes outside t.TempDir",
		Run: func(pass *analysis.Pass) (any, error) {
			origins := originsIn(pass)
			for _, file := range pass.Files {
				if !isTest(pass, file.Pos()) {
					continue
				}
				ast.PreorderStack(file, nil, func(node ast.Node, above []ast.Node) bool {
					call, ok := node.(*ast.CallExpr)
					if !ok || isAskedFor(origins, above) {
						return true
					}
					if target := written(pass, call); target != nil && !origins.isTemporary(target) {
						_, name := calleeOf(pass, call)
						pass.Reportf(call.Pos(), "os.%s: a test writes only below t.TempDir", name)
					}
					return true
				})
			}
			return nil, nil
		},
	}
}

// written returns the path that a call of package os writes to, or nil if it
// writes nothing. For os.MkdirTemp and os.CreateTemp, which choose the path, it
// returns the call.
func written(pass *analysis.Pass, call *ast.CallExpr) ast.Expr {
	pkg, name := calleeOf(pass, call)
	if pkg != "os" || isMethod(pass, call) {
		return nil
	}
	switch name {
	case "Create", "WriteFile", "Mkdir", "MkdirAll", "Remove", "RemoveAll", "Truncate", "Chmod", "Chown", "Chtimes", "CopyFS", "OpenRoot":
		return call.Args[0]
	case "Rename", "Link", "Symlink":
		return call.Args[1]
	case "MkdirTemp", "CreateTemp":
		return call
	case "OpenFile":
		if flags := pass.TypesInfo.Types[call.Args[1]].Value; flags != nil && constant.Sign(flags) == 0 {
			return nil // opened with os.O_RDONLY
		}
		return call.Args[0]
	}
	return nil
}

func isMethod(pass *analysis.Pass, call *ast.CallExpr) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	return ok && pass.TypesInfo.Selections[selector] != nil
}

// isAskedFor reports whether a node is inside an if with a flag as its
// condition.
func isAskedFor(origins *origins, above []ast.Node) bool {
	for i, node := range above {
		condition, ok := node.(*ast.IfStmt)
		if ok && i+1 < len(above) && above[i+1] == condition.Body && origins.isFlag(condition.Cond) {
			return true
		}
	}
	return false
}
