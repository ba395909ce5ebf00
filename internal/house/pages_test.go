package house_test

import (
	"fmt"
	"go/ast"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

// TestThePageOnRetriesNamesEachClassThatDiffersFromTheMethod checks that the
// page on retries names the operations whose HTTP method does not show whether
// they may be executed twice.
func TestThePageOnRetriesNamesEachClassThatDiffersFromTheMethod(t *testing.T) {
	t.Parallel()
	page := readText(t, "docs/retries.md")
	_, page, _ = strings.Cut(page, "The exceptions are:\n")
	creates, repeated, _ := strings.Cut(page, ".\n- ")
	repeated, _, _ = strings.Cut(repeated, "\n\n")
	var wantCreates, wantRepeated []string
	for _, o := range practice.Operations() {
		create, post := o.Class == practice.OperationCreate, o.Method == http.MethodPost
		switch {
		case create && !post:
			wantCreates = append(wantCreates, o.GoMethod)
		case !create && post:
			wantRepeated = append(wantRepeated, o.GoMethod)
		}
	}
	assert.ElementsMatch(t, wantCreates, methodsIn(creates))
	assert.ElementsMatch(t, wantRepeated, methodsIn(repeated))
}

// methodsIn returns the methods quoted in a text.
func methodsIn(text string) (methods []string) {
	for _, match := range regexp.MustCompile("`([A-Z]\\w+\\.[A-Z]\\w+)`").FindAllStringSubmatch(text, -1) {
		methods = append(methods, match[1])
	}
	return methods
}

func TestThePagesShowDoWithAPathThatHasNoMethod(t *testing.T) {
	t.Parallel()
	paths := map[string]bool{}
	for _, o := range practice.Operations() {
		paths[o.Path] = true
	}
	for _, page := range filesLike(t, "docs/*.md") {
		for _, match := range regexp.MustCompile(`Path: "([^"]+)"`).FindAllStringSubmatch(readText(t, page), -1) {
			assert.False(t, paths[match[1]], "%s: %s has a method", page, match[1])
		}
	}
}

// TestThePageOnErrorsNamesEveryError checks that the pages list every error:
// the sentinels and error types of each package in its section.
func TestThePageOnErrorsNamesEveryError(t *testing.T) {
	t.Parallel()
	sections := map[string]string{}
	for _, section := range strings.Split(readText(t, "docs/errors.md")+"\n"+readText(t, "docs/errors-of-packages.md"), "\n## ")[1:] {
		title, text, _ := strings.Cut(section, "\n")
		sections[title] = text
	}
	for title, packages := range map[string][]string{
		"practice": {"."}, "auth": {"auth"}, "once": {"once"}, "mirror": {"mirror"},
		"webhook": {"webhook", "webhook/fetch", "webhook/subscribe"}, "models, csvfile and requestid": {"models", "csvfile", "requestid"},
	} {
		var want []string
		for _, dir := range packages {
			names := errorsOf(t, dir)
			require.NotEmpty(t, names, dir)
			want = append(want, names...)
		}
		var named []string
		for line := range strings.Lines(sections[title]) {
			if cells := strings.Split(line, "|"); len(cells) > 2 {
				named = append(named, quotedNames(cells[1])...)
			}
		}
		for _, name := range want {
			assert.Contains(t, named, name, "docs/errors.md, docs/errors-of-packages.md, section %q", title)
		}
		for _, name := range named {
			assert.True(t, slices.Contains(want, name) || name == "oncesql" || name == "fetch" || name == "subscribe" || name == "requestid" || name == "csvfile",
				"docs/errors.md, section %q: there is no %s", title, name)
		}
	}
}

// quotedNames returns the names quoted in a text.
func quotedNames(text string) (names []string) {
	for _, match := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(text, -1) {
		names = append(names, match[1])
	}
	return names
}

// errorsOf returns the exported sentinels and error types of a package.
func errorsOf(t *testing.T, dir string) (names []string) {
	t.Helper()
	for _, source := range sourcesOf(t, dir) {
		for _, declaration := range source.Decls {
			general, ok := declaration.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range general.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if spec.Name.IsExported() && strings.HasSuffix(spec.Name.Name, "Error") {
						names = append(names, spec.Name.Name)
					}
				case *ast.ValueSpec:
					if strings.HasPrefix(spec.Names[0].Name, "Err") {
						names = append(names, spec.Names[0].Name)
					}
				}
			}
		}
	}
	return names
}

func TestThePageOnCopiesNamesEveryListWithAChangeFilter(t *testing.T) {
	t.Parallel()
	_, page, _ := strings.Cut(readText(t, "docs/keeping-a-copy.md"), "Read all other lists from beginning to end in each round.\n")
	page, _, _ = strings.Cut(page, "\nStaff, users")
	var want []string
	for _, o := range practice.Operations() {
		filter := slices.ContainsFunc(o.Parameters, func(p practice.Parameter) bool {
			return p.In == practice.InQuery && (p.Name == "UpdatedSince" || p.Name == "LastUpdated")
		})
		if filter {
			want = append(want, o.GoMethod)
		}
	}
	assert.ElementsMatch(t, want, methodsIn(page))
}

