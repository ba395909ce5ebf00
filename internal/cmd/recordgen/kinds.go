package main

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
)

// shape says how values of a type are read and written.
type shape int

const (
	text    shape = iota // a string
	integer              // an int or int64
	boolean              // a bool
	value                // a type with methods of its own, hand-written
	nested               // a record
	param                // a type parameter of the record
	list                 // a slice of elem
	option               // an Opt of elem
)

// kind is a type as the generated code sees it.
type kind struct {
	shape shape
	name  string // as written in Go
	elem  *kind  // of a list or option
}

// reader is the method by which a type shows that it reads itself.
const reader = "UnmarshalJSONFrom"

// kind finds out how a type of the package is read and written. The type parameters of its record are given.
func (p *pkg) kind(t ast.Expr, params []string) (kind, error) {
	name := types.ExprString(t)
	switch t := t.(type) {
	case *ast.ArrayType:
		return p.elemKind(list, name, t.Elt, params)
	case *ast.IndexExpr:
		if baseName(t) == "Opt" {
			return p.elemKind(option, name, t.Index, params)
		}
	case *ast.Ident:
		if slices.Contains(params, name) {
			return kind{shape: param, name: name}, nil
		}
		if target, ok := p.aliases[name]; ok {
			return p.kind(target, params)
		}
	}
	return p.namedKind(name, baseName(t))
}

func (p *pkg) elemKind(of shape, name string, t ast.Expr, params []string) (kind, error) {
	elem, err := p.kind(t, params)
	if err == nil && (elem.shape == option || elem.shape == of) {
		err = fmt.Errorf("the type %s is not supported", name)
	}
	return kind{shape: of, name: name, elem: &elem}, err
}

// namedKind is the kind of a type that is not composed of others, whose name without type arguments is base.
func (p *pkg) namedKind(name, base string) (kind, error) {
	if p.methods[base][reader] {
		if !p.methods[base]["IsZero"] {
			return kind{}, fmt.Errorf("the type %s has no IsZero method", name)
		}
		return kind{shape: value, name: name}, nil
	}
	if s := p.structs[base]; s != nil && p.isGenerated(s) {
		return kind{shape: nested, name: name}, nil
	}
	basic := name
	if under, ok := p.basics[base]; ok {
		basic = under
	}
	switch basic {
	case "string":
		return kind{shape: text, name: name}, nil
	case "int", "int64":
		return kind{shape: integer, name: name}, nil
	case "bool":
		return kind{shape: boolean, name: name}, nil
	default:
		return kind{}, fmt.Errorf("the type %s is not supported; give it an %s method, or use Object", name, reader)
	}
}

// isGenerated tells whether the methods of the struct are to be generated.
func (p *pkg) isGenerated(s *structDecl) bool {
	return !p.methods[s.name][reader] && (s.body || s.hasExtra())
}

// hasExtra tells whether the last field takes up the unknown members.
func (s *structDecl) hasExtra() bool {
	if len(s.fields) == 0 {
		return false
	}
	last := s.fields[len(s.fields)-1]
	return len(last.Names) == 1 && last.Names[0].Name == extraField
}

// extraField is the name of the field for unknown members.
const extraField = "Extra"
