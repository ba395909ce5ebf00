package command

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/members"
)

// vocabulary translates the Go names in the descriptions of operations into
// those of the command line.
type vocabulary map[string]string // command of each method, by its Go name

func vocabularyOf(operations []practice.Operation) vocabulary {
	v := vocabulary{}
	for _, o := range operations {
		area, method, _ := strings.Cut(o.GoMethod, ".")
		v[o.GoMethod] = "practice " + kebab(area) + " " + kebab(method)
		if o.GoAll != "" {
			v[o.GoAll] = v[o.GoMethod] + " --all"
		}
	}
	return v
}

var (
	// goName matches names such as [models.Fee.IsDeleted], OtherSideIDs and
	// Update.
	goName = regexp.MustCompile(`\[(?:models\.)?[A-Z]\w*(?:\.[A-Z]\w*)?\]|\b[A-Z][a-z]+[A-Z]\w*\b|\bIDs?\b|\b[A-Z][a-z]+\b`)
	// ofLibrary matches names of the library that no command has.
	ofLibrary = regexp.MustCompile(`^(?:With|Find|Ensure|Modify|Upload|Restore|Download|Get|All|Request|Patch|Create|Update|Delete)`)
)

// commandOf returns the command of an operation that an error names, or "" for
// one that no command line calls, such as the read behind --wait.
func (a *app) commandOf(operation string) string {
	call, own := strings.CutPrefix(operation, "Do ")
	switch {
	case a.moves():
		return a.reached
	case own:
		return "practice api " + call
	}
	return a.words[operation]
}

// ofFiles matches the operations and functions that errors of practice files
// name.
var ofFiles = regexp.MustCompile(`(?:practice: |mirror: )[A-Z]\w+\.\w+:`)

// errors returns the text of an error with the names of commands in place of
// those of methods. It names practice files as the person called it, because one
// of its commands calls several operations.
func (a *app) errors(err error) string {
	text := err.Error()
	if a.moves() {
		text = ofFiles.ReplaceAllLiteralString(text, a.reached+":")
	}
	names := []string{
		"practice: Do ", "practice api ", "practice: Follow:", "practice: --wait:", "practice: Await:", "practice: --wait:", "with MaxDelete", "with --max-delete",
	}
	for method, command := range a.words {
		names = append(names, "practice: "+method+":", command+":")
	}
	return strings.NewReplacer(names...).Replace(text)
}

// moves reports whether the command is one of practice files.
func (a *app) moves() bool { return strings.HasPrefix(a.reached, "practice files ") }

// plain returns the description of an operation in the names of the command
// line. It leaves out the parts that speak of what only the library has.
func (v vocabulary) plain(o practice.Operation) string {
	_, body, _ := strings.Cut(o.Body, ".")
	var paragraphs []string
	for paragraph := range strings.SplitSeq(o.Doc, "\n") {
		var kept []string
		for part := range strings.SplitSeq(paragraph, ". ") {
			if part = v.part(o.Area(), members.Of(body), part); part != "" {
				kept = append(kept, part)
			}
		}
		if paragraph = strings.Join(kept, ". "); paragraph != "" && !strings.HasSuffix(paragraph, ".") {
			paragraph += "."
		}
		paragraphs = append(paragraphs, paragraph)
	}
	return strings.TrimSpace(strings.Join(slices.Compact(paragraphs), "\n")) // no two empty lines
}

// part translates a sentence. It ends before the clause with a name that no
// command has.
func (v vocabulary) part(area string, body []members.Member, text string) string {
	var b strings.Builder
	done := 0
	for _, at := range goName.FindAllStringIndex(text, -1) {
		name := text[at[0]:at[1]]
		word, known := v.word(area, strings.TrimPrefix(strings.Trim(name, "[]"), "models."))
		if !strings.ContainsFunc(name[1:], unicode.IsUpper) && !strings.HasPrefix(name, "[") && !v.has(area, name) {
			isMember := slices.ContainsFunc(body, func(m members.Member) bool { return m.Name == memberName(name) })
			if name != "Modify" && (at[0] == 0 || !isMember) {
				continue // a word that begins a sentence
			}
		}
		b.WriteString(text[done:at[0]])
		done = at[1]
		if !known {
			before := b.String()
			return strings.TrimRight(before[:max(0, strings.LastIndexAny(before, ",;:"))], ",;: ")
		}
		b.WriteString(word)
	}
	return b.String() + text[done:]
}

func (v vocabulary) has(area, method string) bool { return v[area+"."+method] != "" }

// word returns a Go name in the words of the command line, and reports whether
// there is one.
func (v vocabulary) word(area, name string) (word string, known bool) {
	if code, ok := exitsOf[name]; ok {
		return fmt.Sprint("exit code ", code), true
	}
	of, member, qualified := strings.Cut(name, ".")
	if service, is := strings.CutSuffix(of, "Service"); is {
		if !qualified {
			return "practice " + kebab(service), true
		}
		command, ok := v[service+"."+member]
		return command, ok
	}
	if command, ok := v[area+"."+name]; ok {
		return command, true
	}
	if qualified {
		name = member
	} else if ofLibrary.MatchString(name) {
		return "", false
	}
	return memberName(name), true
}

// memberName returns the JSON name of a field: clientIds for ClientIDs.
func memberName(field string) string {
	name := strings.NewReplacer("ID", "Id", "URL", "Url").Replace(field)
	return strings.ToLower(name[:1]) + name[1:]
}
