package expectations_test

import (
	"bufio"
	"cmp"
	"go/ast"
	"go/doc"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// promise is a sentence with a quantifier: "every", "never", "always" or "all".
type promise struct {
	place    string // a page, or a package and the name that the comment belongs to
	sentence string
}

// held is a row of promises.tsv: a sentence with the tests that check it. A
// place that ends in "*" matches every place with that prefix. A sentence
// between slashes is a regular expression that matches a whole sentence.
type held struct {
	promise
	proofs []string
	met    bool
}

// TestEveryPromiseHasATest compares promises.tsv with the pages and the
// exported comments. A sentence without a row must either be reworded, so that
// it promises nothing, or get a row with tests that fail when it is wrong.
func TestEveryPromiseHasATest(t *testing.T) {
	t.Parallel()
	rows, tests := rowsOfPromises(t), testsOf(t)
	var last held
	for i, row := range rows {
		if i > 0 && cmp.Or(strings.Compare(last.place, row.place), strings.Compare(last.sentence, row.sentence)) >= 0 {
			t.Errorf("promises.tsv is not sorted, or has a row twice: %s\t%s", row.place, row.sentence)
		}
		last = *row
		for _, proof := range row.proofs {
			if !isProof(t, tests, proof) {
				t.Errorf("there is no test %s, of %s: %s", proof, row.place, row.sentence)
			}
		}
	}
	found := append(promisesOfPages(t), promisesOfComments(t)...)
	assert.Greater(t, len(found), 50)
	for _, p := range found {
		i := slices.IndexFunc(rows, func(row *held) bool { return row.holds(p) })
		if i < 0 {
			t.Errorf("no row of promises.tsv, reword it or add its test:\n%s\t%s\t", p.place, p.sentence)
			continue
		}
		rows[i].met = true
	}
	for _, row := range rows {
		if !row.met {
			t.Errorf("a row of promises.tsv without its sentence: %s\t%s", row.place, row.sentence)
		}
	}
}

// holds reports whether the row matches a promise.
func (h *held) holds(p promise) bool {
	prefix, many := strings.CutSuffix(h.place, "*")
	if h.place != p.place && (!many || !strings.HasPrefix(p.place, prefix)) {
		return false
	}
	if pattern, ok := strings.CutPrefix(h.sentence, "/"); ok {
		return regexp.MustCompile("^(?:" + strings.TrimSuffix(pattern, "/") + ")$").MatchString(p.sentence)
	}
	return h.sentence == p.sentence
}

func rowsOfPromises(t *testing.T) (rows []*held) {
	t.Helper()
	file, err := os.Open("promises.tsv")
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		cells := strings.Split(scanner.Text(), "\t")
		require.Len(t, cells, 3, "a place, a sentence and its tests: %q", scanner.Text())
		require.NotEmpty(t, cells[2], "no test: %q", scanner.Text())
		rows = append(rows, &held{promise: promise{cells[0], cells[1]}, proofs: strings.Fields(cells[2])})
	}
	return rows
}

// quantified matches the words of a promise. Its first alternatives match
// phrases that only look like one: idioms, negations, and the method name All.
var quantified = regexp.MustCompile(`\b(?:[Aa]t all|all the same|[Nn]ot all|[Nn]ot every|[Nn]ot always|[a-z,;] All|All methods?)\b|\w\.All\b|\b(?:[Ee]very|[Nn]ever|[Aa]lways|[Aa]ll)\b`)

// isPromise reports whether a sentence has a quantifier. The name that a
// comment begins with does not count.
func isPromise(sentence, name string) bool {
	sentence = regexp.MustCompile("`[^`]*`|\"[^\"]*\"").ReplaceAllString(strings.TrimPrefix(sentence, name+" "), "")
	return slices.ContainsFunc(quantified.FindAllString(sentence, -1), func(words string) bool { return !strings.ContainsAny(words, " .") })
}

// sentencesOf splits a text without line breaks into sentences.
func sentencesOf(text string) (sentences []string) {
	ends := regexp.MustCompile("[.!?]['\")*]* +['\"(\\[`*]*[A-Z`\\[]")
	from := 0
	for _, end := range ends.FindAllStringIndex(text, -1) {
		after := end[0] + strings.IndexByte(text[end[0]:], ' ')
		sentences = append(sentences, strings.TrimSpace(text[from:after]))
		from = after
	}
	return append(sentences, strings.TrimSpace(text[from:]))
}

