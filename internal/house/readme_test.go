package house_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// blocksOf returns the README's code blocks in a language.
func blocksOf(t *testing.T, language string) []string {
	t.Helper()
	var blocks []string
	for _, match := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(readText(t, "README.md"), -1) {
		blocks = append(blocks, match[1])
	}
	return blocks
}

// withoutSpace replaces each run of white space by one space.
func withoutSpace(text string) string { return strings.Join(strings.Fields(text), " ") }

// exampleBodies returns the bodies of the examples with output, by name.
func exampleBodies(t *testing.T) map[string]string {
	t.Helper()
	bodies := map[string]string{}
	for _, name := range filesLike(t, "example*_test.go") {
		text, set := readText(t, name), token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, parser.ParseComments)
		require.NoError(t, err)
		for _, example := range doc.Examples(file) {
			require.NotEmpty(t, example.Output, "%s: Example%s has no output, so it does not run\nwrite // Output:", name, example.Name)
		}
		for _, declaration := range file.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok && strings.HasPrefix(function.Name.Name, "Example") {
				bodies[function.Name.Name] = text[set.Position(function.Body.Lbrace).Offset:set.Position(function.Body.Rbrace).Offset]
			}
		}
	}
	return bodies
}

// TestTheRecipesOfTheREADMEAreExamplesThatRun checks that each recipe is an
// example that runs, so that a newcomer copies no name that is gone.
func TestTheRecipesOfTheREADMEAreExamplesThatRun(t *testing.T) {
	t.Parallel()
	recipes, bodies := blocksOf(t, "go"), exampleBodies(t)
	require.NotEmpty(t, recipes)
	for _, recipe := range recipes {
		found := ""
		for name, body := range bodies {
			if strings.Contains(withoutSpace(body), withoutSpace(recipe)) {
				found = name
			}
		}
		if found == "" {
			first, _, _ := strings.Cut(recipe, "\n")
			t.Errorf("README.md: the recipe %q is in no example\nwrite it into an example*_test.go with output", first)
		}
	}
}
