package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strconv"
	"strings"
)

// constantsOf returns the names of the constants of the models. A key consists
// of the type and the value, such as "FeeType 1".
func constantsOf(root fs.FS) (map[string]string, error) {
	names, err := fs.Glob(root, "models/*.go")
	if err != nil {
		return nil, err
	}
	constants := map[string]string{}
	for _, name := range names {
		file, err := parsed(root, name)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			kind, ok := spec.Type.(*ast.Ident)
			literal, known := spec.Values[0].(*ast.BasicLit)
			if ok && known && spec.Names[0].IsExported() {
				constants[kind.Name+" "+literal.Value] = spec.Names[0].Name
			}
			return true
		})
	}
	return constants, nil
}

// commandsOf returns the command examples from the help of the command line by
// operation id.
func commandsOf(root fs.FS) (map[string]string, error) {
	file, err := parsed(root, "cmd/practice/internal/command/zz_examples.go")
	if err != nil {
		return nil, err
	}
	commands := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		row, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		id, first := row.Key.(*ast.BasicLit)
		line, second := row.Value.(*ast.BasicLit)
		if first && second {
			commands[unquoted(id)] = unquoted(line)
		}
		return true
	})
	if len(commands) == 0 {
		return nil, errors.New("zz_examples.go contains no examples of the command line")
	}
	return commands, nil
}

func parsed(root fs.FS, name string) (*ast.File, error) {
	source, err := fs.ReadFile(root, name)
	if err != nil {
		return nil, err
	}
	return parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
}

func unquoted(literal *ast.BasicLit) string {
	text, _ := strconv.Unquote(literal.Value) // the parser has validated it
	return text
}

// shellLines returns a command on lines of at most 120 columns, unless a single
// word is longer.
func shellLines(command string) string {
	var b strings.Builder
	column := 0
	for i, word := range shellWords(command) {
		switch {
		case i == 0:
		case column+1+len(word) > columns-2:
			b.WriteString(" \\\n  ")
			column = 2
		default:
			b.WriteString(" ")
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

// shellWords splits a command at spaces outside of quotes.
func shellWords(command string) (words []string) {
	quoted, from := false, 0
	for i, r := range command {
		switch {
		case r == '\'':
			quoted = !quoted
		case r == ' ' && !quoted:
			words = append(words, command[from:i])
			from = i + 1
		}
	}
	return append(words, command[from:])
}
