package practice_test

import (
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// expectation is one row of docs/expectations.md.
type expectation struct {
	number       int
	where, proof string
}

// expectationsOf reads the rows of the tables of a text.
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

// codeSpans are the texts that a cell shows as code.
func codeSpans(cell string) []string {
	var texts []string
	for _, match := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
		texts = append(texts, match[1])
	}
	return texts
}

// TestExpectations holds docs/expectations.md to the truth: no row is missing,
// each has a proof, and whatever it names is there.
func TestExpectations(t *testing.T) {
	t.Parallel()
	rows, ideas, _ := strings.Cut(readText(t, "docs/expectations.md"), "\n## Ideas\n")
	names := declaredNames(t)
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
				t.Errorf("%s %d: it has no proof", part.what, row.number)
			}
			for _, proof := range proofs {
				if !isProof(t, proof) {
					t.Errorf("%s %d: there is no test or step %s", part.what, row.number, proof)
				}
			}
			for _, place := range codeSpans(row.where) {
				if _, err := os.Stat(place); err != nil && !names[place] {
					t.Errorf("%s %d: there is no %s", part.what, row.number, place)
				}
			}
		}
	}
}

// isProof reports whether there is such a test, or such a step of the check.
func isProof(t *testing.T, proof string) bool {
	t.Helper()
	if step, ok := strings.CutPrefix(proof, ".ci/run: "); ok {
		return regexp.MustCompile(`(?m)^step ['"]` + regexp.QuoteMeta(step) + `['"] `).MatchString(readText(t, ".ci/run"))
	}
	test := regexp.MustCompile(`^(Test|Fuzz|Example)[A-Z]\w+$`).FindString(path.Base(proof))
	files, err := filepath.Glob(path.Join(path.Dir(proof), "*_test.go"))
	if err != nil || test == "" {
		return false
	}
	for _, file := range files {
		if strings.Contains(readText(t, file), "\nfunc "+test+"(") {
			return true
		}
	}
	return false
}

// declaredNames are the exported names of the library, with their package unless
// it is the root.
func declaredNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for dir, prefix := range map[string]string{".": "", "models": "models.", "webhook": "webhook.", "practicetest": "practicetest."} {
		for _, source := range sourcesOf(t, dir) {
			for _, declaration := range source.Decls {
				for _, name := range namesOf(declaration) {
					names[prefix+name] = true
				}
			}
		}
	}
	return names
}

// namesOf are the names that a declaration makes, those of fields among them.
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
