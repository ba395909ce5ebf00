package practice

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/headers"
	"github.com/practicesdk/practice-go/internal/pending"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// result holds the outcome of a call.
type result struct {
	answer *transport.Answer // nil if there was no response
	sent   *transport.Call
	call   *call
}

// do sends the call and passes a successful response to read. The end of the
// call is observed after read has returned.
func (c *call) do(read func(result) error) error {
	var r result
	ended := transport.ErrNoReturn
	defer func() { c.finish(r, ended) }()
	r, err := c.roundTrip()
	if err == nil {
		err = read(r)
	}
	ended = err
	return err
}

// roundTrip sends the call and returns the successful response. Anything else
// is an error with the operation, the request id and the attempts. The caller
// must call finish.
func (c *call) roundTrip() (result, error) {
	c.onlyWhereTaken()
	if c.err == nil {
		c.fail(c.chooseRequestID())
	}
	ctx := c.ctx
	if observers := c.client.observers; observers != nil {
		c.observer.of = c
		c.observer.begin(ctx, observers, c.observation())
		ctx = c.observer.ctx
	}
	if c.err != nil {
		return result{}, c.err
	}
	sent := &c.sent
	sent.Method, sent.URL, sent.Headers, sent.Body = c.op.method, c.requestURL(), c, c.body
	sent.Class, sent.Retries, sent.MaxBody, sent.Again = c.class(), c.client.retries(c.settings), c.client.settings.maxBody, c.settings.again
	sent.Timeout, sent.AttemptTimeout = c.settings.timeout, c.settings.attemptTimeout
	if c.observed() {
		sent.Observer = &c.observer
	}
	refused := func() {}
	if sent.Class == transport.Create {
		refused = pending.Sending(ctx)
	}
	answer, err := c.client.chain.Do(ctx, sent)
	r := result{answer: answer, sent: sent, call: c}
	if c.settings.response != nil {
		*c.settings.response = r.response()
	}
	err = r.errorOf(err)
	if err != nil && !maybeMade(err) {
		refused()
	}
	return r, err
}

// observation returns the members that all observations of the call share.
func (c *call) observation() Observation {
	kind := ObservedCall
	if c.listing {
		kind = ObservedPage
	}
	return Observation{
		Operation: c.part, Method: c.op.method, Path: c.op.path, RequestID: c.settings.headers[headers.RequestID],
		Server: c.client.server, Kind: kind,
	}
}

// observed reports whether the start of the call has been observed.
func (c *call) observed() bool { return c.observer.to != nil }

// finish reports the end of the call to the observers.
func (c *call) finish(r result, err error) {
	if c.observed() {
		ending := c.observer.ending(r.status(), err)
		c.client.observers.logBodies(c.observer.ctx, ending, c.bodyOf, c.answerOf)
		c.observer.ended(ending)
	}
}

// class returns the class that decides whether the call may be retried.
func (c *call) class() transport.Class {
	if c.settings.once {
		return transport.Create
	}
	return c.op.class
}

// doPage sends a call for a page of a list.
func (c *call) doPage(read func(result) error) error {
	c.listing = true
	return c.do(read)
}

// status returns the HTTP status, or 0 if there was no response.
func (r result) status() int {
	if r.answer == nil {
		return 0
	}
	return r.answer.Status
}

// response returns the Response for the caller.
func (r result) response() Response {
	response := Response{RequestID: r.call.settings.headers[headers.RequestID], Attempts: r.attempts()}
	if r.answer != nil {
		response.StatusCode, response.Header = r.answer.Status, r.answer.Header
		if echoed := r.answer.Header["Requestid"]; len(echoed) > 0 {
			response.EchoedRequestID = echoed[0]
		}
	}
	return response
}

func (r result) attempts() []Attempt {
	attempts := make([]Attempt, len(r.sent.Attempts))
	for i, attempt := range r.sent.Attempts {
		attempts[i] = attemptOf(attempt)
		if attempt.Err != nil {
			attempts[i].Err = r.call.mask().Error(attempt.Err)
		}
	}
	return attempts
}

