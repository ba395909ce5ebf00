package house_test

import (
	"path"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEveryModuleIsKeptUpToDateByABot checks that the dependencies of each
// module are watched for fixes of security defects.
func TestEveryModuleIsKeptUpToDateByABot(t *testing.T) {
	t.Parallel()
	list := regexp.MustCompile(`directories: \[(.+)\]`).FindStringSubmatch(readText(t, ".github/dependabot.yml"))
	require.NotNil(t, list)
	patterns := regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(list[1], -1)
	for _, module := range regexp.MustCompile(`(?m)^\t\.(/\S*)?$`).FindAllStringSubmatch(readText(t, "go.work"), -1) {
		covered := slices.ContainsFunc(patterns, func(pattern []string) bool {
			match, err := path.Match(pattern[1], path.Join("/", module[1]))
			return err == nil && match
		})
		assert.True(t, covered, ".github/dependabot.yml: the module .%s is missing\nadd it to directories", module[1])
	}
}
