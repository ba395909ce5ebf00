package house_test

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Modules that a program gets with the library, and modules that only its tests
// and generators need.
var (
	runtimeModules = []string{
		"github.com/google/uuid", "github.com/govalues/decimal", "github.com/hashicorp/go-retryablehttp",
		"golang.org/x/oauth2", "golang.org/x/text", "golang.org/x/time",
	}
	testModules = []string{"github.com/stretchr/testify", "go.uber.org/goleak", "go.yaml.in/yaml/v3"}
)

// TestTheLibraryRequiresFewModules prevents a module that every user has to
// review and download for a test, an example or one adapter of ours.
func TestTheLibraryRequiresFewModules(t *testing.T) {
	t.Parallel()
	var direct []string
	for _, match := range regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(readText(t, "go.mod"), -1) {
		direct = append(direct, match[1])
	}
	assert.ElementsMatch(t, slices.Concat(runtimeModules, testModules), direct)

	used := map[string]bool{}
	for _, dir := range append([]string{"internal/codec", "internal/filenames", "internal/transport", "internal/storage"}, libraryPackages...) {
		for file, source := range sourcesOf(t, dir) {
			for _, spec := range source.Imports {
				imported := strings.Trim(spec.Path.Value, `"`)
				if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") || strings.HasPrefix(imported, "github.com/practicesdk/practice-go") {
					continue // a package of the standard library, or our own
				}
				i := slices.IndexFunc(runtimeModules, func(module string) bool { return imported == module || strings.HasPrefix(imported, module+"/") })
				if dir == "webhook/webhooktest" { // only tests import it
					continue
				}
				if assert.GreaterOrEqual(t, i, 0, "%s imports %s", file, imported) {
					used[runtimeModules[i]] = true
				}
			}
		}
	}
	assert.Len(t, used, len(runtimeModules), "none is required in vain")
}

// TestTheRootDoesNotNeedTheGrants checks that a program with a fixed token does
// not link the code for OAuth grants.
func TestTheRootDoesNotNeedTheGrants(t *testing.T) {
	t.Parallel()
	deps, err := exec.CommandContext(t.Context(), "go", "list", "-buildvcs=false", "-deps", "../..").Output()
	require.NoError(t, err)
	packages := strings.Fields(string(deps))
	require.Contains(t, packages, "net/http")
	for _, imported := range packages {
		assert.NotEqual(t, "github.com/practicesdk/practice-go/auth", imported)
		assert.False(t, strings.HasPrefix(imported, "golang.org/x/oauth2"), imported)
	}
}

// TestWhatNeedsMoreIsAModuleOfItsOwn checks that the dependencies of an example
// or an adapter are not in the go.sum of a program that uses only the library.
func TestWhatNeedsMoreIsAModuleOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"adapters/keyring", "adapters/nats", "adapters/otel", "adapters/redis", "benchmarks", "cmd/practice", "conformance", "examples", "internal/lint", "replica"} {
		filesLike(t, dir+"/go.mod")
		holds(t, "go.work", "\t./"+dir+"\n", "add the module to the workspace")
	}
}
