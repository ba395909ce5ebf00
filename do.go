package practice

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// Request describes a call of an endpoint that has no method.
type Request struct {
	Method string // HTTP method
	// Path is a template below the base address, such as
	// "/matters/{matterId}/memos/{id}". It labels errors, logs and metrics.
	Path string
	// PathValues fill in the template, in order. They are checked and escaped
	// like the identifiers of any method.
	PathValues []string
	Query      url.Values // optional
	// Body is written as JSON: a record of package models, JSON text as a
	// json.RawMessage or []byte, or anything that encoding/json can write; that
	// never shows a models.Secret, so one inside is refused. Nil sends no body.
	Body any
	// Idempotent says of a POST or PATCH that executing it twice does no harm,
	// so that it may be repeated after any failure. GET and HEAD are reads; PUT
	// and DELETE always count as idempotent.
	Idempotent bool
}

// Do calls an endpoint that has no method, with the same credentials, retries
// and errors as a method. It reads a successful answer into out: a record of
// package models, a *[]byte for the text itself, or any value that
// encoding/json can read. It ignores the answer when out is nil.
func (c *Client) Do(ctx context.Context, request Request, out any, opts ...CallOption) error {
	op := operation{name: "Do " + request.Method + " " + request.Path, method: request.Method, path: request.Path, class: request.class()}
	prepared := c.call(ctx, op, opts)
	prepared.check("Method", reasonIf(!validHeaderName(request.Method), "must be an HTTP method"))
	prepared.check("Path", badTemplate(request.Path, len(request.PathValues)))
	for _, value := range request.PathValues {
		prepared.id("PathValues", value)
	}
	for name, values := range request.Query {
		for _, value := range values {
			prepared.addParam(name, value)
		}
	}
	prepared.anyBody(request.Body)
	prepared.anyOut(out)
	return prepared.sendAny(out)
}

// Follow reads the target of a link of the service into out, as Do does. It
// resolves the link against the base address of the client, account prefix
// included. It refuses a link to any other place with ErrForeignLink and sends
// nothing.
func (c *Client) Follow(ctx context.Context, link models.Link, out any, opts ...CallOption) error {
	prepared := c.call(ctx, operation{"Follow", http.MethodGet, "{link}", transport.Read}, opts)
	method := strings.ToUpper(link.Method)
	prepared.check("link", reasonIf(link.Href == "", "has no address"))
	prepared.check("link", reasonIf(method != "" && method != http.MethodGet, "is not for reading"))
	prepared.anyOut(out)
	target, err := c.resolve(link.Href)
	prepared.fail(err)
	if err == nil {
		prepared.target, prepared.query = target, target.Query()
	}
	return prepared.sendAny(out)
}

// ErrForeignLink reports a link that leads away from the base address. The
// client does not follow it, because it would send the credentials there.
var ErrForeignLink = errors.New("practice: the link leads away from the base address of the client")

func (c *Client) resolve(href string) (*url.URL, error) {
	ref, err := url.Parse(href)
	if err != nil {
		return nil, ErrForeignLink
	}
	base := *c.base
	switch {
	case ref.Host == "" && ref.Scheme == "" && strings.HasPrefix(ref.Path, "/"):
		// The service writes relative links from the start of its interface, not
		// from the start of the host.
		if !transport.NewOrigin(c.base).Covers(base.ResolveReference(ref)) {
			ref.RawPath = base.RawPath + ref.EscapedPath()
			ref.Path = base.Path + ref.Path
		}
	case ref.Host == "":
		base.Path += "/"
		base.RawPath += "/"
	}
	target := base.ResolveReference(ref)
	target.Fragment, target.RawFragment = "", ""
	if !transport.NewOrigin(c.base).Covers(target) {
		return nil, ErrForeignLink
	}
	return target, nil
}

func (r Request) class() transport.Class {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return transport.Read
	case http.MethodPut, http.MethodDelete:
		return transport.IdempotentWrite
	}
	if r.Idempotent {
		return transport.IdempotentWrite
	}
	return transport.Create
}

// badTemplate says why a path template cannot be filled in with n values, or
// nothing.
func badTemplate(template string, n int) string {
	if !strings.HasPrefix(template, "/") || strings.ContainsAny(template, `?#\`) {
		return "must begin with a slash and have neither query nor fragment"
	}
	placeholders := 0
	for segment := range strings.SplitSeq(template[1:], "/") {
		named := strings.HasPrefix(segment, "{") && strings.HasSuffix(segment, "}")
		if named {
			placeholders++
			segment = segment[1 : len(segment)-1]
		}
		if badIdentifier(segment) != "" || strings.ContainsAny(segment, "{}%") {
			return "must be made of plain segments and {placeholders}"
		}
	}
	if placeholders != n {
		return "must have as many {placeholders} as there are PathValues"
	}
	return ""
}

func (c *call) anyBody(body any) {
	if isNilPointer(body) {
		c.check("Body", "must not be a nil pointer")
		return
	}
	switch body := body.(type) {
	case nil:
	case json.RawMessage:
		c.rawBody(body)
	case []byte:
		c.rawBody(body)
	default:
		if record, ok := models.Wire.Record(body); ok {
			c.json(record)
			return
		}
		data, err := json.Marshal(body)
		c.check("Body", reasonIf(err != nil, "cannot be written as JSON"))
		// The service would take the mask for the secret.
		c.check("Body", reasonIf(bytes.Contains(data, []byte(`"`+models.Secret{}.String()+`"`)), "holds a models.Secret, which only a record of package models reveals"))
		c.body = data
	}
}

func (c *call) rawBody(body []byte) {
	c.check("Body", reasonIf(!json.Valid(body), "must be JSON"))
	c.body = bytes.Clone(body)
}

// anyOut refuses what could only fail after the request was executed.
func (c *call) anyOut(out any) {
	bad := out != nil && (reflect.TypeOf(out).Kind() != reflect.Pointer || isNilPointer(out))
	c.check("out", reasonIf(bad, "must be nil or a pointer to something"))
}

func isNilPointer(v any) bool {
	value := reflect.ValueOf(v)
	return value.Kind() == reflect.Pointer && value.IsNil()
}

// sendAny sends the call and reads the answer into whatever the caller has.
func (c *call) sendAny(out any) error {
	o, err := c.send()
	if err != nil {
		return err
	}
	switch out := out.(type) {
	case nil:
	case *[]byte:
		*out = bytes.Clone(o.answer.Body)
	default:
		if record, ok := models.Wire.Record(out); ok {
			faults, err := o.read(record)
			if err != nil {
				return err
			}
			return errors.Join(c.recordErrors(faults, 0)...)
		}
		text, err := o.text()
		if err != nil || len(text) == 0 {
			return err
		}
		if err := json.Unmarshal(text, out); err != nil {
			return o.unreadable(err)
		}
	}
	o.answer.Release()
	return nil
}
