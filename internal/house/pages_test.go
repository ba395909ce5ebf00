package house_test

import (
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
// they may be executed twice. It caught a page that named 5 kinds of 53.
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
	sameNames(t, "docs/retries.md, creates", wantCreates, methodsIn(creates))
	sameNames(t, "docs/retries.md, what is repeated", wantRepeated, methodsIn(repeated))
}

// methodsIn returns the methods quoted in a text.
func methodsIn(text string) (methods []string) {
	for _, match := range regexp.MustCompile("`([A-Z]\\w+\\.[A-Z]\\w+)`").FindAllStringSubmatch(text, -1) {
		methods = append(methods, match[1])
	}
	return methods
}

// TestThePagesShowDoWithAPathThatHasNoMethod caught a page that showed Do where
// the client has a method.
func TestThePagesShowDoWithAPathThatHasNoMethod(t *testing.T) {
	t.Parallel()
	paths := map[string]bool{}
	for _, o := range practice.Operations() {
		paths[o.Path] = true
	}
	for _, page := range filesLike(t, "docs/*.md") {
		for _, match := range regexp.MustCompile(`Path: "([^"]+)"`).FindAllStringSubmatch(readText(t, page), -1) {
			if paths[match[1]] {
				t.Errorf("%s: Do with the path %s, which has a method\nshow Do with a path that has none", page, match[1])
			}
		}
	}
}

// TestThePageOnErrorsNamesEveryError checks that the pages list every error:
// the sentinels and error types of each package in its section. A reader looks
// there for an error that was added or renamed.
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
		named = slices.DeleteFunc(named, func(name string) bool {
			return slices.Contains([]string{"oncesql", "fetch", "subscribe", "requestid", "csvfile"}, name)
		})
		sameNames(t, "docs/errors.md or docs/errors-of-packages.md, section "+title, want, named)
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

// TestTheLinksOfThePagesLeadSomewhere checks that links lead to existing files,
// and their fragments to headings, which can move.
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
			if fragment != "" && !headings[file][fragment] {
				t.Errorf("%s: links to %s#%s, which is no heading\ncorrect the link", page, file, fragment)
			}
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