// errorOf returns the error for the caller, or nil if the call succeeded.
// failure is the error of package transport.
func (r result) errorOf(failure error) error {
	c := r.call
	page := failure == nil && c.op.class != transport.Read && r.isWebPage()
	if failure == nil && !page && (r.answer.Status >= 200 && r.answer.Status < 300 || r.deletedBefore()) {
		return nil
	}
	var err error
	if page {
		failure = ErrWebPage
		r.answer.Release()
	}
	if failure != nil {
		err = &NoAnswerError{Operation: c.op.name, RequestID: c.settings.headers[headers.RequestID], Attempts: r.attempts(), Err: c.mask().Error(failure)}
	} else {
		defer r.answer.Release()
		retryAfter, _ := transport.RetryAfter(r.answer.Header)
		body := c.mask().Bytes(r.answer.Body)
		refused := &Error{
			Operation: c.op.name, Method: c.op.method, StatusCode: r.answer.Status, Header: maskedHeader(c.mask(), r.answer.Header),
			Problem: maskedProblem(c.mask(), body), RequestID: c.settings.headers[headers.RequestID], Attempts: r.attempts(),
			Body: boundedBody(body), Err: c.mask().Error(r.sent.Cause), RetryAfter: retryAfter,
		}
		c.addMissingScopes(refused)
		err = refused
	}
	if r.sent.Class == transport.Create && (page || r.sent.Uncertain()) {
		return &AmbiguousWriteError{Operation: c.op.name, RequestID: c.settings.headers[headers.RequestID], Err: err}
	}
	return err
}

// maybeMade reports whether a create may have been executed although it
// returned err.
func maybeMade(err error) bool {
	_, unclear := errors.AsType[*AmbiguousWriteError](err)
	_, unread := errors.AsType[*DecodeError](err) // the write was accepted
	return unclear || unread || errors.Is(err, ErrNoID)
}

// isWebPage reports whether a successful response is HTML.
func (r result) isWebPage() bool {
	return r.answer.Status >= 200 && r.answer.Status < 300 && r.hasWebPage()
}

// hasWebPage reports whether a response is HTML. The media type alone does not
// count: the body must be neither empty nor JSON.
func (r result) hasWebPage() bool {
	text := bytes.TrimSpace(bytes.TrimPrefix(r.answer.Body, []byte(transport.ByteOrderMark)))
	kind, _, _ := strings.Cut(strings.ToLower(r.answer.Header.Get("Content-Type")), ";")
	switch strings.TrimSpace(kind) {
	case "text/html", "application/xhtml+xml":
		return len(text) > 0 && !json.Valid(text)
	}
	start := strings.ToLower(string(text[:min(len(text), len("<!doctype html"))]))
	return strings.HasPrefix(start, "<!doctype html") || strings.HasPrefix(start, "<html")
}

// addMissingScopes adds to a 403 the scopes and the grant that the call may
// lack.
func (c *call) addMissingScopes(refused *Error) {
	if refused.StatusCode == http.StatusForbidden {
		refused.Scopes, refused.grant = scopesOf(c.op.method, c.op.path), grantOf(c.op.method, c.op.path)
	}
}

// deletedBefore reports whether a 404 only shows that an earlier attempt of the
// same DELETE succeeded. That of a gateway, a web page, shows nothing.
func (r result) deletedBefore() bool {
	if r.call.op.method != http.MethodDelete || r.answer.Status != http.StatusNotFound || !r.sent.Uncertain() || r.hasWebPage() {
		return false
	}
	r.answer.Release() // the body describes the refusal
	return true
}

// read decodes a successful response and releases its body. An empty response
// to a write leaves out unchanged.
func (r result) read(out any) ([]codec.Fault, error) {
	faults, err := r.decode(out)
	if err == nil {
		err = r.isAsked(out)
	}
	if err == nil && r.isBlank(out) {
		err = r.unreadable(ErrOtherRecord)
	}
	if err != nil {
		return nil, err
	}
	r.answer.Release()
	return faults, nil
}

// decode decodes a successful response without releasing its body.
func (r result) decode(out any) ([]codec.Fault, error) {
	text, err := r.text()
	if err != nil || len(text) == 0 {
		return nil, err
	}
	decode := codec.Decode
	if r.call.settings.marked {
		decode = codec.DecodeMarked
	}
	faults, err := decode(text, out, r.form())
	if err != nil {
		return nil, r.unreadable(err)
	}
	r.call.applyVendorPrefix(out)
	r.call.answerOf = out
	return faults, nil
}

