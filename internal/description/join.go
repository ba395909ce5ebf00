package description

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/practicesdk/practice-go/internal/headers"
)

// OpenAPI joins the operations into one OpenAPI 3.0.3 document, and adds the
// common parts: errors, headers, media types, the envelopes of pages, and the
// link members of records.
func (d *Document) OpenAPI() ([]byte, error) {
	j := &joiner{document: d, nullable: d.nullable(), lists: map[string]*apiSchema{}}
	root := openAPI{
		OpenAPI: "3.0.3",
		Info: apiInfo{
			"Practice management service", "1.0",
			"The operations that the client offers. Made from the files beside this one. Sentences name members and methods as Go does.",
		},
		Servers: []apiServer{
			{URL: "/"},
			{
				URL: "/{accountId}", Description: "multi-account client credentials",
				Variables: map[string]map[string]string{"accountId": {"default": "00000000-0000-0000-0000-000000000000"}},
			},
		},
		Security: []map[string][]string{{"apiKey": {}, "bearer": {}}},
		Paths:    j.paths(),
	}
	for _, a := range d.Areas {
		if len(a.Operations) > 0 {
			root.Tags = append(root.Tags, apiTag{a.File, a.Doc})
		}
	}
	root.Components = j.components()
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	err := encoder.Encode(root)
	return text.Bytes(), err
}

