package description

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// OpenAPI joins the offered operations into one OpenAPI 3.0.3 document, and
// adds the common parts: errors, headers, media types, the envelopes of pages,
// and the link members of records.
func (d *Document) OpenAPI() ([]byte, error) {
	j := &joiner{document: d, nullable: d.nullable(), lists: map[string]*yaml.Node{}}
	paths := j.paths()
	root := object(
		"openapi", "3.0.3",
		"info", object("title", "Practice management service", "version", "1.0",
			"description", "The operations that the client offers. Made from the files beside this one. Sentences name members and methods as Go does."),
		"servers", list(
			object("url", "/"),
			object("url", "/{accountId}", "description", "multi-account client credentials",
				"variables", object("accountId", object("default", "00000000-0000-0000-0000-000000000000"))),
		),
		"security", list(object("apiKey", list(), "bearer", list())),
		"tags", j.tags(),
		"paths", paths,
		"components", j.components(),
	)
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	err := encoder.Encode(root)
	return text.Bytes(), err
}

type joiner struct {
	document *Document
	nullable map[*Schema]bool
	lists    map[string]*yaml.Node // schemas of lists by name
}

// nullable returns the schemas that may be null: records, and the types of
// members that may be null.
func (d *Document) nullable() map[*Schema]bool {
	found := map[*Schema]bool{}
	for _, s := range d.Schemas {
		found[s] = found[s] || s.Kind == Record
		for _, m := range s.Members {
			if m.Type.Ref != nil && m.Nullable {
				found[m.Type.Ref] = true
			}
		}
	}
	return found
}

func (j *joiner) tags() *yaml.Node {
	tags := list()
	for _, a := range j.document.Areas {
		if slices.ContainsFunc(a.Operations, func(o *Operation) bool { return !o.Planned }) {
			tags.Content = append(tags.Content, object("name", a.File, "description", a.Doc))
		}
	}
	return tags
}

// paths returns the paths of offered operations, in the order of the files.
func (j *joiner) paths() *yaml.Node {
	paths := object()
	items := map[string]*yaml.Node{}
	for _, a := range j.document.Areas {
		for _, o := range a.Operations {
			if o.Planned {
				continue
			}
			if items[o.Path] == nil {
				items[o.Path] = object()
				set(paths, o.Path, items[o.Path])
			}
			set(items[o.Path], strings.ToLower(o.HTTPMethod), j.operation(o))
		}
	}
	return paths
}

func (j *joiner) operation(o *Operation) *yaml.Node {
	n := object("operationId", o.ID, "tags", list(o.Area.File), "summary", withoutLinks(o.Summary))
	if more := strings.TrimSpace(strings.TrimPrefix(o.Doc, o.Summary)); more != "" {
		set(n, "description", withoutLinks(more))
	}
	if o.Deprecated {
		set(n, "deprecated", true)
	}
	set(n, "parameters", j.parameters(o))
	if o.Body != nil {
		body := j.value(o.Body.Type, Rules{}, false, true)
		if o.Body.List {
			body = object("type", "array", "items", body)
		}
		set(n, "requestBody", object("required", o.Body.Required, "content", object(
			"application/json-patch+json", object("schema", body),
			"application/json", object("schema", body),
			"application/*+json", object("schema", body),
		)))
	}
	set(n, "responses", j.responses(o))
	if o.Callback != nil {
		set(n, "callbacks", j.callback(o.Callback))
	}
	extensions(n, o)
	return n
}

var docLink = regexp.MustCompile(`\[(\*?)(?:models\.)?([A-Z]\w*(?:\.\w+)*)\]`)

// withoutLinks replaces the links of a doc comment by their names.
func withoutLinks(doc string) string { return docLink.ReplaceAllString(doc, "$1$2") }

// extensions adds the facts that OpenAPI cannot express, as x- members.
func extensions(n *yaml.Node, o *Operation) {
	set(n, "x-area", o.Area.Name)
	set(n, "x-method", o.Method)
	set(n, "x-class", o.Class)
	if o.Scope != "" {
		set(n, "x-scope", o.Scope)
	}
	if g := o.Grant; g != nil {
		grant := object("needs", g.Needs)
		integerRule(grant, "refusal", &g.Refusal)
		if g.Parameter != "" {
			set(grant, "parameter", g.Parameter)
			set(grant, "value", g.Value)
		}
		set(n, "x-grant", grant)
	}
	if len(o.Events) > 0 {
		set(n, "x-webhook-events", list(anys(o.Events)...))
	}
	if o.Copied != nil {
		set(n, "x-copied-as", o.Copied.Name)
	}
	if o.NotCopied != "" {
		set(n, "x-not-copied", o.NotCopied)
	}
	for _, flag := range o.flags() {
		set(n, "x-"+flag, true)
	}
}

