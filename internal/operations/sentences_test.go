package operations_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
)

// sentence is a line of testdata/published_sentences.txt.
type sentence struct {
	kind   string
	places []string
	text   string
	by     string
}

func publishedSentences(t testing.TB) (all []sentence) {
	t.Helper()
	for _, line := range publishedLines(t, "testdata/published_sentences.txt") {
		parts := append(strings.Split(line, " | "), "")
		require.GreaterOrEqual(t, len(parts), 4, line)
		all = append(all, sentence{parts[0], strings.Fields(parts[1]), parts[2], parts[3]})
	}
	return all
}

// TestEverySentenceIsKeptOrSaysWhyNot checks that the places, tests, rules and
// lines of api/ named in the table of published sentences exist.
func TestEverySentenceIsKeptOrSaysWhyNot(t *testing.T) {
	t.Parallel()
	document, names, text := described(t), map[string]bool{}, testsOfTheProject(t)
	for _, found := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(text, -1) {
		names[found[1]] = true
	}
	w := sentenceWitness{document, publishedCalls(t), publishedMembers(t)}
	counts := map[string]int{}
	for _, s := range publishedSentences(t) {
		counts[s.kind]++
		says, isStatement := strings.CutPrefix(s.by, "statement ")
		test, row, _ := strings.Cut(s.by, "/")
		switch {
		case s.kind == "test" && isStatement:
			holds(t, strings.Contains(text, `{"`+says+`", "`), sentenceFault, s.text, "no test has the statement "+says)
		case s.kind == "test":
			holds(t, names[test], sentenceFault, s.text, "there is no "+test)
			holds(t, strings.Contains(text, row), sentenceFault, s.text, "no test has the row "+row)
		default:
			holds(t, s.by != "", sentenceFault, s.text, "nothing keeps it, and no reason is given")
		}
		for _, place := range s.places {
			holds(t, w.has(place), sentenceFault, s.text, "there is no "+place)
			if s.kind == "rule" || s.kind == "schema" {
				holds(t, strings.Contains(w.words(t, place, s.kind), s.by), sentenceFault, s.text, "api/ does not say "+s.by+" of "+place)
			}
		}
	}
	for _, kind := range []string{"test", "rule", "schema", "open"} {
		assert.Positive(t, counts[kind], kind)
	}
}

// sentenceFault is the message for a sentence and what is wrong about it.
const sentenceFault = "internal/operations/testdata/published_sentences.txt: %q: %s\nname what keeps the sentence"

// sentenceWitness knows the places of sentences in the published API.
type sentenceWitness struct {
	document *description.Document
	calls    map[string]publishedCall
	members  map[string][]string
}

// has reports whether a place exists: an operation, its parameter, a schema or
// its member.
func (w sentenceWitness) has(place string) bool {
	if id, parameter, isParameter := strings.Cut(place, "?"); isParameter {
		return slices.Contains(w.calls[id].query, parameter)
	}
	schema, member, isMember := strings.Cut(place, ".")
	of := w.document.Schemas[schema]
	return w.document.Operation(place) != nil || of != nil && (!isMember || of.Member(member) != nil) || slices.Contains(w.members[schema], member)
}

// words returns the rules of the bodies at a place, or its lines in api/.
func (w sentenceWitness) words(t testing.TB, place, kind string) (all string) {
	t.Helper()
	name, member, _ := strings.Cut(place, ".")
	schemas := []*description.Schema{w.document.Schemas[name], w.document.Schemas[name+"Write"], w.document.Schemas[name+"Patch"]}
	if o := w.document.Operation(name); o != nil {
		schemas = []*description.Schema{o.Body.Type.Ref}
	}
	for _, s := range schemas {
		if s == nil {
			continue
		}
		for _, r := range s.Rules {
			if kind == "rule" {
				all += ruleText(r) + "\n"
			}
		}
		for _, m := range s.Members {
			if kind == "schema" && (member == "" || m.Name == member) {
				all += lineOf(t, m.Pos) + "\n"
			}
		}
	}
	return all
}

// ruleText returns a rule in the notation of api/.
func ruleText(r description.Rule) string {
	switch first, rest := r.Members[0], strings.Join(r.Members[1:], ", "); r.Kind {
	case description.AtMostOne, description.ExactlyOne:
		return string(r.Kind) + " " + strings.Join(r.Members, ", ")
	case description.NeverBecomes:
		return first + " never becomes true"
	default:
		return strings.TrimRight(strings.Join([]string{first, string(r.Kind), rest, strings.Join(r.Values, "/")}, " "), " ")
	}
}

func lineOf(t testing.TB, at description.Pos) string {
	t.Helper()
	text, err := os.ReadFile(path.Join(files, path.Base(at.File)))
	require.NoError(t, err)
	return strings.Split(string(text), "\n")[at.Line-1]
}

// testsOfTheProject returns the text of all test files.
func testsOfTheProject(t testing.TB) string {
	t.Helper()
	var all strings.Builder
	require.NoError(t, fs.WalkDir(os.DirFS("../.."), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path.Join("../..", name))
		all.Write(text)
		return err
	}))
	return all.String()
}
