package description

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/practicesdk/practice-go/internal/headers"
)

// operation reads an operation. Its references are resolved later.
func (a *areaReader) operation(e entry) *Operation {
	f := a.fields(e.value, "call", "method", "doc", "walk", "modify", "class", "status", "answer", "identity", "body", "path", "query", "paging",
		"since", "scope", "grant", "events", "errors", "flags", "callback", "copy",
		"assistants")
	o := &Operation{ID: e.key, Area: a.area, Pos: e.pos, Doc: paragraphs(a.text(f["doc"])), Method: a.text(f["method"])}
	o.HTTPMethod, o.Path, _ = strings.Cut(a.text(f["call"]), " ")
	o.WalkDoc, o.ModifyDoc = a.text(f["walk"]), a.text(f["modify"])
	o.Summary = firstSentence(o.Doc)
	o.Events = a.list(f["events"])
	a.class(o, f["class"])
	a.status(o, f["status"])
	a.scopeOf(o, f["scope"])
	a.grant(o, f["grant"])
	a.flagsOf(o, f["flags"])
	a.errors(o, f["errors"])
	o.Replaces = o.Replaces || o.HTTPMethod == http.MethodPut
	a.copied(o, f["copy"])
	a.assistantsOf(o, f["assistants"])
	a.loader.later = append(a.loader.later, func() {
		o.Callback = a.other(f["callback"])
		a.query(o, f["query"])
		a.pathParameters(o, f["path"])
		a.body(o, f["body"])
		a.answer(o, f["answer"])
		a.paging(o, f["paging"], f["since"])
		a.loader.later = append(a.loader.later, func() { a.identity(o, f["identity"]) }) // when all members are known
	})
	return o
}

// paragraphs removes line breaks except for the empty lines between paragraphs.
func paragraphs(text string) string {
	parts := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, part := range parts {
		parts[i] = strings.Join(strings.Fields(part), " ")
	}
	return strings.Join(parts, "\n\n")
}

// firstSentence returns the text up to the first full stop before a space or
// the end of a paragraph.
func firstSentence(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	first, _, more := strings.Cut(first, ". ")
	if more {
		first += "."
	}
	return first
}

// class returns the class of an operation, which the HTTP method determines
// unless the file sets it.
func (a *areaReader) class(o *Operation, n *yaml.Node) {
	switch o.HTTPMethod {
	case http.MethodGet:
		o.Class = "read"
	case http.MethodPost:
		o.Class = "create"
	case http.MethodPut, http.MethodPatch, http.MethodDelete:
		o.Class = "idempotentWrite"
	default:
		a.add(o.Pos, "%s: the call must begin with GET, POST, PUT, PATCH or DELETE", o.ID)
	}
	if n == nil {
		return
	}
	class := a.text(n)
	if !slices.Contains([]string{"read", "create", "idempotentWrite"}, class) {
		a.add(a.at(n), "the class must be read, create or idempotentWrite, not %q", class)
	}
	if class == o.Class {
		a.add(a.at(n), "remove the class: %s has it by default", o.HTTPMethod)
	}
	o.Class = class
}

// status sets the success statuses: 200 for GET and 202 for others unless the
// file sets them. If there are two, the first has no body.
func (a *areaReader) status(o *Operation, n *yaml.Node) {
	o.Status = http.StatusAccepted
	if o.HTTPMethod == http.MethodGet {
		o.Status = http.StatusOK
	}
	for i, word := range strings.Fields(a.text(n)) {
		status, err := strconv.Atoi(word)
		if err != nil || status < 200 || status > 299 || i > 1 {
			a.add(a.at(n), "expected one or two success statuses, such as 200")
			return
		}
		if i == 0 {
			o.Status = status
		} else {
			o.OtherStatus = status
		}
	}
	o.Async = o.Status == http.StatusAccepted
}

// scopeOf returns the scope of the area: read for GET, write for other methods.
// The word "none" means that none is listed.
func (a *areaReader) scopeOf(o *Operation, n *yaml.Node) {
	scope := a.scope
	if n != nil {
		scope = a.text(n)
	}
	switch {
	case scope == "" && n == nil, scope == "none":
	case strings.Contains(scope, "/"):
		o.Scope = scope
	case o.HTTPMethod == http.MethodGet:
		o.Scope = scope + "/read"
	default:
		o.Scope = scope + "/write"
	}
}

