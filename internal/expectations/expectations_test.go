package expectations_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// expectation is one row of expectations.md.
type expectation struct {
	number       int
	where, proof string
}

// expectationsOf parses the rows of the tables in a text.
func expectationsOf(text string) []expectation {
	var rows []expectation
	for _, match := range regexp.MustCompile(`(?m)^\| (\d+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$`).FindAllStringSubmatch(text, -1) {
		number, err := strconv.Atoi(match[1])
		if err == nil {
			rows = append(rows, expectation{number, match[2], match[3]})
		}
	}
	return rows
}

// codeSpans returns the code spans of a table cell.
func codeSpans(cell string) []string {
	var texts []string
	for _, match := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
		texts = append(texts, match[1])
	}
	return texts
}

// TestExpectations checks expectations.md: no row is missing, each has a proof,
// and everything that a row names exists.
func TestExpectations(t *testing.T) {
	t.Parallel()
	rows, ideas, _ := strings.Cut(readText(t, "internal/expectations/expectations.md"), "\n## Ideas\n")
	names, tests := declaredNames(t), testsOf(t)
	for _, part := range []struct {
		what, text string
		last       int
	}{{"row", rows, 95}, {"idea", ideas, 22}} {
		listed := expectationsOf(part.text)
		if len(listed) != part.last {
			t.Errorf("%d are listed of the kind %s, and not %d", len(listed), part.what, part.last)
		}
		for i, row := range listed {
			if row.number != i+1 {
				t.Fatalf("%s %d is where %d should be", part.what, row.number, i+1)
			}
			proofs := codeSpans(row.proof)
			if len(proofs) == 0 {
				t.Errorf("internal/expectations/expectations.md: %s %d has no proof\nname the test or the step that proves it", part.what, row.number)
			}
			for _, proof := range proofs {
				if !isProof(t, tests, proof) {
					t.Errorf("internal/expectations/expectations.md: %s %d: there is no test or step %s\nname the one that proves it", part.what, row.number, proof)
				}
			}
			for _, place := range codeSpans(row.where) {
				if _, err := os.Stat(path.Join(root, place)); err != nil && !names[place] {
					t.Errorf("internal/expectations/expectations.md: %s %d: there is no %s\nname the file or the exported name", part.what, row.number, place)
				}
				if path.Ext(place) == ".go" {
					t.Errorf("%s %d: %s is a source, which moves: name what it declares, or its package", part.what, row.number, place)
				}
			}
		}
	}
}

// isProof reports whether proof is a test, a step of .ci/run or a part of
// .ci/soak.
func isProof(t *testing.T, tests map[string]bool, proof string) bool {
	t.Helper()
	if step, ok := strings.CutPrefix(proof, ".ci/run: "); ok {
		return strings.Contains(readText(t, ".ci/run"), "\tstep '"+step+"' ")
	}
	if part, ok := strings.CutPrefix(proof, ".ci/soak: "); ok {
		return regexp.MustCompile(`(?m)^parts=\(.*\b` + regexp.QuoteMeta(part) + `\b`).MatchString(readText(t, ".ci/soak"))
	}
	dir, name := path.Split(proof)
	if dir == "" { // tests of the root package
		return tests[name] || tests["internal/acceptance/"+name] || tests["internal/house/"+name]
	}
	return tests[proof]
}

// testsOf returns the tests of the project, with their directories.
func testsOf(t *testing.T) map[string]bool {
	t.Helper()
	tests, declared := map[string]bool{}, regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example)[A-Z]\w+)\(`)
	require.NoError(t, filepath.WalkDir(root, func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		dir, relative := filepath.Rel(root, filepath.Dir(name))
		for _, match := range declared.FindAllSubmatch(text, -1) {
			tests[path.Join(filepath.ToSlash(dir), string(match[1]))] = true
		}
		return errors.Join(err, relative)
	}))
	return tests
}

// declaredNames returns the exported names of the library, qualified by package
// except for the root.
func declaredNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for dir, prefix := range map[string]string{".": "", "auth": "auth.", "models": "models.", "webhook": "webhook.", "practicetest": "practicetest."} {
		for _, source := range sourcesIn(t, token.NewFileSet(), dir) {
			for _, declaration := range source.Decls {
				for _, name := range namesOf(declaration) {
					names[prefix+name] = true
				}
			}
		}
	}
	return names
}

// namesOf returns the names that a declaration declares, including fields.
func namesOf(declaration ast.Decl) []string {
	if function, ok := declaration.(*ast.FuncDecl); ok {
		return []string{strings.TrimPrefix(receiverOf(function)+"."+function.Name.Name, ".")}
	}
	var names []string
	for _, spec := range declaration.(*ast.GenDecl).Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				names = append(names, name.Name)
			}
		case *ast.TypeSpec:
			names = append(names, spec.Name.Name)
			body, ok := spec.Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, field := range body.Fields.List {
				for _, name := range field.Names {
					names = append(names, spec.Name.Name+"."+name.Name)
				}
			}
		}
	}
	return names
}

// receiverOf returns the name of the type that a method belongs to.
func receiverOf(function *ast.FuncDecl) string {
	if function.Recv == nil {
		return ""
	}
	name := ""
	ast.Inspect(function.Recv.List[0].Type, func(node ast.Node) bool {
		if id, ok := node.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return true
	})
	return name
}

// sourcesIn parses the sources of a package without its tests.
func sourcesIn(t *testing.T, set *token.FileSet, dir string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(path.Join(root, dir, "*.go"))
	require.NoError(t, err)
	var sources []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		require.NoError(t, err)
		sources = append(sources, source)
	}
	require.NotEmpty(t, sources, dir)
	return sources
}

// readText reads a file of the project.
func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(path.Join(root, name))
	require.NoError(t, err)
	return string(text)
}
