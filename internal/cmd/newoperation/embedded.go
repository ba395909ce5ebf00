package main

import (
	"cmp"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/idfield"
)

// embedded is the source of the embedded service without generated files and
// tests, the paths of its resources, and the names of the ids of Firm. It is
// read as text, because what an operation still lacks does not compile.
type embedded struct {
	source string
	paths  []string
	firm   []string
	client []string // names of the files of the client
}

var (
	textConstant = regexp.MustCompile(`(?m)^\s*(?:const )?(\w+)\s+= (".*")`)
	firmID       = regexp.MustCompile(`(?m)^\t(\w+) +string +.json`)
	resourcePath = regexp.MustCompile(`\bpath:\s+((?:"[^"]*"|\w+)(?: \+ (?:"[^"]*"|\w+))*)`)
)

func readEmbedded(root fs.FS) (embedded, error) {
	names, err := fs.Glob(root, "practicetest/[a-y]*.go")
	if err != nil {
		return embedded{}, err
	}
	var all strings.Builder
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return embedded{}, err
		}
		all.Write(text)
	}
	client, err := fs.Glob(root, "*.go")
	if err != nil {
		return embedded{}, err
	}
	e := embedded{source: all.String(), client: client}
	_, firm, _ := strings.Cut(e.source, "type Firm struct {")
	firm, _, _ = strings.Cut(firm, "\n}")
	for _, id := range firmID.FindAllStringSubmatch(firm, -1) {
		e.firm = append(e.firm, id[1])
	}
	constants := map[string]string{}
	for _, c := range textConstant.FindAllStringSubmatch(e.source, -1) {
		constants[c[1]] = c[2]
	}
	for _, declared := range resourcePath.FindAllStringSubmatch(e.source, -1) {
		parts := strings.Split(declared[1], " + ")
		for i, part := range parts {
			parts[i], _ = strconv.Unquote(cmp.Or(constants[part], part)) // a variable is no path
		}
		e.paths = append(e.paths, strings.Join(parts, ""))
	}
	return e, nil
}

// handles reports whether the operation has a handler of its own.
func (e embedded) handles(o *description.Operation) bool {
	return strings.Contains(e.source, `"`+o.ID+`":`)
}

// stores reports whether a resource performs the operation, which has no
// handler of its own.
func (e embedded) stores(o *description.Operation) bool {
	return !e.handles(o) && slices.ContainsFunc(e.paths, func(path string) bool {
		return o.HTTPMethod != "POST" && path == o.Path || (o.HTTPMethod == "GET" || o.HTTPMethod == "POST") && listOf(path) == o.Path
	})
}

// listOf returns the path of the list that contains a record: /notes for
// /notes/{id}.
func listOf(path string) string {
	above := path[:strings.LastIndexByte(path, '/')+1]
	if !strings.HasPrefix(path[len(above):], "{") {
		return ""
	}
	return strings.TrimSuffix(above, "/")
}

// firmField returns the field of Firm for a parameter of a path.
func (e embedded) firmField(document *description.Document, path, parameter string) string {
	before, _, _ := strings.Cut(path, "/{"+parameter+"}")
	record := ""
	if get := document.At("GET", before+"/{"+parameter+"}"); get != nil && get.Answer != nil && get.Answer.Ref != nil {
		record = get.Answer.Ref.GoName
	}
	return idfield.Of(e.firm, path, parameter, record)
}
