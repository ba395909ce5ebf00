package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
)

// embedded holds the declarations of the embedded service's sources.
type embedded struct {
	texts    map[string]string // constants by name
	paths    map[string]bool   // paths of resources
	handlers map[string]bool   // operation ids with a handler
}

// readEmbedded reads package practicetest of the module without generated files
// and tests.
func readEmbedded(root fs.FS) (*embedded, error) {
	e := &embedded{map[string]string{}, map[string]bool{}, map[string]bool{}}
	names, err := fs.Glob(root, "practicetest/*.go")
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "practicetest/zz_") {
			continue
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	for _, visit := range []func(ast.Node) bool{e.constant, e.declaration} {
		for _, file := range files {
			ast.Inspect(file, visit)
		}
	}
	return e, nil
}

func (e *embedded) constant(node ast.Node) bool {
	if spec, ok := node.(*ast.ValueSpec); ok && len(spec.Names) == len(spec.Values) {
		for i, name := range spec.Names {
			e.texts[name.Name] = e.text(spec.Values[i])
		}
	}
	return true
}

// text returns the value of an expression of string literals and constants, or
// "" for another one.
func (e *embedded) text(expression ast.Expr) string {
	switch x := expression.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(x.Value) // a number cannot be a path
		return text
	case *ast.Ident:
		return e.texts[x.Name]
	case *ast.BinaryExpr:
		return e.text(x.X) + e.text(x.Y)
	default:
		return ""
	}
}

func (e *embedded) declaration(node ast.Node) bool {
	literal, ok := node.(*ast.CompositeLit)
	if !ok {
		return true
	}
	kind, _ := literal.Type.(*ast.Ident)
	for _, element := range literal.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok || kind == nil {
			continue
		}
		key, _ := pair.Key.(*ast.Ident)
		switch {
		case kind.Name == "handlers":
			e.handlers[e.text(pair.Key)] = true
		case kind.Name == "resource" && key != nil && key.Name == "path":
			e.paths[e.text(pair.Value)] = true
		}
	}
	return true
}

// performs reports whether a declared resource performs the operation.
func (e *embedded) performs(o *description.Operation) bool {
	if e.handlers[o.ID] {
		return false
	}
	if o.HTTPMethod != "POST" && e.paths[o.Path] {
		return true
	}
	for path := range e.paths {
		if (o.HTTPMethod == "GET" || o.HTTPMethod == "POST") && listOf(path) == o.Path {
			return true
		}
	}
	return false
}

// listOf returns the path of the list that contains a record: /notes for
// /notes/{id}.
func listOf(path string) string {
	above := path[:strings.LastIndexByte(path, '/')+1]
	if !strings.HasPrefix(path[len(above):], "{") {
		return ""
	}
	return strings.TrimSuffix(above, "/")
}