// grant parses the tokens that an operation accepts, such as "user 403", or
// "clientCredentials 403 with id=0" for calls with that value in their path.
func (a *areaReader) grant(o *Operation, n *yaml.Node) {
	if n == nil {
		return
	}
	words := strings.Fields(a.text(n))
	g := &Grant{}
	if len(words) == 4 && words[2] == "with" {
		g.Parameter, g.Value, _ = strings.Cut(words[3], "=")
		words = words[:2]
	}
	if len(words) == 2 {
		g.Needs = words[0]
		g.Refusal, _ = strconv.Atoi(words[1])
	}
	if g.Needs != ClientCredentials && g.Needs != ActingUser || !slices.Contains(ErrorStatuses(), g.Refusal) {
		a.add(a.at(n), "expected clientCredentials or user, an error status and optionally a parameter, as in \"user 403 with id=0\"")
	}
	o.Grant = g
}

func (a *areaReader) flagsOf(o *Operation, n *yaml.Node) {
	for _, flag := range append(a.list(n), a.flags...) {
		switch flag {
		case "money":
			o.Money = true
		case "late":
			o.Late = true
		case "unlisted":
			o.Unlisted = true
		case "deprecated":
			o.Deprecated = true
		case "systemAccount":
			o.SystemAccount = true
		default:
			a.headerOf(o, flag)
		}
	}
}

// headerOf adds the header that operations with the flag take.
func (a *areaReader) headerOf(o *Operation, flag string) {
	var known []string
	for _, h := range headers.All {
		if h.Flag == "" {
			continue
		}
		if known = append(known, h.Flag); h.Flag == flag {
			o.Headers = append(o.Headers, h.Name)
			return
		}
	}
	a.add(o.Pos, "unknown flag %q; the flags are money, late, unlisted, deprecated, systemAccount, %s", flag, strings.Join(known, ", "))
}

// errors parses the statuses that the API lists, such as "400, 500 without
// body".
func (a *areaReader) errors(o *Operation, n *yaml.Node) {
	for _, text := range a.list(n) {
		text, noBody := strings.CutSuffix(text, " without body")
		status, err := strconv.Atoi(text)
		if err != nil || !slices.Contains(ErrorStatuses(), status) {
			a.add(a.at(n), "%q is not one of the error statuses: %v", text, ErrorStatuses())
		}
		o.Errors = append(o.Errors, Error{Status: status, NoBody: noBody})
	}
}

// ErrorStatuses returns the error statuses that every operation may return.
func ErrorStatuses() []int { return []int{400, 401, 403, 404, 429, 500, 503} }

// body parses the body: a type or "list of" a type, optionally followed by
// "optional".
func (a *areaReader) body(o *Operation, n *yaml.Node) {
	if n == nil {
		return
	}
	l := parseLine(a.text(n))
	o.Body = &Body{Type: a.loader.typeOf(l.typeWords, a.at(n)), Required: !slices.Equal(l.attributes, []string{"optional"})}
	if len(l.attributes) > 0 && o.Body.Required {
		a.add(a.at(n), "unknown words %q: only optional is allowed after the type", strings.Join(l.attributes, " "))
	}
	if o.Body.Type.Kind == List {
		o.Body.List, o.Body.Type = true, o.Body.Type.Elem
	}
}

// answer parses the answer: a type, "page of" or "collection of" a type, or
// alternatives such as "list or page of Promotion".
func (a *areaReader) answer(o *Operation, n *yaml.Node) {
	text := a.text(n)
	shapes, elem, isList := strings.Cut(text, " of ")
	names := map[string]string{"page": "page", "collection": "collection", "list": "array", "one": "record"}
	for _, shape := range strings.Split(shapes, " or ") {
		isList = isList && names[shape] != ""
	}
	switch {
	case n == nil:
	case isList:
		o.Paging = &Paging{Style: "none"}
		for _, shape := range strings.Split(shapes, " or ") {
			o.Paging.Shapes = append(o.Paging.Shapes, names[shape])
		}
		o.Paging.Shape = o.Paging.Shapes[0]
		o.Answer = a.loader.typeOf([]string{elem}, a.at(n))
	case strings.HasPrefix(text, "binary "):
		o.Answer, o.Media = &Type{Kind: Binary}, strings.TrimPrefix(text, "binary ")
	default:
		l := parseLine(text)
		o.Answer = a.loader.typeOf(l.typeWords, a.at(n))
		if len(l.attributes) > 0 {
			a.add(a.at(n), "unknown words %q after the type", strings.Join(l.attributes, " "))
		}
	}
}
