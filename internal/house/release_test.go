package house_test

import (
	"path"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEveryModuleIsKeptUpToDateByABot prevents a dependency with a known
// vulnerability that stays because nobody was told.
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
		assert.True(t, covered, ".github/dependabot.yml: name the module .%s", module[1])
	}
	holds(t, ".github/dependabot.yml", "package-ecosystem: github-actions", "keep the actions up to date")
}

// TestATagIsReleasedAfterTheChecks prevents a release whose adapters do not build
// with it: a version is published only by the job that rehearsed it.
func TestATagIsReleasedAfterTheChecks(t *testing.T) {
	t.Parallel()
	matchesIn(t, ".github/workflows/release.yml", "publish after the checks, and after the rehearsal in .ci/soak release",
		`(?s)tags: \["v\*"\].*checks:\n\s+uses: \./\.github/workflows/test\.yml\n.*publish:\n\s+needs: checks\n.*run: \.ci/soak release\n.*run: \.ci/release "\$VERSION"`)
}

// TestActionsArePinnedToACommit checks that workflows name actions by commit,
// because a tag can be moved to other code.
func TestActionsArePinnedToACommit(t *testing.T) {
	t.Parallel()
	for _, name := range filesLike(t, ".github/workflows/*.yml") {
		for _, action := range regexp.MustCompile(`uses: (\w.+)`).FindAllStringSubmatch(readText(t, name), -1) {
			if !regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`).MatchString(action[1]) {
				t.Errorf("%s: %s: name the commit, with its version as a comment", name, action[1])
			}
		}
	}
}

// TestTheFormsWarnOfSecrets checks that no issue form asks for a secret or for
// a client's record, and that vulnerability reports are directed to the private
// form.
func TestTheFormsWarnOfSecrets(t *testing.T) {
	t.Parallel()
	forms := filesLike(t, ".github/ISSUE_TEMPLATE/*.yml")
	assert.Len(t, forms, 5)
	for _, form := range forms {
		if path.Base(form) != "config.yml" {
			holds(t, form, "Never paste keys, tokens, pre-signed addresses or records of a client", "warn before the first question")
		}
	}
	private := regexp.MustCompile(`https://\S+/security/advisories/new`)
	address := private.FindString(readText(t, ".github/ISSUE_TEMPLATE/config.yml"))
	require.NotEmpty(t, address)
	holds(t, "SECURITY.md", address, "lead to the private form")
}
