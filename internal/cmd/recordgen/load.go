package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// pkg is what the syntax of a package says about its types.
type pkg struct {
	name    string
	files   []*source
	structs map[string]*structDecl
	basics  map[string]string          // types made of string, int, int64 or bool, by name
	aliases map[string]ast.Expr        // type A = B
	methods map[string]map[string]bool // hand-written methods, by type and name
}

// source is one hand-written file.
type source struct {
	name    string
	structs []*structDecl
}

// structDecl is one struct type.
type structDecl struct {
	name   string
	params []string // names of its type parameters
	fields []*ast.Field
	body   bool // a request body, by its directive
}

// bodyDirective marks the structs that are request bodies.
const bodyDirective = "//recordgen:body"

// load parses the hand-written files of a directory in the order of their names.
func load(dir string) (*pkg, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	p := &pkg{
		structs: make(map[string]*structDecl), basics: make(map[string]string),
		aliases: make(map[string]ast.Expr), methods: make(map[string]map[string]bool),
	}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, outputPrefix) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.name = file.Name.Name
		p.add(name, file)
	}
	if p.name == "" {
		return nil, fmt.Errorf("no Go files in %s", dir)
	}
	return p, nil
}

func (p *pkg) add(name string, file *ast.File) {
	src := &source{name: name}
	p.files = append(p.files, src)
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			p.addMethod(d)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok {
					p.addType(src, t, d.Doc)
				}
			}
		}
	}
}

func (p *pkg) addMethod(f *ast.FuncDecl) {
	if f.Recv == nil {
		return
	}
	name := baseName(f.Recv.List[0].Type)
	if p.methods[name] == nil {
		p.methods[name] = make(map[string]bool)
	}
	p.methods[name][f.Name.Name] = true
}

func (p *pkg) addType(src *source, t *ast.TypeSpec, groupDoc *ast.CommentGroup) {
	if t.Assign.IsValid() {
		p.aliases[t.Name.Name] = t.Type
		return
	}
	switch underlying := t.Type.(type) {
	case *ast.Ident:
		p.basics[t.Name.Name] = underlying.Name
	case *ast.StructType:
		s := &structDecl{name: t.Name.Name, fields: underlying.Fields.List, body: isBody(t.Doc) || isBody(groupDoc)}
		if t.TypeParams != nil {
			for _, param := range t.TypeParams.List {
				for _, name := range param.Names {
					s.params = append(s.params, name.Name)
				}
			}
		}
		p.structs[s.name] = s
		src.structs = append(src.structs, s)
	}
}

func isBody(doc *ast.CommentGroup) bool {
	if doc == nil {
		return false
	}
	for _, line := range doc.List {
		if line.Text == bodyDirective {
			return true
		}
	}
	return false
}

// baseName gives the name of a type without its pointer and its type arguments.
func baseName(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return baseName(t.X)
	case *ast.IndexExpr:
		return baseName(t.X)
	case *ast.IndexListExpr:
		return baseName(t.X)
	case *ast.Ident:
		return t.Name
	default:
		return ""
	}
}
