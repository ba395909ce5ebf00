package house_test

import (
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	practice "github.com/practicesdk/practice-go"
)

func TestThePackageCommentNamesEveryArea(t *testing.T) {
	t.Parallel()
	comment, _, _ := strings.Cut(readText(t, "doc.go"), "\n//\n")
	text := withoutSpace(strings.ReplaceAll(comment, "//", ""))
	client := reflect.TypeFor[practice.Client]()
	for i := range client.NumField() {
		if field := client.Field(i); field.IsExported() && strings.HasSuffix(field.Type.String(), "Service") {
			words := regexp.MustCompile(`([a-z])([A-Z])`).ReplaceAllString(field.Name, "$1 $2")
			assert.Contains(t, text, strings.ToLower(words))
		}
	}
}

// The HTTP method of most operations shows whether they may be executed twice.
// The page on retries names the others.
func TestThePageOnRetriesNamesEachClassThatDiffersFromTheMethod(t *testing.T) {
	t.Parallel()
	page := readText(t, "docs/retries-and-ambiguous-writes.md")
	_, page, _ = strings.Cut(page, "These differ from their method:\n")
	creates, repeated, _ := strings.Cut(page, ";\n- ")
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

// methodsIn returns the methods that a text quotes.
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