func TestThePageOnProductionShowsTheDefaults(t *testing.T) {
	t.Parallel()
	for option, value := range map[string]string{
		"WithTimeout": fmt.Sprintf("| %.0f minutes |", practice.DefaultTimeout.Minutes()), "WithAttemptTimeout": fmt.Sprintf("| %.0f seconds |", practice.DefaultAttemptTimeout.Seconds()),
		"WithIdleTimeout": fmt.Sprintf("| %.0f minute |", practice.DefaultIdleTimeout.Minutes()), "WithRetries": fmt.Sprintf("| %d |", practice.DefaultRetries),
		"WithMaxBody": fmt.Sprintf("| %d MiB |", practice.DefaultMaxBody>>20),
	} {
		holds(t, "docs/production.md", value+" `"+option+"`", "write the default of the code")
	}
}

// TestTheContainerOfTheReceiverIsMadeOfWhatIsThere checks the recipe without
// building the container: the Go version is ours, and the program and its flags
// exist.
func TestTheContainerOfTheReceiverIsMadeOfWhatIsThere(t *testing.T) {
	t.Parallel()
	recipe := readText(t, "examples/webhook-receiver/Dockerfile")
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)\.0$`).FindStringSubmatch(readText(t, "go.mod"))
	require.NotNil(t, version)
	holds(t, "examples/webhook-receiver/Dockerfile", "FROM golang:"+version[1]+" AS build\n", "build with the version of go.mod")
	program := regexp.MustCompile(`go build .* (\./\S+)\n`).FindStringSubmatch(recipe)
	require.NotNil(t, program)
	flags := regexp.MustCompile(`"-(\w+)"`).FindAllStringSubmatch(recipe, -1)
	require.NotEmpty(t, flags)
	for _, name := range flags {
		holds(t, path.Clean(program[1])+"/main.go", `flag.StringVar(&a.`+name[1]+`, "`+name[1]+`"`, "the Dockerfile sets this flag")
	}
}

func TestThePageOnSupportNamesWhatIsThere(t *testing.T) {
	t.Parallel()
	page := readText(t, "docs/support.md")
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)\.0$`).FindStringSubmatch(readText(t, "go.mod"))
	require.NotNil(t, version)
	holds(t, "docs/support.md", "Go "+version[1]+";", "name the version of go.mod")
	_, experimental, _ := strings.Cut(page, "\n## Experimental\n")
	experimental, _, _ = strings.Cut(experimental, "\n## ")
	packages := 0
	for line := range strings.Lines(experimental) {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			continue
		}
		for _, match := range regexp.MustCompile("`([a-z/-]+)`").FindAllStringSubmatch(cells[1], -1) {
			packages++
			filesLike(t, match[1]+"/*.go")
		}
	}
	assert.Positive(t, packages)
	_, promised, _ := strings.Cut(page, "before it | security fixes, for ")
	days, _, _ := strings.Cut(promised, " days")
	holds(t, "SECURITY.md", "for "+days+" days", "promise as long as docs/support.md")
}

// TestThePageOfWhatIsCoveredLeadsToEachOperation checks that the page lists
// every operation by id, path and method, with a link to the reference.
func TestThePageOfWhatIsCoveredLeadsToEachOperation(t *testing.T) {
	t.Parallel()
	page := readText(t, "docs/reference/covered.md")
	for _, o := range practice.Operations() {
		row := regexp.MustCompile("(?m)^\\| `" + regexp.QuoteMeta(o.GoMethod) + "` \\| `" + regexp.QuoteMeta(o.Method+" "+o.Path) + "` \\|.*\\[" + o.ID + `\]\((\w+\.md)#(\w+)\) \|$`).FindStringSubmatch(page)
		if assert.NotNil(t, row, o.ID) {
			assert.Equal(t, strings.ToLower(strings.ReplaceAll(o.GoMethod, ".", "")), row[2])
			holds(t, "docs/reference/"+row[1], "\n## "+o.GoMethod+"\n", "run .ci/generate")
		}
	}
}

// TestTheLinksOfThePagesLeadSomewhere checks that links lead to existing files,
// and their fragments to headings.
func TestTheLinksOfThePagesLeadSomewhere(t *testing.T) {
	t.Parallel()
	headings := map[string]map[string]bool{}
	links := 0
	for _, page := range append(filesLike(t, "docs/*.md"), append(filesLike(t, "docs/*/*.md"), "README.md")...) {
		prose := regexp.MustCompile("(?s)\n```.*?\n```").ReplaceAllString(readText(t, page), "")
		for _, match := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(prose, -1) {
			target, fragment, _ := strings.Cut(match[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			links++
			file := page
			if target != "" {
				file = path.Join(path.Dir(page), target)
				filesLike(t, file)
			}
			if headings[file] == nil && fragment != "" {
				headings[file] = headingsOf(readText(t, file))
			}
			assert.True(t, fragment == "" || headings[file][fragment], "%s: %s has no heading %q", page, file, fragment)
		}
	}
	assert.Greater(t, links, 1000)
}

// headingsOf returns the fragments of the headings of a page.
func headingsOf(text string) map[string]bool {
	fragments := map[string]bool{}
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(text, -1) {
		name := regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(heading[1]), "")
		fragments[strings.ReplaceAll(name, " ", "-")] = true
	}
	return fragments
}
