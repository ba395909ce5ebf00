package house_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/testkit"
)

// commentColumns is the maximum width of a line of prose in a comment, with
// tabs of four columns.
const commentColumns = 80

// unbreakable matches lines that cannot be wrapped: code in a comment,
// directives, links, and the header of a generated file.
var unbreakable = regexp.MustCompile(`^//(\t|go:|nolint|line |\S+$| \S+$|   - \S+$| \[[^\]]+\]: | Code generated )`)

func TestCommentsAreWrappedAtEightyColumns(t *testing.T) {
	t.Parallel()
	files := 0
	require.NoError(t, fs.WalkDir(testkit.Project(t), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || name != "." && strings.HasPrefix(entry.Name(), ".") || name == "bin"):
			return fs.SkipDir
		case path.Ext(name) == ".go":
			files++
			assert.Empty(t, wideComments(t, name))
		}
		return nil
	}))
	assert.Greater(t, files, 500)
}

// wideComments returns the places of comment lines that are too wide.
func wideComments(t *testing.T, name string) (wide []string) {
	source := readText(t, name)
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	lines := strings.Split(source, "\n")
	for _, group := range file.Comments {
		if strings.Contains(strings.ToLower(group.Text()), "output:") {
			continue // the output of an example has its own width
		}
		for _, comment := range group.List {
			number := set.Position(comment.Pos()).Line
			line := lines[number-1]
			alone := strings.TrimLeft(line, "\t") == comment.Text
			if alone && !unbreakable.MatchString(comment.Text) && columns(line) > commentColumns {
				wide = append(wide, fmt.Sprintf("%s:%d", name, number))
			}
		}
	}
	return wide
}

func columns(line string) int {
	return utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
}
