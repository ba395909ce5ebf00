package practice

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/headers"
	"github.com/practicesdk/practice-go/internal/paging"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// Request describes a call of an endpoint without a method in this package.
type Request struct {
	Method string // HTTP method
	// Path is a template below the base address, such as
	// "/matters/{matterId}/memos/{id}". It labels errors, logs and metrics.
	Path string
	// PathValues fill in the template, in order. They are checked and escaped
	// like the identifiers of other methods.
	PathValues []string
	Query      url.Values // optional
	// Body is sent as JSON. It may be a record of package models, JSON text as a
	// json.RawMessage, a []byte or an io.Reader, or any value that encoding/json
	// can write. A value that contains a models.Secret is rejected, because
	// encoding/json would mask it. A reader is read before the call begins, up
	// to WithMaxBody; the limits of the call do not interrupt its Read. If Body
	// is nil, the request has no body. A nil pointer, map or slice is rejected;
	// use json.RawMessage("null") to send null.
	Body any
	// Idempotent states that a POST or PATCH does no harm if it is executed
	// twice, so that it may be retried after any failure. GET and HEAD are
	// reads; PUT and DELETE count as idempotent unless Once is set.
	Idempotent bool
	// Once states that the request does harm if it is executed twice, whatever
	// its method: a PUT that moves money, for example. It is retried only if it
	// was certainly not executed, and may fail with an *AmbiguousWriteError.
	Once bool
}

// Do calls an endpoint without a method, with the same credentials, retries and
// errors as a method. It decodes a successful response into out: a record of
// package models, a *[]byte or an io.Writer for the raw content, or a pointer
// to any value that encoding/json can fill. If out contains an any, a number is
// decoded into it as a float64, which can lose digits. If out is nil, Do
// ignores the response.
//
// If Do cannot encode the body or decode into out, it returns an error without
// sending a request. It holds the response in memory, up to WithMaxBody, before
// it writes to out.
func (c *Client) Do(ctx context.Context, request Request, out any, opts ...CallOption) error {
	op := operation{name: "Do " + request.Method + " " + request.Path, method: request.Method, path: request.Path, class: request.class()}
	prepared := c.call(ctx, op, opts)
	prepared.request(request)
	prepared.anyOut(out)
	prepared.anyBody(request.Body)
	return prepared.sendInto(out)
}

// request checks r and adds its path values and query to the call.
func (c *call) request(r Request) {
	c.free = true
	c.check("Method", badMethod(r.Method))
	c.check("Once", reasonIf(r.Once && r.Idempotent, "and Idempotent must not both be set"))
	c.check("Path", badTemplate(r.Path, len(r.PathValues)))
	for _, value := range r.PathValues {
		c.check("PathValues", badIdentifier(value))
	}
	c.ids = append(c.ids, r.PathValues...)
	for name, values := range r.Query {
		for _, value := range values {
			c.addParam(name, value)
		}
	}
}

// Follow reads the target of a link of the service into out, as Do does. It
// resolves the link against the base URL of the client, including the account
// prefix. For a link that points outside the base URL, it returns
// ErrForeignLink without sending a request.
func (c *Client) Follow(ctx context.Context, link models.Link, out any, opts ...CallOption) error {
	prepared := c.call(ctx, operation{"Follow", http.MethodGet, "{link}", transport.Read}, opts)
	method := strings.ToUpper(link.Method)
	prepared.check("link", reasonIf(link.Href == "", "must have an Href"))
	prepared.check("link", reasonIf(method != "" && method != http.MethodGet, "must have the method GET"))
	prepared.anyOut(out)
	target, err := c.resolve(link.Href)
	if err != nil {
		prepared.fail(fmt.Errorf("practice: Follow: %w", err))
	} else {
		prepared.target, prepared.query = target, paging.LinkQuery(target.RawQuery)
	}
	return prepared.sendInto(out)
}

// ErrForeignLink reports a link that points outside the base URL. The client
// does not follow it, because it would send the credentials there.
var ErrForeignLink = errors.New("the link points outside the client's base URL")

