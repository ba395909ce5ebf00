package examples_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// packages lists the packages whose exported names must all occur in an
// example.
var packages = []string{
	"", "auth", "auth/authsql", "csvfile", "mirror", "models", "once", "once/oncesql", "requestid", "webhook", "webhook/fetch", "webhook/subscribe", "webhook/webhooktest", "practicetest", "adapters/nats", "adapters/redis", "adapters/otel",
}

// interfacesOf lists the packages whose interfaces types of the library
// implement.
var interfacesOf = []string{"io", "io/fs", "encoding"}

func paths() []string {
	all := make([]string, len(packages))
	for i, name := range packages {
		all[i] = strings.TrimSuffix(library+"/"+name, "/")
	}
	return all
}

func TestTheBlocksOfThePagesCompile(t *testing.T) {
	t.Parallel()
	sources, err := blocks(filepath.Join(root, "docs"))
	require.NoError(t, err)
	require.Greater(t, len(sources), 20)
	c := checkerOf(t, sources)
	for _, s := range sources {
		_, err := c.check(s)
		assert.NoError(t, err)
	}
}

func TestABlockThatDoesNotCompileIsFound(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a name that is not there":    "client.Staff.Fetch(ctx, staffID)\n",
		"an argument of another type": "client.Staff.Get(ctx, 7)\n",
		"a variable that nobody uses": "member, err := client.Staff.Get(ctx, staffID)\n",
		"no Go":                       "client.Staff.Get(\n",
	} {
		s := block("page.md", 12, text)
		c := checkerOf(t, []source{block("page.md", 12, "_, _ = client, ctx\n")})
		_, err := c.check(s)
		require.Error(t, err, name)
		assert.Contains(t, err.Error(), "page.md:1", name)
	}
}

// The table lists the variables that programs read, and programs read all
// variables in the table.
func TestTheVariablesOfTheProgramsAreInTheList(t *testing.T) {
	t.Parallel()
	variables := func(pattern string, files ...string) []string {
		found := map[string]bool{}
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
				found[match[1]] = true
			}
		}
		return slices.Sorted(maps.Keys(found))
	}
	sources, err := filepath.Glob("*/*.go")
	require.NoError(t, err)
	sources = slices.DeleteFunc(sources, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	assert.Equal(t, variables(`os\.Getenv\("(PRACTICE_[A-Z_]+)"\)`, sources...),
		variables("`(PRACTICE_[A-Z_]+)`", "README.md"))
}

func TestThePagesLeadSomewhere(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, example := range regexp.MustCompile("`(examples/[a-z-]+)`").FindAllStringSubmatch(string(text), -1) {
			assert.DirExists(t, filepath.Join(root, example[1]), page)
		}
		assert.Contains(t, string(readme), "(docs/"+filepath.Base(page)+")", "the README links every page")
	}
}

// everything returns the sources that users copy: the code blocks of the pages,
// the example functions and the example programs.
func everything(t *testing.T) []source {
	t.Helper()
	sources, err := blocks(filepath.Join(root, "docs"))
	require.NoError(t, err)
	for _, name := range packages {
		if s := directory(t, name, "example*_test.go"); s != nil {
			sources = append(sources, *s)
		}
	}
	programs, err := filepath.Glob(filepath.Join(root, "examples", "*", "main.go"))
	require.NoError(t, err)
	for _, program := range programs {
		s := directory(t, filepath.Join("examples", filepath.Base(filepath.Dir(program))), "*.go")
		require.NotNil(t, s)
		sources = append(sources, *s)
	}
	return sources
}

// directory reads the files of a package: only example functions, or for a
// program all files except tests. It returns nil if there are none.
func directory(t *testing.T, name, pattern string) *source {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, name, pattern))
	require.NoError(t, err)
	if pattern == "*.go" {
		files = slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	}
	if len(files) == 0 {
		return nil
	}
	s := &source{path: "copy/" + name, texts: map[string]string{}}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		s.texts[file] = string(text)
	}
	return s
}

func checkerOf(t *testing.T, sources []source) *checker {
	t.Helper()
	needed, err := imports(sources)
	require.NoError(t, err)
	c, err := newChecker(slices.Concat(needed, paths(), interfacesOf))
	require.NoError(t, err)
	return c
}