// flags returns the flags of the operation that are set, except those that
// OpenAPI has.
func (o *Operation) flags() []string {
	var set []string
	for _, flag := range []struct {
		name string
		set  bool
	}{{"async", o.Async}, {"replaces", o.Replaces}, {"money", o.Money}, {"late", o.Late}, {"unlisted", o.Unlisted}} {
		if flag.set {
			set = append(set, flag.name)
		}
	}
	return set
}

func (j *joiner) responses(o *Operation) *yaml.Node {
	responses := object()
	success := o.Status
	if o.OtherStatus != 0 {
		set(responses, strconv.Itoa(o.Status), withRequestID(object("description", http.StatusText(o.Status))))
		success = o.OtherStatus
	}
	answer := withRequestID(object("description", http.StatusText(success)))
	if o.Answer != nil {
		media := "application/json"
		if o.Media != "" {
			media = o.Media
		}
		set(answer, "content", object(media, object("schema", j.answer(o))))
	}
	set(responses, strconv.Itoa(success), answer)
	for _, status := range ErrorStatuses() {
		set(responses, strconv.Itoa(status), refusal(o, status))
	}
	return responses
}

// refusal returns the response of an operation for an error status: a Problem
// object, unless the API lists the status without a body.
func refusal(o *Operation, status int) *yaml.Node {
	if slices.Contains(o.Errors, Error{Status: status, NoBody: true}) {
		return withRequestID(object("description", http.StatusText(status)+", without a body"))
	}
	return ref("responses", fmt.Sprintf("E%d", status))
}

func withRequestID(n *yaml.Node) *yaml.Node {
	set(n, "headers", object("RequestId", object("schema", object("type", "string"))))
	return n
}

// answer returns the schema of the response. The schema of a list is a
// component.
func (j *joiner) answer(o *Operation) *yaml.Node {
	if o.Paging == nil {
		return j.value(o.Answer, Rules{}, false, false)
	}
	if len(o.Paging.Shapes) == 1 && o.Paging.Shape == "array" {
		return object("type", "array", "items", j.value(o.Answer, Rules{}, false, false))
	}
	if o.Answer.Ref != nil && o.Answer.Ref.Kind == Page {
		return ref("schemas", o.Answer.Ref.Name)
	}
	suffix := map[string]string{"page": "Page", "collection": "Collection"}[o.Paging.Shape]
	if len(o.Paging.Shapes) > 1 {
		suffix = "List"
	}
	name := listName(o.Answer) + suffix
	j.lists[name] = j.list(o)
	return ref("schemas", name)
}

func listName(t *Type) string {
	if t.Ref != nil {
		return t.Ref.Name
	}
	return "String"
}

// list returns the schema of the list that an operation returns.
func (j *joiner) list(o *Operation) *yaml.Node {
	elem := func() *yaml.Node { return j.value(o.Answer, Rules{}, false, false) }
	if len(o.Paging.Shapes) == 1 {
		return envelope(elem(), o.Paging.Shape == "page")
	}
	alternatives := list()
	for _, shape := range o.Paging.Shapes {
		var alternative *yaml.Node
		switch shape {
		case "array":
			alternative = object("type", "array", "items", elem())
		case "record":
			alternative = elem()
		default:
			alternative = envelope(elem(), shape == "page")
			set(alternative, "required", list("value"))
		}
		alternatives.Content = append(alternatives.Content, alternative)
	}
	return object("anyOf", alternatives)
}

// envelope returns a list of elem with its link members and, for a page, its
// paging members.
func envelope(elem *yaml.Node, page bool) *yaml.Node {
	text := func() *yaml.Node { return object("type", "string", "nullable", true) }
	members := object("id", text(), "href", text(), "relation", text(), "method", text(), "self", ref("schemas", "Link"),
		"value", object("type", "array", "nullable", true, "items", elem))
	always := list("href", "method", "value")
	if page {
		set(members, "offset", object("type", "integer", "format", "int32", "nullable", true))
		set(members, "limit", object("type", "integer", "format", "int32", "nullable", true))
		set(members, "size", object("type", "integer", "format", "int64", "nullable", true))
		for _, name := range []string{"first", "previous", "next", "last"} {
			set(members, name, ref("schemas", "Link"))
		}
		always = list("href", "method", "value", "offset", "limit", "size", "first", "last")
	}
	return object("type", "object", "additionalProperties", true, "properties", members, markAlways, always)
}

// callback returns the request that the service sends to the URL of a webhook
// subscription.
func (j *joiner) callback(s *Schema) *yaml.Node {
	parameters := list()
	for _, name := range []string{"Signature", "Timestamp", "RequestId"} {
		parameters.Content = append(parameters.Content,
			object("name", name, "in", "header", "required", false, "schema", object("type", "string")))
	}
	return object("notification", object("{$request.body#/eventNotificationUrl}", object("post", object(
		"operationId", "onNotification",
		"summary", "Receives a notification.",
		"security", list(),
		"parameters", parameters,
		"requestBody", object("required", true, "content",
			object("application/json", object("schema", ref("schemas", s.Name)))),
		"responses", object("200", object("description", "received; the accepted statuses are not documented")),
	))))
}