func (c *Client) resolve(href string) (*url.URL, error) {
	ref, err := url.Parse(href)
	if err != nil {
		return nil, ErrForeignLink
	}
	base := *c.base
	switch {
	case ref.Host == "" && ref.Scheme == "" && strings.HasPrefix(ref.Path, "/"):
		// The service writes relative links from the base path of its API, not
		// from the root of the host.
		if !transport.NewOrigin(c.base).Covers(base.ResolveReference(ref)) {
			if c.root.Path != "" && transport.NewOrigin(c.root).Covers(base.ResolveReference(ref)) {
				return nil, ErrForeignLink // relative to the root of the host, with no account or another one
			}
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

// badMethod returns why method cannot be sent, or "". Methods are
// case-sensitive, and net/http does not change them.
func badMethod(method string) string {
	switch {
	case !validHeaderName(method):
		return "must be a valid HTTP method"
	case method != strings.ToUpper(method):
		return "must be in upper case"
	}
	return reasonIf(method == http.MethodConnect || method == http.MethodTrace, "is not allowed")
}

func (r Request) class() transport.Class {
	if r.Once {
		return transport.Create
	}
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

// badTemplate returns why a path template cannot be filled in with n values, or
// "".
func badTemplate(template string, n int) string {
	if !strings.HasPrefix(template, "/") || strings.ContainsAny(template, `?#\`) {
		return "must begin with a slash and must not contain a query, a fragment or a backslash"
	}
	placeholders := 0
	for segment := range strings.SplitSeq(template[1:], "/") {
		named := strings.HasPrefix(segment, "{") && strings.HasSuffix(segment, "}")
		if named {
			placeholders++
			segment = segment[1 : len(segment)-1]
		}
		if badIdentifier(segment) != "" || strings.ContainsAny(segment, "{}%") {
			return "must consist of plain segments and {placeholders}"
		}
	}
	if placeholders != n {
		return "must have exactly one {placeholder} for each of the PathValues"
	}
	return ""
}

// sendInto sends the call and decodes the response into out.
func (c *call) sendInto(out any) error {
	return c.do(func(r result) error { return r.readAny(out) })
}

// readAny decodes a successful response into out.
func (r result) readAny(out any) error {
	record, typed := models.Wire.Record(out)
	if out != nil && !typed {
		if err := r.isAsked(nil); err != nil {
			return err
		}
	}
	switch out := out.(type) {
	case nil:
	case *[]byte:
		*out = bytes.Clone(r.answer.Body)
	case io.Writer:
		if _, err := out.Write(r.answer.Body); err != nil {
			return fmt.Errorf("practice: %s: status %d, but the response could not be written: %w (request %s)", r.call.op.name, r.answer.Status, err, r.call.settings.headers[headers.RequestID])
		}
	default:
		if typed {
			if err := r.hasItsList(record); err != nil {
				return err
			}
			faults, err := r.read(record)
			if err != nil {
				return err
			}
			return errors.Join(r.call.recordErrors(faults, 0)...)
		}
		text, err := r.text()
		if err != nil || len(text) == 0 {
			return err
		}
		if err := json.Unmarshal(text, out); err != nil {
			return r.unreadable(err)
		}
	}
	r.answer.Release()
	return nil
}

// DoAll yields every record of a list without a method, from Offset on, and
// requests Limit records per page. It detects an incomplete list like any All
// method. The request is a GET without a body. A record is an object, which
// [models.Object.Decode] decodes into a type of the caller; its member id
// identifies it.
func (c *Client) DoAll(ctx context.Context, request Request, options ListOptions, opts ...CallOption) iter.Seq2[models.Object, error] {
	name := "DoAll " + request.Path
	return paged(name, name, request.Path, textMember("id")).walk(ctx, c, requestedList{options, request}, opts)
}

// requestedList holds the options of DoAll.
type requestedList struct {
	ListOptions
	request Request
}

func (l requestedList) filter(c *call) {
	c.request(l.request)
	c.check("Method", reasonIf(l.request.Method != http.MethodGet, "must be GET"))
	c.check("Body", reasonIf(l.request.Body != nil, "must be nil"))
	c.check("Query", reasonIf(hasName(l.request.Query, upperNames.Offset) || hasName(l.request.Query, upperNames.Limit), "must not contain the offset or the limit: set them in the ListOptions"))
}

// mixed returns why encoding/json would lose a part of v, or "": a struct that
// embeds a record inherits the record's methods, which ignore all other fields.
func mixed(v reflect.Value) string {
	m := mixture{types: map[reflect.Type]bool{}, values: map[any]bool{}}
	if v.IsValid() {
		m.inType(v.Type())
		m.inValue(v)
	}
	return m.reason
}

// mixture searches a value for structs that embed a record beside other fields.
type mixture struct {
	types  map[reflect.Type]bool // types that have been examined
	values map[any]bool          // pointers that have been examined
	reason string
}

func (m *mixture) inType(t reflect.Type) {
	if m.types[t] || m.reason != "" {
		return
	}
	m.types[t] = true
	if t.Kind() == reflect.Struct && writesItself(t) {
		return
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		m.inType(t.Elem())
	case reflect.Struct:
		embeds, pointer := embeddedRecord(t)
		switch {
		case embeds && pointer:
			m.reason = "must not contain a struct that embeds a pointer to a record, because the pointer could be nil"
		case embeds && fieldsOfJSON(t) > 1:
			m.reason = "must not contain a struct that embeds a record next to other fields, because the other fields would be lost: use a json.RawMessage or a models.Object with all members"
		}
		for field := range t.Fields() {
			m.inType(field.Type)
		}
	}
}

// inValue examines the contents of interfaces.
func (m *mixture) inValue(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v = v.Elem(); v.IsValid() {
			m.inType(v.Type())
			m.inValue(v)
		}
	case reflect.Pointer:
		if m.first(v, 1) {
			m.inValue(v.Elem())
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 && m.first(v, v.Len()) {
			for i := range v.Len() {
				m.inValue(v.Index(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			m.inValue(v.Index(i))
		}
	case reflect.Map:
		if m.first(v, v.Len()) {
			for _, value := range v.Seq2() {
				m.inValue(value)
			}
		}
	case reflect.Struct:
		for _, value := range v.Fields() {
			if !writesItself(v.Type()) {
				m.inValue(value)
			}
		}
	}
}

// first reports whether m sees a pointer, slice or map for the first time. A
// value may contain itself.
func (m *mixture) first(v reflect.Value, size int) bool {
	place := [2]any{v.UnsafePointer(), size}
	if v.IsNil() || m.values[place] {
		return false
	}
	m.values[place] = true
	return true
}

// writesItself reports whether a struct has a marshalling method of its own and
// no elements of a caller's type.
func writesItself(t reflect.Type) bool {
	embeds, _ := embeddedRecord(t)
	return !embeds && implementsAny(t, append(marshalers, unmarshalers...)...) && !strings.Contains(t.Name(), "[")
}

// embeddedRecord reports whether a caller's struct embeds a record, at any
// depth, and whether it does so by a pointer.
func embeddedRecord(t reflect.Type) (embeds, pointer bool) { return embeddedBut(t, nil) }

// embeddedBut implements embeddedRecord, with the same results. It skips the
// types in within, because a struct may embed itself by a pointer.
func embeddedBut(t reflect.Type, within []reflect.Type) (embeds, pointer bool) {
	if isOwnType(t) || slices.Contains(within, t) {
		return false, false
	}
	within = append(slices.Clone(within), t)
	for field := range t.Fields() {
		of := field.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if !field.Anonymous || of.Kind() != reflect.Struct {
			continue
		}
		below, byPointer := embeddedBut(of, within)
		if below || isOwnType(of) && implementsAny(of, append(marshalers, unmarshalers...)...) {
			return true, byPointer || field.Type != of
		}
	}
	return false, false
}

// isOwnType reports whether t is declared in this module. Records of this
// module write all of their fields.
func isOwnType(t reflect.Type) bool {
	return t.PkgPath() == reflect.TypeFor[models.Link]().PkgPath() || t.PkgPath() == reflect.TypeFor[Client]().PkgPath()
}

// fieldsOfJSON returns the number of fields that encoding/json uses.
func fieldsOfJSON(t reflect.Type) (n int) {
	for field := range t.Fields() {
		if (field.IsExported() || field.Anonymous) && field.Tag.Get("json") != "-" {
			n++
		}
	}
	return n
}