type joiner struct {
	document *Document
	nullable map[*Schema]bool
	lists    map[string]*apiSchema // schemas of lists by name
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

// paths returns the paths in the order of the files.
func (j *joiner) paths() (paths named[named[*apiOperation]]) {
	places := map[string]int{}
	for o := range j.document.Operations() {
		at, there := places[o.Path]
		if !there {
			at, places[o.Path] = len(paths), len(paths)
			paths.add(o.Path, nil)
		}
		paths[at].value.add(strings.ToLower(o.HTTPMethod), j.operation(o))
	}
	return paths
}

func (j *joiner) components() (c apiComponents) {
	c.SecuritySchemes.add("apiKey", map[string]string{"type": "apiKey", "in": "header", "name": "x-api-key"})
	c.SecuritySchemes.add("bearer", map[string]string{"type": "http", "scheme": "bearer"})
	for _, h := range headers.All {
		if h.Takes == headers.Every {
			c.Parameters.add(h.Name, headerParameter(h))
		}
	}
	for _, status := range ErrorStatuses() {
		c.Responses.add(fmt.Sprintf("E%d", status), response(http.StatusText(status), schemaRef("Problem"), jsonMedia, "application/problem+json"))
	}
	for _, a := range j.document.Areas {
		for _, s := range a.Schemas {
			c.Schemas.add(s.Name, j.schema(s))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(j.lists)) {
		c.Schemas.add(name, j.lists[name])
	}
	return c
}

const jsonMedia = "application/json"

func (j *joiner) operation(o *Operation) *apiOperation {
	n := &apiOperation{
		OperationID: o.ID, Tags: []string{o.Area.File}, Summary: withoutLinks(o.Summary),
		Description: withoutLinks(strings.TrimSpace(strings.TrimPrefix(o.Doc, o.Summary))), Deprecated: o.Deprecated,
		Parameters: j.parameters(o), Responses: j.responses(o),
		Area: o.Area.Name, Method: o.Method, Class: o.Class, Scope: o.Scope, Events: o.Events,
		Async: o.Async, Replaces: o.Replaces, Money: o.Money, Late: o.Late, Unlisted: o.Unlisted,
	}
	if g := o.Grant; g != nil {
		n.Grant = (*apiGrant)(g)
	}
	n.NotCopied = o.NotCopied
	if o.Copied != nil {
		n.Copied = o.Copied.Name
	}
	if o.Body != nil {
		body := j.value(o.Body.Type, Rules{}, false, true)
		if o.Body.List {
			body = &apiSchema{Type: "array", Items: body}
		}
		n.RequestBody = &apiBody{o.Body.Required, contents(body, "application/json-patch+json", jsonMedia, "application/*+json")}
	}
	if o.Callback != nil {
		n.Callbacks = callback(o.Callback)
	}
	return n
}

var docLink = regexp.MustCompile(`\[(\*?)(?:models\.)?([A-Z]\w*(?:\.\w+)*)\]`)

// withoutLinks replaces the links of a doc comment by their names.
func withoutLinks(doc string) string { return docLink.ReplaceAllString(doc, "$1$2") }

// contents returns the same content in several media types.
func contents(schema *apiSchema, media ...string) (all named[apiMedia]) {
	for _, name := range media {
		all.add(name, apiMedia{schema})
	}
	return all
}

// response returns a response with a content in each media type.
func response(description string, schema *apiSchema, media ...string) *apiResponse {
	return &apiResponse{
		Description: description, Content: contents(schema, media...),
		Headers: map[string]apiMedia{"RequestId": {&apiSchema{Type: "string"}}},
	}
}

func (j *joiner) responses(o *Operation) (all named[*apiResponse]) {
	success := o.Status
	if o.OtherStatus != 0 {
		all.add(strconv.Itoa(o.Status), response(http.StatusText(o.Status), nil))
		success = o.OtherStatus
	}
	answer := response(http.StatusText(success), nil)
	switch {
	case o.Media != "":
		answer.Content = contents(j.answer(o), o.Media)
	case o.Answer != nil:
		answer.Content = contents(j.answer(o), jsonMedia)
	}
	all.add(strconv.Itoa(success), answer)
	for _, status := range ErrorStatuses() {
		// A Problem object, unless the API lists the status without a body.
		refusal := &apiResponse{Ref: fmt.Sprintf("#/components/responses/E%d", status)}
		if slices.Contains(o.Errors, Error{Status: status, NoBody: true}) {
			refusal = response(http.StatusText(status)+", without a body", nil)
		}
		all.add(strconv.Itoa(status), refusal)
	}
	return all
}

// callback returns the request that the service sends to the URL of a webhook
// subscription.
func callback(s *Schema) (all named[named[named[*apiOperation]]]) {
	received := &apiOperation{
		OperationID: "onNotification", Summary: "Receives a notification.", Security: &[]bool{},
		RequestBody: &apiBody{true, contents(schemaRef(s.Name), jsonMedia)},
	}
	for _, name := range []string{"Signature", "Timestamp", "RequestId"} {
		received.Parameters = append(received.Parameters, &apiParameter{Name: name, In: "header", Schema: &apiSchema{Type: "string"}})
	}
	received.Responses.add("200", &apiResponse{Description: "received; the accepted statuses are not documented"})
	var methods named[*apiOperation]
	methods.add("post", received)
	var addresses named[named[*apiOperation]]
	addresses.add("{$request.body#/eventNotificationUrl}", methods)
	all.add("notification", addresses)
	return all
}

// parameters returns the parameters of path, paging, change filters and query,
// and the headers of every operation.
func (j *joiner) parameters(o *Operation) (all []*apiParameter) {
	for _, p := range o.PathParameters {
		all = append(all, j.parameter(p, "path"))
	}
	if o.Paging != nil {
		all = append(all, o.Paging.parameters()...)
	}
	for _, p := range o.Query {
		all = append(all, j.parameter(p, "query"))
	}
	for _, h := range headers.All {
		switch {
		case h.Type == "":
		case h.Takes == headers.Every:
			all = append(all, &apiParameter{Ref: "#/components/parameters/" + h.Name})
		case slices.Contains(o.Headers, h.Name):
			all = append(all, headerParameter(h))
		}
	}
	return all
}

// headerParameter returns a header as a parameter.
func headerParameter(h headers.Header) *apiParameter {
	schema := &apiSchema{Type: h.Type, Format: h.Format}
	if h.Format == "uuid" {
		schema.Format, schema.Pattern = "", patternUUID
	}
	return &apiParameter{Name: h.Name, In: "header", Schema: schema}
}

func (j *joiner) parameter(p *Parameter, in string) *apiParameter {
	// A closed parameter allows no other value.
	schema := j.value(p.Type, p.Rules, false, p.Type.Inner().Enum == nil)
	if p.Type.Kind == LocalTime {
		schema.Pattern = patternTime
	}
	return &apiParameter{Name: p.Name, In: in, Required: p.Required, Description: p.Name + " " + p.Doc, Schema: schema, Deprecated: p.Deprecated}
}

// parameters returns the parameters of paging and the change filters. The
// limits of a list without paging are not published.
func (p *Paging) parameters() (all []*apiParameter) {
	add := func(name, doc string, schema *apiSchema) {
		if name != "" {
			all = append(all, &apiParameter{Name: name, In: "query", Description: name + " " + doc, Schema: schema})
		}
	}
	limit := &apiSchema{Type: "integer", Format: "int32", Default: defaultOf("integer", p.LimitDefault)}
	if p.Style == "offset" {
		limit.Minimum, limit.Maximum = "1", "500"
	}
	add(p.Offset, "is the position of the first record, from 0.", &apiSchema{
		Type: "integer", Format: "int32", Minimum: "0", Maximum: "2147483647", Default: defaultOf("integer", p.OffsetDefault),
	})
	add(p.Limit, "is the largest number of records.", limit)
	add(p.Cursor, "goes on from a cursor, whose form is not published.", &apiSchema{Type: "string"})
	for _, filter := range p.Since {
		schema := &apiSchema{Type: "string", Pattern: patternTicksOrDay}
		switch filter.Kind {
		case "ticks":
			schema = &apiSchema{Type: "integer", Format: "int64"}
		case "time":
			schema.Pattern = patternInstant
		}
		add(filter.Name, "lists only what changed since then, in "+filter.Kind+".", schema)
		all[len(all)-1].Deprecated = filter.Deprecated
	}
	return all
}