// text returns the JSON of a successful response, or "" if there is none, as
// for many writes. For a read, an empty body or null is an error, because it
// would pass for a record without values.
func (r result) text() ([]byte, error) {
	text := bytes.TrimPrefix(r.answer.Body, []byte(transport.ByteOrderMark))
	start := bytes.TrimLeft(text, " \t\r\n")
	empty := len(start) == 0 || string(bytes.TrimRight(start, " \t\r\n")) == "null"
	switch {
	case !empty && r.call.op.answersWithOne() && isOneRecord(text):
		return slices.Concat([]byte("["), text, []byte("]")), nil
	case !empty:
		return text, nil
	case r.call.op.class == transport.Read && r.call.op.method != http.MethodHead:
		return nil, r.unreadable(ErrEmptyAnswer)
	}
	return nil, nil
}

// isOneRecord reports whether the response to a list is a record rather than a
// page: it has an id and no member that could be a list.
func isOneRecord(text []byte) bool {
	identified := false
	for name, value := range codec.Each(string(text)) {
		if name == "value" {
			return false
		}
		identified = identified || name == "id" && value != "null" && value != `""`
	}
	return identified
}

// unreadable returns the error for a response that could not be decoded.
func (r result) unreadable(err error) error {
	if r.isWebPage() {
		err = fmt.Errorf("%w (%w)", ErrWebPage, err)
	}
	return &DecodeError{
		Operation: r.call.op.name, StatusCode: r.answer.Status, RequestID: r.call.settings.headers[headers.RequestID],
		Body: r.call.mask().Bytes(r.answer.Body), Err: r.call.mask().Error(err),
	}
}

func (c *call) applyVendorPrefix(out any) {
	prefix := c.client.settings.vendorPrefix
	if prefix == "" {
		return
	}
	if prefixed, ok := out.(vendorPrefixed); ok {
		prefixed.ApplyVendorPrefix(prefix)
	}
}

func (c *call) applyVendorPrefixes(list reflect.Value) {
	for i := 0; c.client.settings.vendorPrefix != "" && i < list.Len(); i++ {
		c.applyVendorPrefix(list.Index(i).Addr().Interface())
	}
}

// vendorPrefixed is implemented by records with members whose names begin with
// the vendor's prefix.
type vendorPrefixed interface{ ApplyVendorPrefix(prefix string) }

// record is implemented by pointers to records of package models.
type record[T any] interface {
	*T
	json.Unmarshaler
}

// send sends the call and returns the record in its response.
func send[T any, P record[T]](c *call) (*T, error) {
	out := new(T)
	read, err := c.doInto(P(out))
	if !read {
		return nil, err
	}
	return out, err
}

// doInto sends the call and decodes the response into record, a pointer. As
// part of send it would be compiled again for every record type.
//
//go:noinline
func (c *call) doInto(record any) (read bool, err error) {
	err = c.do(func(r result) error {
		faults, err := r.read(record)
		if err != nil {
			return err
		}
		read = true
		return errors.Join(c.recordErrors(faults, 0)...)
	})
	return read, err
}

// sendLink sends a call whose response has no documented record. If the
// response is an object, sendLink decodes it as a link; otherwise the link is
// zero.
func sendLink(c *call) (*models.Link, error) {
	link := new(models.Link)
	err := c.do(func(r result) error {
		if !bytes.HasPrefix(bytes.TrimLeft(r.answer.Body, transport.ByteOrderMark+" \t\r\n"), []byte("{")) {
			r.answer.Release()
			return nil
		}
		faults, err := r.read(link)
		return errors.Join(err, errors.Join(c.recordErrors(faults, 0)...))
	})
	if err != nil {
		return nil, err
	}
	return link, nil
}

// recordErrors returns an error for each record that could not be decoded.
func (c *call) recordErrors(faults []codec.Fault, offset int) []error {
	if len(faults) == 0 {
		return nil
	}
	errs := make([]error, len(faults))
	for i, fault := range faults {
		errs[i] = c.recordError(fault, offset)
	}
	return errs
}

func (c *call) recordError(fault codec.Fault, offset int) error {
	err := &RecordError{
		Operation: c.op.name, RequestID: c.settings.headers[headers.RequestID],
		Index: offset + fault.Index, Path: fault.Path, Raw: c.mask().Bytes(fault.Raw), Err: c.mask().Error(fault.Err),
	}
	c.found.unreadable(err)
	return err
}
