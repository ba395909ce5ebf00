package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
)

// mutant is a change of one fact.
type mutant struct {
	kind      string            // such as "client: path"
	operation string            // operation that a test must name; empty means any
	files     map[string]string // new texts by name, below the root
	change    string            // description of the change
}

func (m mutant) String() string { return m.kind + ": " + m.change }

// rule creates a mutant for each match. The first group is the part that is
// changed.
type rule struct {
	kind   string
	match  *regexp.Regexp
	change func(string) string
}

// clientRules returns the rules for the sources of the client.
func clientRules() []rule {
	return []rule{
		{"client: path", regexp.MustCompile(`operation\{"[^"]+", http\.Method\w+, "([^"]+)"`), otherPath},
		{"client: path", regexp.MustCompile(`paged(?:ByPost)?\("[^"]+", "[^"]+", "([^"]+)"`), otherPath},
		{"client: method", regexp.MustCompile(`operation\{"[^"]+", http\.Method(\w+), "/`), otherMethod},
		{"client: class", regexp.MustCompile(`operation\{"[^"]+", http\.Method\w+, "/[^"]*", transport\.(\w+)`), otherClass},
		{"client: query", regexp.MustCompile(`\.(?:param|addParam|ticks|utc|instant)\("(\w+)"`), appendX},
		{"client: limit", regexp.MustCompile(`(?m)^\tMax(?:FolderName|FileName|PageSize|Offset) += (\d+)`), lower},
	}
}

// descriptionRules returns the rules for the files of the description.
func descriptionRules() []rule {
	return []rule{
		{"description: path", regexp.MustCompile(`(?m)^    call: [A-Z]+ (\S+)$`), otherPath},
		{"description: method", regexp.MustCompile(`(?m)^    call: ([A-Z]+) /`), func(method string) string {
			return strings.ToUpper(otherMethod(method[:1] + strings.ToLower(method[1:])))
		}},
		{"description: class", regexp.MustCompile(`(?m)^    call: (?:PUT|PATCH|DELETE) (\S+)$`), func(path string) string {
			return path + "\n    class: create"
		}},
		{"description: member", regexp.MustCompile(`(?m)^      (\w+): (?:text|day|uuid|decimal)[^\n]*,`), appendX},
		{"description: limit", regexp.MustCompile(`\b1\.\.(256)\b`), lower},
	}
}

func appendX(name string) string { return name + "X" }

// otherPath changes the last literal segment.
func otherPath(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range slices.Backward(segments) {
		if segment != "" && segment[0] != '{' {
			segments[i] += "x"
			break
		}
	}
	return strings.Join(segments, "/")
}

func otherMethod(method string) string {
	if method == "Put" {
		return "Patch"
	}
	return "Put"
}

func otherClass(class string) string {
	if class == "IdempotentWrite" {
		return "Create"
	}
	return "IdempotentWrite"
}

func lower(number string) string {
	last := len(number) - 1
	return number[:last] + string(number[last]-1)
}

// mutants returns all mutants. It skips sources that do not belong to an
// operation of the registry.
func mutants(root string) ([]mutant, error) {
	document, err := description.Load(os.DirFS(filepath.Join(root, "api")))
	if err != nil {
		return nil, err
	}
	var all []mutant
	for pattern, rules := range map[string][]rule{"*.go": clientRules(), "api/*.yaml": descriptionRules()} {
		names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, path := range names {
			name, err := filepath.Rel(root, path)
			if err != nil {
				return nil, err
			}
			if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, description.Joined) {
				continue
			}
			text, err := read(root, name)
			if err != nil {
				return nil, err
			}
			all = append(all, mutate(document, filepath.ToSlash(name), text, rules)...)
		}
	}
	members, err := renamedMembers(root, document)
	slices.SortStableFunc(all, func(a, b mutant) int { return strings.Compare(a.kind, b.kind) })
	return append(all, members...), err
}

func mutate(document *description.Document, name, text string, rules []rule) []mutant {
	var found []mutant
	for _, r := range rules {
		for _, at := range r.match.FindAllStringSubmatchIndex(text, -1) {
			old := text[at[2]:at[3]]
			changed := text[:at[2]] + r.change(old) + text[at[3]:]
			operation, concerned := concerns(document, text, at[0], r.kind)
			if concerned {
				found = append(found, mutant{r.kind, operation, map[string]string{name: changed}, name + ": " + old + " becomes " + strings.ReplaceAll(r.change(old), "\n    ", ", ")})
			}
		}
	}
	return found
}

var (
	descriptorName = regexp.MustCompile(`^(?:operation\{|paged(?:ByPost)?\()"([^"]+)"`)
	operationID    = regexp.MustCompile(`(?m)^  (\w+):$`)
)

// concerns reports whether a position in a file belongs to operations of the
// registry, and returns the name of the operation, or "" if there may be
// several.
func concerns(document *description.Document, text string, at int, kind string) (operation string, concerned bool) {
	if match := descriptorName.FindStringSubmatch(text[at:]); match != nil {
		i := slices.IndexFunc(operations.All(), func(op operations.Operation) bool { return op.Name == match[1] })
		return match[1], i >= 0
	}
	if strings.HasPrefix(kind, "client") {
		return "", true
	}
	heads := operationID.FindAllStringSubmatch(text[:at], -1)
	if len(heads) == 0 {
		return "", false
	}
	head := heads[len(heads)-1][1]
	if op, known := operations.ByID(head); known {
		return op.Name, true
	}
	for _, op := range operations.All() {
		as := document.Operation(op.ID)
		if as != nil && as.Body != nil && as.Body.Type.Ref != nil && as.Body.Type.Ref.Name == head && op.ID != "patchFolder" {
			return "", true
		}
	}
	return "", false
}

// renamedMembers changes the JSON name of a field of a body, in its tag and in
// its codec.
func renamedMembers(root string, document *description.Document) ([]mutant, error) {
	models, err := sourcesOf(root, "models")
	if err != nil {
		return nil, err
	}
	var found []mutant
	renamed := map[string]map[string]string{} // keyed by the name of the member, which several bodies may share
	for _, op := range operations.All() {
		as := document.Operation(op.ID)
		if as == nil || as.Body == nil || as.Body.Type.Ref == nil || op.ID == "patchFolder" {
			continue
		}
		for _, member := range as.Body.Type.Ref.Members {
			files, known := renamed[member.Name]
			if !known {
				files = rename(models, member.Name)
				renamed[member.Name] = files
			}
			if len(files) > 0 {
				found = append(found, mutant{"client: member", op.Name, files, member.Name + " becomes " + appendX(member.Name) + " in models"})
			}
		}
	}
	return found, nil
}

// rename returns the sources that contain the JSON name of a member, with
// another name instead.
func rename(sources map[string]string, member string) map[string]string {
	changed := map[string]string{}
	for name, text := range sources {
		if !strings.Contains(text, `"`+member) {
			continue
		}
		for _, end := range []string{`"`, `,`} {
			text = strings.ReplaceAll(text, `"`+member+end, `"`+appendX(member)+end)
		}
		if text != sources[name] {
			changed[name] = text
		}
	}
	return changed
}

// sourcesOf returns the sources of a folder without tests, by name below the
// root.
func sourcesOf(root, folder string) (map[string]string, error) {
	entries, err := os.ReadDir(filepath.Join(root, folder))
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, entry := range entries {
		name := folder + "/" + entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if texts[name], err = read(root, name); err != nil {
			return nil, err
		}
	}
	return texts, nil
}