// promisesOfPages returns the promises in the prose of the README and of the
// pages in docs. It skips the reference, which repeats comments.
func promisesOfPages(t *testing.T) (found []promise) {
	t.Helper()
	pages, err := filepath.Glob(path.Join(root, "docs/*.md"))
	require.NoError(t, err)
	for _, page := range append(pages, path.Join(root, "README.md")) {
		place, err := filepath.Rel(root, page)
		require.NoError(t, err)
		place = filepath.ToSlash(place)
		prose := regexp.MustCompile("(?s)\n```.*?\n```").ReplaceAllString(readText(t, place), "\n")
		prose = regexp.MustCompile(`\n(\||- |\d+\. |#|\n)`).ReplaceAllString(prose, "\x00$1")
		for block := range strings.SplitSeq(prose, "\x00") {
			for cell := range strings.SplitSeq(strings.Join(strings.Fields(block), " "), " | ") {
				for _, sentence := range sentencesOf(strings.Trim(cell, "|-# ")) {
					if p := (promise{place, sentence}); isPromise(sentence, "") && !slices.Contains(found, p) {
						found = append(found, p)
					}
				}
			}
		}
	}
	return found
}

// documented lists the directories of the packages that programs import.
var documented = []string{".", "models", "auth", "mirror", "once", "once/oncesql", "requestid", "webhook", "webhook/fetch", "webhook/subscribe", "webhook/webhooktest", "practicetest", "adapters/keyring", "adapters/nats", "adapters/otel", "adapters/redis"}

// promisesOfComments returns the promises in the comments of exported names.
func promisesOfComments(t *testing.T) (found []promise) {
	t.Helper()
	for _, dir := range documented {
		set := token.NewFileSet()
		pkg, err := doc.NewFromFiles(set, sourcesIn(t, set, dir), "example.test/"+dir)
		require.NoError(t, err)
		c := &commented{place: pkg.Name}
		c.add("", pkg.Doc)
		c.values(pkg.Consts)
		c.values(pkg.Vars)
		c.functions("", pkg.Funcs)
		for _, of := range pkg.Types {
			c.add(of.Name, of.Doc)
			c.values(of.Consts)
			c.values(of.Vars)
			c.functions("", of.Funcs)
			c.functions(of.Name+".", of.Methods)
			c.fields(of)
		}
		found = append(found, c.found...)
	}
	return found
}

// commented collects the promises in the comments of a package.
type commented struct {
	place string
	found []promise
}

// add adds the comment of a name without its indented lines.
func (c *commented) add(name, comment string) {
	comment = regexp.MustCompile(`(?m)^\t.*$`).ReplaceAllString(comment, "")
	comment = regexp.MustCompile(`(?m)^( *- |# )`).ReplaceAllString(comment, "\n$1")
	_, last, _ := strings.Cut("."+name, ".")
	last = last[strings.LastIndexByte(last, '.')+1:]
	for block := range strings.SplitSeq(comment, "\n\n") {
		for _, sentence := range sentencesOf(strings.Join(strings.Fields(block), " ")) {
			if p := (promise{strings.TrimSuffix(c.place+"."+name, "."), sentence}); isPromise(sentence, last) && !slices.Contains(c.found, p) {
				c.found = append(c.found, p)
			}
		}
	}
}

func (c *commented) functions(of string, functions []*doc.Func) {
	for _, function := range functions {
		c.add(of+function.Name, function.Doc)
	}
}

// values adds the comments of constants and variables, including those within a
// group.
func (c *commented) values(values []*doc.Value) {
	for _, value := range values {
		c.add(value.Names[0], value.Doc)
		for _, spec := range value.Decl.Specs {
			if spec, ok := spec.(*ast.ValueSpec); ok {
				c.add(spec.Names[0].Name, spec.Doc.Text())
				c.add(spec.Names[0].Name, spec.Comment.Text())
			}
		}
	}
}

// fields adds the comments of the fields of a struct and of the methods of an
// interface.
func (c *commented) fields(of *doc.Type) {
	for _, spec := range of.Decl.Specs {
		declared, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		var list *ast.FieldList
		switch kind := declared.Type.(type) {
		case *ast.StructType:
			list = kind.Fields
		case *ast.InterfaceType:
			list = kind.Methods
		default:
			continue
		}
		for _, field := range list.List {
			if len(field.Names) > 0 && field.Names[0].IsExported() {
				c.add(of.Name+"."+field.Names[0].Name, field.Doc.Text())
				c.add(of.Name+"."+field.Names[0].Name, field.Comment.Text())
			}
		}
	}
}
