package house_test

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// modulesHere returns the directories of all modules, with forward slashes.
func modulesHere(t *testing.T) []string {
	t.Helper()
	var modules []string
	require.NoError(t, fs.WalkDir(testkit.Project(t), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", "bin", "testdata"}, entry.Name()):
			return fs.SkipDir
		case entry.Name() == "go.mod":
			modules = append(modules, path.Dir(name))
		}
		return nil
	}))
	require.Greater(t, len(modules), 5)
	return modules
}

func TestEveryModuleIsKeptUpToDateByABot(t *testing.T) {
	t.Parallel()
	list := regexp.MustCompile(`directories: \[(.+)\]`).FindStringSubmatch(readText(t, ".github/dependabot.yml"))
	require.NotNil(t, list)
	patterns := regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(list[1], -1)
	for _, module := range modulesHere(t) {
		covered := slices.ContainsFunc(patterns, func(pattern []string) bool {
			match, err := path.Match(pattern[1], path.Join("/", module))
			return err == nil && match
		})
		assert.True(t, covered, module)
	}
	assert.Contains(t, readText(t, ".github/dependabot.yml"), "package-ecosystem: github-actions")
}

func TestChangesAreTestedOnThreeSystemsWithTwoVersionsOfGo(t *testing.T) {
	t.Parallel()
	workflow := readText(t, ".github/workflows/test.yml")
	for _, want := range []string{"pull_request:", "run: .ci/run ${{ matrix.group }}\n", "os: [ubuntu-latest, macos-latest, windows-latest]\n", "go: [stable, oldstable]\n", "run: go test -race ./...\n"} {
		assert.Contains(t, workflow, want)
	}
}

func TestATagIsReleasedAfterTheChecks(t *testing.T) {
	t.Parallel()
	assert.Regexp(t, `(?s)tags: \["v\*"\].*checks:\n\s+uses: \./\.github/workflows/test\.yml\n.*publish:\n\s+needs: checks\n.*run: \.ci/soak release\n.*run: \.ci/release "\$VERSION"`,
		readText(t, ".github/workflows/release.yml"))
}

func TestAReleaseThatIsThereIsNotMadeAgain(t *testing.T) {
	t.Parallel()
	assert.Regexp(t, `(?s)\*-\*\) prerelease=\(--prerelease\).*gh release view "\$version" >/dev/null 2>&1 \|\| gh release create "\$version" .*"\$\{prerelease\[@\]\}"`,
		readText(t, ".ci/release"))
}

// TestActionsArePinnedToACommit checks that workflows name actions by commit,
// because a tag can be moved to other code.
func TestActionsArePinnedToACommit(t *testing.T) {
	t.Parallel()
	for _, name := range filesLike(t, ".github/workflows/*.yml") {
		for _, action := range regexp.MustCompile(`uses: (\w.+)`).FindAllStringSubmatch(readText(t, name), -1) {
			assert.Regexp(t, `^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`, action[1], name)
		}
	}
}

func TestTheScriptsOfTheWorkflowsAreThere(t *testing.T) {
	t.Parallel()
	for _, name := range filesLike(t, ".github/workflows/*.yml") {
		for _, script := range regexp.MustCompile(`run: (\.ci/\w+)`).FindAllStringSubmatch(readText(t, name), -1) {
			info, err := fs.Stat(testkit.Project(t), script[1])
			require.NoError(t, err, name)
			assert.True(t, info.Mode().IsRegular(), script[1])
		}
	}
}

func TestTheChangelogHasItsForm(t *testing.T) {
	t.Parallel()
	text := readText(t, "CHANGELOG.md")
	versions := regexp.MustCompile(`(?m)^## (.+)$`).FindAllStringSubmatch(text, -1)
	require.NotEmpty(t, versions)
	assert.Equal(t, "[Unreleased]", versions[0][1])
	for _, version := range versions[1:] {
		assert.Regexp(t, `^\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$`, version[1])
	}
	for _, kind := range regexp.MustCompile(`(?m)^### (.+)$`).FindAllStringSubmatch(text, -1) {
		assert.Contains(t, strings.Fields("Added Changed Deprecated Removed Fixed Security"), kind[1])
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
			assert.Contains(t, readText(t, form), "Never paste keys, tokens, pre-signed addresses or records of a client", form)
		}
	}
	private := regexp.MustCompile(`https://\S+/security/advisories/new`)
	address := private.FindString(readText(t, ".github/ISSUE_TEMPLATE/config.yml"))
	require.NotEmpty(t, address)
	assert.Contains(t, readText(t, "SECURITY.md"), address)
}
