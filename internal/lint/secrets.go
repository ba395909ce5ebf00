package lint

import (
	"go/ast"
	"go/types"
	"regexp"

	"golang.org/x/tools/go/analysis"
)

// secretsAnalyzer requires models.Secret for stored secrets: a string in a
// field or in a package variable could be logged with %+v. Arguments are
// exempt, and so are the handlers of internal/transport, which hold credentials
// as headers.
func secretsAnalyzer() *analysis.Analyzer {
	secret := regexp.MustCompile(`(?i)(secret|password|passphrase|token|(api|signing|private)_?key|credential)s?_?` +
		`(text|value|string|str|bytes|raw|data|plain|clear|hex|base64|pem|header)?s?$`)
	return &analysis.Analyzer{
		Name: "secrets",
		Doc:  "secrets are kept in models.Secret only",
		Run: func(pass *analysis.Pass) (any, error) {
			if !isLibrary(pass) || isService(pass) || part(pass) == "internal/transport" {
				return nil, nil
			}
			forEach(pass, func(node ast.Node, _ []ast.Node) {
				id, ok := node.(*ast.Ident)
				if !ok {
					return
				}
				object, ok := pass.TypesInfo.Defs[id].(*types.Var)
				if !ok || !object.IsField() && object.Parent() != pass.Pkg.Scope() {
					return
				}
				if isText(object.Type()) && secret.MatchString(id.Name) {
					pass.Reportf(id.Pos(), "%s is stored as a string: use models.Secret", id.Name)
				}
			})
			return nil, nil
		},
	}
}

// isText reports whether t is a string or byte slice, or a pointer, slice or
// map of one.
func isText(t types.Type) bool {
	return anyIn(t, func(t types.Type) bool {
		basic, ok := t.Underlying().(*types.Basic)
		return ok && (basic.Info()&types.IsString != 0 || basic.Kind() == types.Uint8)
	})
}
