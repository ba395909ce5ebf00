package house_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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
	sameNames(t, "go.mod", slices.Concat(runtimeModules, testModules), direct)

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
				if assert.GreaterOrEqual(t, i, 0, "%s: imports %s\nno program needs it: move it to a test or to an adapter", file, imported) {
					used[runtimeModules[i]] = true
				}
			}
		}
	}
	for _, module := range runtimeModules {
		assert.True(t, used[module], "go.mod: %s is not imported\ntake it away", module)
	}
}
