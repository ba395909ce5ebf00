package house_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
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
			require.NotEmpty(t, example.Output, "%s does not run", example.Name)
		}
		for _, declaration := range file.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok && strings.HasPrefix(function.Name.Name, "Example") {
				bodies[function.Name.Name] = text[set.Position(function.Body.Lbrace).Offset:set.Position(function.Body.Rbrace).Offset]
			}
		}
	}
	return bodies
}

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
		assert.NotEmpty(t, found, "in no example:\n%s", recipe)
	}
}

func TestEveryServiceOfTheClientIsCovered(t *testing.T) {
	t.Parallel()
	client := reflect.TypeFor[practice.Client]()
	for i := range client.NumField() {
		field := client.Field(i)
		if field.IsExported() && strings.HasSuffix(field.Type.String(), "Service") {
			holds(t, "docs/reference/covered.md", "\n## ["+field.Name+"](", "run .ci/generate")
		}
	}
}

func TestTheCommandsOfTheREADMEExist(t *testing.T) {
	t.Parallel()
	holds(t, "README.md", "go run ./examples/quickstart\n", "the checks take the command from here")
	matchesIn(t, "README.md", "the checks take the command from here", `(?m)^go test \./\.\.\.$`)
	for _, match := range regexp.MustCompile(`go run (\./\S+?)[ \n`+"`]").FindAllStringSubmatch(readText(t, "README.md"), -1) {
		filesLike(t, match[1]+"/main.go")
	}
}

func TestEveryNameThatTheREADMEQuotesIsThere(t *testing.T) {
	t.Parallel()
	set := token.NewFileSet()
	names := map[string]bool{}
	for _, name := range filesLike(t, "*.go") {
		file, err := parser.ParseFile(set, name, readText(t, name), 0)
		require.NoError(t, err)
		for _, declaration := range file.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok {
				names[function.Name.Name] = true
			}
		}
	}
	for _, match := range regexp.MustCompile("`(?:Webhooks\\.)?([A-Z][a-z]\\w*)`").FindAllStringSubmatch(readText(t, "README.md"), -1) {
		assert.True(t, names[match[1]], match[1])
	}
}
