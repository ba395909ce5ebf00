package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

// libraryPackages lists the directories of the packages that programs import.
var libraryPackages = []string{".", "auth", "csvfile", "mirror", "models", "once", "once/oncesql", "requestid", "webhook", "webhook/fetch", "webhook/subscribe", "webhook/webhooktest", "practicetest"}

// sourcesOf returns the parsed files of a package without tests, by path.
func sourcesOf(t *testing.T, dir string) map[string]*ast.File {
	t.Helper()
	sources := map[string]*ast.File{}
	for _, name := range filesLike(t, dir+"/*.go") {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := parser.ParseFile(token.NewFileSet(), name, readText(t, name), parser.ParseComments)
		require.NoError(t, err)
		sources[name] = source
	}
	require.NotEmpty(t, sources, dir)
	return sources
}

// TestEveryServiceOfAClientIsMade catches a service that attachServices forgot,
// as once in an area that was added: a nil pointer at its first call.
func TestEveryServiceOfAClientIsMade(t *testing.T) {
	t.Parallel()
	client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials())
	require.NoError(t, err)
	for field, value := range reflect.ValueOf(client).Elem().Fields() {
		if strings.HasSuffix(field.Type.String(), "Service") {
			assert.False(t, value.IsNil(), "client.go: attachServices does not make %s\nassign it there", field.Name)
		}
	}
}
